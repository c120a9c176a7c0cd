/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts that the collectors of counts share (sim, burst, perf). */
#ifndef PSC_COLLECT_COUNTS_H
#define PSC_COLLECT_COUNTS_H

#include "collect/collector.h"

/* Plans the one request that counts everything of a program which the process beside it records
 * (foreign/), unless it was asked before.  *asked: kept by the collector, false at first. */
bool counts_plan_whole_run(bool *asked, const struct collect_moment *now, struct plan *out);
/* Adds the counts of a result.  0 / -1 (err). */
int counts_take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *r, struct err *err);

#endif
