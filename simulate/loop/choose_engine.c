/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the engine that simulates a loop record: decodes the record once and compares it with the
 * table of what each engine requires. */
#include "simulate/access/core_work.h"
#include "simulate/cache/column_writer.h"
#include "simulate/loop/loop.h"
#include "simulate/loop/walk_samples.h"

/* Limits of a valid record: iterations, and bytes that an access moves.  Records of SMALL
 * iterations or fewer need no check. */
#define COUNT (UINT64_C(1) << 36)
#define EXTENT (UINT64_C(1) << 40)
enum { SMALL = 1 << 16 };

/* An overwritten record must neither hang the host nor leave the address space. */
static __attribute__((noinline)) bool is_bounded(const struct psc_segment *s, const uint64_t *at,
	uint64_t count)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;

	if (count > COUNT)
		return false;
	for (; d < end; d = group_next(d)) {
		uint64_t address, step;

		d = group_step(d, &at, &address, &step);
		if ((int64_t)step < 0)
			step = -step;
		if ((unsigned __int128)step * count > EXTENT)
			return false;
	}
	return true;
}

/* --- decoding --------------------------------------------------------------------------------- */

/* Estimates how many lines a group enters in 64 iterations. */
LRU_INLINE uint32_t crossings(const struct loop_group *g, bool spread, uint32_t shift)
{
	uint64_t step = (int64_t)g->step < 0 ? -g->step : g->step, span = spread ? 8 : g->sum.span;

	if (!step)
		return 0;
	return (step + span) >> shift ? 64 : (uint32_t)(64 * (step + span) >> shift);
}

static void decode(const struct work *w, struct loop *l)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(l->s), *end = d + l->s->length, shift = w->l1->shift;
	const uint64_t *words = l->words;
	uint32_t crossed = 0, streams = 0, facts = 0;
	bool tail = false;

	for (struct loop_group *g = l->group; d < end; d = group_next(d), g++) {
		bool spread;

		d = group_step(d, &words, &g->at, &g->step);
		g->group = d;
		g->sum = group_sum(d);
		if (tail && !(*d & PSC_GROUP_TAIL))
			facts |= FACT_TAIL_FIRST;
		tail = *d & PSC_GROUP_TAIL;
		g->n = *d & PSC_GROUP_SPIN ? 1 : l->count;
		if (tail && g->n == l->count)
			g->n--;
		if (l->facts & FACT_IN_TURN)    /* its engines read no fact below */
			continue;
		spread = loop_group_spread(g, shift);
		if (spread)
			facts |= FACT_SPREAD;
		streams += spread ? PSC_MANY_N(*d) : 1;
		if (g->step != l->group->step || !g->step ||
		    (g->step + (1u << shift) > 2u << shift))
			facts |= FACT_UNEQUAL;
		crossed += crossings(g, spread, shift);
	}
	if (crossed > 20u * l->s->ngroups)
		facts |= FACT_CROSSES;
	if (streams > LOOP_STREAMS)
		facts |= FACT_STREAMS;
	l->facts |= facts;
	l->decoded = true;
}

/* --- engines ---------------------------------------------------------------------------------- */

/* Where groups change lines often, events do not pay, and periods pay from 64 iterations on: their
 * set-up compares all pairs of streams. */
static bool suits_periods(const struct work *w, const struct loop *l, uint64_t n)
{
	return w->l1->mask && (!(l->facts & FACT_CROSSES) ||
		(n >= 64 && !(l->facts & FACT_SPREAD)));
}

static bool suits_events(const struct work *w, const struct loop *l, uint64_t n)
{
	(void)n;
	return w->l1->mask && (!(l->facts & FACT_CROSSES) || l->facts & FACT_SAMPLED);
}

enum { ALONE = FACT_EACH | FACT_RANGES | FACT_TOLD | FACT_STREAMS,
	TOGETHER = FACT_EACH | FACT_RANGES | FACT_IN_TURN };

const struct loop_engine loop_engines[LOOP_ENGINES] = {
	/* name, function, groups, { iterations, iterations with FACT_TOLD }, needs, bars, suits */
	[LOOP_ONE_TURN] = { "one turn", one_turn_play, 32, { 1, 1 }, FACT_IN_TURN,
		FACT_EACH | FACT_RANGES | FACT_WAITS, NULL },
	[LOOP_SPLIT] = { "split", split_play, 64, { 1, 1 }, FACT_TOLD, TOGETHER | FACT_WAITS,
		NULL },
	[LOOP_PERIODS] = { "periods", periods_play, 64, { LOOP_LEAST, LOOP_LEAST }, 0,
		ALONE | FACT_SAMPLED | FACT_UNEQUAL,
		suits_periods },
	[LOOP_EVENTS] = { "events", events_play, 64, { LOOP_LEAST, LOOP_LEAST }, 0, ALONE,
		suits_events },
	[LOOP_STEP] = { "in step", step_play, LOOP_GROUPS, { LOOP_LEAST, 4 }, 0,
		TOGETHER | FACT_WAITS | FACT_SAMPLED | FACT_TAIL_FIRST,
		NULL },
	[LOOP_ITERATIONS] = { "iterations", iterations_play, UINT32_MAX, { 0, 0 }, 0, 0, NULL },
};

/* Checks the facts that only decoding finds, and the engine's own condition. */
static __attribute__((noinline)) bool suits_decoded(const struct work *w, struct loop *l,
	const struct loop_engine *e, uint64_t n)
{
	if (!l->decoded)
		decode(w, l);
	return !(l->facts & e->bars) && (!e->suits || e->suits(w, l, n));
}

uint32_t loop_choose(const struct work *w, struct loop *l, uint32_t engine, uint64_t n)
{
	const bool told = l->facts & FACT_TOLD;

	for (; engine < LOOP_ITERATIONS; engine++) {
		const struct loop_engine *e = &loop_engines[engine];

		if (n >= e->least[told] && l->s->ngroups <= e->groups && !(~l->facts & e->needs) &&
		    !(l->facts & e->bars) && suits_decoded(w, l, e, n))
			break;
	}
	return engine;
}

void loop_part(struct work *w, struct loop *l, uint32_t engine, uint64_t from, uint64_t to)
{
	uint64_t n = to - from;

	l->streams = false;
	for (; from < to; engine++) {
		engine = loop_choose(w, l, engine, n);
		from = loop_engines[engine].play(w, l, from, to);
	}
}

/* Counts the loads of spinning groups beyond each one's first load as `folded`. */
static __attribute__((noinline)) void fold(struct work *w, const struct loop *l)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(l->s), *end = d + l->s->length;
	const uint64_t *words = l->words;

	for (; d < end; d = group_next(d)) {
		uint64_t address, step, before, rest, folded;

		d = group_step(d, &words, &address, &step);
		if (!(*d & PSC_GROUP_SPIN))
			continue;
		folded = l->count - 1 - (*d & PSC_GROUP_TAIL ? 1 : 0);
		if (l->count > 1 && folded) {
			const struct sim_page *p = play_place(w, address, &before, &rest);

			if (!p)
				continue;
			p->cell->folded += folded;
			w->core->ranged -= folded;
			w->core->border += folded;
		}
	}
}

/* Counts what a loop of copies moves, and its work. */
static __attribute__((noinline)) void copies(struct work *w, const struct loop *l)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(l->s), *end = d + l->s->length;
	const uint64_t *words = l->words;
	struct sim_cell *loaded = NULL;

	for (; d < end; d = group_next(d)) {
		uint64_t address, step, before, rest;
		const struct sim_page *p;
		struct group_sum sum;

		d = group_step(d, &words, &address, &step);
		p = *d & PSC_GROUP_COPY && !(!(*d & PSC_GROUP_MANY) && *d & 2) ?
			play_place(w, address, &before, &rest) : NULL;
		if (!p)
			continue;
		sum = group_sum(d);
		p->cell->copied += sum.bytes * (l->count - (*d & PSC_GROUP_TAIL ? 1 : 0));
		if (!loaded && sum.n[0])
			loaded = p->cell;
	}
	if (w->worked && loaded && l->facts & FACT_WORKS)
		core_work_copies(w, l->s, loaded, l->count);
}

/* Simulates iterations [0, end) of a loop that goes beyond the border of the timeline's column: in
 * parts, with the borders between them. */
static __attribute__((noinline)) void play_cut(struct work *w, struct loop *l, uint32_t engine,
	uint64_t end)
{
	struct sim_core *core = w->core;

	for (uint64_t from = 0, to; from < end; from = to) {
		const uint64_t n = (core->border - core->records) / l->per + 1;

		to = n < end - from ? from + n : end;
		loop_part(w, l, engine, from, to);
		core->records += (to - from) * l->per;
		if (sim_core_passes(core, core->records))
			sim_columns_border(core);
	}
	core->records -= end * l->per;
}

bool loop_play(struct work *w, struct sim_segment *seg, const uint64_t *at, bool play)
{
	struct share_core *sharing = w->core->sharing;
	uint64_t count = *at++, accesses = count * seg->s->naccess, end;
	const uint64_t records = w->core->records + accesses - seg->behind;
	struct loop l;

	if (unlikely(count > SMALL) && !is_bounded(seg->s, at, count))
		return false;
	/* An overwritten record may repeat an empty body any number of times. */
	if (!play || !seg->s->ngroups) {
		w->core->records = records;
		return true;
	}
	/* Spinning groups take part in the first iteration only. */
	end = seg->idle ? 1 : count;
	l.s = seg->s;
	l.seg = seg;
	l.words = at;
	l.count = count;
	l.per = seg->s->naccess;
	l.decoded = false;
	l.facts = w->facts | seg->facts;
	if (sharing && accesses <= share_turn_length(sharing))
		l.facts |= FACT_IN_TURN;
	if (l.facts & FACT_WAITS)
		fold(w, &l);
	if (unlikely(l.facts & FACT_COPIES))
		copies(w, &l);
	if (sim_core_passes(w->core, records) &&
	    !(l.facts & (FACT_IN_TURN | FACT_WAITS | FACT_RANGES)))
		play_cut(w, &l, sharing ? 0 : LOOP_PERIODS, end);
	else
		loop_part(w, &l, sharing ? 0 : LOOP_PERIODS, 0, end);
	w->core->records = records;
	if (sim_core_passes(w->core, records))
		sim_columns_border(w->core);
	if (unlikely(count >= WALK_LONG || !seg->walked) && w->v->walked && w->counting) {
		seg->walked = count > 1;
		sim_walks_loop(w, &l);
	}
	if (!sharing)
		return true;
	/* Engines do not advance the clock within one turn.  Otherwise only the iterations that
	 * were not simulated are left; the last iteration lacks the groups behind the exit. */
	share_pass(sharing, (l.facts & FACT_IN_TURN ? accesses : (count - end) * l.per) -
		seg->behind);
	return true;
}
