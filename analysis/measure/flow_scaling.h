/* SPDX-License-Identifier: BSD-3-Clause */
/* What structures would have from memory with more threads than the run had
 * (base/more_threads.h), from the columns of the whole phase.  The part of a structure that several
 * threads use is that of its locality. */
#ifndef PSC_MEASURE_FLOW_SCALING_H
#define PSC_MEASURE_FLOW_SCALING_H

#include "analysis/measure/measurements.h"

/* LINES: of the structure.  NODE: that serves most of all lines; SHARE: of those whose node is known,
 * what it serves; LOAD: the same over an even share of the nodes in use; PART: of what it serves,
 * what is the structure's. */
enum flow_scaling_figure {
	SCALED_LINES, SCALED_LINES_LOW, SCALED_LINES_HIGH, SCALED_NODE, SCALED_SHARE,
	SCALED_SHARE_LOW, SCALED_SHARE_HIGH, SCALED_LOAD, SCALED_PART
};

struct flow_scaling;
/* NULL: no memory, no columns, or the model has not so many CPUs, or the run more threads. */
struct flow_scaling *flow_scaling_new(const struct measurements *p, int64_t threads);
void flow_scaling_free(struct flow_scaling *s); /* NULL is fine */
int64_t flow_scaling_threads(const struct flow_scaling *s);
/* NAN: not known. */
double flow_scaling_value(const struct flow_scaling *s, uint32_t object,
	enum flow_scaling_figure which);

#endif
