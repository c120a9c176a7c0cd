/* SPDX-License-Identifier: BSD-3-Clause */
/* What recording may add to the program's time: a budget of all recorded executions together, those
 * that warm the caches included.  It is a time that the request names or, if that is longer, the
 * time that the program has run so far without its recorded executions.  How long it will run is
 * not known before its end.  What they add is processor time of the thread that owns the phase:
 * other programs on the machine do not change what is recorded. */
#ifndef PSC_MONITOR_SLICE_BUDGET_H
#define PSC_MONITOR_SLICE_BUDGET_H

#include "monitor/state.h"

/* ns that are left for the request; where others have spent them, a tenth
 * of the time that it names. */
uint64_t slice_budget_left(const struct mon_request *r);
/* How many times as long an execution of the present phase takes that is recorded in full: as
 * measured last, or else as is usual. */
double slice_budget_slowdown(void);

/* A request begins to be measured.  finish: writes what its executions have added. */
void slice_budget_arm(void);
void slice_budget_finish(struct mon_request *r);
/* A recorded execution took so much processor time; clean_ns: a clean one, 0: not known.  whole:
 * all of it was recorded. */
void slice_budget_executed(uint64_t cpu_ns, uint64_t clean_ns, bool whole);
/* The phase is another one. */
void slice_budget_forget(void);

#endif
