/* SPDX-License-Identifier: BSD-3-Clause */
/* Between measurements.c and per_thread.c: what a result says of single threads. */
#ifndef PSC_MEASURE_PER_THREAD_H
#define PSC_MEASURE_PER_THREAD_H

#include "analysis/measure/measurements.h"

/* Room for so many clean executions in all, before they are added; 0 / -1 (memory), as the next. */
int per_thread_grow(struct measurements *p, uint32_t executions);
/* A row of the clean execution with that number; p->nclean counts it already. */
int per_thread_time(struct measurements *p, const struct mon_time_row *row, uint32_t execution);
void per_thread_free(struct measured_context *c);
/* A row of an experiment that counted everything: to its context and those around. */
int per_thread_count(struct measurements *p, const struct mon_count_row *row, double per);
/* A row that lies in a filter's context and object: to these; and what they had before is forgotten. */
int per_thread_count_at(struct measurements *p, uint32_t context, uint32_t object,
	const struct mon_count_row *row, double per);
void per_thread_forget(struct measurements *p, uint32_t context, uint32_t object);

#endif
