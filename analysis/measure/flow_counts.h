/* SPDX-License-Identifier: BSD-3-Clause */
/* All flows of the same columns share their axis, the counts of the whole phase, and the counts by
 * structure. */
#ifndef PSC_MEASURE_FLOW_COUNTS_H
#define PSC_MEASURE_FLOW_COUNTS_H

#include "analysis/measure/columns.h"
#include "analysis/measure/flow_axis.h"
#include "machine/flat.h"

struct flow_counts {
	struct flow_axis axis;
	double *phase_access;           /* owned: accesses of an execution, by thread */
	double phase_served[MACHINE_NODES];     /* misses of an execution, by node */
	/* Owned: the counts of whole regions, without those of single lines, by structure; those of
	 * one are in the order of the columns. */
	const struct column_count **count;
	size_t *first;                  /* owned: by structure, one more */
	uint32_t nobjects;
};

/* Made when it is asked for first; the columns own it. NULL: no memory. */
const struct flow_counts *flow_counts_of(struct columns *c);
void flow_counts_free(struct flow_counts *f);   /* NULL is fine */
/* The counts of a structure, or of all (MON_ANY); *n: their number. */
const struct column_count *const *flow_counts_find(const struct flow_counts *f, uint32_t object,
	size_t *n);

#endif
