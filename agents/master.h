/* SPDX-License-Identifier: BSD-3-Clause */
/* The master agent: between the front end and the node agents. */
#ifndef PSC_AGENTS_MASTER_H
#define PSC_AGENTS_MASTER_H

/* Runs until the front end says quit or is gone.  Exit code of the process. */
int master_run(const char *socket);
/* Runs a node agent (rank >= 1) until the master says quit. */
int node_agent_run(int rank);

#endif
