/* SPDX-License-Identifier: BSD-3-Clause */
/* The times of single threads in a context, within struct measurements. */
#ifndef PSC_MEASURE_THREAD_TIMES_H
#define PSC_MEASURE_THREAD_TIMES_H

#include "analysis/measure/measurements.h"

/* Makes room for that many clean executions in all, before they are added. 0 / -1 (memory). */
int thread_times_grow(struct measurements *p, uint32_t executions);
/* Adds a time row of the clean execution with that number, which p->nclean includes already. 0 /
 * -1. */
int thread_times_add(struct measurements *p, const struct mon_time_row *row, uint32_t execution);
void thread_times_free(struct measured_context *c);

/* The thread's times in the context; NULL: it was not timed there. */
const struct measured_thread *thread_times_find(const struct measured_context *c, uint32_t thread);
/* The time that the thread neither ran nor waited there, s, median; NAN: no clean execution, or no
 * memory. */
double thread_times_away(const struct measurements *p, const struct measured_thread *t);
/* The longest processor time of a thread in the context, s, median; 0: none. */
double thread_times_longest(const struct measurements *p, uint32_t context);

/* The order of struct mon_time_row by execution, thread and context, for qsort() and bsearch(). */
int time_row_order(const void *a, const void *b);

#endif
