/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages that threads access over time, sampled by page faults of the process beside the program (foreign/). */
#include "collect/collector.h"

static bool gives(const struct collection *c, const struct need *need)
{
	(void)c;
	(void)need;
	return false;
}

static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs, struct plan *out)
{
	(void)c;
	(void)now;
	(void)needs;
	(void)out;
	return false;
}

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *r, struct err *err)
{
	(void)c;
	(void)now;
	(void)plan;
	(void)r;
	(void)err;
	return 0;
}

const struct collector collector_page = {
	.name = "page",
	.what = "pages that threads access over time, by page faults within a budget; only if it is asked for (docs/pages.md)",
	.any_program = true,
	.gives = gives, .plan = plan, .take = take,
};
