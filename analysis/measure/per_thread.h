/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts per thread within struct measurements: called by measurements.c alone. */
#ifndef PSC_MEASURE_PER_THREAD_H
#define PSC_MEASURE_PER_THREAD_H

#include "analysis/measure/measurements.h"

/* Adds a row of an experiment that counted everything to its context and those around it. 0 /
 * -1. */
int per_thread_count(struct measurements *p, const struct mon_count_row *row, double per);
/* Adds a row that passed a filter to the filter's context and object. 0 / -1. */
int per_thread_count_at(struct measurements *p, uint32_t context, uint32_t object,
	const struct mon_count_row *row, double per);
/* Clears the counts of all threads in that context and object. */
void per_thread_forget(struct measurements *p, uint32_t context, uint32_t object);

#endif
