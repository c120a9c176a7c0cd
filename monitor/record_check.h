/* SPDX-License-Identifier: BSD-3-Clause */
/* The invariants of what is recorded and counted, checked where the agent asks for it (mon_shm.check).
 * Violations are counted and kept with their place in shared memory; nothing else changes. */
#ifndef PSC_MONITOR_RECORD_CHECK_H
#define PSC_MONITOR_RECORD_CHECK_H

#include "monitor/pscmon.h"

static inline bool pscm_check_wanted(void)
{
	return unlikely(pscm_shm->check);
}

/* The words [from, end), before they are played; the thread's lock is held.  counting: what they stand
 * for is added up. */
void pscm_check_words(struct pscm_thread *t, const uint64_t *from, const uint64_t *end, bool counting);
/* The boundary's thread at an execution's end: no region is open. */
void pscm_check_closed(const struct pscm_thread *t);
/* At the experiment's end: what was added up against the thread's cells.  whole: they have everything. */
void pscm_check_counts(struct pscm_thread *t, bool whole);
#endif
