/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops by events: what plain expansion, iteration by iteration, would do, at the cost of the
 * line crossings.
 *
 * A *stream* is one group of the loop, or one member of a group that is too wide.  While it stays
 * in one line of one place it *resides* there: its accesses are hits that only refresh how recent
 * the line is.  So it has an event in the iteration in which it leaves its line, and none before.
 *
 * Residents of one set refresh it in turn.  Who looks anything up in a set first replays what its
 * residents did since the last lookup there (the last touch of each, in order), so that the set is
 * as plain expansion would have left it: the `lazy` ones, those who have no event at their next
 * touch.  That these replays are hits is sure as long as no more streams reside in a set than it
 * has ways, because between two touches of a resident each other one touches one line.  Hence: in
 * a set with more than CALM residents each touch of each is an event; and a lookup by a stream that
 * does not reside (it touches two lines in this iteration) makes the next touch of each resident
 * an event.
 *
 * Sets are told apart by their lowest six bits only: that is on the safe side. */
#include "monitor/play.h"

enum { STREAMS = 64, SLOTS = 64, RING = 64, CALM = 3, CROWD = 4 };

struct stream {
	uint64_t at, step;      /* address in the first iteration */
	uint64_t end;           /* iterations that it takes part in */
	uint64_t until;         /* iteration in which it leaves its line; while it resides */
	uint64_t line, delta;
	struct sim_cell *cell;
	const uint32_t *group;  /* of play_group(); a lone member's is `own` */
	uint32_t span, slot;
	uint32_t first;         /* the first member: offset << 16 | size << 2 | kind */
	uint32_t n[2], bytes;   /* accesses and bytes of one iteration */
	uint32_t own, set2;     /* set2: its set in the second level, where that matters */
	uint64_t froze;         /* iteration of its last touch that was played */
	uint32_t missed;        /* in each iteration from then on */
	bool resides, skips;    /* skips: in lines that are not simulated */
};

struct events {
	struct stream stream[STREAMS];
	uint32_t nstreams;
	uint64_t count;
	uint64_t who[SLOTS], lazy[SLOTS], frozen[SLOTS];        /* streams by set */
	uint64_t disturbed[SLOTS];              /* time of the last touch that does not recur */
	uint64_t entered[SLOTS];                /* iteration in which one came last */
	uint64_t ring[RING];                    /* streams with an event, by iteration mod RING */
	uint64_t rings;                         /* rings that are not 0 */
	uint64_t now;                           /* streams with an event in this iteration */
	uint64_t i;
	uint32_t g;                             /* whose turn it is */
	uint32_t calm;
	bool nested;                            /* what shares a set of level 2 shares a slot */
};

LRU_INLINE uint32_t slot_of(const struct work *w, uint64_t line)
{
	return (w->wide ? lru_set64(w->l1, line) : lru_set32(w->l1, (uint32_t)line)) % SLOTS;
}

LRU_INLINE void schedule(struct events *e, uint32_t g, uint64_t i)
{
	e->ring[i % RING] |= UINT64_C(1) << g;
	e->rings |= UINT64_C(1) << i % RING;
}

/* The next touch of each of these is an event. */
static void wake(struct events *e, uint64_t mask)
{
	uint64_t later = mask & ((UINT64_C(2) << e->g) - 1);

	e->now |= mask & ~later;
	if (later) {
		e->ring[(e->i + 1) % RING] |= later;
		e->rings |= UINT64_C(1) << (e->i + 1) % RING;
	}
}

static void replay(struct work *w, uint64_t mask)
{
	for (; mask; mask &= mask - 1)
		lru_line(w->l1, w->wide, w->events->stream[__builtin_ctzll(mask)].line);
}

/* What the lazy ones did in this set before the present turn.  Some of it may have been replayed
 * before: that changes nothing, since whoever touched the set after that is lazy too. */
static void sync_set(struct work *w, uint32_t slot)
{
	uint64_t lazy = w->events->lazy[slot], done = (UINT64_C(1) << w->events->g) - 1;

	replay(w, lazy & ~done);        /* in the iteration before */
	replay(w, lazy & done);
}

LRU_INLINE uint64_t time_of(const struct events *e)
{
	return e->i * STREAMS + e->g;
}

LRU_INLINE void miss(struct work *w, const struct stream *s, uint64_t i)
{
	play_miss(w->lane, s->at + i * s->step + s->delta + (s->first >> 16),
		PSC_MEMBER_SIZE(s->first), s->cell, s->first & 1);
}

/* Counts what the frozen ones of these did up to iteration i, and plays the last of it, so that the
 * set (and level 2) has it in the order of the present turn. */
static void catch_up(struct work *w, uint64_t mask, uint64_t i)
{
	for (; mask; mask &= mask - 1) {
		struct stream *s = &w->events->stream[__builtin_ctzll(mask)];
		uint64_t n = i - s->froze;

		if (!n)
			continue;
		lru_line(w->l1, w->wide, s->line);
		if (!s->missed)
			continue;
		s->cell->miss[0][s->first & 1] += n - 1;
		s->cell->fetched[0] += n - 1;
		if (n > 1)
			sim_lane_sampled(w->lane, s->cell, 0, s->first & 1, s->line << w->l1->shift,
				n - 1);
		miss(w, s, i);
	}
}

static __attribute__((noinline)) void thaw(struct work *w, uint32_t slot)
{
	struct events *e = w->events;
	uint64_t frozen = e->frozen[slot], done = (UINT64_C(1) << e->g) - 1;

	catch_up(w, frozen & ~done, e->i - 1);
	catch_up(w, frozen & done, e->i);
	wake(e, frozen);
	e->frozen[slot] = 0;
}

/* Something will happen in this set that does not recur. */
LRU_INLINE void disturb(struct work *w, struct events *e, uint32_t slot)
{
	if (e->frozen[slot])
		thaw(w, slot);
	e->disturbed[slot] = time_of(e);
}

void events_before(struct work *w, uint64_t line)
{
	struct events *e = w->events;
	uint32_t slot = slot_of(w, line);

	disturb(w, e, slot);
	if (!e->lazy[slot])
		return;
	sync_set(w, slot);
	wake(e, e->lazy[slot]);
	e->lazy[slot] = 0;
}

/* Do all lines of this slot stay in level 2? */
static bool fits(const struct work *w, const struct events *e, uint32_t slot)
{
	uint32_t ways = w->lane->level[1]->assoc;
	uint64_t who = e->who[slot];

	if ((uint32_t)__builtin_popcountll(who) <= ways)
		return true;
	for (uint64_t a = who; a; a &= a - 1) {
		uint32_t set = e->stream[__builtin_ctzll(a)].set2, n = 0;

		for (uint64_t b = a; b; b &= b - 1)
			n += e->stream[__builtin_ctzll(b)].set2 == set;
		if (n > ways)
			return false;
	}
	return true;
}

/* In a set with many residents each touches its line in each iteration.  When all of a turn's
 * touches were those of the turn before, they recur with the same outcome: a miss here is a hit in
 * level 2.  Then nothing needs to be played until that changes. */
LRU_INLINE void touch_busy(struct work *w, struct events *e, struct stream *s, uint32_t g,
	uint32_t missed)
{
	uint64_t bit = UINT64_C(1) << g;

	if (e->nested && e->i > e->entered[s->slot] &&
	    time_of(e) > e->disturbed[s->slot] + STREAMS &&
	    (e->frozen[s->slot] || fits(w, e, s->slot))) {
		e->frozen[s->slot] |= bit;
		s->froze = e->i;
		s->missed = missed;
	} else {
		schedule(e, g, e->i + 1);
	}
}

LRU_INLINE void touch(struct work *w, struct events *e, struct stream *s, uint32_t g)
{
	uint64_t bit = UINT64_C(1) << g;
	uint32_t slot = s->slot, missed;

	if (e->lazy[slot] & ~bit)
		sync_set(w, slot);
	missed = lru_line(w->l1, w->wide, s->line);
	if (missed)
		miss(w, s, e->i);
	if ((uint32_t)__builtin_popcountll(e->who[slot]) <= e->calm) {
		e->lazy[slot] |= bit;
		return;
	}
	if (unlikely(e->lazy[slot])) {
		wake(e, e->lazy[slot] & ~bit);
		e->lazy[slot] = 0;
		e->disturbed[slot] = time_of(e);
	}
	touch_busy(w, e, s, g, missed);
}

static void leave(struct work *w, struct events *e, struct stream *s, uint32_t g)
{
	uint64_t bit = UINT64_C(1) << g;

	s->resides = false;
	if (s->skips)
		return;
	disturb(w, e, s->slot);
	if (e->lazy[s->slot] & bit && e->who[s->slot] != bit)
		sync_set(w, s->slot);
	e->who[s->slot] &= ~bit;
	e->lazy[s->slot] &= ~bit;
}

/* Iterations until s has left the line and the place it is in; 0: it is in two of one of them. */
LRU_INLINE uint64_t stay(const struct stream *s, uint32_t line, uint32_t offset, uint64_t before,
	uint64_t rest)
{
	if (offset + s->span > line || s->span > rest)
		return 0;
	return steps_within(offset < before ? offset : before,
		(line - offset < rest ? line - offset : rest) - s->span, s->step);
}

/* The same in a place whose accesses are left out: as in one long line. */
static uint64_t stay_out(const struct stream *s, uint64_t before, uint64_t rest)
{
	const uint32_t most = 1 << 30;

	if (before > most)
		before = most;
	return stay(s, UINT32_MAX, (uint32_t)before, before, rest < most ? rest : most);
}

/* Lines that are not simulated, one after the other in one place, are as one. */
static void unsampled(const struct work *w, const struct stream *s, uint64_t first,
	uint64_t before, uint64_t rest, uint32_t *line, uint32_t *offset)
{
	uint64_t size = UINT64_C(1) << w->l1->shift, lo = first & -size, hi = lo + size;

	if ((int64_t)s->step < 0)
		while (first - lo < before && !sample_has(w->sample, lo - 1))
			lo -= size;
	else
		while (hi - first < rest && !sample_has(w->sample, hi))
			hi += size;
	*line = (uint32_t)(hi - lo);
	*offset = (uint32_t)(first - lo);
}

/* In a new line, or in two. */
LRU_INLINE void enter(struct work *w, struct events *e, struct stream *s, uint32_t g)
{
	uint64_t address = s->at + e->i * s->step, before, rest, first, n;
	const struct pscm_page *p = play_place(w, address, &before, &rest);
	uint32_t line = 1u << w->l1->shift, offset;

	s->skips = false;
	if (p) {
		first = address + p->delta;
		offset = (uint32_t)first & (line - 1);
		s->skips = !sample_has(w->sample, first);
		if (s->skips)
			unsampled(w, s, first, before, rest, &line, &offset);
		n = stay(s, line, offset, before, rest);
	} else {
		n = stay_out(s, before, rest);
	}
	if (n && unlikely(!p)) {
		schedule(e, g, e->i + (n < RING ? n : RING));
		return;
	}
	if (!n) {
		play_group(w, s->group, address);
		schedule(e, g, e->i + 1);
		w->lane->unsummed += s->n[0] + s->n[1];
		if (w->lane->unsummed >= SIM_SUM_AT)
			sim_lane_sum(w->lane);
		return;
	}
	first = address + p->delta;
	if (n > s->end - e->i)
		n = s->end - e->i;
	p->cell->refs[0] += n * s->n[0];
	p->cell->refs[1] += n * s->n[1];
	p->cell->bytes += n * s->bytes;
	s->cell = p->cell;
	s->delta = p->delta;
	s->line = first >> w->l1->shift;
	s->slot = slot_of(w, s->line);
	s->until = e->i + n;
	s->resides = true;
	if (s->skips)
		return;
	if (e->nested)
		s->set2 = lru_set64(w->lane->level[1], s->line);
	if (e->frozen[s->slot])
		thaw(w, s->slot);
	e->entered[s->slot] = e->i;
	e->who[s->slot] |= UINT64_C(1) << g;
	touch(w, e, s, g);
}

static void event(struct work *w, struct events *e, uint32_t g)
{
	struct stream *s = &e->stream[g];

	e->g = g;
	if (s->resides && e->i < s->until) {
		if (!s->skips && !(e->frozen[s->slot] >> g & 1))
			touch(w, e, s, g);
	} else {
		if (s->resides)
			leave(w, e, s, g);
		if (e->i >= s->end)
			return;
		enter(w, e, s, g);
		if (!s->resides)
			return;
	}
	if (s->until < e->count)
		schedule(e, g, s->until - e->i < RING ? s->until : e->i + RING);
}

static void run(struct work *w, struct events *e)
{
	e->rings = 0;
	e->now = e->nstreams == STREAMS ? UINT64_MAX : (UINT64_C(1) << e->nstreams) - 1;
	e->i = 0;
	for (;;) {
		uint32_t turn, ahead;

		while (e->now) {
			uint32_t g = (uint32_t)__builtin_ctzll(e->now);

			e->now &= e->now - 1;
			event(w, e, g);
		}
		if (!e->rings)
			break;
		turn = (uint32_t)(e->i + 1) % RING;
		ahead = (uint32_t)__builtin_ctzll(e->rings >> turn |
			(turn ? e->rings << (RING - turn) : 0));
		e->i += 1 + ahead;
		turn = (uint32_t)(e->i % RING);
		if (e->i >= e->count)
			break;
		e->now = e->ring[turn];
		e->ring[turn] = 0;
		e->rings &= ~(UINT64_C(1) << turn);
	}
}

/* The sets as the last iteration leaves them. */
static void finish(struct work *w, struct events *e)
{
	e->i = e->count;
	e->g = 0;
	for (uint32_t g = 0; g < e->nstreams; g++) {
		struct stream *s = &e->stream[g];

		if (!s->resides || s->skips)
			continue;
		if (e->who[s->slot] & (e->who[s->slot] - 1))
			sync_set(w, s->slot);
		if (e->frozen[s->slot])
			thaw(w, s->slot);
		e->who[s->slot] = e->lazy[s->slot] = 0;
	}
	for (; e->rings; e->rings &= e->rings - 1)
		e->ring[__builtin_ctzll(e->rings)] = 0;
}

/* --- from a record to streams ---------------------------------------------------------------- */

/* A group with accesses apart from each other is one stream a member. */
static bool streams_add(struct events *e, const uint32_t *d, uint64_t at, uint64_t step,
	uint64_t end, uint32_t line)
{
	struct stream *s = &e->stream[e->nstreams];
	bool many = *d & PSC_GROUP_MANY;
	struct group_sum sum = group_sum(d);
	uint32_t n = PSC_MANY_N(*d);

	if (!many && *d & 2)
		return false;
	if (!many || sum.span <= line / 2) {
		if (e->nstreams++ == STREAMS)
			return false;
		*s = (struct stream){ .at = at, .step = step, .end = end, .group = d, .span = sum.span,
			.first = sum.first, .n = { sum.n[0], sum.n[1] }, .bytes = sum.bytes };
		return true;
	}
	for (uint32_t i = 0; i < n; i++, s++) {
		uint32_t member = d[3 + i];

		if (e->nstreams++ == STREAMS)
			return false;
		*s = (struct stream){ .at = at + PSC_MEMBER_OFFSET(member), .step = step, .end = end,
			.span = PSC_MEMBER_SIZE(member), .first = member & 0xffff };
		s->own = s->first;
		s->group = &s->own;
		s->n[member & 1] = 1;
		s->bytes = s->span;
	}
	return true;
}

/* Crossings in 64 iterations, about. */
static uint32_t crossings(const struct stream *s, uint32_t line)
{
	uint64_t step = (int64_t)s->step < 0 ? -s->step : s->step;

	if (!step)
		return 0;
	return step + s->span >= line ? 64 : (uint32_t)(64 * (step + s->span) / line);
}

static bool streams_make(struct work *w, struct events *e, const struct psc_segment *s,
	const uint64_t *at)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;
	uint32_t line = 1u << w->l1->shift, sum = 0;

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
	for (uint32_t g = 0; g < e->nstreams; g++)
		sum += crossings(&e->stream[g], line);
	return w->sample || sum <= 20 * e->nstreams;
}

/* Do most streams meet in few sets?  Then each change there would be an event for all. */
static bool crowded(struct work *w, const struct events *e)
{
	uint8_t slot[STREAMS], meet[SLOTS] = { 0 };
	uint32_t n = 0;

	for (uint32_t g = 0; g < e->nstreams; g++) {
		uint64_t at = e->stream[g].at, before, rest;
		const struct pscm_page *p = play_place(w, at, &before, &rest);

		slot[g] = (uint8_t)slot_of(w, (at + (p ? p->delta : 0)) >> w->l1->shift);
		meet[slot[g]]++;
	}
	for (uint32_t g = 0; g < e->nstreams; g++)
		n += meet[slot[g]] > CROWD;
	return 2 * n > e->nstreams;
}

/* Is a slot a function of the set in level 2? */
static bool levels_nest(const struct sim_lane *lane)
{
	const struct sim_cache *a = lane->level[0], *b = lane->level[1];

	return lane->nlevels > 1 && a->mask && a->shift == b->shift &&
		b->sets % (a->sets < SLOTS ? a->sets : SLOTS) == 0;
}

bool play_loop(struct work *w, const struct psc_segment *s, uint64_t count, const uint64_t *words)
{
	struct events *e = w->v->events;

	if (!e) {
		e = w->v->events = pscm_map(sizeof *e);
		if (!e)
			return false;
	}
	e->count = count;
	if (!streams_make(w, e, s, words) || (!w->sample && crowded(w, e)))
		return false;
	e->nested = levels_nest(w->lane);
	e->calm = w->l1->assoc < CALM ? w->l1->assoc : CALM;
	w->events = e;
	run(w, e);
	finish(w, e);
	w->events = NULL;
	return true;
}
