/* SPDX-License-Identifier: BSD-3-Clause */
/* What the misses of a structure cost (--verify) whose lines threads take from each other: on one
 * CPU none does. */
#include "collect/collector.h"

enum { EXECUTIONS = 5 };

static bool gives(const struct collection *c, const struct need *need)
{
	struct check_request check;

	return measured_check_next(&c->whatif->check, c->measured, &check) &&
		check.object == need->object && check.one_cpu;
}

static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs,
	struct plan *out)
{
	const struct run_config *config = c->host->config;

	(void)needs;
	plan_next_execution(config, MON_TIME, now->begun, out);
	out->want.warm = 1;
	out->want.count = config->clean < EXECUTIONS ? config->clean : EXECUTIONS;
	out->want.one_cpu = true;
	return true;
}

/* One experiment serves all structures. */
static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *r, struct err *err)
{
	(void)plan;
	if (measured_add_one_cpu(c->measured, now->peer, r, err))
		return -1;
	measured_check_one_cpu(&c->whatif->check,
		r->executions ? NULL : "no execution on one CPU was complete");
	return 0;
}

static bool refused(struct collection *c, const struct mon_result *r)
{
	if (r->reason != MON_DROP_CPU)
		return false;
	measured_check_one_cpu(&c->whatif->check,
		"the kernel, or a sandbox, does not let the threads be kept on one "
		"CPU, or there are too many");
	return true;
}

const struct collector collector_one_cpu = {
	.name = "one-cpu",
	.what = "what lines cost that threads take from each other (--verify): executions with all "
		"threads on one CPU",
	.progress = "one CPU",
	.metrics = { METRIC_COST },
	.gives = gives, .plan = plan, .take = take, .refused = refused,
};
