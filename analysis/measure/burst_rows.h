/* SPDX-License-Identifier: BSD-3-Clause */
/* Results of bursts, with rows of their own. */
#ifndef PSC_MEASURE_BURST_ROWS_H
#define PSC_MEASURE_BURST_ROWS_H

#include "monitor/client/mon.h"

/* Makes a result with counts and lines of its own, equal to those of r; it refers to the other rows
 * of r. 0 / -1 (memory). */
int burst_rows_copy(const struct mon_result *r, struct mon_result *out);
void burst_rows_free(struct mon_result *copy);

static inline uint64_t burst_rows_times(uint64_t count, double by)
{
	return (uint64_t)((double)count * by + 0.5);
}

#endif
