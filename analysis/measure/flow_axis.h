/* SPDX-License-Identifier: BSD-3-Clause */
/* The axis of a flow: positions of all threads on one scale.
 *
 * A thread's position is its number of accesses, and marks join the threads (base/joined_axis.h).
 * The axis has FLOW_PARTS equal parts. */
#ifndef PSC_MEASURE_FLOW_AXIS_H
#define PSC_MEASURE_FLOW_AXIS_H

#include "analysis/measure/columns.h"
#include "base/joined_axis.h"

struct flow_axis {
	const struct columns *c;        /* borrowed */
	struct arena *arena;            /* owned: the memory of `joined` */
	struct joined_axis joined;
	uint32_t *columns;              /* owned; by thread: columns up to its last count */
	double span;                    /* length of the axis */
	/* Owned: which share of a column of a thread is in which part; share_first: by thread *
	 * c->n + column, one more. */
	struct flow_share { uint32_t part; double share; } *share;
	size_t *share_first;
	size_t nshares, cap;
};

/* 0 / -1 (memory); then it is to be freed, too. */
int flow_axis_make(struct flow_axis *x, const struct columns *c);
void flow_axis_free(struct flow_axis *x);
/* Have the threads passed a mark together, or each with others that have?  Else their order is
 * unknown. */
bool flow_axis_met(const struct flow_axis *x, uint32_t a, uint32_t b);
/* Divides a value of a column among the parts. */
void flow_axis_spread(const struct flow_axis *x, uint32_t thread, uint32_t column, double value,
	double *parts);

#endif
