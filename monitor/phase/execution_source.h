/* SPDX-License-Identifier: BSD-3-Clause */
/* Where executions come from, as phase.c uses it.  Three sources: the phase's entries or
 * iterations; the same with numbers that the program gives, where all of one number are one
 * execution; spans of time (timed_spans.h). */
#ifndef PSC_MONITOR_EXECUTION_SOURCE_H
#define PSC_MONITOR_EXECUTION_SOURCE_H

#include "monitor/host/threads.h"

struct execution_source {
	/* Numbers may be missing, and an execution is over when a higher one comes: until then
	 * it may go on. */
	bool numbered;
	/* An execution ends at any hook: regions are open then, no two are alike, and the one
	 * that the owner leaves is void. */
	bool cuts;
	/* At a boundary: the number of the execution that begins there.  last: of the one
	 * before; the same: that one goes on. */
	uint64_t (*begins)(uint64_t last);
	/* The functions from here on are optional.  The execution has begun.  hooks: those of
	 * regions are to be counted. */
	void (*begun)(bool hooks);
	/* The owner's regions, as far as they are open, belong to the execution, which is
	 * measured from here on.  clean: brief regions are not seen. */
	void (*carries)(struct pscm_thread *owner, bool clean);
	/* Nothing is measured up to the next boundary. */
	void (*rests)(void);
	/* The owner leaves the phase. */
	void (*ends)(void);
};

/* The present one; borrowed. */
const struct execution_source *execution_source(void);
/* The number of the next executions, which the program gives; 0: none. */
void execution_number(uint64_t n);

#endif
