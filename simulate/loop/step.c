/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates a loop access by access, as the iterations one by one would, but translates and counts
 * each group once for many iterations.  Used where events do not pay: most groups enter a new line
 * in each iteration, or more lines compete for a set than it has ways.
 *
 * A group stays in one place (a page, or an object's part of one) for a number of iterations.  Its
 * address is translated once for all of them, and their references are counted at once.  An access
 * then costs an addition and a lookup.
 *
 * With several threads a line is reported to the directory once for as long as a group stays in
 * it. */
#include "simulate/loop/loop.h"
#include "simulate/coherence/share.h"

enum { LONG = 1024 };   /* iterations that cannot overflow a cell's `recent` counts */

struct stepper {
	uint64_t first;         /* normalised address in the present iteration */
	uint64_t step;
	uint32_t span, size, store;     /* bytes of all accesses; size and kind of the first */
	uint32_t offset;        /* of the first access from `first` */
	struct sim_cell *cell;  /* NULL: the accesses are skipped */
	uint64_t left;          /* iterations that it remains in its place */
	uint64_t told;          /* iterations before this one are reported to the directory */
	uint64_t end;           /* its last iteration or the engine's, + 1 */
	bool many;
	const struct loop_group *g;
};

/* A loop's groups.  per: accesses of one iteration; 0: nothing is reported to the directory. */
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

/* Notes in the permissions what m will write of the lines `closed` (bits from `line` on) while
 * it stays in its page.  The core may write these lines, but has not written all of their bytes
 * yet. */
static bool stay_wrote(struct work *w, const struct stepper *m, struct share_permission *g,
	uint64_t line, uint64_t closed)
{
	struct share_core *l = w->core->sharing;
	uint64_t first = m->first;

	for (uint64_t n = m->left; n; n--, first += m->step) {
		uint64_t a = (first >> l->shift) - line, b = ((first + m->span - 1) >> l->shift) -
			line;
		const struct lookup_plan *plan;

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

/* May m's accesses go unreported for as long as it stays in its place?  What it writes by
 * permission is noted in advance where it leaves each line soon (half a line an iteration or
 * more). */
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

/* Translates m's address in iteration i and counts all iterations in that place.  m->left is 0
 * afterwards if m spans two places. */
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

/* Simulates an iteration of a group that spans two places. */
static void astride_places(struct work *w, const struct stepper *m, uint64_t i)
{
	uint64_t address = address_in(m, i), before, rest;
	const struct sim_page *p = play_place(w, address, &before, &rest);

	if (m->many && p && address >= NOWHERE && play_split(w, m->g->group, address, rest, p))
		loop_count(p->cell, &m->g->sum, 1);
	else
		apart(w, m, i);
}

/* Simulates an iteration of a group in two lines of its place; it is counted already.  Frequent
 * with unaligned vectors. */
static __attribute__((noinline)) void astride(struct work *w, const struct stepper *m, uint64_t i,
	uint64_t first, uint32_t per)
{
	const struct level1 k = level1_of(w);

	if (!m->many && (!per || i < m->told)) {
		play_entry(w, &k, first, PLAN_ENTRY(0, m->span, m->store, 1u), m->cell,
			m->g->group + DESCRIPTOR_WORDS);
		return;
	}
	loop_count(m->cell, &m->g->sum, -UINT64_C(1));
	apart(w, m, i);
}

/* Computes the 64ths of its line that m reads and writes in n iterations from `first` on. */
static void touched(const struct share_core *l, const struct stepper *m, uint64_t first, uint64_t n,
	uint64_t mask[2])
{
	const uint32_t *member = m->g->group + 3;
	uint64_t step = (int64_t)m->step < 0 ? -m->step : m->step, way = (n - 1) * step;

	mask[0] = mask[1] = 0;
	if (!m->many && step <= m->span) {      /* no gap between iterations */
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

/* Reports to the directory that m enters a line: for how many iterations, and which 64ths. */
static __attribute__((noinline)) void tell(struct work *w, struct stepper *m, uint64_t i,
	uint64_t first, uint32_t per)
{
	struct share_core *l = w->core->sharing;
	uint32_t line = 1u << w->l1->shift, offset = (uint32_t)first & (line - 1);
	uint64_t n = 1, mask[2];

	/* A step below a line, and no iteration long enough to make a gap in turns. */
	if (m->step + line < 2 * line && per >> l->turn_shift < SHARE_GAP - 1) {
		n = steps_within(offset, line - offset - m->span, m->step);
		if (n > m->left + 1)
			n = m->left + 1;
		n = share_in_block(l, n, per);
	}
	m->told = i + n;
	w->core->group = group_number(m->g->group);
	if (n > 1) {
		touched(l, m, first, m->step ? n : 1, mask);
		share_stream(l, address_in(m, i), first, mask[0], mask[1], m->cell, n, per);
	} else if (m->many) {
		play_mark(w, m->g->group, address_in(m, i), first, m->cell);
	} else {
		share_tell(l, address_in(m, i), first, first + m->span - 1, m->store, m->cell);
	}
}

LRU_INLINE void step_all(struct work *w, const struct level1 *k, struct steppers *all, uint64_t i,
	uint64_t to)
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
				continue;
			if (((uint32_t)first & (line - 1)) + m->span > line) {
				if (k->told && m->many && i >= m->told &&
				    !share_free(w->core->sharing, shift, first, m->span,
				    m->g->sum.n[1], m->cell, w->core->sharing->turn))
					play_mark(w, m->g->group, address_in(m, i), first, m->cell);
				if (!m->many || !play_planned(w, k, m->g->group, first, m->cell))
					astride(w, m, i, first, k->told ? all->per : 0);
				continue;
			}
			if (k->told && i >= m->told)
				tell(w, m, i, first, all->per);
			if (lru_line(&k->cache, k->wide, first >> shift))
				play_miss(w->core, first + m->offset, m->size, m->cell, m->store,
					group_number(m->g->group));
		}
		if (k->told)
			share_pass(w->core->sharing, all->per);
	}
}

/* Groups behind the loop's exit come last and lack the last iteration. */
LRU_INLINE void step_range(struct work *w, const struct level1 *k, struct steppers *all,
	uint64_t from, uint64_t to)
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

static __attribute__((noinline)) void step_common(struct work *w, struct steppers *all,
	uint64_t from, uint64_t to)
{
	const struct level1 k = level1_common(w);

	step_range(w, &k, all, from, to);
}

static __attribute__((noinline)) void step_told(struct work *w, struct steppers *all, uint64_t from,
	uint64_t to)
{
	struct level1 k = level1_common(w);

	k.told = true;
	step_range(w, &k, all, from, to);
}

static __attribute__((noinline)) void step_other(struct work *w, struct steppers *all,
	uint64_t from, uint64_t to)
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
