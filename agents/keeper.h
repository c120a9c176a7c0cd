/* SPDX-License-Identifier: BSD-3-Clause */
/* The keeper: a process between the front end and the agents.  It lives until the front end closes its end
 * of a pipe, or dies; then it ends what is left of the agents and removes the run directory. */
#ifndef PSC_AGENTS_KEEPER_H
#define PSC_AGENTS_KEEPER_H

/* What the keeper starts: mpirun, with one master and `nodes` node agents that connect to the socket. */
struct keeper_job {             /* all borrowed */
	const char *dir;        /* the run's */
	const char *agent, *socket;
	int nodes;
	int held;               /* end of file when the front end is gone */
	int status;             /* takes mpirun's wait status */
	int log;                /* takes what mpirun and the agents print */
};

/* The keeper's life; in the child. */
void keeper_run(const struct keeper_job *job);
/* Removes the run directory with all that is in it. */
void keeper_remove(const char *dir);

#endif
