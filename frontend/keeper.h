/* SPDX-License-Identifier: BSD-3-Clause */
/* The keeper: a process between the front end and the agents.  It lives until the front end closes
 * its end of a pipe, or dies; then it ends the remaining agents and removes the run directory. */
#ifndef PSC_FRONTEND_KEEPER_H
#define PSC_FRONTEND_KEEPER_H

#include <stdbool.h>

#define KEEPER_NAME "psc_keeper"        /* of the process */

/* The way agents are started, and so the way they exchange messages. */
enum agents_way {
	AGENTS_MPIRUN,          /* one MPI job */
	AGENTS_LOCAL            /* processes of this host, connected by sockets; needs no MPI */
};

/* The job that the keeper starts: one master, which connects to the socket, and `nodes` node
 * agents. */
struct keeper_job {             /* all borrowed */
	enum agents_way way;
	const char *dir;        /* the run directory */
	const char *agent, *socket;     /* the agent's program; the front end's socket */
	int nodes, fanout;      /* fanout: most children of an agent in the tree (agents/tree.h) */
	const char *hostfile;   /* AGENTS_MPIRUN: the hosts of master and node agents, a slot for
				 * each; NULL: this host */
	bool own_net;           /* run mpirun in a network namespace (netns.h) */
	int held;               /* read end: end of file when the front end is gone */
	int status;             /* write end: wait status of mpirun, or of each local agent that
				 * ends */
	int log;                /* write end: standard output and error of mpirun and agents */
	int lock;               /* of the run directory; -1: none */
};

/* Runs the keeper in the forked child; returns when all agents have ended. */
void keeper_run(const struct keeper_job *job);

#endif
