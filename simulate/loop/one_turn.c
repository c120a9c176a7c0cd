/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates loops no longer than one turn, with several threads.  The order of accesses within a
 * turn does not matter to the directory, so the whole loop is reported first, group by group; then
 * the cache accesses are simulated and counted at the translations that reporting found.  Loops
 * that touch contended lines beyond their first line are left to the next engine. */
#include "simulate/loop/loop.h"

/* Limits: LINES that a group touches; STEP in bytes; entries of the cache of line masks (KNOWN),
 * for groups of up to FEW lines; groups of a loop (SOME). */
enum { LINES = 64, STEP = 4096, KNOWN = 256, FEW = 8, SOME = 32 };

/* The bytes that a group touches in all its iterations. */
struct turn_group {
	uint64_t lo, way;       /* lowest address; distance from first to last iteration */
	uint64_t n, step;
	uint32_t span;
	bool writes, opens;     /* opens: its first access is the loop's */
	uint64_t before, rest;  /* bytes of the place below `lo`, and from `lo` on */
};

/* Adds the bytes [from, end), relative to the first line's start, to the lines' masks. */
static void mask_range(const struct share_core *l, uint64_t from, uint64_t end, uint32_t store,
	uint64_t mask[][2])
{
	const uint64_t line = UINT64_C(1) << l->shift;

	for (uint64_t to; from < end; from = to) {
		to = (from | (line - 1)) + 1;
		mask[from >> l->shift][store] |= share_mask(l, from, (to < end ? to : end) - 1);
	}
}

/* Cached masks of the lines that a group touches; key: group, step, iterations, offset into the
 * first line. */
struct turn_masks {
	const uint32_t *group;  /* NULL: none */
	uint64_t step, n;
	uint32_t offset;
	bool mixed;
	uint64_t of[FEW][2];
};
struct known_turns {
	uint32_t descriptors;   /* the thread's count when filled; void when it differs */
	struct turn_masks at[KNOWN];
};

/* Does a group that reads and writes cross a line boundary in some iteration?  Then one iteration
 * may read a line by permission, while another writes it without permission: each iteration must be
 * reported by itself. */
static bool is_mixed(const struct turn_group *b, const uint32_t *d, uint64_t offset, uint64_t line)
{
	if (!(*d & PSC_GROUP_MANY) || !d[1] || !d[2])
		return false;
	for (uint64_t i = 0; i < b->n; i++)
		if (((offset + i * b->step) & (line - 1)) + b->span > line)
			return true;
	return false;
}

/* Computes the 64ths of each line that the iterations read and write. */
static void masks_fill(const struct share_core *l, const uint32_t *d, const struct turn_group *b,
	uint64_t offset, uint32_t lines, uint64_t mask[][2])
{
	uint32_t own = b->span << 2 | b->writes, n = 1;
	const uint32_t *member = &own;

	memset(mask, 0, lines * sizeof *mask);
	if (*d & PSC_GROUP_MANY) {
		member = d + 3;
		n = PSC_MANY_N(*d);
	}
	for (const uint32_t *end = member + n; member < end; member++) {
		uint64_t at = offset + PSC_MEMBER_OFFSET(*member);
		uint32_t size = PSC_MEMBER_SIZE(*member), store = *member & 1;

		if (b->step <= size)            /* without a gap */
			mask_range(l, at, at + b->way + size, store, mask);
		else
			for (uint64_t i = 0; i < b->n; i++, at += b->step)
				mask_range(l, at, at + size, store, mask);
	}
}

/* Returns the cached masks of a group of at most FEW lines; NULL: no memory. */
static const struct turn_masks *masks_of(struct work *w, const uint32_t *d,
	const struct turn_group *b, uint64_t offset, uint32_t lines)
{
	struct share_core *l = w->core->sharing;
	uint64_t key = ((uint64_t)(uintptr_t)d >> 2) * 67 + offset * 5 + b->n;
	struct known_turns *known = w->v->known_turns;
	struct turn_masks *m;

	if (!known)
		known = w->v->known_turns = sim_thread_room(w->v, sizeof *known);
	if (!known)
		return NULL;
	if (known->descriptors != w->v->descriptors) {
		memset(known->at, 0, sizeof known->at);
		known->descriptors = w->v->descriptors;
	}
	m = &known->at[key % KNOWN];
	if (m->group == d && m->offset == offset && m->n == b->n && m->step == b->step)
		return m;
	*m = (struct turn_masks){ .group = d, .step = b->step, .n = b->n,
		.offset = (uint32_t)offset, .mixed = is_mixed(b, d, offset,
		UINT64_C(1) << l->shift) };
	masks_fill(l, d, b, offset, lines, m->of);
	return m;
}

/* Reports a group's lines to the directory.  false: too many lines; a line reaches beyond the
 * group's place, where another object may have bytes; or a line must be reported right before each
 * access, since accesses of the loop may evict it. */
static __attribute__((noinline)) bool turn_mark(struct work *w, const uint32_t *d,
	const struct turn_group *b, uint64_t first, struct sim_cell *cell)
{
	struct share_core *l = w->core->sharing;
	const uint64_t line = UINT64_C(1) << l->shift, offset = first & (line - 1);
	const uint64_t bytes = (offset + b->way + b->span + line - 1) & -line;
	const uint32_t lines = (uint32_t)(bytes >> l->shift);
	const struct turn_masks *m = NULL;
	uint64_t mask[LINES][2];

	if (bytes >> l->shift > LINES || b->before < offset || b->rest < bytes - offset ||
	    (!(b->opens && lines == 1) && share_managed(l, first, lines, cell)))
		return false;
	w->core->group = group_number(d);
	if (lines <= FEW)
		m = masks_of(w, d, b, offset, lines);
	if (m ? m->mixed : is_mixed(b, d, offset, line)) {
		for (uint64_t i = 0; i < b->n; i++)
			play_mark(w, d, b->lo + i * b->step, first + i * b->step, cell);
		return true;
	}
	if (!m)
		masks_fill(l, d, b, offset, lines, mask);
	share_mark_lines(l, b->lo, first, lines, (const void *)(m ? m->of : mask), cell,
		((uint32_t)b->n + lines - 1) / lines);
	return true;
}

/* A reported group, which lies in one place in all iterations. */
struct stay {
	uint64_t first, step, n;        /* normalised address in the present iteration;
					 * iterations */
	struct sim_cell *cell;
	const struct loop_group *g;
	uint64_t delta;         /* program address = first + delta */
	uint32_t span;
	uint32_t access;        /* the first access, encoded as a member of a group */
};

/* Reports a group; returns its place.  NULL: it does not suit; its accesses must be reported one by
 * one.  b is passed by value to stay in registers. */
LRU_INLINE const struct sim_page *turn_place(struct work *w, const uint32_t *d, uint32_t shift,
	struct turn_group b)
{
	uint64_t before = b.lo % 4096, rest = 4096 - before, closed;
	const struct sim_page *p = &w->v->page[page_slot(b.lo, w->context)];
	struct share_core *l = w->core->sharing;
	struct share_permission *g;

	if (p->key != SIM_PAGE_KEY(b.lo, w->context))
		p = play_place(w, b.lo, &before, &rest);
	if (!p || b.way + b.span > rest)
		return NULL;
	g = share_closed(l, shift, b.lo + p->delta, b.way + b.span, b.writes, p->cell, &closed);
	if (!closed) {
		share_used(l, g, l->turn, l->turn);
		return p;
	}
	return turn_mark(w, d, &(struct turn_group){ b.lo, b.way, b.n, b.step, b.span, b.writes,
		b.opens, before, rest }, b.lo + p->delta, p->cell) ? p : NULL;
}

/* Reports all groups and fills `stay`.  Returns their number; SOME + 1: some group does not
 * suit. */
LRU_INLINE uint32_t turn_tell(struct work *w, const struct loop *l, uint32_t shift,
	struct stay *stay)
{
	uint32_t n = 0;

	for (const struct loop_group *g = l->group, *end = g + l->s->ngroups; g < end; g++) {
		struct turn_group b = { g->at, (g->n - 1) * g->step, g->n, g->step, g->sum.span,
			g->sum.n[1], g == l->group, 0, 0 };
		const struct sim_page *p;

		if (!g->n)
			continue;
		if ((int64_t)g->step < 0) {
			b.lo += b.way;
			b.way = -b.way;
			b.step = -b.step;
		}
		if (b.lo < NOWHERE || b.step > STEP)
			return SOME + 1;
		p = turn_place(w, g->group, shift, b);
		if (!p)
			return SOME + 1;
		stay[n++] = (struct stay){ g->at + p->delta, g->step, g->n, p->cell, g, -p->delta,
			b.span, g->sum.first };
	}
	return n;
}

/* Simulates one iteration of a group that crosses a line boundary. */
LRU_INLINE void turn_astride(struct work *w, const struct level1 *k, const struct stay *y)
{
	const uint32_t *d = y->g->group;

	if (!(*d & PSC_GROUP_MANY)) {
		play_entry(w, k, y->first, PLAN_ENTRY(0, y->span, y->access & 1, 1u), y->cell,
			d + DESCRIPTOR_WORDS);
	} else if (!play_planned(w, k, d, y->first, y->cell)) {
		loop_count(y->cell, &y->g->sum, -UINT64_C(1));
		play_group(w, d, y->first + y->delta);
	}
}

LRU_INLINE bool turn_all(struct work *w, const struct level1 *k, const struct loop *l)
{
	const uint32_t shift = k->cache.shift, line = 1u << shift;
	struct stay stay[SOME];
	uint32_t n = turn_tell(w, l, shift, stay);

	if (n > SOME)
		return false;
	for (const struct stay *y = stay; y < stay + n; y++)
		loop_count(y->cell, &y->g->sum, y->n);
	for (uint64_t i = 0; i < l->count; i++)
		for (struct stay *y = stay; y < stay + n; y++) {
			if (i >= y->n)
				continue;
			if (((uint32_t)y->first & (line - 1)) + y->span > line)
				turn_astride(w, k, y);
			else if (lru_line(&k->cache, k->wide, y->first >> shift))
				play_miss(w->core, y->first + PSC_MEMBER_OFFSET(y->access),
					PSC_MEMBER_SIZE(y->access), y->cell, y->access & 1,
					group_number(y->g->group));
			y->first += y->step;
		}
	return true;
}

/* false: some group does not suit.  Groups reported so far will be reported again, which is
 * harmless within one turn. */
static __attribute__((noinline)) bool turn_common(struct work *w, const struct loop *l)
{
	const struct level1 k = level1_common(w);

	return turn_all(w, &k, l);
}

static __attribute__((noinline)) bool turn_other(struct work *w, const struct loop *l)
{
	const struct level1 k = level1_of(w);

	return turn_all(w, &k, l);
}

uint64_t one_turn_play(struct work *w, struct loop *l, uint64_t from, uint64_t to)
{
	if (!(level1_is_common(w) ? turn_common(w, l) : turn_other(w, l)))
		return from;
	w->core->unsummed += l->count * l->per;
	return to;
}
