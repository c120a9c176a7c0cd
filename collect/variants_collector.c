/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of an execution as it is and with changes to structures (--what-if), simulated side by
 * side. */
#include "collect/collector.h"

#include <string.h>

/* Never a sample, nor slices: the small difference of two sampled counts would be mostly error. */
static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs,
	struct plan *out)
{
	const struct run_config *config = c->host->config;
	struct mon_variant variants[MON_VARIANTS];
	uint32_t n = whatif_next(c->whatif, variants);

	(void)needs;
	plan_next_execution(config, MON_SIM, now->begun, out);
	out->want.warm = config->warm;
	out->want.count = config->counted;
	memcpy(out->variant, variants, n * sizeof *variants);
	out->want.variants = out->variant;
	out->want.nvariants = n;
	return n != 0;
}

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *r, struct err *err)
{
	(void)now;
	(void)plan;
	(void)err;
	whatif_take(c->whatif, c->measured, r);
	return 0;
}

const struct collector collector_variants = {
	.name = "variants",
	.what = "what changes to structures save (--what-if): the execution simulated as it is and "
		"with them",
	.progress = "what if",
	.metrics = { METRIC_CHANGED },
	.distorts = true,
	.plan = plan, .take = take,
};
