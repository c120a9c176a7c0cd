/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of the kernel (perf_event_open) by context: hardware counters, page faults, switches.
 *
 * Each thread has a group of events while an experiment of that kind runs; it is opened at the
 * thread's first marker.  What the group counts between two markers belongs to the context that was
 * the innermost one; what the monitor does inside a marker is left out, and so are waits.
 * region_times.c tells which threads work, so executions with events are timed too; their times are
 * never used. */
#ifndef PSC_MONITOR_KERNEL_EVENTS_H
#define PSC_MONITOR_KERNEL_EVENTS_H

#include "monitor/collect/armed.h"
#include "monitor/collect/runtime_collector.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"

/* Begins an experiment. */
enum mon_drop events_arm(struct mon_request *r);
/* At the begin of a marker: what was counted since the last one belongs to the context.  wanted
 * false: to nobody. */
void events_cut(struct pscm_thread *t, uint32_t context, bool wanted);
/* At the end of a marker: counts from here on, if the thread works. */
void events_resume(struct pscm_thread *t);
/* The thread ends: closes its group. */
void events_leave(struct pscm_thread *t);
/* An execution has ended: writes its rows, if it counts. */
void events_executed(struct pscm_armed *a, bool counted);
/* The event that a thread could not open, or not read: true, and in the request, which and why. */
bool events_failed(struct mon_request *r);
/* Ends the experiment: closes all groups. */
void events_finish(void);
/* In a child of fork(): closes the copies. */
void events_forked(void);

static inline bool events_wanted(void)
{
	return (pscm_mode() & PSCM_MODE_CUT) != 0;
}

#endif
