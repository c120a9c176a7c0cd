/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops in step: what plain expansion would do, access by access, where events do not pay, because
 * most lines change in each iteration, or more lines meet in a set than it holds.
 *
 * A group stays in one place (a page, or an object's part of one) for a number of iterations: what
 * its address means is asked once for all of them, and they are counted at once.  Then an access is
 * a step and a lookup.
 *
 * With several threads the directory is told of a line once for as long as a group stays in it. */
#include "simulate/loop/loop.h"
#include "simulate/coherence/share.h"

enum { LONG = 1024 };   /* iterations in which no cell's recent counts overflow */

struct stepper {
	uint64_t first;         /* normalised address in the present iteration */
	uint64_t step;
	uint32_t span, size, store;     /* of all its accesses; of the first */
	uint32_t offset;        /* of the first access behind `first` */
	struct sim_cell *cell;  /* NULL: left out */
	uint64_t left;          /* iterations that it stays where it is */
	uint64_t told;          /* iterations that the directory knows of */
	uint64_t end;           /* iterations in which it takes part, or that are played */
	bool many;
	const struct loop_group *g;
};

/* All of them; per: accesses of an iteration that the directory hears of; 0: of none. */
struct steppers {
	struct stepper m[LOOP_GROUPS];
	uint32_t n, per;
};

static void stepper_make(struct stepper *m, const struct loop_group *g, uint64_t to)
{
	m->g = g;
	m->end = g->n < to ? g->n : to;
	m->step = g->step;
	m->span = g->sum.span;
	m->many = *g->group & PSC_GROUP_MANY;
	m->offset = m->many ? PSC_MEMBER_OFFSET(g->sum.first) : 0;
	m->size = m->many ? PSC_MEMBER_SIZE(g->sum.first) : m->span;
	m->store = g->sum.first & 1;
	m->left = m->told = 0;
}

LRU_INLINE uint64_t address_in(const struct stepper *m, uint64_t i)
{
	return m->g->at + i * m->g->step;
}

/* m stays in a page, where it may write all lines, but some of them (closed, bits from `line` on) were not
 * written as a whole: what it writes of these is known now. */
static bool stay_wrote(struct work *w, const struct stepper *m, struct share_permission *g, uint64_t line,
	uint64_t closed)
{
	struct share_core *l = w->core->sharing;
	uint64_t first = m->first;

	for (uint64_t n = m->left; n; n--, first += m->step) {
		uint64_t a = (first >> l->shift) - line, b = ((first + m->span - 1) >> l->shift) - line;
		const struct plan *plan;

		if (!(closed & ((UINT64_C(2) << b) - (UINT64_C(1) << a))))
			continue;
		plan = plan_of(w, m->g->group, (uint32_t)first & ((1u << l->shift) - 1));
		if (!plan)
			return false;
		for (uint32_t j = 0; j < plan->lines; j++)
			if (w->v->plans->mask[plan->mask + j][1])
				share_wrote(l, g, share_in_page(l->shift, (first >> l->shift) + j),
					w->v->plans->mask[plan->mask + j][1]);
	}
	return true;
}

/* Has the directory nothing to hear of m for as long as it stays in its place?  What it writes of lines by
 * right is known beforehand where it leaves each of them soon. */
static bool stay_is_free(struct work *w, const struct stepper *m, uint32_t per)
{
	struct share_core *l = w->core->sharing;
	uint64_t way = (m->left - 1) * m->step, first = m->first, line, closed;
	bool soon = m->many;
	struct share_permission *g;

	if (m->left > 1 && per >> l->turn_shift >= SHARE_GAP - 1)
		return false;
	if ((int64_t)way < 0) {
		first += way;
		way = -way;
	}
	soon &= way >= (m->left - 1) << (l->shift - 1);
	line = first >> l->shift;
	g = share_closed(l, l->shift, first, way + m->span, m->g->sum.n[1], m->cell, &closed);
	if (closed && (!g || !m->g->sum.n[1] || !soon || closed & ~((g->write & g->told) >>
	    share_in_page(l->shift, line)) || !stay_wrote(w, m, g, line, closed)))
		return false;
	share_used(l, g, l->turn, share_turn(l, (m->left - 1) * per));
	return true;
}

/* Where m is from iteration i on, and what it does there is counted; left 0: it is in two places. */
static __attribute__((noinline)) void stepper_place(struct work *w, struct stepper *m, uint64_t i,
	uint32_t per)
{
	uint64_t address = address_in(m, i), before, rest;
	const struct sim_page *p = play_place(w, address, &before, &rest);

	m->first = address + (p ? p->delta : 0);
	m->cell = p ? p->cell : NULL;
	m->left = loop_stay(before, rest, m->span, m->step, m->end - i);
	if (!p || !m->left)
		return;
	loop_count(m->cell, &m->g->sum, m->left);
	if (per && stay_is_free(w, m, per))
		m->told = i + m->left;
}

static void apart(struct work *w, const struct stepper *m, uint64_t i)
{
	play_group(w, m->g->group, address_in(m, i));
	w->core->unsummed += m->g->sum.n[0] + m->g->sum.n[1];
}

/* In two places. */
static void astride_places(struct work *w, const struct stepper *m, uint64_t i)
{
	uint64_t address = address_in(m, i), before, rest;
	const struct sim_page *p = play_place(w, address, &before, &rest);

	if (m->many && p && address >= NOWHERE && play_split(w, m->g->group, address, rest, p))
		loop_count(p->cell, &m->g->sum, 1);
	else
		apart(w, m, i);
}

/* In two lines of its place, and counted already: unaligned vectors do that often. */
static __attribute__((noinline)) void astride(struct work *w, const struct stepper *m, uint64_t i,
	uint64_t first, uint32_t per)
{
	const struct level1 k = level1_of(w);

	if (!m->many && (!per || i < m->told)) {
		play_entry(w, &k, first, PLAN_ENTRY(0, m->span, m->store, 1u), m->cell);
		return;
	}
	loop_count(m->cell, &m->g->sum, -UINT64_C(1));
	apart(w, m, i);
}

/* Bytes of its line that m touches in n iterations, the first of them at `first`. */
static void touched(const struct share_core *l, const struct stepper *m, uint64_t first, uint64_t n,
	uint64_t mask[2])
{
	const uint32_t *member = m->g->group + 3;
	uint64_t step = (int64_t)m->step < 0 ? -m->step : m->step, way = (n - 1) * step;

	mask[0] = mask[1] = 0;
	if (!m->many && step <= m->span) {      /* all from the first to the last */
		first -= (int64_t)m->step < 0 ? way : 0;
		mask[m->store] = share_mask(l, first, first + way + m->span - 1);
		return;
	}
	for (uint32_t k = 0; k < (m->many ? PSC_MANY_N(*m->g->group) : 1); k++) {
		uint32_t what = m->many ? member[k] : m->size << 2 | m->store;
		uint64_t at = first + PSC_MEMBER_OFFSET(what);

		for (uint64_t i = 0; i < n; i++, at += m->step)
			mask[what & 1] |= share_mask(l, at, at + PSC_MEMBER_SIZE(what) - 1);
	}
}

/* m begins to use a line; for how many iterations, and what of it. */
static __attribute__((noinline)) void tell(struct work *w, struct stepper *m, uint64_t i,
	uint64_t first, uint32_t per)
{
	struct share_core *l = w->core->sharing;
	uint32_t line = 1u << w->l1->shift, offset = (uint32_t)first & (line - 1);
	uint64_t n = 1, mask[2];

	/* It moves by less, without a gap. */
	if (m->step + line < 2 * line && per >> l->turn_shift < SHARE_GAP - 1) {
		n = steps_within(offset, line - offset - m->span, m->step);
		if (n > m->left + 1)
			n = m->left + 1;
	}
	m->told = i + n;
	if (n > 1) {
		touched(l, m, first, m->step ? n : 1, mask);
		share_stream(l, address_in(m, i), first, mask[0], mask[1], m->cell, n, per);
	} else if (m->many) {
		play_mark(w, m->g->group, address_in(m, i), first, m->cell);
	} else {
		share_tell(l, address_in(m, i), first, first + m->span - 1, m->store, m->cell);
	}
}

LRU_INLINE void step_all(struct work *w, const struct level1 *k, struct steppers *all, uint64_t i, uint64_t to)
{
	const uint32_t shift = k->cache.shift, line = 1u << shift;

	for (; i < to; i++) {
		for (struct stepper *m = all->m, *end = m + all->n; m < end; m++) {
			uint64_t first;

			if (unlikely(!m->left)) {
				stepper_place(w, m, i, k->told ? all->per : 0);
				if (!m->left) {
					astride_places(w, m, i);
					continue;
				}
			}
			m->left--;
			first = m->first;
			m->first = first + m->step;
			if (unlikely(!m->cell))
				continue;       /* left out */
			if (((uint32_t)first & (line - 1)) + m->span > line) {
				if (k->told && m->many && i >= m->told && !share_free(w->core->sharing,
				    shift, first, m->span, m->g->sum.n[1], m->cell, w->core->sharing->turn))
					play_mark(w, m->g->group, address_in(m, i), first, m->cell);
				if (!m->many || !play_planned(w, k, m->g->group, first, m->cell))
					astride(w, m, i, first, k->told ? all->per : 0);
				continue;
			}
			if (k->told && i >= m->told)
				tell(w, m, i, first, all->per);
			if (lru_line(&k->cache, k->wide, first >> shift))
				play_miss(w->core, first + m->offset, m->size, m->cell, m->store);
		}
		if (k->told)
			share_pass(w->core->sharing, all->per);
	}
}

/* Groups behind the exit stand last, and have one iteration less. */
LRU_INLINE void step_range(struct work *w, const struct level1 *k, struct steppers *all, uint64_t from, uint64_t to)
{
	uint64_t n;

	for (uint64_t i = from; i + 1 < to; i += n) {
		n = to - 1 - i < LONG ? to - 1 - i : LONG;
		step_all(w, k, all, i, i + n);
		if (w->core->unsummed >= SIM_SUM_AT)
			sim_core_sum(w->core);
	}
	while (all->n && all->m[all->n - 1].end < to)
		all->n--;
	step_all(w, k, all, to - 1, to);
}

static __attribute__((noinline)) void step_common(struct work *w, struct steppers *all, uint64_t from, uint64_t to)
{
	const struct level1 k = level1_common(w);

	step_range(w, &k, all, from, to);
}

static __attribute__((noinline)) void step_told(struct work *w, struct steppers *all, uint64_t from, uint64_t to)
{
	struct level1 k = level1_common(w);

	k.told = true;
	step_range(w, &k, all, from, to);
}

static __attribute__((noinline)) void step_other(struct work *w, struct steppers *all, uint64_t from, uint64_t to)
{
	struct level1 k = level1_of(w);

	k.told = all->per;
	step_range(w, &k, all, from, to);
}

uint64_t step_play(struct work *w, struct loop *l, uint64_t from, uint64_t to)
{
	struct steppers all;

	all.n = l->s->ngroups;
	all.per = l->facts & FACT_TOLD ? l->per : 0;
	for (uint32_t i = 0; i < all.n; i++)
		stepper_make(&all.m[i], &l->group[i], to);
	if (!level1_is_common(w))
		step_other(w, &all, from, to);
	else if (all.per)
		step_told(w, &all, from, to);
	else
		step_common(w, &all, from, to);
	return to;
}
