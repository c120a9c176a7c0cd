/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes streams of a loop's groups, translates their addresses and counts their references. */
#include "simulate/loop/line_events.h"

/* Adds a stream for g or one of its members; at: the address in e's first iteration. */
static struct stream *stream_add(struct events *e, const struct loop_group *g,
	const struct group_sum *sum, uint64_t at, uint64_t end)
{
	struct stream *s = &e->stream[e->nstreams++];
	const uint64_t step = g->step;

	s->at = at;
	s->step = step;
	s->end = end;
	s->until = s->leaves = 0;
	s->in = 0;
	s->sum = *sum;
	s->shift = step && !(step & (step - 1)) && step < 1u << 30 ? __builtin_ctzll(step) : -1;
	s->grain = UINT32_MAX;
	s->group = g->group;
	s->number = group_number(g->group);
	return s;
}

/* Adds one stream for a group, or one for each member if it spans more than half a line. */
static void streams_add(struct events *e, const struct loop_group *g, uint64_t from, uint64_t to,
	uint32_t shift)
{
	uint64_t at = g->at + from * g->step, last = g->n < to ? g->n : to, end = last > from ?
		last - from : 0;

	if (!loop_group_spread(g, shift)) {
		stream_add(e, g, &g->sum, at, end);
		return;
	}
	for (uint32_t i = 0; i < PSC_MANY_N(*g->group); i++) {
		uint32_t member = g->group[3 + i], size = PSC_MEMBER_SIZE(member);
		struct group_sum sum = { .span = size, .first = member & 0xffff, .bytes = size };
		struct stream *s;

		sum.n[member & 1] = 1;
		s = stream_add(e, g, &sum, at + PSC_MEMBER_OFFSET(member), end);
		s->own = sum.first;
		s->group = &s->own;
	}
}

/* Is each slot one set of level 1, does level 2's set determine level 1's (page frames keep the
 * address within a page only), and does no other core use level 2?  Then level 2 can be followed
 * exactly (`exact`). */
static bool levels_nest(const struct sim_core *core)
{
	const struct sim_cache *a = core->level[0], *b = core->level[1];

	return core->nlevels > 1 && a->sets <= SLOTS && b->mask && a->shift == b->shift &&
		b->sets >= a->sets && (!b->frames || (a->sets << a->shift) >> b->page <= 1) &&
		!(core->sharing && b->cpus > 1);
}

struct events *streams_of(struct work *w, struct loop *l, uint64_t from, uint64_t to)
{
	struct events *e = w->v->events;

	if (l->streams)
		return e;
	if (!e)
		e = w->v->events = sim_thread_room(w->v, sizeof *e);
	if (!e)
		return NULL;
	e->nstreams = 0;
	e->count = to - from;
	for (const struct loop_group *g = l->group; g < l->group + l->s->ngroups; g++)
		streams_add(e, g, from, to, w->l1->shift);
	e->exact = levels_nest(w->core);
	e->recurs = false;
	e->ways = w->l1->assoc;
	e->ways2 = e->exact ? w->core->level[1]->assoc : 0;
	l->streams = true;
	l->origin = from;
	return e;
}

bool stream_place(struct work *w, struct stream *s, uint64_t i, uint64_t *rest)
{
	uint64_t address = s->at + i * s->step, before, n;
	const struct sim_page *p = play_place(w, address, &before, rest);

	s->cell = p ? p->cell : NULL;
	s->site = p ? sim_site(w->core, s->number, p->cell) : NULL;
	s->delta = p ? p->delta : 0;
	n = loop_stay(before, *rest, s->sum.span, s->step, s->end - i);
	s->leaves = i + (n ? n : 1);
	return n;
}

bool stream_adjoins(struct work *w, const struct stream *s, uint64_t address, uint64_t rest,
	uint64_t *delta)
{
	uint64_t before, behind;
	uint32_t line = 1u << w->l1->shift;
	const struct sim_page *p = play_place(w, address + rest, &before, &behind);
	uint64_t first = address + s->delta, second;

	if (!p || p->cell != s->cell || behind < s->sum.span - rest)
		return false;
	second = address + rest + p->delta;
	*delta = p->delta - s->delta;
	return !(second & (line - 1)) && ((first ^ second) >> w->l1->shift & 1) &&
		((uint32_t)first & (line - 1)) + rest == line;
}

uint64_t stream_unsampled(const struct work *w, const struct stream *s, uint64_t first, uint64_t i)
{
	uint64_t size = UINT64_C(1) << w->l1->shift, lo = first & -size, hi = lo + size;
	uint64_t n = s->leaves - i, most = size * 64;

	if ((int64_t)s->step < 0)
		while (first - lo < most && !sample_has(w->sample, lo - 1))
			lo -= size;
	else
		while (hi - first < most && !sample_has(w->sample, hi))
			hi += size;
	if (first + s->sum.span <= hi) {
		uint64_t in = steps_within(first - lo, hi - first - s->sum.span, s->step);

		return in < n ? in : n;
	}
	return 1;
}

void stream_count(const struct stream *s, uint64_t n)
{
	if (s->cell)
		loop_count(s->cell, &s->sum, n);
}

void stream_plainly(struct work *w, const struct stream *s, uint64_t i)
{
	w->core->group = s->number;
	play_members(w, s->group, s->at + i * s->step);
	w->core->unsummed += s->sum.n[0] + s->sum.n[1];
	if (w->core->unsummed >= SIM_SUM_AT)
		sim_core_sum(w->core);
}
