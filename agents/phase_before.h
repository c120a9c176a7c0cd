/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured of the phase that a process had before: the new one may end too early to be measured. */
#ifndef PSC_AGENTS_PHASE_BEFORE_H
#define PSC_AGENTS_PHASE_BEFORE_H

#include "agents/process.h"

/* The phase has changed.  If there are times and counts of the one before, takes them from the process, whose members
 * `measured` and `whatif` are NULL then.  false: nothing is kept.  Only for programs of one process on one host: the phase is
 * that of all processes. */
bool phase_before_keep(struct process *p);
/* The report is due: if the phase has no times and counts, but the one before has, goes back to that.  true: it is the phase
 * again. */
bool phase_before_return(struct process *p);
void phase_before_free(struct phase_before *b);

#endif
