/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel does in the phase: system time, page faults, and their part of each context's
 * time.
 *
 * Counts are exact.  System time is told by ticks of the clock (4 ms on most kernels), so that a
 * short phase has a rough figure.  Page faults take their number times what a fault was measured
 * to take here (machine/line_costs.h); where ticks tell the system time, as much of it as lies in
 * the range of that cost.  System time beyond the faults' is believed only from LEAST_TICKS ticks
 * on. */
#ifndef PSC_MEASURE_KERNEL_USE_H
#define PSC_MEASURE_KERNEL_USE_H

#include "analysis/measure/measurements.h"

/* An execution of the phase, all threads together.  Seconds; NAN: not known (a program in a
 * sandbox). */
struct kernel_use {
	double time;            /* in the kernel; fault_time is a part of it */
	double fault_time;      /* for page faults that read nothing from a device */
	double faults, major;   /* their number; those that read from a device */
	double switches;        /* voluntary switches to other threads */
	double fault_low, fault_high;   /* the range of fault_time */
};

/* More executions, of which nothing else is kept, that ticks should tell of; 0: none are needed. */
uint32_t kernel_use_lacking(const struct measurements *p);
/* 0 / -1 (memory) */
int kernel_use_more(struct measurements *p, const struct mon_result *r);
/* Keeps what the result has, for the executions from number `first` on, after p->nclean has
 * grown.  0 / -1 (memory). */
int kernel_use_add(struct measurements *p, const struct mon_result *r, uint32_t first);
void kernel_use_free(struct measurements *p);
/* Computes p->kernel_use->use anew, after a result or new costs. */
void kernel_use_refresh(struct measurements *p);
struct kernel_use kernel_use_phase(const struct measurements *p);
/* ns of kernel time of the thread in the context, without the contexts inside it; 0 where the
 * phase has none that is known by context.  own: ns of its processor time there.  What was seen in
 * a context is divided among it and the brief contexts inside it by their time: these have no
 * markers of their own while the kernel's figures are read. */
double kernel_use_own(const struct measurements *p, uint32_t context, uint32_t thread, double own);
/* The part of that for page faults. */
double kernel_use_own_faults(const struct measurements *p, uint32_t context, uint32_t thread,
	double own);
/* Page faults of the thread in the context, in an execution, without the contexts inside it; where
 * no thread read its own: all of a thread of the phase. */
double kernel_use_thread_faults(const struct measurements *p, uint32_t context, uint32_t thread);
/* Page faults of all threads there, as far as the threads read their own. */
double kernel_use_faults(const struct measurements *p, uint32_t context);

#endif
