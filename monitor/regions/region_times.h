/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of contexts in a clean execution: wall time, processor time, waits.
 *
 * Wall time is inclusive and read at the region markers.  For processor time and waits a thread's
 * time is cut into pieces at every marker.  A piece belongs to the context that was the innermost
 * one; time_rows.c sums up the tree, so that the contexts' own times add up to the phase's. */
#ifndef PSC_MONITOR_REGION_TIMES_H
#define PSC_MONITOR_REGION_TIMES_H

#include "monitor/host/threads.h"
#include "monitor/state.h"
#include "base/clock.h"

/* The clock of the markers, in ns; 0 while no times are measured. */
static inline uint64_t times_now(void)
{
	return pscm_mode() & PSCM_MODE_TIME ? clock_ns() : 0;
}

/* Measures what the two markers of a region take, if it has not been measured: 30 us. */
void times_measure_markers(void);
uint64_t times_marker_cost(void);       /* ns; 0: not measured */

/* The thread begins the phase in context 0, or ends it; `context` is the innermost one. */
void times_begin(struct pscm_thread *t);
void times_end(struct pscm_thread *t, uint32_t context, uint64_t now);
/* Ends the piece of `context`, the innermost one until now: a marker changes it. */
void times_cut(struct pscm_thread *t, uint32_t context, uint64_t now);
/* A frame of this context is pushed or popped: wall time and calls. */
void times_open(struct pscm_thread *t, uint32_t context, uint64_t now);
void times_close(struct pscm_thread *t, uint32_t context, uint64_t now);
/* A frame of this context was open when the span of time began (times_begin()): one call for all of
 * a recursion. */
void times_carry(struct pscm_thread *t, uint32_t context);
/* As times_open() for a recorded execution: only calls are counted. */
void times_called(struct pscm_thread *t, uint32_t context);
/* The thread comes to the measured work, or leaves it: what it does in between is nobody's. */
void times_arrive(struct pscm_thread *t, uint64_t now);
void times_leave(struct pscm_thread *t, uint64_t now);
/* The kernel did this for the thread in this context (kernel_counts.h). */
void times_kernel(struct pscm_thread *t, uint32_t context, uint64_t faults, uint64_t sys_ns);
/* The thread has begun its part of a team's region, in this context, which was forked at `from`. */
void times_started(struct pscm_thread *t, uint32_t context, uint64_t from, uint64_t now);
/* From now on the thread waits, in whatever contexts, although the runtime may spin.  Does nothing
 * if it waits already, or is outside the measured work. */
void times_wait(struct pscm_thread *t, uint32_t context, uint64_t now);
/* It has stopped waiting.  Does nothing if it does not wait. */
void times_waited(struct pscm_thread *t, uint32_t context, uint64_t now);
/* It has left a team's construct and may wait for the others there until times_joined() of the same
 * region; the next marker of any other kind shows that it did not. */
void times_may_join(struct pscm_thread *t, uint32_t region, uint64_t now);
void times_joined(struct pscm_thread *t, uint32_t region, uint32_t context, uint64_t now);

#endif
