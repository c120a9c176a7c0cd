/* SPDX-License-Identifier: BSD-3-Clause */
/* What the misses of a structure cost (--verify), by copies of the process that run an execution with and without them. */
#include "collect/collector.h"

static bool gives(const struct collection *c, const struct need *need)
{
	struct check_request check;

	return measured_check_next(&c->whatif->check, c->measured, &check) && check.object == need->object && !check.one_cpu;
}

static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs, struct plan *out)
{
	struct check_request check;

	(void)needs;
	if (!measured_check_next(&c->whatif->check, c->measured, &check))
		return false;
	plan_next_execution(c->host->config, MON_VERIFY, now->begun, out);
	out->want.object = check.object;
	out->want.clean_ns = check.clean_ns;
	return true;
}

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan, const struct mon_result *r,
	struct err *err)
{
	(void)now;
	(void)plan;
	(void)err;
	measured_check_take(&c->whatif->check, r);
	return 0;
}

const struct collector collector_copies = {
	.name = "copies",
	.what = "what the misses of a structure cost (--verify): copies of the process, with and without them",
	.progress = "copies",
	.metrics = { METRIC_COST },
	.distorts = true,
	.gives = gives, .plan = plan, .take = take,
};
