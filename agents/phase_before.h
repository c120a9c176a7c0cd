/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps what was measured before, of another phase or of executions that are not typical, since the
 * phase or the program may end too early for new measurements, or turn out to be worse. */
#ifndef PSC_AGENTS_PHASE_BEFORE_H
#define PSC_AGENTS_PHASE_BEFORE_H

#include "agents/process.h"

/* New measurements begin.  If there are times and counts of the phase of that name, takes them from
 * the process, whose members `measured` and `whatif` are NULL then.  false: they are not kept, as
 * where what is kept already is better.  Only for programs of one process on one host: the phase
 * is that of all processes. */
bool phase_before_keep(struct process *p, const struct phase_name *name);
/* The report is due: if times and counts are not complete, or the phase turned out to be worse than
 * that of before, goes back to what was kept, and its phase, unless that has next to nothing of
 * the time; p->now.held tells whether that analysis had ended.  true: done. */
bool phase_before_return(struct process *p);
/* Is the phase before, whose analysis has ended, the better choice by what is known now? */
bool phase_before_better(const struct process *p);
void phase_before_free(struct phase_before *b);

#endif
