/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates loops whose streams all move by one step, as a repeated list of lookups.
 *
 * A *period* is the number of iterations in which the streams move by whole lines; each stream
 * enters and leaves lines in the same iterations of every period.  While all streams stay in their
 * places, a period is a list of *crossings* in the order of the turns.  A crossing is one lookup,
 * whose line advances by a fixed number of lines each period.
 *
 * The result is exact as long as no resident of a set can be evicted: while a stream resides in a
 * set, fewer other streams enter it than it has ways.  Streams keep their distances modulo the
 * bytes of a way, so the streams that can meet in a set (those *near* each other) are known
 * beforehand.  Then:
 *
 *   - a resident's repeated touch of its line hits;
 *   - a miss evicts a line without residents.  If each stream touches the line that it leaves,
 *     these lines are in the order of their last touches; no list of residents or replay is needed;
 *   - *even* streams reside in a line for equally many turns and therefore leave lines in the order
 *     in which they entered them: the LRU order is right without the touches on leaving;
 *   - a stream without near streams always has the most recent line of its set.
 *
 * The iteration in which a stream changes its place, and the one before it, are simulated turn
 * by turn.  This brings the sets into their exact state, so that any engine can continue from
 * there. */
#include "simulate/loop/line_events.h"

/* --- near streams ----------------------------------------------------------------------------- */

/* way / step without a division; exact because way * step < 2^32. */
LRU_INLINE uint32_t steps(const struct period *p, uint32_t way)
{
	return (uint32_t)(way * p->inverse >> 32);
}

static void near_add(struct period *p, uint32_t g, uint32_t h, uint32_t ways)
{
	p->near[g] |= bit_of(h);
	p->crowds += ++p->nnear[g] == ways;
}

static void near_remove(struct period *p, uint32_t g, uint32_t h, uint32_t ways)
{
	p->near[g] &= ~bit_of(h);
	p->crowds -= p->nnear[g]-- == ways;
}

/* Stream g leaves its place: it is near no other stream. */
static void displace(struct events *e, uint32_t g)
{
	struct period *p = &e->period;

	for (uint64_t near = p->near[g]; near; near &= near - 1) {
		uint32_t h = (uint32_t)__builtin_ctzll(near);

		near_remove(p, g, h, e->ways);
		near_remove(p, h, g, e->ways);
	}
	p->placed &= ~bit_of(g);
}

/* Stream g enters a place: finds the streams near it.  Two streams are near if they can have lines
 * in one set in the same iteration. */
static void emplace(struct events *e, uint32_t g)
{
	struct period *p = &e->period;
	const struct stream *s = &e->stream[g];

	p->at[g] = (uint32_t)(s->at + s->delta);
	p->stays[g] = steps(p, p->line + s->sum.span - 2 -
		((p->at[g] + s->sum.span - 1) & (p->step - 1)));
	for (uint64_t others = p->placed; others; others &= others - 1) {
		uint32_t h = (uint32_t)__builtin_ctzll(others);

		if (((p->at[h] - p->at[g] + p->reach) & p->way) <= 2 * p->reach) {
			near_add(p, g, h, e->ways);
			near_add(p, h, g, e->ways);
			p->uneven |= p->stays[g] != p->stays[h];        /* never reset in a loop */
		}
	}
	p->placed |= bit_of(g);
}

/* --- iterations, turn by turn ----------------------------------------------------------------- */

/* The normalised address in iteration i. */
LRU_INLINE uint64_t first_at(const struct stream *s, uint64_t i)
{
	return s->at + i * s->step + s->delta;
}

/* Simulates one turn of a stream in one place. */
static void look(struct work *w, const struct stream *s, uint64_t first)
{
	const struct sim_cache *l1 = w->l1;
	uint32_t offset = (uint32_t)first & ((1u << l1->shift) - 1), entry[PLAN_MAX];

	if (likely(offset + s->sum.span <= 1u << l1->shift)) {
		if (lru_line(l1, w->wide, first >> l1->shift))
			play_miss(w->core, first + PSC_MEMBER_OFFSET(s->sum.first),
				PSC_MEMBER_SIZE(s->sum.first), s->cell, s->sum.first & 1,
				s->number);
		return;
	}
	play_sampled(w, entry, stream_entries(w, s, offset, entry), first, s->cell, s->number);
}

/* Translates stream g from iteration i on.  false: its turn in i is simulated already, or it has
 * none. */
static __attribute__((noinline)) bool move(struct work *w, struct events *e, uint32_t g, uint64_t i)
{
	struct stream *s = &e->stream[g];
	uint64_t rest;

	displace(e, g);
	if (i >= s->end) {
		s->leaves = NEVER;
		s->cell = NULL;
		return false;
	}
	if (!stream_place(w, s, i, &rest)) {
		stream_plainly(w, s, i);
		return false;
	}
	stream_count(s, s->leaves - i);
	if (s->cell)
		emplace(e, g);
	return s->cell;
}

/* Simulates one iteration turn by turn.  Returns the next one in which a stream changes its
 * place. */
static uint64_t iteration(struct work *w, struct events *e, uint64_t i)
{
	uint64_t next = e->count;

	for (uint32_t g = 0; g < e->nstreams; g++) {
		struct stream *s = &e->stream[g];

		if (i < s->leaves ? s->cell != NULL : move(w, e, g, i))
			look(w, s, first_at(s, i));
		if (s->leaves < next)
			next = s->leaves;
	}
	return next;
}

/* --- periods ---------------------------------------------------------------------------------- */

/* Stores the first access of s that touches [line, line + size) in the crossing. */
static void first_in(struct crossing *c, const struct stream *s, uint64_t first, uint64_t line,
	uint32_t size)
{
	const uint32_t *d = s->group;
	uint32_t member = s->sum.first;
	uint64_t at;

	for (uint32_t i = 0; *d & PSC_GROUP_MANY && i < PSC_MANY_N(*d); i++) {
		member = d[3 + i];
		at = first + PSC_MEMBER_OFFSET(member);
		if (at < line + size && at + PSC_MEMBER_SIZE(member) > line)
			break;
	}
	at = first + PSC_MEMBER_OFFSET(member);
	c->from = (int32_t)(at - line);
	c->last = PSC_MEMBER_SIZE(member) - 1;
	c->store = member & 1;
}

/* The line that stream s enters in iteration i, or touches for the last time. */
LRU_INLINE uint64_t line_at(const struct work *w, const struct stream *s, uint64_t i, bool enters)
{
	uint64_t first = first_at(s, i);

	return (enters == ((int64_t)s->step > 0) ? first + s->sum.span - 1 : first) >> w->l1->shift;
}

static void list_add(struct work *w, struct events *e, uint32_t g, uint64_t i, bool enters)
{
	struct period *p = &e->period;
	const struct stream *s = &e->stream[g];
	struct crossing *c = &p->crossing[p->n++];

	c->line = line_at(w, s, i, enters);
	c->lines = (int64_t)s->step > 0 ? p->lines : -(uint64_t)p->lines;
	c->missed = 0;
	c->site = s->site;
	if (enters)
		first_in(c, s, first_at(s, i), c->line << w->l1->shift, p->line);
}

/* Computes when stream g enters and leaves lines in the period that begins with iteration i.  A
 * stream without near streams needs no touch on leaving; an even stream only for its present
 * line. */
LRU_INLINE void recur(struct events *e, uint32_t g, uint64_t i)
{
	struct period *p = &e->period;
	const struct stream *s = &e->stream[g];
	uint32_t line = p->line, step = p->step, end = line * p->lines;
	uint32_t first = (uint32_t)first_at(s, i - 1) & (line - 1);
	uint32_t last = (first + s->sum.span - 1) & (line - 1);
	bool up = (int64_t)s->step > 0, two = last < first;
	/* Bytes of way until it enters a line, until it leaves one. */
	uint32_t enters = up ? line - 1 - last : first, leaves = up ? line - 1 - first : last;

	for (; enters < end; enters += line)
		p->enter[steps(p, enters)] |= bit_of(g);
	if (!p->nnear[g])
		return;
	if (leaves < step) {            /* it has left that line already */
		leaves += line;
		if (!p->uneven && !two)
			return;
	} else if (two) {
		p->two |= bit_of(g);
	}
	for (; leaves < step + end; leaves += line)
		p->leave[steps(p, leaves) - 1] |= bit_of(g);
}

/* Even streams touch their present lines in the order in which they will leave them. */
static void line_up(struct work *w, struct events *e, uint64_t i)
{
	struct period *p = &e->period;
	uint32_t turns = p->two ? 2 * p->turns : p->turns;

	for (uint32_t k = 0; k < turns; k++, i++) {
		uint64_t mask = k < p->turns ? p->leave[k] : p->leave[k - p->turns] & p->two;

		for (; mask; mask &= mask - 1)
			lru_line(w->l1, w->wide,
				line_at(w, &e->stream[__builtin_ctzll(mask)], i, false));
	}
}

/* Lists the crossings of the period that begins with iteration i; returns the number of those in
 * its first `turns` iterations. */
static uint32_t list(struct work *w, struct events *e, uint64_t i, uint32_t turns)
{
	struct period *p = &e->period;
	uint32_t n = 0;

	p->n = 0;
	p->two = 0;
	for (uint32_t k = 0; k < p->turns; k++)
		p->enter[k] = p->leave[k] = 0;
	for (uint64_t streams = p->placed; streams; streams &= streams - 1)
		recur(e, (uint32_t)__builtin_ctzll(streams), i);
	if (!p->uneven)
		line_up(w, e, i);
	for (uint32_t k = 0; k < p->turns; k++, i++) {
		uint64_t leave = p->uneven ? p->leave[k] : 0;

		if (k == turns)
			n = p->n;
		for (uint64_t mask = p->enter[k] | leave; mask; mask &= mask - 1) {
			uint32_t g = (uint32_t)__builtin_ctzll(mask);

			/* A stream may enter and leave a line in the same turn. */
			if (p->enter[k] & bit_of(g))
				list_add(w, e, g, i, true);
			if (leave & bit_of(g))
				list_add(w, e, g, i, false);
		}
	}
	return n;
}

LRU_INLINE void cross(struct sim_core *core, const struct sim_cache *l1, bool wide,
	struct crossing *c, uint32_t n)
{
	for (const struct crossing *end = c + n; c < end; c++) {
		uint64_t line = c->line, first;

		c->line = line + c->lines;
		if (!lru_line(l1, wide, line))
			continue;
		c->missed++;
		first = (line << l1->shift) + (uint64_t)(int64_t)c->from;
		sim_queue(core, first, first + c->last, c->site, c->store);
	}
}

LRU_INLINE void cross_all(struct sim_core *core, const struct sim_cache *l1, bool wide,
	struct period *p, uint64_t periods, uint32_t more)
{
	for (; periods; periods--)
		cross(core, l1, wide, p->crossing, p->n);
	cross(core, l1, wide, p->crossing, more);
}

/* Simulates iterations [i, to), in which no stream changes its place. */
static __attribute__((noinline)) void repeat(struct work *w, struct events *e, uint64_t i,
	uint64_t to)
{
	struct period *p = &e->period;
	struct sim_cache l1 = lru_geometry(w->l1);
	uint64_t periods = (to - i) / p->turns;
	uint32_t more = list(w, e, i, (uint32_t)((to - i) % p->turns));

	if (w->wide) {
		cross_all(w->core, &l1, true, p, periods, more);
	} else if (l1.assoc == 8) {
		l1.assoc = 8;
		l1.stride = 3;
		cross_all(w->core, &l1, false, p, periods, more);
	} else {
		cross_all(w->core, &l1, false, p, periods, more);
	}
	for (struct crossing *c = p->crossing; c < p->crossing + p->n; c++) {
		if (!c->missed)
			continue;
		c->site->first += c->missed;
		c->site->cell->miss[0][c->store] += c->missed;
		c->site->cell->fetched[0] += c->missed;
	}
}

/* --- loops ------------------------------------------------------------------------------------ */

/* Computes the period of streams with one step.  false: it is too long, or the level's shape does
 * not suit. */
static bool begin(const struct work *w, struct events *e)
{
	struct period *p = &e->period;
	uint32_t line = 1u << w->l1->shift, unit, span = 0;
	uint64_t step = e->stream[0].step, size = (int64_t)step < 0 ? -step : step;

	for (uint32_t g = 0; g < e->nstreams; g++)
		span = e->stream[g].sum.span > span ? e->stream[g].sum.span : span;
	unit = (uint32_t)(step & -step);
	if (line > PERIOD * unit || w->l1->sets < 4 ||
	    w->l1->mask >= UINT32_MAX >> w->l1->shift)
		return false;
	p->line = line;
	p->step = (uint32_t)size;
	p->inverse = ((UINT64_C(1) << 32) + size - 1) / size;
	p->turns = line / unit;
	p->lines = (uint32_t)size / unit;
	p->way = (w->l1->sets << w->l1->shift) - 1;
	p->reach = line + span - 2;
	p->placed = 0;
	p->crowds = 0;
	p->uneven = p->lines > 1;
	memset(p->near, 0, e->nstreams * sizeof *p->near);
	memset(p->nnear, 0, e->nstreams * sizeof *p->nnear);
	return e->nstreams * p->lines <= CROSSINGS / 2;
}

/* Lets another engine continue with iteration i: it translates and counts the streams anew, so the
 * iterations counted in advance are subtracted. */
static uint64_t hand_over(struct events *e, uint64_t i)
{
	for (uint32_t g = 0; g < e->nstreams; g++) {
		struct stream *s = &e->stream[g];

		if (s->leaves != NEVER)
			stream_count(s, i - s->leaves);
		s->leaves = 0;
	}
	return i;
}

/* Simulates iterations until some stream has too many near streams; returns the first one left. */
static uint64_t run(struct work *w, struct events *e)
{
	uint64_t i = 0, next;

	if (!begin(w, e))
		return 0;
	for (; i < e->count; i = next) {
		next = iteration(w, e, i);
		if (e->period.crowds)
			return hand_over(e, i + 1);
		if (next - i > 2)
			repeat(w, e, i + 1, next - 1);
		if (next - i > 1)
			iteration(w, e, next - 1);
	}
	return e->count;
}

uint64_t periods_play(struct work *w, struct loop *l, uint64_t from, uint64_t to)
{
	struct events *e = streams_of(w, l, from, to);

	return e ? from + run(w, e) : from;
}
