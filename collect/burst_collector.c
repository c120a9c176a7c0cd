/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of accesses of a program that our wrappers have not compiled: recorded in bursts by the
 * process beside it (foreign/), which simulates them by the machine model. */
#include "collect/counts.h"
#include "collect/recorder_notes.h"

struct state {
	bool asked;
	struct recorder_said recorder;
};

static bool gives(const struct collection *c, const struct need *need)
{
	(void)need;
	return c->host->config->bursts;
}

static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs,
	struct plan *out)
{
	struct state *s = collection_state(c, &collector_burst);

	(void)needs;
	return counts_plan_whole_run(&s->asked, now, out);
}

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *r, struct err *err)
{
	struct state *s = collection_state(c, &collector_burst);

	recorder_take(&s->recorder, c, r);
	return counts_take(c, now, plan, r, err);
}

static bool refused(struct collection *c, const struct mon_result *r)
{
	struct state *s = collection_state(c, &collector_burst);

	recorder_take(&s->recorder, c, r);
	return r->reason == MON_DROP_BURSTS;
}

static int report(const struct collection *c, struct report *out)
{
	const struct state *s = collection_state(c, &collector_burst);

	return recorder_report(&s->recorder, out);
}

static const char *describe(void)
{
	return "burst: every access of short bursts of the program's own instructions (all refs), simulated by the machine "
		"model; each region's counts stand for its processor time, which samples tell";
}

const struct collector collector_burst = {
	.name = "burst",
	.what = "accesses and misses of programs that our compiler wrappers have not compiled: "
		"recorded in short bursts",
	.progress = "counts",
	.metrics = { METRIC_COUNTS },
	.any_program = true,
	.state = sizeof(struct state),
	.gives = gives, .plan = plan, .take = take, .refused = refused, .report = report,
	.describe = describe,
};
