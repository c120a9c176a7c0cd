/* SPDX-License-Identifier: BSD-3-Clause */
/* The estimates within struct measurements: called by measurements.c and one_cpu_times.c. */
#ifndef PSC_MEASURE_ESTIMATE_ROWS_H
#define PSC_MEASURE_ESTIMATE_ROWS_H

#include "analysis/measure/measurements.h"

/* Keeps the memory times of a result's rows, in place of those of the same context, object and
 * thread; everything: in place of all.  0 / -1 (memory). */
int estimate_rows_add(struct measurements *p, const struct mon_result *r, bool everything);
/* Computes the estimates of all tallies from the memory times and the clean times.  0 / -1. */
int estimate_rows_refresh(struct measurements *p);
void estimate_rows_free(struct measurements *p);
/* Adds a part to the tallies of the object (MON_ANY: of all) in the context and in those around it,
 * of the thread and of all threads, as far as they are there. */
void estimate_add_upwards(struct measurements *p, uint32_t context, uint32_t thread,
	uint32_t object, const struct tally_estimate *part);
/* Adds to ns[context] what the model says that the thread takes there, C and M, without the
 * contexts inside it. */
void estimate_rows_model(const struct measurements *p, uint32_t thread, double *ns);

/* Adds to ns[context] what the model says that all threads of a result take there,
 * C and M. 0 / -1 (memory). */
int estimate_rows_of_result(const struct measurements *p, const struct mon_result *r, double *ns);

#endif
