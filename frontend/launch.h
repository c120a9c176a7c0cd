/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and ends the agents through a keeper (keeper.h). */
#ifndef PSC_FRONTEND_LAUNCH_H
#define PSC_FRONTEND_LAUNCH_H

#include <sys/types.h>
#include "frontend/keeper.h"
#include "base/err.h"

struct agents {
	char dir[128];          /* the run directory, 0700; the keeper removes it */
	int lock;               /* marks the directory as in use (base/run_dir.h); -1: none */
	pid_t keeper;
	int hold;               /* closing it ends the agents and the keeper */
	int status;             /* readable when mpirun or an agent has ended: one int, its wait
				 * status */
	int log;                /* readable when the agents or mpirun have printed something:
				 * launch_read() */
	char said[2048];        /* the last part of their output */
	unsigned nsaid;
};

void launch_init(struct agents *a);     /* starts nothing */
/* Are this process's limits (open files, file size) high enough for an analysis?  Raises the soft
 * limit of open files.  0 / -1. */
int launch_limits(enum agents_way way, struct err *err);
/* Makes the run directory. 0 / -1. */
int launch_dir(struct agents *a, enum agents_way way, struct err *err);
/* The program that starts an MPI job; borrowed. */
const char *launch_mpirun(void);
/* Checks that the programs needed to start agents this way exist; `agent` gets the path of the
 * agent's program. 0 / -1. */
int launch_possible(enum agents_way way, char *agent, unsigned size, struct err *err) PSC_CHECKED;
/* Starts the keeper, which starts one master, which connects to the socket, and `nodes` node
 * agents as a tree with this fan-out, on the hosts of the file (NULL: all on this one).  0 / -1. */
int launch_agents(struct agents *a, enum agents_way way, const char *agent, const char *socket,
	int nodes, int fanout, const char *hostfile, struct err *err);
/* Has the keeper end the remaining agents and clean up; does not wait for it. */
void launch_leave(struct agents *a);
/* Ends the remaining agents and waits until the keeper has cleaned up. */
void launch_end(struct agents *a);
/* Reads the output of agents and mpirun into a->said, to explain an error.  Call it often: they
 * block when the pipe is full.  From message level LAUNCH_SHOW on it also prints the output at
 * once, so the caller need not repeat it. */
enum { LAUNCH_SHOW = 2 };
void launch_read(struct agents *a);

#endif
