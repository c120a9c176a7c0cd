/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the misses of a context's bursts may be from those of its whole run.  Bursts are in
 * groups (MON_GROUPS), which differ in their misses for an amount of work: from how much they
 * differ follows the interval.  It says nothing of groups that lacked the context: a context that
 * only one group has seen may have any number of misses. */
#ifndef PSC_MEASURE_BURST_ERROR_H
#define PSC_MEASURE_BURST_ERROR_H

#include "monitor/client/mon.h"

/* Half the 95 % interval as a part of the misses of the farthest level that has some: 0 ...
 * BURST_ERROR_MOST.  work: statements of the context by group. */
double burst_error(const struct mon_count_row *row, const double work[MON_GROUPS],
	uint32_t nlevels);
#define BURST_ERROR_MOST 10.

/* Groups of a row of the work of a context: statements.  They are written as those of misses, so
 * that tallies must not see them. */
void burst_error_add_work(double work[MON_GROUPS], const struct mon_count_row *row, double per);

#endif
