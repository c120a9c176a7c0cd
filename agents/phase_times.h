/* SPDX-License-Identifier: BSD-3-Clause */
/* Gathers the times of the regions that could be the phase, from the processes of a host. */
#ifndef PSC_AGENTS_PHASE_TIMES_H
#define PSC_AGENTS_PHASE_TIMES_H

#include "agents/process.h"
#include "phase/decide.h"

/* The times of n processes in a list as long as the host's candidates, which the caller frees;
 * NULL: no memory.  elapsed: what the processes have run, in ns. */
struct phase_time *phase_times_of(const struct host_analysis *h, const struct process *p, int n,
	uint64_t *elapsed);
/* The region's element of such a list; NULL: it is no candidate. */
struct phase_time *phase_times_find(const struct host_analysis *h, struct phase_time *t,
	uint32_t region);
/* Fills in a look with what the agents of this host know now.  Returns look->t, which the caller
 * frees; NULL: no memory. */
struct phase_time *phase_times_look(const struct host_analysis *h, const struct process *p, int n,
	struct phase_look *look);
/* The same of a run that has ended. */
struct phase_time *phase_times_look_back(const struct host_analysis *h, const struct process *p,
	int n, struct phase_look *look);
/* The region's share of the process's time; NAN: not known.  is_phase:
 * executions of it were recorded. */
double phase_times_share(const struct process *p, const struct phase_time *t, bool is_phase);
/* Accesses of a counted execution; NAN: none was counted. */
double phase_times_accesses(const struct measurements *m);
/* Executions that a small analysis needs. */
uint64_t phase_times_least_needed(const struct host_analysis *h);
/* Spans of time that could be measured instead, as of a program that repeats nothing; 0: none. */
uint64_t phase_times_span(const struct process *p, const struct phase_time *t, uint64_t elapsed);

#endif
