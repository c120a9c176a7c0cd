/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of accesses of a program that our wrappers have not compiled: recorded in bursts by the process
 * beside it (foreign/), which simulates them by the machine model. */
#include "collect/collector.h"

static bool gives(const struct collection *c, const struct need *need)
{
	(void)need;
	return c->host->config->bursts;
}

/* Bursts see everything at once, so one request is enough.  They are a sample, as slices are. */
static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs, struct plan *out)
{
	bool *asked = collection_state(c, &collector_burst);

	(void)needs;
	if (*asked)
		return false;
	*asked = true;
	plan_execution(MON_SIM, now->begun, 0, out);
	out->want.slow_percent = 100;
	return true;
}

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *r, struct err *err)
{
	if (measured_add_counts(c->measured, r, plan->filter, plan->want.nfilters, err))
		return -1;
	c->counted_in |= 1u << (now->run - 1);
	return 0;
}

static const char *describe(void)
{
	return "burst: every access of short bursts of the program's own instructions (all refs), simulated by the machine "
		"model; each region's counts stand for its processor time, which samples tell";
}

const struct collector collector_burst = {
	.name = "burst",
	.what = "accesses and misses of programs that our compiler wrappers have not compiled: recorded in short bursts",
	.progress = "counts",
	.metrics = { METRIC_COUNTS },
	.any_program = true,
	.state = sizeof(bool),
	.gives = gives, .plan = plan, .take = take, .describe = describe,
};
