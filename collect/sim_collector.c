/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of accesses: recorded, and simulated by the machine model; of a sample of the sets, or of
 * slices, where asked for. */
#include "collect/counts.h"

/* Counts may be those of a sample, or of slices. */
static void count_partly(const struct collect_host *h, struct plan *out)
{
	const struct run_config *c = h->config;

	out->want.sample = c->sample;
	out->want.slow_percent = c->slow_percent;
	out->want.slow_budget = c->slow_budget;
	out->want.slow_ns = c->slow_ns;
	out->want.maps = c->maps;
	out->want.overwrites = attributes_needs_overwrites(h->attributes);
}

static uint32_t most(const struct collection *c)
{
	return plan_limits(c->host->config, MON_FILTERS, MON_FILTERS).counters;
}

/* Everything at once, right behind the clean executions. */
static bool plan_everything(const struct collection *c, const struct collect_moment *now,
	struct plan *out)
{
	const struct plan_sizes *z = now->sizes;

	if (c->host->config->counters)
		return false;
	plan_execution(MON_SIM, now->begun,
		z->delay + (z->counts_first ? 0 : z->surveys + z->clean), out);
	out->want.warm = z->warm;
	out->want.count = z->count;
	count_partly(c->host, out);
	return true;
}

static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs,
	struct plan *out)
{
	const struct run_config *config = c->host->config;

	if (needs->list[0].context == MON_ANY)
		return plan_everything(c, now, out);
	plan_next_execution(config, MON_SIM, now->begun, out);
	out->want.warm = config->warm;
	out->want.count = config->counted;
	out->want.nfilters = needs->n;
	for (uint32_t i = 0; i < needs->n; i++)
		out->filter[i] = (struct mon_filter){ needs->list[i].context,
			needs->list[i].object };
	count_partly(c->host, out);
	return true;
}

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *r, struct err *err)
{
	if (counts_take(c, now, plan, r, err))
		return -1;
	if (!c->host->config->check)
		return 0;
	invariants_counts(&c->invariants, c->measured, r);
	if (!plan->want.nfilters)
		invariants_sums(&c->invariants, c->measured, r);
	return 0;
}

static const char *describe(void)
{
	return "sim: every access that the compiler's code makes (array refs, no register spills), "
		"simulated by the machine model";
}

const struct collector collector_sim = {
	.name = "sim",
	.what = "accesses and misses of regions and structures: every access is recorded and "
		"simulated",
	.progress = "counts",
	.metrics = { METRIC_COUNTS },
	.distorts = true,
	.most = most, .plan = plan, .take = take, .describe = describe,
};
