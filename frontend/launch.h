/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting and ending the agents, under a keeper (keeper.h). */
#ifndef PSC_FRONTEND_LAUNCH_H
#define PSC_FRONTEND_LAUNCH_H

#include <sys/types.h>
#include "frontend/keeper.h"
#include "base/err.h"

struct agents {
	char dir[128];          /* the run's directory, 0700; the keeper removes it */
	int lock;               /* says that the directory is in use (rundir.h) */
	pid_t keeper;
	int hold;               /* closing it ends the agents and the keeper */
	int status;             /* readable when mpirun or an agent has ended: one int, its wait status */
	int log;                /* readable when the agents or mpirun have printed something: launch_read() */
	char said[2048];        /* the end of what they printed */
	unsigned nsaid;
};

void launch_init(struct agents *a);     /* nothing is started */
/* Are the limits of this process enough for an analysis?  0 / -1. */
int launch_limits(enum agents_way way, struct err *err);
/* Makes the run directory. 0 / -1. */
int launch_dir(struct agents *a, enum agents_way way, struct err *err);
/* The program that starts an MPI job; borrowed. */
const char *launch_mpirun(void);
/* Whether agents can be started this way, as far as files tell: path of the agent's program. 0 / -1. */
int launch_possible(enum agents_way way, char *agent, unsigned size, struct err *err);
/* Starts the keeper, which starts the agents: one master, which connects to the socket, and `nodes` node agents.
 * 0 / -1. */
int launch_agents(struct agents *a, enum agents_way way, const char *agent, const char *socket, int nodes,
	struct err *err);
/* Ends what is left of the agents and waits until the keeper has cleaned up. */
void launch_end(struct agents *a);
/* Takes what the agents and mpirun have printed (often: else they wait), to explain an error. */
/* Also shows it at once from this level of messages on: nobody need repeat it then. */
enum { LAUNCH_SHOW = 2 };
void launch_read(struct agents *a);

#endif
