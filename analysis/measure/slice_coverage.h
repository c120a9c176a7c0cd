/* SPDX-License-Identifier: BSD-3-Clause */
/* What the slices of an execution saw of it (monitor/collect/slices.h).  Counts of contexts that no
 * slice saw are missing: the share of their time tells how much that is. */
#ifndef PSC_MEASURE_SLICE_COVERAGE_H
#define PSC_MEASURE_SLICE_COVERAGE_H

#include "analysis/measure/measurements.h"

/* Takes the contexts' pieces from a result that was counted in slices. */
void slice_coverage_take(struct measurements *p, const struct mon_result *r);
/* The share of the phase's processor time, without what its parts take, in contexts that no slice
 * saw; *worst: the one with most of it, NO_CONTEXT: none.  NAN: times are not known. */
double slice_coverage_unseen(const struct measurements *p, uint32_t *worst);
/* The share of the executions' accesses that was counted. */
double slice_coverage_counted(const struct measurements *p);

#endif
