/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans the requests of the next experiments from what the search needs. */
#include "analysis/search/plan.h"

#include <string.h>

/* A request must name an execution that has not begun when the monitor sees the request. */
static const uint64_t AHEAD = 1;

void plan_execution(enum mon_kind kind, uint64_t begun, uint64_t skip, struct plan *out)
{
	out->want = (struct mon_want){ .kind = kind, .first = begun + AHEAD + skip, .count = 1,
		.filters = out->filter };
	out->ahead = 0;
}

void plan_next_execution(const struct run_config *c, enum mon_kind kind, uint64_t begun,
	struct plan *out)
{
	plan_execution(kind, begun, !c->lockstep, out);
}

void plan_sizes(const struct run_config *c, struct plan_sizes *out)
{
	*out = (struct plan_sizes){ c->delay, plan_surveys(c), c->clean, c->warm, c->counted,
		c->timed_ns != 0 };
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

void plan_run(const struct plan_sizes *want, uint64_t have, uint32_t left, uint32_t nclean,
	bool counted, struct plan_sizes *out)
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
	return f->have && plan_executions(&z) <= f->have && (z.clean || f->nclean) &&
		(z.count || f->counted);
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

struct collector_limits plan_limits(const struct run_config *c, uint32_t counters, uint32_t items)
{
	struct collector_limits l = { .counters = counters, .items = items };

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
	to->want.schedule = to->schedule;
}

void plan_later(struct plan *p, uint64_t begun)
{
	p->want.first = begun + AHEAD + (p->ahead ? p->ahead : 1);
}
