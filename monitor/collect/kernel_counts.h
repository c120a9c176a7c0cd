/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel does for the program in clean executions: system time, page faults, switches
 * (getrusage).
 *
 * The whole of each execution is read at its begin and its end, outside of what is timed.  Where
 * the executions before had many page faults or much system time, each thread also reads its own
 * part whenever it reads its CPU clock (region_times.c): then contexts have figures of their
 * own, at 0.5 us for each 20 us. Nothing is read in a program that has installed a filter of
 * system calls. */
#ifndef PSC_MONITOR_KERNEL_COUNTS_H
#define PSC_MONITOR_KERNEL_COUNTS_H

#include "monitor/host/threads.h"
#include "monitor/state.h"

/* 0: threads do not read their own parts; else a number that is another one
 * each time they begin to. */
extern _Atomic uint32_t pscm_kernel_round __attribute__((visibility("hidden")));

static inline bool kernel_use_often(void)
{
	return unlikely(atomic_load_explicit(&pscm_kernel_round, memory_order_relaxed) != 0);
}

/* A request for clean executions begins; by_thread: threads may read their own parts.  It ends:
 * nothing is read any more. */
void kernel_use_arm(bool by_thread);
void kernel_use_stop(void);
/* The current execution is measured from here on, until kernel_use_end(): several times where it
 * has pauses. */
void kernel_use_begin(void);
void kernel_use_end(void);
/* The execution is over: its figures, and decides whether threads read their own parts in the
 * next one. */
struct mon_kernel kernel_use_take(void);
/* Adds an execution of ns to the sums of a request with kernel_only.  kernel_use_finish(): with
 * MON_KERNEL_WHOLE, at its end. */
void kernel_use_sum(struct mon_request *r, const struct mon_kernel *execution, uint64_t ns);
void kernel_use_finish(struct mon_request *r);

/* Gives the context of this thread what the kernel did since the last reading; faults alone:
 * without the system time, which a wait has taken. */
void kernel_use_give(struct pscm_thread *t, uint32_t context, bool faults_alone);
/* What the kernel did since the last reading is nobody's. */
void kernel_use_skip(struct pscm_thread *t);

#endif
