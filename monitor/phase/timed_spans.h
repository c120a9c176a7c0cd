/* SPDX-License-Identifier: BSD-3-Clause */
/* Spans of time as executions, for a program that repeats nothing (--experiment-time).
 *
 * A span is at least pscm_timed_ns of the thread that began the main program.  It ends at a
 * *boundary*: the first hook that the thread calls after that time, outside of teams and of slices.
 * phase.c ends one execution there and begins the next.
 *
 * In clean spans the markers of brief regions are off, and iterations of loops are not called.  A
 * program may have no other hooks for long.  So the hooks of each region are counted in a clean
 * span, and it is noted in which parts of the span they came.  When regions turn out to be brief,
 * the spans behind it keep those hooks that are called least of all that are needed to have a hook
 * in each part. */
#ifndef PSC_MONITOR_TIMED_SPANS_H
#define PSC_MONITOR_TIMED_SPANS_H

#include "monitor/state.h"

/* Of a subroutine, loop or construct: its begin or end; of a loop: the next iteration. */
enum timed_kind { TIMED_ENTRY, TIMED_ITERATION };

/* A span begins; clean: its hooks are to be counted. */
void timed_begin(bool clean);
/* A hook of the thread that owns the phase.  True: the span may end here, for its time is over, or
 * idle and the agent has ended the analysis. */
bool timed_over(uint32_t region, enum timed_kind kind, bool idle);
/* The span cannot end yet for another reason: to be asked again, not at each hook. */
void timed_wait(void);
/* After a clean span that has shown more brief regions, and after a survey: chooses the hooks that
 * clean spans keep.
 * false: there are no such spans. */
bool timed_choose(void);
/* Is a clean span to call these hooks of the region?  Before the choice, and of a loop that never
 * iterated: those of iterations. */
bool timed_keeps(uint32_t region, enum timed_kind kind);

/* Are the hooks of the brief region, of either kind, kept for clean spans? */
bool timed_kept(uint32_t region);

#endif
