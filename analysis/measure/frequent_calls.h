/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions that are called too often for markers, told by counts.
 *
 * The monitor finds brief regions in an execution that does not count
 * (monitor/regions/brief_regions.h).  A program that executes its phase once has none to spare.
 * Then the phase is counted before it is timed: where n calls were counted in an execution that
 * takes T, a call takes at most T / n on the average. The regions for which this is less than
 * FREQUENT_NS are brief, and the run of the program that is timed has no markers for them.  Their
 * time is part of the context around them; of it they get the shares that the model of what work
 * and misses cost gives them (estimate.h).
 *
 * As in the monitor, a region is brief only if all regions inside it are: those that are only
 * called inside brief regions become brief, too. */
#ifndef PSC_MEASURE_FREQUENT_CALLS_H
#define PSC_MEASURE_FREQUENT_CALLS_H

#include "analysis/measure/measurements.h"

/* ns; two markers take 0.1 us, which is 1 / 50 of it. */
enum { FREQUENT_NS = 5000 };

/* Marks the brief contexts by the calls of a counted execution, if none was timed yet and
 * p->expected_ns is known.  p->frequent: there are any.  0 / -1 (memory). */
int frequent_calls_choose(struct measurements *p, const struct mon_result *r);
/* Writes at most `most` names of their regions in the code to `out`; returns their number. */
uint32_t frequent_calls_hooks(const struct measurements *p, struct mon_hook *out, uint32_t most);
/* The number of these regions. */
uint32_t frequent_calls_regions(const struct measurements *p);
/* Appends rows for these contexts to the rows of timed executions, which are sorted and remain so.
 * 0 / -1 (memory). */
int frequent_calls_rows(struct measurements *p, struct mon_time_row **rows, uint32_t *nrows);

#endif
