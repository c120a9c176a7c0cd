/* SPDX-License-Identifier: BSD-3-Clause */
/* The axis of a flow: positions of all threads on one scale.
 *
 * A thread's position is its number of accesses.  A mark that several threads pass together joins their positions: what
 * lies between two marks is as long as that of the thread with most accesses there.  A thread that makes none in between
 * waits: its next position follows behind a gap.  The axis has FLOW_PARTS equal parts. */
#ifndef PSC_MEASURE_FLOW_AXIS_H
#define PSC_MEASURE_FLOW_AXIS_H

#include "analysis/measure/columns.h"

struct flow_axis {
	const struct columns *c;        /* borrowed */
	struct flow_knot { double own, common; } *knot; /* owned; by thread, in order; the first of each is 0, 0 */
	size_t *first;                  /* owned; by thread: its first knot; [threads]: their number */
	uint32_t *met;                  /* owned; by thread: one of those that it has met, or that have met these; the same for all of them */
	uint32_t *columns;              /* owned; by thread: columns up to its last count */
	double span;                    /* length of the axis */
	/* Owned: which share of a column of a thread is in which part; share_first: by thread * c->n + column, one more. */
	struct flow_share { uint32_t part; double share; } *share;
	size_t *share_first;
	size_t nshares, cap;
};

/* 0 / -1 (memory); then it is to be freed, too. */
int flow_axis_make(struct flow_axis *x, const struct columns *c);
void flow_axis_free(struct flow_axis *x);
/* Have the threads passed a mark together, or each with others that have?  Else their order is unknown. */
bool flow_axis_met(const struct flow_axis *x, uint32_t a, uint32_t b);
/* Divides a value of a column among the parts. */
void flow_axis_spread(const struct flow_axis *x, uint32_t thread, uint32_t column, double value, double *parts);

#endif
