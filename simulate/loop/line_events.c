/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates a loop by events: only the turns in which a stream changes its line cost a lookup.  The
 * result equals that of the iterations one by one.
 *
 * A *stream* is one group of the loop, or one member of a group that is too wide.  It has one
 * *turn* in each iteration, in which it touches one line or two adjacent lines.  It *resides* in
 * the lines that it touched in its last turn.  While it resides in the same lines, its turns need
 * no lookup:
 *
 *   Between two touches of a line by its resident, every other stream has exactly one turn.  The
 *   lines touched in the set meanwhile are those of the present residents.  This is the LRU stack
 *   distance: the touch hits if the set has no more residents than ways, and misses otherwise.  A
 *   set with more residents than ways is *crowded*.
 *
 *   In a crowded set a resident's misses recur in every turn.  They hit in level 2 as long as no
 *   set of level 2 has more residents than ways.  They are counted when the state ends.
 *
 * An event is a turn in which a stream enters or leaves a line or touches two lines, or a turn
 * whose outcome is unknown:
 *
 *   the first turn after a set becomes crowded (level 2 may lack the line);
 *   turns in a crowded set in which two streams share a line (twins);
 *   turns in a crowded set whose lines do not fit in level 2.
 *
 * Sets are updated lazily, because the last touch of each line, in order, determines the state of
 * an LRU set.  A lookup first replays the last touch of each resident since the set's last lookup;
 * a leaving stream replays its own.  Level 2 is handled in the same way for recurring misses.
 *
 * A turn that spans two objects is simulated access by access.  It disturbs the sets that it looks
 * into: the next turn of each of their residents is an event.
 *
 * The first iteration may be any one: periods.c may have simulated those before. */
#include "simulate/loop/line_events.h"
#include "simulate/cache/map_counts.h"

LRU_INLINE void schedule(struct events *e, uint32_t g, uint64_t i)
{
	e->ring[i % RING] |= bit_of(g);
	e->rings |= UINT64_C(1) << i % RING;
}

/* Makes the next turn of each of these streams an event. */
static void wake(struct events *e, uint64_t mask)
{
	uint64_t later = mask & ((e->bit << 1) - 1);

	e->now |= mask & ~later;
	if (later) {
		e->ring[(e->i + 1) % RING] |= later;
		e->rings |= UINT64_C(1) << (e->i + 1) % RING;
	}
}

/* Residents whose last touch lies between a time and the present turn: in the iteration before, and
 * in this one. */
struct pending {
	uint64_t before, here;
};
LRU_INLINE struct pending pending(const struct events *e, uint64_t mask, uint64_t time)
{
	struct pending p = { mask & -e->bit, mask & (e->bit - 1) };
	uint64_t after = ~((UINT64_C(2) << time % STREAMS) - 1), ago = e->i - time / STREAMS;

	if (ago == 0) {
		p.before = 0;
		p.here &= after;
	} else if (ago == 1) {
		p.before &= after;
	}
	return p;
}

LRU_INLINE struct stay *stay_in(struct events *e, uint32_t g, uint32_t slot)
{
	return &e->stream[g].stay[slot & 1];
}

/* --- level 1 ---------------------------------------------------------------------------------- */

static void replay(struct work *w, struct events *e, uint32_t slot, uint64_t mask)
{
	for (; mask; mask &= mask - 1)
		lru_line(w->l1, w->wide, stay_in(e, (uint32_t)__builtin_ctzll(mask), slot)->line);
}

/* Brings the set into the state before the present turn. */
LRU_INLINE void catch_up(struct work *w, struct events *e, uint32_t slot)
{
	struct l1_slot *s = &e->slot[slot];

	if (s->who) {
		struct pending p = pending(e, s->who, s->synced);

		replay(w, e, slot, p.before);
		replay(w, e, slot, p.here);
	}
	s->synced = e->time;
}

LRU_INLINE bool crowded(const struct events *e, const struct l1_slot *s)
{
	return s->n > e->ways;
}

/* --- level 2 ---------------------------------------------------------------------------------- */

/* Replays touches in level 2, where all of them hit. */
static void replay2(struct work *w, struct events *e, uint32_t slot, uint64_t mask)
{
	for (; mask; mask &= mask - 1) {
		uint32_t r = (uint32_t)__builtin_ctzll(mask);

		sim_touch(w->core, stay_in(e, r, slot)->line, e->stream[r].site);
	}
}

/* Brings level 2's set into the state before the present turn, which looks up its line there. */
LRU_INLINE void sync2(struct work *w, struct events *e, const struct stay *y)
{
	struct l1_slot *s = &e->slot[y->slot];
	struct l2_slot *t = &e->slot2[y->slot2];

	if (!crowded(e, s) || !e->exact)
		return;
	if (t->who & s->recur & ~e->bit) {
		struct pending p = pending(e, t->who & s->recur & ~e->bit, t->synced);

		replay2(w, e, y->slot, p.before);
		replay2(w, e, y->slot, p.here);
	}
	t->synced = e->time;
}

LRU_INLINE bool fits2(const struct events *e, const struct l2_slot *t)
{
	return t->n <= e->ways2;
}

/* Counts the recurring misses of r up to the present turn. */
LRU_INLINE void settle(struct work *w, struct events *e, uint32_t slot, uint32_t r)
{
	struct stream *s = &e->stream[r];
	struct stay *y = &s->stay[slot & 1];
	struct l2_slot *t = &e->slot2[y->slot2];
	uint64_t last = r < e->g ? e->i : e->i - 1, n = last - y->from, seen = time_of(y->from, r);

	if (!n)
		return;
	y->from = last;
	s->site->first += n;
	s->cell->miss[0][s->sum.first & 1] += n;
	s->cell->fetched[0] += n;
	if (!w->sample) {
		s->cell->class[0][(y->class & 0xff) >> 1][s->sum.first & 1] += n;
		s->cell->conflict[0] += y->class & SIM_MEETS ? n : 0;
	}
	sim_core_sampled(w->core, s->cell, 0, s->sum.first & 1, y->line << w->l1->shift, n);
	if (unlikely(w->core->drawn))
		sim_maps_recur(w->core, y->line << w->l1->shift, s->cell, n);
	/* If only this line was looked up since, level 2's order is unchanged. */
	if (time_of(last, r) > t->synced && t->synced != seen) {
		sim_touch(w->core, y->line, s->site);
		t->synced = time_of(last, r);
	}
}

/* Settles several, in the order of their last turns. */
static void settle_all(struct work *w, struct events *e, uint32_t slot, uint64_t mask)
{
	uint64_t here = mask & (e->bit - 1);

	for (mask &= ~here; mask; mask &= mask - 1)
		settle(w, e, slot, (uint32_t)__builtin_ctzll(mask));
	for (; here; here &= here - 1)
		settle(w, e, slot, (uint32_t)__builtin_ctzll(here));
}

/* Ends the recurring misses of these residents; each of their turns is an event from now on. */
static void disturb(struct work *w, struct events *e, uint32_t slot, uint64_t mask)
{
	struct l1_slot *s = &e->slot[slot];

	settle_all(w, e, slot, mask & s->recur);
	s->recur &= ~mask;
	s->due |= mask;
	wake(e, mask);
}

/* --- crowded sets ----------------------------------------------------------------------------- */

/* Finds streams by the lower half of their line of this parity; some may have left that line. */
LRU_INLINE uint64_t who_has(const struct events *e, uint32_t parity, uint32_t line)
{
	const uint32_t *lines = e->lines[parity];
	uint64_t mask = 0;
#ifdef __SSE2__
	const __m128i wanted = _mm_set1_epi32((int)line);

	for (uint32_t g = 0; g < e->nstreams; g += 4)
		mask |= (uint64_t)lru_equal(_mm_load_si128((const __m128i *)(lines + g)),
			wanted) << g;
#else
	for (uint32_t g = 0; g < e->nstreams; g++)
		mask |= (uint64_t)(lines[g] == line) << g;
#endif
	return mask;
}

/* If the line that is about to miss is new, the victim loses its class (cache/pattern.h).  If one
 * of these streams resides in the victim, its misses recur no longer. */
static __attribute__((noinline)) void guard_victim(struct work *w, struct events *e, uint64_t line,
	uint32_t victim, uint64_t mask)
{
	const uint32_t slot = (victim & w->l1->mask) % SLOTS;

	mask &= who_has(e, slot & 1, victim);
	if (mask && !w->sample && pattern_known(sim_pattern(w->core), line) == PATTERN_KIND)
		disturb(w, e, slot, mask);
}

/* Precedes each miss. */
LRU_INLINE void guard(struct work *w, struct events *e, uint64_t line)
{
	const uint32_t victim = pattern_oldest(sim_pattern(w->core), line);
	const uint64_t mask = e->slot[(victim & w->l1->mask) % SLOTS].recur;

	if (unlikely(mask))
		guard_victim(w, e, line, victim, mask);
}

/* Does another resident of the set share the line of g? */
LRU_INLINE bool has_twins(const struct events *e, uint32_t slot, uint32_t g)
{
	return who_has(e, slot & 1, e->lines[slot & 1][g]) & e->slot[slot].who & ~bit_of(g);
}

/* Do two residents of the set share a line?  Only lines whose pages have the same number modulo 64
 * are compared. */
static bool any_twins(const struct events *e, uint32_t slot)
{
	uint64_t pages = 0;

	for (uint64_t mask = e->slot[slot].who; mask; mask &= mask - 1) {
		const uint32_t g = (uint32_t)__builtin_ctzll(mask);
		const uint64_t page = UINT64_C(1) << e->lines[slot & 1][g] / 64 % 64;

		if (unlikely(pages & page) && has_twins(e, slot, g))
			return true;
		pages |= page;
	}
	return false;
}

/* Enters a resident of a crowded set in its slot of level 2. */
LRU_INLINE void join2(struct work *w, struct events *e, uint32_t slot, uint32_t r)
{
	struct stay *y = stay_in(e, r, slot);
	const struct sim_cache *c = w->core->level[1];
	const uint64_t address = y->line << w->l1->shift;
	struct l2_slot *t;

	y->slot2 = (uint32_t)(sim_line(c, address, sim_frame(w->core, address)) & c->mask) % SLOTS;
	t = &e->slot2[y->slot2];
	if (!t->n++)
		t->synced = e->time;
	t->who |= bit_of(r);
}

/* The set has just become crowded: enters all residents in level 2. */
static __attribute__((noinline)) void join2_all(struct work *w, struct events *e, uint32_t slot)
{
	for (uint64_t mask = e->slot[slot].who; mask; mask &= mask - 1)
		join2(w, e, slot, (uint32_t)__builtin_ctzll(mask));
}

LRU_INLINE void leave2(struct events *e, const struct stay *y, uint32_t r)
{
	struct l2_slot *t = &e->slot2[y->slot2];

	t->who &= ~bit_of(r);
	t->n--;
}

/* Does the line keep its class?  Sets the class. */
static bool keeps_class(const struct work *w, struct stay *y)
{
	const uint32_t known = pattern_known(sim_pattern(w->core), y->line),
		kind = known & PATTERN_KIND;

	y->class = (kind ? kind : w->core->irregular) << 1 | (known & PATTERN_MEETS ? SIM_MEETS :
		0);
	return w->sample || kind < PATTERN_KIND;
}

/* Stream g has entered a crowded set and changed its state: decides anew which residents' misses
 * recur. */
static __attribute__((noinline)) void crowd(struct work *w, struct events *e, uint32_t slot,
	uint32_t g)
{
	struct l1_slot *s = &e->slot[slot];
	uint64_t new, recur = 0, wait = 0;
	const struct l2_slot *t = &e->slot2[stay_in(e, g, slot)->slot2];

	if (!s->twins)
		s->twins = s->n == e->ways + 1 ? any_twins(e, slot) : has_twins(e, slot, g);
	if (s->twins || !e->exact) {
		disturb(w, e, slot, s->who);
		return;
	}
	if (!fits2(e, t))
		disturb(w, e, slot, t->who);
	/* A resident's misses recur only after level 2 has seen its last touch, and while its line
	 * keeps its class. */
	for (new = s->who & ~s->recur & ~s->due; new; new &= new - 1) {
		uint32_t r = (uint32_t)__builtin_ctzll(new);
		struct stay *y = stay_in(e, r, slot);

		if (y->from == (r <= g ? e->i : e->i - 1) && fits2(e, &e->slot2[y->slot2]) &&
		    keeps_class(w, y))
			recur |= bit_of(r);
		else
			wait |= bit_of(r);
	}
	s->recur |= recur;
	e->recurs |= recur != 0;
	s->due |= wait;
	wake(e, wait);
}

static __attribute__((noinline)) void calm(struct work *w, struct events *e, uint32_t slot)
{
	struct l1_slot *s = &e->slot[slot];

	settle_all(w, e, slot, s->recur);
	s->recur = 0;
	s->twins = false;
	if (e->exact)
		for (uint64_t mask = s->who; mask; mask &= mask - 1) {
			uint32_t r = (uint32_t)__builtin_ctzll(mask);

			leave2(e, stay_in(e, r, slot), r);
		}
}

/* An access outside the streams looks up a line: brings its set up to date first. */
static void before_lookup(struct work *w, uint64_t line)
{
	struct events *e = w->v->events;
	uint32_t slot = (uint32_t)(line & w->l1->mask) % SLOTS;
	struct l1_slot *s = &e->slot[slot];

	guard(w, e, line);
	disturb(w, e, slot, s->who);
	catch_up(w, e, slot);
	s->plain = e->time;
	e->plain = true;
}

/* --- turns ------------------------------------------------------------------------------------ */

LRU_INLINE void leave(struct work *w, struct events *e, uint32_t g, struct stay *y)
{
	struct l1_slot *s = &e->slot[y->slot];
	bool was = crowded(e, s);

	/* Its last turn, one iteration ago, came after the set's last lookup. */
	if (e->time - STREAMS > s->synced)
		lru_line(w->l1, w->wide, y->line);
	if (unlikely(was)) {
		if (s->recur & e->bit)
			settle(w, e, y->slot, g);
		s->recur &= ~e->bit;
		if (e->exact)
			leave2(e, y, g);
	}
	s->who &= ~e->bit;
	s->n--;
	s->due &= ~e->bit;
	if (unlikely(was) && !crowded(e, s))
		calm(w, e, y->slot);
}

/* Stream g enters a line.  true: it missed. */
LRU_INLINE bool enter(struct work *w, struct events *e, uint32_t g, struct stay *y, uint64_t line)
{
	uint32_t slot = (uint32_t)(line & w->l1->mask) % SLOTS;
	struct l1_slot *s = &e->slot[slot];

	y->line = line;
	e->lines[slot & 1][g] = (uint32_t)line;
	y->slot = slot;
	y->from = NEVER;
	catch_up(w, e, slot);
	s->who |= e->bit;
	s->n++;
	if (unlikely(crowded(e, s)) && e->exact) {
		if (s->n == e->ways + 1)
			join2_all(w, e, slot);
		else
			join2(w, e, slot, g);
	}
	return lru_line(w->l1, w->wide, line);
}

/* An event of stream g in a line where it resides already.  true: it missed. */
static bool again(struct work *w, struct events *e, uint32_t g, struct stay *y)
{
	struct l1_slot *s = &e->slot[y->slot];
	bool plain = e->plain && s->plain && e->time <= s->plain + STREAMS;

	s->due &= ~e->bit;
	if (!crowded(e, s) && !plain)
		return false;
	if (s->twins || !e->exact || plain) {
		catch_up(w, e, y->slot);
		return lru_line(w->l1, w->wide, y->line);
	}
	if (s->recur & e->bit)
		settle(w, e, y->slot, g);
	return true;
}

LRU_INLINE bool due(const struct events *e, const struct stay *y)
{
	return e->slot[y->slot].due & e->bit;
}

/* Decides, after an event in a crowded set, whether g's misses recur or its next turn is an
 * event. */
LRU_INLINE void after(struct work *w, struct events *e, uint32_t g, struct stay *y, bool entered)
{
	struct l1_slot *s = &e->slot[y->slot];
	bool settled;

	if (likely(!crowded(e, s)))
		return;
	settled = !s->twins && e->exact && fits2(e, &e->slot2[y->slot2]);
	if (entered && (!settled || s->n == e->ways + 1 || has_twins(e, y->slot, g))) {
		crowd(w, e, y->slot, g);
		return;
	}
	if (settled && y->from == e->i && !y->second) {
		s->recur |= e->bit;
		e->recurs = true;
		return;
	}
	s->recur &= ~e->bit;
	s->due |= e->bit;
	schedule(e, g, e->i + 1);
}

/* An access that missed: its one or two lines (b: NULL if one), `fetched` of which were missing. */
struct missed {
	struct stay *a, *b;
	uint64_t first, last;
	uint32_t store, fetched;
};

LRU_INLINE void miss(struct work *w, struct events *e, uint32_t g, struct missed m)
{
	struct sim_site *site = e->stream[g].site;
	struct sim_cell *cell = site->cell;

	site->first++;
	cell->miss[0][m.store]++;
	cell->fetched[0] += m.fetched;
	sim_core_sampled(w->core, cell, 0, m.store, m.first, 1);
	sync2(w, e, m.a);
	m.a->from = e->i;
	m.a->second = false;
	if (m.b) {
		sync2(w, e, m.b);
		m.b->from = e->i;
		m.b->second = true;
	}
	if (e->recurs)
		guard(w, e, m.first >> w->l1->shift);
	m.a->class = sim_queue_classified(w->core, m.first, m.last, site, m.store);
}

/* Simulates a turn in one line. */
LRU_INLINE void one_line(struct work *w, struct events *e, uint32_t g, uint64_t first)
{
	struct stream *s = &e->stream[g];
	uint64_t line = first >> w->l1->shift;
	uint32_t k = line & 1;
	struct stay *y = &s->stay[k];
	bool entered;

	if (s->in & 1u << (1 - k)) {
		leave(w, e, g, &s->stay[1 - k]);
		s->in &= 1u << k;
	}
	if (s->in && y->line != line) {
		leave(w, e, g, y);
		s->in = 0;
	}
	entered = !s->in;
	s->in = 1u << k;
	if (!entered && !due(e, y))
		return;
	if (entered ? enter(w, e, g, y, line) : again(w, e, g, y)) {
		first += PSC_MEMBER_OFFSET(s->sum.first);
		miss(w, e, g, (struct missed){ y, NULL, first,
			first + PSC_MEMBER_SIZE(s->sum.first) - 1, s->sum.first & 1, 1 });
	}
	after(w, e, g, y, entered);
}

/* Finds which accesses of a turn in two lines miss which line; lines outside the sample count as
 * absent.  delta: added to addresses in the second line, if it lies in another place. */
static void two_misses(struct work *w, struct events *e, uint32_t g, uint64_t first, uint64_t delta,
	bool *missed)
{
	struct stream *s = &e->stream[g];
	uint32_t line = 1u << w->l1->shift, offset = (uint32_t)first & (line - 1);
	uint32_t entry[PLAN_MAX], n = stream_entries(w, s, offset, entry);
	struct stay *y[2] = { &s->stay[first >> w->l1->shift & 1],
		&s->stay[~first >> w->l1->shift & 1] };
	bool here[2] = { s->in >> (y[0] - s->stay) & 1, s->in >> (y[1] - s->stay) & 1 };

	for (uint32_t i = 0; i < n; i++) {
		uint32_t from = offset + PSC_MEMBER_OFFSET(entry[i]);
		uint64_t a = first + PSC_MEMBER_OFFSET(entry[i]);
		uint64_t b = a + PSC_MEMBER_SIZE(entry[i]) - 1;
		bool in[2] = { from < line && here[0],
			from + PSC_MEMBER_SIZE(entry[i]) > line && here[1] };
		uint32_t fetched = (in[0] && missed[0]) + (in[1] && missed[1]);

		/* Later members of the turn hit this line. */
		missed[0] &= !in[0];
		missed[1] &= !in[1];
		if (!fetched)
			continue;
		if (!in[0])
			a = from < line ? ((first & -(uint64_t)line) + line) + delta : a + delta;
		b = in[1] ? b + delta : from + PSC_MEMBER_SIZE(entry[i]) > line ?
			(first | (line - 1)) : b;
		miss(w, e, g, (struct missed){ in[0] ? y[0] : y[1], in[0] && in[1] ? y[1] : NULL, a,
			b, entry[i] & 1, fetched });
	}
}

/* The size of the stream's accesses if all are loads or all are stores, of one size and aligned to
 * it; else 0. */
static __attribute__((noinline)) uint32_t grain(const struct stream *s)
{
	const uint32_t *d = s->group;
	uint32_t size = PSC_MEMBER_SIZE(s->sum.first);

	if (size & (size - 1) || s->step & (size - 1) || (s->sum.n[0] && s->sum.n[1]))
		return 0;
	for (uint32_t i = 0; *d & PSC_GROUP_MANY && i < PSC_MANY_N(*d); i++)
		if (PSC_MEMBER_SIZE(d[3 + i]) != size || PSC_MEMBER_OFFSET(d[3 + i]) & (size - 1))
			return 0;
	return size;
}

static __attribute__((noinline)) void two_lines(struct work *w, struct events *e, uint32_t g,
	uint64_t first, uint64_t delta)
{
	struct stream *s = &e->stream[g];
	uint32_t size = 1u << w->l1->shift, k = first >> w->l1->shift & 1;
	/* Each access lies in one of the lines, so each line misses as if the turn lay in it
	 * alone. */
	bool plain;
	uint64_t line[2] = { first >> w->l1->shift,
		((first & -(uint64_t)size) + size + delta) >> w->l1->shift };
	bool missed[2] = { false, false }, entered[2] = { false, false },
		asked[2] = { false, false };

	if (s->grain == UINT32_MAX)
		s->grain = grain(s);
	plain = s->grain && !((uint32_t)first & (s->grain - 1));
	/* First line, then second line; adjacent lines differ in parity. */
	for (uint32_t j = 0; j < 2; j++)
		if (s->in & 1u << (k ^ j) && s->stay[k ^ j].line != line[j]) {
			leave(w, e, g, &s->stay[k ^ j]);
			s->in &= ~(1u << (k ^ j));
		}
	for (uint32_t j = 0; j < 2; j++) {
		struct stay *y = &s->stay[k ^ j];

		if (!sample_has(w->sample, line[j] << w->l1->shift))
			continue;
		entered[j] = !(s->in & 1u << (k ^ j));
		s->in |= 1u << (k ^ j);
		if (!entered[j] && plain && !due(e, y))
			continue;
		asked[j] = true;
		missed[j] = entered[j] ? enter(w, e, g, y, line[j]) : again(w, e, g, y);
	}
	if (plain && missed[0] != missed[1]) {
		uint64_t at = missed[0] ? first : line[1] << w->l1->shift;

		miss(w, e, g, (struct missed){ &s->stay[k ^ missed[1]], NULL, at, at,
			s->sum.first & 1, 1 });
	} else if (s->in == 3 && !(*s->group & PSC_GROUP_MANY)) {
		if (missed[0] || missed[1])
			miss(w, e, g, (struct missed){ &s->stay[k], &s->stay[!k], first,
				first + s->sum.span - 1 + delta, s->sum.first & 1,
				missed[0] + missed[1] });
	} else if (missed[0] || missed[1]) {
		two_misses(w, e, g, first, delta, missed);
	}
	for (uint32_t j = 0; j < 2; j++)
		if (asked[j])
			after(w, e, g, &s->stay[k ^ j], entered[j]);
}

static void out(struct work *w, struct events *e, uint32_t g)
{
	struct stream *s = &e->stream[g];

	for (uint32_t k = 0; k < 2; k++)
		if (s->in & 1u << k)
			leave(w, e, g, &s->stay[k]);
	s->in = 0;
}

/* --- places ----------------------------------------------------------------------------------- */

LRU_INLINE uint64_t steps_in(const struct stream *s, uint64_t below, uint64_t above)
{
	if (likely(s->shift >= 0))
		return ((uint32_t)above >> s->shift) + 1;
	return steps_within(below, above, s->step);
}

/* Stream g enters another place.  false: the turn is simulated. */
static __attribute__((noinline)) bool move_place(struct work *w, struct events *e, uint32_t g)
{
	struct stream *s = &e->stream[g];
	uint64_t rest, delta;

	s->until = e->i + 1;
	/* Recurring misses so far belong to the cell of the previous place. */
	for (uint32_t k = 0; k < 2; k++)
		if (s->in & 1u << k && e->slot[s->stay[k].slot].recur & e->bit)
			settle(w, e, s->stay[k].slot, g);
	if (stream_place(w, s, e->i, &rest)) {
		stream_count(s, s->leaves - e->i);
		return true;
	}
	if (!s->cell || !stream_adjoins(w, s, s->at + e->i * s->step, rest,
	    &delta)) {
		/* No turn in one line or in two lines of one object. */
		out(w, e, g);
		stream_plainly(w, s, e->i);
		return false;
	}
	stream_count(s, 1);
	two_lines(w, e, g, s->at + e->i * s->step + s->delta, delta);
	return false;
}

/* A turn in which stream g enters another line or place. */
static void move(struct work *w, struct events *e, uint32_t g)
{
	struct stream *s = &e->stream[g];
	uint64_t first, n, i = e->i;
	uint32_t line = 1u << w->l1->shift, offset;

	if (unlikely(i >= s->leaves) && !move_place(w, e, g))
		return;
	if (unlikely(!s->cell)) {
		out(w, e, g);
		s->until = s->leaves;
		return;
	}
	first = s->at + i * s->step + s->delta;
	offset = (uint32_t)first & (line - 1);
	if (offset + s->sum.span > line) {
		s->until = i + 1;
		two_lines(w, e, g, first, 0);
		return;
	}
	if (unlikely(!sample_has(w->sample, first))) {
		out(w, e, g);
		s->until = i + stream_unsampled(w, s, first, i);
		return;
	}
	n = steps_in(s, offset, line - offset - s->sum.span);
	s->until = n < s->leaves - i ? i + n : s->leaves;
	one_line(w, e, g, first);
}

/* --- iterations ------------------------------------------------------------------------------- */

LRU_INLINE void turn(struct events *e, uint32_t g)
{
	e->g = g;
	e->bit = bit_of(g);
	e->time = time_of(e->i, g);
}

static void event(struct work *w, struct events *e, uint32_t g)
{
	struct stream *s = &e->stream[g];

	turn(e, g);
	if (e->i < s->until) {
		/* Until its next crossing the stream resides in one line. */
		if (s->in && e->slot[s->stay[s->in >> 1].slot].due & e->bit)
			one_line(w, e, g, s->at + e->i * s->step + s->delta);
	} else if (e->i >= s->end) {
		out(w, e, g);
		return;
	} else {
		move(w, e, g);
	}
	if (s->until < e->count)
		schedule(e, g, s->until - e->i < RING ? s->until : e->i + RING - 1);
}

static void run(struct work *w, struct events *e)
{
	e->rings = 0;
	e->now = e->nstreams == STREAMS ? UINT64_MAX : bit_of(e->nstreams) - 1;
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

/* Brings all sets into the state after the last iteration. */
static void finish(struct work *w, struct events *e)
{
	e->i = e->count;
	for (uint32_t g = 0; g < e->nstreams; g++) {
		turn(e, g);
		out(w, e, g);
	}
	for (; e->rings; e->rings &= e->rings - 1)
		e->ring[__builtin_ctzll(e->rings)] = 0;
	if (e->plain)
		for (uint32_t i = 0; i < SLOTS; i++)
			e->slot[i].plain = 0;
	e->plain = false;
}

uint64_t events_play(struct work *w, struct loop *l, uint64_t from, uint64_t to)
{
	struct events *e = streams_of(w, l, from, to);

	if (!e)
		return from;
	e->i = from - l->origin;
	w->before_lookup = before_lookup;
	run(w, e);
	finish(w, e);
	w->before_lookup = NULL;
	return to;
}
