/* SPDX-License-Identifier: BSD-3-Clause */
/* Starting and ending the agents, under a keeper (keeper.h). */
#ifndef PSC_AGENTS_LAUNCH_H
#define PSC_AGENTS_LAUNCH_H

#include <sys/types.h>
#include "base/err.h"

struct agents {
	char dir[128];          /* the run's directory, 0700; the keeper removes it */
	pid_t keeper;
	int hold;               /* closing it ends the agents and the keeper */
	int status;             /* readable when mpirun has ended: one int, its wait status */
	int log;                /* readable when the agents or mpirun have printed something: launch_read() */
	char said[2048];        /* the end of what they printed */
	unsigned nsaid;
};

/* Makes the run directory. 0 / -1. */
int launch_dir(struct agents *a, struct err *err);
/* Starts the keeper, which starts mpirun with one master and `nodes` node agents that connect to
 * the socket. 0 / -1. */
int launch_agents(struct agents *a, const char *agent, const char *socket, int nodes,
	struct err *err);
/* Ends what is left of the agents and waits until the keeper has cleaned up. */
void launch_end(struct agents *a);
/* Takes what the agents and mpirun have printed (often: else they wait), to explain an error. */
void launch_read(struct agents *a);

#endif
