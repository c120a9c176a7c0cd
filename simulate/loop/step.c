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

/* LONG: iterations in which no cell's recent counts overflow. */
enum { MARCHERS = 96, LONG = 1024 };

struct marcher {
	uint64_t first;         /* normalised address in the present iteration */
	uint64_t step;
	uint32_t span, size, store;     /* of all its accesses; of the first */
	uint32_t offset;        /* of the first access behind `first` */
	struct sim_cell *cell;  /* NULL: left out */
	const uint32_t *group;
	uint64_t at, end;       /* address in the first iteration; iterations that it takes part in */
	uint32_t n[2], bytes;
	uint64_t left;          /* iterations that it stays where it is */
	uint64_t told;          /* iterations that the directory knows of */
	bool many;
};

static bool marcher_make(struct marcher *m, const uint32_t *d, uint32_t line)
{
	struct group_sum sum = group_sum(d);
	bool many = *d & PSC_GROUP_MANY;

	m->group = d;
	m->many = many;
	m->offset = many ? PSC_MEMBER_OFFSET(sum.first) : 0;
	m->size = many ? PSC_MEMBER_SIZE(sum.first) : sum.span;
	m->store = sum.first & 1;
	m->span = sum.span;
	m->n[0] = sum.n[0];
	m->n[1] = sum.n[1];
	m->bytes = sum.bytes;
	return many || (!(*d & 2) && m->span <= line);
}

/* m stays in a page, where it may write all lines, but some of them (closed, bits from `line` on) were not
 * written as a whole: what it writes of these is known now. */
static bool stay_wrote(struct work *w, const struct marcher *m, struct share_rights *g, uint64_t line,
	uint64_t closed)
{
	struct share_lane *l = w->lane->sharing;
	uint64_t first = m->first;

	for (uint64_t n = m->left; n; n--, first += m->step) {
		uint64_t a = (first >> l->shift) - line, b = ((first + m->span - 1) >> l->shift) - line;
		const struct plan *plan;

		if (!(closed & ((UINT64_C(2) << b) - (UINT64_C(1) << a))))
			continue;
		plan = plan_of(w, m->group, (uint32_t)first & ((1u << l->shift) - 1));
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
 * right is known beforehand where it leaves each of them soon (a sixtieth off LU's time with two threads). */
static bool stay_is_free(struct work *w, const struct marcher *m, uint32_t per)
{
	struct share_lane *l = w->lane->sharing;
	uint64_t way = (m->left - 1) * m->step, first = m->first, line, closed;
	bool soon = m->many;
	struct share_rights *g;

	if (m->left > 1 && per >> l->turn_shift >= SHARE_GAP - 1)
		return false;
	if ((int64_t)way < 0) {
		first += way;
		way = -way;
	}
	soon &= way >= (m->left - 1) << (l->shift - 1);
	line = first >> l->shift;
	g = share_closed(l, l->shift, first, way + m->span, m->n[1], m->cell, &closed);
	if (closed && (!g || !m->n[1] || !soon || closed & ~((g->write & g->told) >>
	    share_in_page(l->shift, line)) || !stay_wrote(w, m, g, line, closed)))
		return false;
	share_used(l, g, l->turn, share_turn(l, (m->left - 1) * per));
	return true;
}

/* Where m is from iteration i on, and what it does there is counted; left 0: it is in two places. */
static __attribute__((noinline)) void marcher_place(struct work *w, struct marcher *m, uint64_t i,
	uint32_t per)
{
	uint64_t address = m->at + i * m->step, before, rest, stays;
	const struct sim_page *p = play_place(w, address, &before, &rest);

	m->first = address + (p ? p->delta : 0);
	m->cell = p ? p->cell : NULL;
	m->left = m->end - i;
	if (m->span > rest) {
		m->left = 0;
		return;
	}
	stays = steps_within(before, rest - m->span, m->step);
	if (stays < m->left)
		m->left = stays;
	if (!p)
		return;
	m->cell->refs[0] += m->left * m->n[0];
	m->cell->refs[1] += m->left * m->n[1];
	m->cell->bytes += m->left * m->bytes;
	if (per && stay_is_free(w, m, per))
		m->told = i + m->left;
}

static void apart(struct work *w, const struct marcher *m, uint64_t i)
{
	play_group(w, m->group, m->at + i * m->step);
	w->lane->unsummed += m->n[0] + m->n[1];
}

/* In two places. */
static void astride_places(struct work *w, const struct marcher *m, uint64_t i)
{
	uint64_t address = m->at + i * m->step, before, rest;
	const struct sim_page *p = play_place(w, address, &before, &rest);

	if (!m->many || !p || address < NOWHERE || !play_split(w, m->group, address, rest, p)) {
		apart(w, m, i);
		return;
	}
	p->cell->refs[0] += m->n[0];
	p->cell->refs[1] += m->n[1];
	p->cell->bytes += m->bytes;
}

/* In two lines of its place, and counted already: unaligned vectors do that often. */
static __attribute__((noinline)) void astride(struct work *w, const struct marcher *m, uint64_t i,
	uint64_t first, uint32_t per)
{
	if (!m->many && (!per || i < m->told)) {
		play_two(w, w->l1, w->wide, first, m->span, m->cell, m->store);
		return;
	}
	m->cell->refs[0] -= m->n[0];
	m->cell->refs[1] -= m->n[1];
	m->cell->bytes -= m->bytes;
	apart(w, m, i);
}

/* Bytes of its line that m touches in n iterations, the first of them at `first`. */
static void touched(const struct share_lane *l, const struct marcher *m, uint64_t first, uint64_t n,
	uint64_t mask[2])
{
	const uint32_t *member = m->group + 3;
	uint64_t step = (int64_t)m->step < 0 ? -m->step : m->step, way = (n - 1) * step;

	mask[0] = mask[1] = 0;
	if (!m->many && step <= m->span) {      /* all from the first to the last */
		first -= (int64_t)m->step < 0 ? way : 0;
		mask[m->store] = share_mask(l, first, first + way + m->span - 1);
		return;
	}
	for (uint32_t k = 0; k < (m->many ? PSC_MANY_N(*m->group) : 1); k++) {
		uint32_t what = m->many ? member[k] : m->size << 2 | m->store;
		uint64_t at = first + PSC_MEMBER_OFFSET(what);

		for (uint64_t i = 0; i < n; i++, at += m->step)
			mask[what & 1] |= share_mask(l, at, at + PSC_MEMBER_SIZE(what) - 1);
	}
}

/* m begins to use a line; for how many iterations, and what of it. */
static __attribute__((noinline)) void tell(struct work *w, struct marcher *m, uint64_t i,
	uint64_t first, uint32_t per)
{
	struct share_lane *l = w->lane->sharing;
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
		share_stream(l, m->at + i * m->step, first, mask[0], mask[1], m->cell, n, per);
	} else if (m->many) {
		play_mark(w, m->group, m->at + i * m->step, first, m->cell);
	} else {
		share_tell(l, m->at + i * m->step, first, first + m->span - 1, m->store, m->cell);
	}
}

LRU_INLINE void march(struct work *w, const struct sim_cache *l1, bool wide, uint32_t per,
	struct marcher *m, uint32_t nm, uint64_t i, uint64_t to)
{
	const uint32_t line = 1u << l1->shift;

	for (; i < to; i++) {
		for (struct marcher *s = m, *end = m + nm; s < end; s++) {
			uint64_t first;

			if (unlikely(!s->left)) {
				marcher_place(w, s, i, per);
				if (!s->left) {
					astride_places(w, s, i);
					continue;
				}
			}
			s->left--;
			first = s->first;
			s->first = first + s->step;
			if (unlikely(!s->cell))
				continue;       /* left out */
			if (((uint32_t)first & (line - 1)) + s->span > line) {
				if (per && s->many && i >= s->told && !share_free(w->lane->sharing,
				    l1->shift, first, s->span, s->n[1], s->cell,
				    w->lane->sharing->turn))
					play_mark(w, s->group, s->at + i * s->step, first, s->cell);
				if (!s->many || !play_planned(w, l1, wide, false, s->group, first, s->cell))
					astride(w, s, i, first, per);
				continue;
			}
			if (per && i >= s->told)
				tell(w, s, i, first, per);
			if (lru_line(l1, wide, first >> l1->shift))
				play_miss(w->lane, first + s->offset, s->size, s->cell, s->store);
		}
		if (per)
			share_pass(w->lane->sharing, per);
	}
}

/* Those behind the exit are the last, and have one iteration less. */
LRU_INLINE void march_all(struct work *w, const struct sim_cache *l1, bool wide, uint32_t per,
	struct marcher *m, uint32_t nm, uint64_t from, uint64_t count)
{
	uint64_t n;

	for (uint64_t i = from; i + 1 < count; i += n) {
		n = count - 1 - i < LONG ? count - 1 - i : LONG;
		march(w, l1, wide, per, m, nm, i, i + n);
		if (w->lane->unsummed >= SIM_SUM_AT)
			sim_lane_sum(w->lane);
	}
	while (nm && m[nm - 1].end < count)
		nm--;
	march(w, l1, wide, per, m, nm, count - 1, count);
}

/* per: accesses of an iteration, with several threads; 0: with one. */
LRU_INLINE void march_any(struct work *w, struct sim_cache *l1, uint32_t per, struct marcher *m,
	uint32_t nm, uint64_t from, uint64_t count)
{
	if (!w->wide && lru_is_common(l1)) {
		*l1 = lru_common(l1);
		march_all(w, l1, false, per, m, nm, from, count);
	} else {
		march_all(w, l1, w->wide, per, m, nm, from, count);
	}
}

bool play_march(struct work *w, const struct psc_segment *s, uint64_t from, uint64_t count,
	const uint64_t *words, bool tells)
{
	const uint32_t *d = PSC_SEGMENT_GROUPS(s), *end = d + s->length;
	struct sim_cache l1 = lru_geometry(w->l1);
	struct marcher m[MARCHERS];
	uint32_t nm = 0;
	bool tail = false;

	if (w->sample || s->ngroups > MARCHERS)
		return false;
	for (; d < end; d = group_next(d), nm++) {
		d = group_step(d, &words, &m[nm].at, &m[nm].step);
		if (*d & PSC_GROUP_SPIN || (tail && !(*d & PSC_GROUP_TAIL)) ||
		    !marcher_make(&m[nm], d, 1u << l1.shift))
			return false;
		tail = *d & PSC_GROUP_TAIL;
		m[nm].left = m[nm].told = 0;
		m[nm].end = count - tail;
	}
	if (tells)
		march_any(w, &l1, s->naccess ? s->naccess : 1, m, nm, from, count);
	else
		march_any(w, &l1, 0, m, nm, from, count);
	return true;
}
