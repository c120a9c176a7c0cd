/* SPDX-License-Identifier: BSD-3-Clause */
/* The keeper: a process between the front end and the agents.  It lives until the front end closes its end
 * of a pipe, or dies; then it ends what is left of the agents and removes the run directory. */
#ifndef PSC_FRONTEND_KEEPER_H
#define PSC_FRONTEND_KEEPER_H

#include <stdbool.h>

#define KEEPER_NAME "psc_keeper"        /* of the process */

/* How agents are started, and so how they talk to each other. */
enum agents_way {
	AGENTS_MPIRUN,          /* one MPI job */
	AGENTS_LOCAL            /* processes of this host, joined by sockets; needs no MPI */
};

/* What the keeper starts: one master and `nodes` node agents, of which the master connects to the socket. */
struct keeper_job {             /* all borrowed */
	enum agents_way way;
	const char *dir;        /* the run's */
	const char *agent, *socket;
	int nodes;
	bool own_net;           /* mpirun gets a network of its own (netns.h) */
	int held;               /* end of file when the front end is gone */
	int status;             /* takes the wait status of mpirun, or of agents, when they end */
	int log;                /* takes what they print */
	int lock;               /* of the directory; -1 */
};

/* The keeper's life; in the child. */
void keeper_run(const struct keeper_job *job);

#endif
