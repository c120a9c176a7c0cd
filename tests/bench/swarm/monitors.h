/* SPDX-License-Identifier: BSD-3-Clause */
/* Monitors without an application: connections to a node agent with the real shared memory, filled with counters by a
 * script.  All of a program's processes have the same contexts and structures. */
#ifndef PSC_SWARM_MONITORS_H
#define PSC_SWARM_MONITORS_H

#include "base/err.h"
#include "sir/sir.h"

struct mon_shm;

enum { SWARM_STRUCTURES = 20, SWARM_FINDINGS = 20 };

/* What every process does. */
struct script {
	const struct sir *sir;          /* borrowed */
	struct script_context { uint32_t region, parent; bool leaf; } *context; /* 0: the phase; owned */
	uint32_t ncontexts;
	uint64_t seed;
	uint32_t most;                  /* contexts at most */
	int common;                     /* findings of SWARM_FINDINGS that all processes have */
};
/* Lists the contexts below the phase's region. 0 / -1. */
int script_make(struct script *s, const struct sir *sir, uint32_t phase, struct err *err);
void script_free(struct script *s);

struct monitor { int fd; int rank; struct mon_shm *shm; uint64_t executions; };
/* Connects a process of this rank to the node agent.  0 / -1. */
int monitor_connect(struct monitor *m, const struct script *s, int rank, const char *socket, struct err *err);
/* Fills the results of the requests that are there, without saying so; returns how many there are. */
int monitor_prepare(struct monitor *m, const struct script *s);
/* Says that the results are there. */
void monitor_publish(struct monitor *m);
bool monitor_detached(const struct monitor *m);
void monitor_close(struct monitor *m);

#endif
