/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks invariants of records and counts when the agent asks for it (mon_shm.check).  Violations
 * are stored with their place in shared memory and change nothing else. */
#ifndef PSC_MONITOR_RECORD_CHECK_H
#define PSC_MONITOR_RECORD_CHECK_H

#include "monitor/host/threads.h"
#include "monitor/state.h"

static inline bool pscm_check_wanted(void)
{
	return unlikely(pscm_shm->check);
}

/* Checks the words [from, end) before they are simulated.  Requires the thread's lock.  counting:
 * adds up the counts that they stand for. */
void pscm_check_words(struct pscm_thread *t, const uint64_t *from, const uint64_t *end,
	bool counting);
/* At an execution's end, on the boundary's thread: no region may be open. */
void pscm_check_closed(const struct pscm_thread *t);
/* At the experiment's end: compares the sums with the thread's cells.  whole: all words were
 * counted. */
void pscm_check_counts(struct pscm_thread *t, bool whole);
#endif
