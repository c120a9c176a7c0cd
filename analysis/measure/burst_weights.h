/* SPDX-License-Identifier: BSD-3-Clause */
/* The weights of counts from bursts.
 *
 * Bursts (foreign/) record a small part of a run.  Rates within a context are known from them; how
 * often its code ran is not.  Its processor time is known from samples.  So by the model all counts
 * of a context would have to be multiplied by
 *   T / (C + M)
 * T: its time by samples, C + M: what the instructions and misses of its bursts take by the model
 * of estimate.h with the costs of this machine, both summed over the threads.  What bursts hold
 * corrects the proportion of these factors between contexts that occur together (burst_shares.h);
 * the sum of weight x (C + M) over all contexts remains that of T. */
#ifndef PSC_MEASURE_BURST_WEIGHTS_H
#define PSC_MEASURE_BURST_WEIGHTS_H

#include "analysis/measure/measurements.h"

/* The result is of bursts. */
bool burst_weights_needed(const struct mon_result *r);
/* Makes a result with weighted counts, which refers to the other rows of r.  Contexts without a
 * sample are left out. burst_rows_free() frees it.  *known: as of burst_shares_find().
 * 0 / -1 (memory). */
int burst_weights_apply(const struct measurements *p, const struct mon_result *r,
	struct mon_result *out, double *known);

#endif
