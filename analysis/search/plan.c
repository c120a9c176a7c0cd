/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans the requests of the next experiments from what the search needs. */
#include "analysis/search/plan.h"

#include <string.h>

/* A request must name an execution that has not begun when the monitor sees the request. */
static const uint64_t AHEAD = 1;

static void plan(struct plan *p, enum mon_kind kind, uint64_t first, uint32_t warm, uint32_t count,
	uint32_t nfilters)
{
	p->want = (struct mon_want){ .kind = kind, .first = first, .warm = warm, .count = count,
		.filters = p->filter, .nfilters = nfilters };
}

void plan_next_execution(const struct run_config *c, enum mon_kind kind, uint64_t begun, struct plan *out)
{
	plan(out, kind, begun + AHEAD + !c->lockstep, 0, 1, 0);
}

/* Counts may be those of a sample, or of slices. */
static void count_partly(const struct run_config *c, struct plan *out)
{
	out->want.sample = c->sample;
	out->want.slow_percent = c->slow_percent;
	out->want.slow_budget = c->slow_budget;
	out->want.slow_ns = c->slow_ns;
}

void plan_sizes(const struct run_config *c, struct plan_sizes *out)
{
	*out = (struct plan_sizes){ c->delay, plan_surveys(c), c->clean, c->warm, c->counted, c->timed_ns != 0 };
}

uint64_t plan_executions(const struct plan_sizes *z)
{
	return (uint64_t)z->delay + z->surveys + z->clean + z->warm + z->count;
}

/* Lowers a size, not below `least`, until the plan has no more executions than there are. */
static void lower(struct plan_sizes *z, uint32_t *size, uint32_t least, uint64_t have)
{
	uint64_t all = plan_executions(z), room = *size > least ? *size - least : 0;

	if (all > have)
		*size -= (uint32_t)(all - have < room ? all - have : room);
}

enum plan_quality plan_fit(const struct plan_sizes *want, uint64_t have, bool times, bool counts,
	struct plan_sizes *out)
{
	struct plan_sizes z = *want;

	if (!times)
		z.surveys = z.clean = 0;
	if (!counts)
		z.warm = z.count = 0;
	lower(&z, &z.delay, 0, have);
	lower(&z, &z.clean, PLAN_CLEAN, have);
	lower(&z, &z.count, 1, have);
	lower(&z, &z.surveys, 1, have);
	*out = z;
	if (plan_executions(&z) <= have)
		return PLAN_GOOD;
	lower(&z, &z.clean, 1, have);
	lower(&z, &z.warm, 0, have);
	lower(&z, &z.surveys, 0, have);
	*out = z;
	return plan_executions(&z) <= have ? PLAN_POOR : PLAN_NONE;
}

void plan_run(const struct plan_sizes *want, uint64_t have, uint32_t left, uint32_t nclean, bool counted,
	struct plan_sizes *out)
{
	bool times = nclean < (want->clean < PLAN_CLEAN ? want->clean : PLAN_CLEAN);
	enum plan_quality both = plan_fit(want, have, times, !counted, out);

	if (both == PLAN_GOOD || !times || counted)
		return;
	if (left > 1) {
		plan_fit(want, have, true, false, out);
		if (!out->surveys && !nclean)
			plan_fit(want, have, false, true, out);
	} else if (both == PLAN_NONE || nclean)
		plan_fit(want, have, false, true, out);
}

/* Would the last run complete the analysis with executions of the phase? */
static bool completes(const struct plan_facts *f)
{
	struct plan_sizes z;

	plan_run(&f->want, f->have, 1, f->nclean, f->counted, &z);
	return f->have && plan_executions(&z) <= f->have && (z.clean || f->nclean) && (z.count || f->counted);
}

enum plan_next plan_next(const struct plan_facts *f)
{
	if (f->complete && !f->better)
		return f->brief && f->span_ns ? PLAN_SPANS : PLAN_NO_RUN;
	if (!f->unasked || completes(f))
		return PLAN_PHASE;
	return f->span_ns ? PLAN_SPANS : PLAN_NO_RUN;
}

void plan_middle(struct plan_sizes *z, uint64_t have)
{
	enum { USUAL = 1, MANY = 2 };
	const uint64_t all = plan_executions(z);

	if (z->delay <= USUAL && have >= MANY * all && (have - all) / 2 <= UINT32_MAX)
		z->delay += (uint32_t)((have - all) / 2);
}

void plan_times(const struct plan_sizes *z, uint64_t begun, struct plan *out)
{
	uint32_t before = z->counts_first ? z->warm + z->count : 0;

	plan(out, MON_TIME, begun + AHEAD + z->delay + before, z->surveys, z->clean, 0);
}

void plan_everything(const struct run_config *c, const struct plan_sizes *z, uint64_t begun, struct plan *out)
{
	uint32_t before = z->counts_first ? 0 : z->surveys + z->clean;

	plan(out, MON_SIM, begun + AHEAD + z->delay + before, z->warm, z->count, 0);
	count_partly(c, out);
}

void plan_after(const struct plan *counts, struct plan *out)
{
	const struct mon_want *w = &counts->want;

	plan(out, MON_TIME, w->first + w->warm + w->count, 1, 2, 0);
}

uint32_t plan_needs(const struct run_config *c, uint64_t begun, const struct need *needs,
	uint32_t nneeds, struct plan *out)
{
	uint32_t limit = plan_limits(c, MON_SIM, 0).counters;
	uint32_t n = nneeds < limit ? nneeds : limit;

	for (uint32_t i = 0; i < n; i++)
		out->filter[i] = (struct mon_filter){ needs[i].context, needs[i].object };
	plan(out, MON_SIM, begun + AHEAD + !c->lockstep, c->warm, c->counted, n);
	count_partly(c, out);
	return n;
}

struct collector_limits plan_limits(const struct run_config *c, enum mon_kind kind, uint32_t hardware)
{
	uint32_t most = kind == MON_EVENTS ? MON_EVENTS_MOST : MON_FILTERS;
	struct collector_limits l = { .counters = kind == MON_EVENTS ? hardware : most, .items = most };

	if (c->counters && (!l.counters || c->counters < l.counters))
		l.counters = c->counters;
	if (c->counters && c->counters < l.items)
		l.items = c->counters;
	return l;
}

void plan_copy(struct plan *to, const struct plan *from)
{
	*to = *from;
	to->want.filters = to->filter;
	to->want.variants = to->variant;
	to->want.events = to->event;
}

void plan_later(struct plan *p, uint64_t begun)
{
	p->want.first = begun + AHEAD + 1;
}
