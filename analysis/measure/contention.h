/* SPDX-License-Identifier: BSD-3-Clause */
/* What threads lose where they contend for locks and for lines that they update: waiting, of which
 * the simulation of accesses knows nothing.
 *
 * T is the mean of the clean executions there, not the lower quartile: threads meet in some
 * executions and pass one another in others, and both are what the program does.
 *
 * Nothing overlaps a locked instruction that waits for its line.  So where the code calls nothing
 * of unknown time, what neither C_high nor the misses of other lines explain is such a wait.  Of
 * contended lines, M and K (estimate.h) are S:
 *   low >= min(0.9 (S_low + part K_low), T - C_high - (M_high - S_high))
 *
 * What a lock protects comes with it: where code takes locks that several threads take, K of its
 * other lines is theirs.
 *
 * The kernel's time beside page faults is that of waiting for a lock (futex) in contexts in which
 * several threads take a lock and that call nothing else of unknown time.  It is measured, counts
 * to T and to the memory time of the lock, and no longer as the kernel's. */
#ifndef PSC_MEASURE_CONTENTION_H
#define PSC_MEASURE_CONTENTION_H

#include "analysis/measure/estimate.h"
#include "analysis/measure/measurements.h"

/* The part of the time from which on T is the mean: what K may take. */
#define CONTENTION_MEETS 0.2

/* The mean over the clean executions that may be compared: all, but for those that do other work
 * than the counted one. */
double contention_mean(const struct measurements *p, const double *ns);
/* Adds ns in the kernel for a lock to the memory time. */
void memory_time_wait(struct memory_time *m, double waits);
/* Moves K of contended lines, and what their misses cost, too, to another memory
 * time; adds a part of these. */
void memory_time_give(struct memory_time *m, bool misses, struct memory_time *to);
void memory_time_take(struct memory_time *m, const struct memory_time *of, double part);
/* What of the memory time nothing overlaps: of contended lines, with what memory_time_contend() and
 * memory_time_wait() have added; part: of K, that the time pays for. */
struct cost memory_time_serial(const struct memory_time *m, double part);
/* Raises the estimate of a thread to what it must have waited. */
void estimate_stall_serial(struct estimate *e, const struct cost *memory, const struct cost *serial,
	const struct estimate *core, double t);

#endif
