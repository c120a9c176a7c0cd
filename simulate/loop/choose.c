/* SPDX-License-Identifier: BSD-3-Clause */
/* From a loop's record to its streams, when it suits them. */
#include "simulate/loop/events.h"

enum { LEAST = 64 };     /* iterations for which it pays to look for periods */

/* A group with accesses apart from each other is one stream a member. */
LRU_INLINE bool is_one(const uint32_t *d, uint32_t line)
{
	return !(*d & PSC_GROUP_MANY) || PSC_MANY_SPAN(*d) <= line / 2;
}

static bool stream_add(struct events *e, const uint32_t *group, const struct group_sum *sum, uint64_t at,
	uint64_t step, uint64_t end)
{
	struct stream *s = &e->stream[e->nstreams];

	if (e->nstreams == STREAMS)
		return false;
	e->nstreams++;
	s->at = at;
	s->step = step;
	s->end = end;
	s->until = s->leaves = 0;
	s->in = 0;
	s->span = sum->span;
	s->first = sum->first;
	s->shift = step && !(step & (step - 1)) && step < 1u << 30 ? __builtin_ctzll(step) : -1;
	s->grain = UINT32_MAX;
	if (!group) {
		s->own = sum->first;
		group = &s->own;
	}
	s->group = group;
	s->n[0] = sum->n[0];
	s->n[1] = sum->n[1];
	s->bytes = sum->bytes;
	return true;
}

static bool streams_add(struct events *e, const uint32_t *d, uint64_t at, uint64_t step,
	uint64_t end, uint32_t line)
{
	if (is_one(d, line)) {
		struct group_sum sum = group_sum(d);

		return sum.span <= line && stream_add(e, d, &sum, at, step, end);
	}
	for (uint32_t i = 0; i < PSC_MANY_N(*d); i++) {
		uint32_t member = d[3 + i], size = PSC_MEMBER_SIZE(member);
		struct group_sum sum = { .span = size, .first = member & 0xffff, .bytes = size };

		sum.n[member & 1] = 1;
		if (size > line ||
		    !stream_add(e, NULL, &sum, at + PSC_MEMBER_OFFSET(member), step, end))
			return false;
	}
	return true;
}

/* Crossings in 64 iterations, about. */
static uint32_t crossings(const uint32_t *d, uint64_t step, uint32_t line)
{
	uint32_t span = is_one(d, line) ? group_sum(d).span : 8;

	if ((int64_t)step < 0)
		step = -step;
	if (!step)
		return 0;
	return step + span >= line ? 64 : (uint32_t)(64 * (step + span) / line);
}

/* What a loop of plain groups is played by, at best. */
enum how { NO_STREAMS, PERIODS, EVENTS };

/* Events only where so few lines are crossed that they pay.  Periods pay in any case (loops with vectors
 * need not go in step: 4.7 to 4.1 s for the stencil with lines of 64 bytes), but that it is found out who
 * is near whom takes some iterations to pay. */
static enum how suits(const struct work *w, const struct psc_segment *s, uint64_t count,
	const uint64_t *at)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;
	uint32_t line = 1u << w->l1->shift, sum = 0;
	uint64_t address, step, same = 0;
	bool alike = count >= LEAST;

	if (s->ngroups > STREAMS)
		return NO_STREAMS;
	for (; d < end; d = group_next(d)) {
		d = group_step(d, &at, &address, &step);
		if (!(*d & PSC_GROUP_MANY) && *d & 2)
			return NO_STREAMS;
		sum += crossings(d, step, line);
		alike &= is_one(d, line) && (!same || step == same);
		same = step;
	}
	if (w->sample || sum <= 20u * s->ngroups)
		return EVENTS;
	return alike ? PERIODS : NO_STREAMS;
}

static bool streams_make(struct work *w, struct events *e, const struct psc_segment *s,
	const uint64_t *at)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;
	uint32_t line = 1u << w->l1->shift;

	e->nstreams = 0;
	for (; d < end; d = group_next(d)) {
		uint64_t address, step, take = e->count;

		d = group_step(d, &at, &address, &step);
		if (*d & PSC_GROUP_SPIN)
			take = 1;
		if (*d & PSC_GROUP_TAIL && take == e->count)
			take--;
		if (!streams_add(e, d, address, step, take, line))
			return false;
	}
	return true;
}

/* Is a slot a set, and a function of the set in level 2, into which nobody else looks? */
static bool levels_nest(const struct sim_lane *lane)
{
	const struct sim_cache *a = lane->level[0], *b = lane->level[1];

	return lane->nlevels > 1 && a->sets <= SLOTS && b->mask && a->shift == b->shift &&
		b->sets >= a->sets && !(lane->sharing && b->cpus > 1);
}

bool play_loop(struct work *w, const struct psc_segment *s, uint64_t count, const uint64_t *words)
{
	enum how how = w->l1->mask ? suits(w, s, count, words) : NO_STREAMS;
	struct events *e = w->v->events;
	uint64_t i;

	if (how == NO_STREAMS)
		return false;
	if (!e) {
		e = w->v->events = sim_thread_room(w->v, sizeof *e);
		if (!e)
			return false;
	}
	e->count = count;
	if (!streams_make(w, e, s, words))
		return false;
	e->exact = levels_nest(w->lane);
	e->ways = w->l1->assoc;
	e->ways2 = e->exact ? w->lane->level[1]->assoc : 0;
	i = period_run(w, e);
	if (how == PERIODS && !i)
		return false;
	if (i < count && !(how == PERIODS && play_march(w, s, i, count, words, false)))
		stream_run(w, e, i);
	return true;
}
