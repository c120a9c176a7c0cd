/* SPDX-License-Identifier: BSD-3-Clause */
/* Times and counts per thread within struct measurements: called by measurements.c alone. */
#ifndef PSC_MEASURE_PER_THREAD_H
#define PSC_MEASURE_PER_THREAD_H

#include "analysis/measure/measurements.h"

/* Makes room for that many clean executions in all, before they are added. 0 / -1 (memory). */
int per_thread_grow(struct measurements *p, uint32_t executions);
/* Adds a time row of the clean execution with that number, which p->nclean includes already. 0 /
 * -1. */
int per_thread_time(struct measurements *p, const struct mon_time_row *row, uint32_t execution);
void per_thread_free(struct measured_context *c);
/* The longest processor time of a thread in the context, s, median; 0: none. */
double per_thread_longest(const struct measurements *p, uint32_t context);
/* Adds a row of an experiment that counted everything to its context and those around it. 0 /
 * -1. */
int per_thread_count(struct measurements *p, const struct mon_count_row *row, double per);
/* Adds a row that passed a filter to the filter's context and object. 0 / -1. */
int per_thread_count_at(struct measurements *p, uint32_t context, uint32_t object,
	const struct mon_count_row *row, double per);
/* Clears the counts of all threads in that context and object. */
void per_thread_forget(struct measurements *p, uint32_t context, uint32_t object);

#endif
