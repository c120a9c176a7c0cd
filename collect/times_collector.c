/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of regions, and calls of MPI, in executions in which nothing is recorded. */
#include "collect/collector.h"

#include "analysis/measure/like.h"
#include "base/clock.h"

#include <math.h>

static bool plan(struct collection *c, const struct collect_moment *now, const struct needs *needs,
	struct plan *out)
{
	const struct plan_sizes *z = now->sizes;

	(void)c;
	(void)needs;
	plan_execution(MON_TIME, now->begun, z->delay + (z->counts_first ? z->warm + z->count : 0),
		out);
	out->want.warm = z->surveys;
	out->want.count = z->clean;
	return true;
}

/* How many: short ones of several threads are many, which tell what they take
 * on average (contention.h). */
static uint32_t further(const struct measurements *measured)
{
	enum { LEAST = 2, MOST = 10 };
	const double longest = 0.3;     /* s, of all */
	const double wall = measured_phase_wall(measured);

	if (measured->threads < 2 || !(wall > 0))
		return LEAST;
	return (uint32_t)fmin(MOST, fmax(LEAST, longest / wall));
}

/* If executions differ: the times of some behind the counted one, too.  The first of them is not
 * timed: the simulation has emptied its caches.  Not of ranks: others may be recording then.  Nor
 * are trials of --what-if kept waiting, which the program may have too few executions for. */
static bool after(struct collection *c, const struct collect_moment *now,
	const struct plan *pending, struct plan *out)
{
	const struct mon_want *w = &pending->want;

	if (now->rank || c->host->config->nwhat_if || now->run > 1 || w->kind != MON_SIM ||
	    !like_differ(c->measured))
		return false;
	plan_execution(MON_TIME, 0, 0, out);
	out->want.first = w->first + w->warm + w->count;
	out->want.warm = 1;
	out->want.count = further(c->measured);
	return true;
}

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *r, struct err *err)
{
	(void)plan;
	if (measured_add_times(c->measured, r, err))
		return -1;
	c->timed_in |= 1u << (now->run - 1);
	c->timed_at = clock_ns();
	c->calls |= r->mpi;
	if (c->host->config->check)
		invariants_times(&c->invariants, c->measured, r);
	mon_peer_settle(now->peer);
	return 0;
}

const struct collector collector_times = {
	.name = "time",
	.what = "times of regions, calls of MPI, system time and page faults, in executions "
		"without recording",
	.progress = "times",
	.metrics = { METRIC_TIMES },
	.any_program = true,
	.patience = { .ns = UINT64_C(2000000000), .executions = 20 },
	.plan = plan, .after = after, .take = take,
};
