/* SPDX-License-Identifier: BSD-3-Clause */
/* Several runs of the program: whether another one is needed, of what
 * phase, and what it measures. */
#ifndef PSC_AGENTS_RUN_DECISION_H
#define PSC_AGENTS_RUN_DECISION_H

#include "agents/process.h"

/* Are there times and counts of the phase? */
bool runs_complete(const struct process *p);
/* The process has ended: is another run of the program needed, and allowed? */
bool runs_again(const struct process *p);
/* Between two runs: chooses the phase, if it was not named, and what the next run measures.
 * true: the phase is another one. */
bool runs_prepare(struct host_analysis *h, struct process *process, int n);
/* Appends the option that allows more runs. */
void runs_propose(const struct process *p, struct buf *out);
/* Says in the report how many runs it stands on. 0 / -1 (memory). */
int runs_report(const struct process *p, struct report *r);

#endif
