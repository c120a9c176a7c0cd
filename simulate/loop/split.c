/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits a loop, with several threads, by the core's permissions.  Iterations that touch lines
 * without permission report to the directory as they are simulated; the others are simulated as if
 * the thread were alone.  Permissions are tested for all lines of a page at once, stay by stay. */
#include "simulate/loop/loop.h"

enum {
	SHORT = 16,             /* with stays shorter than this, splitting does not pay */
	NEAR = 32,              /* reported parts with fewer iterations between them are joined */
	PAUSES = 31,            /* most executions without a test; a power of two - 1 */
	GROUPS = 64,
	TOLD = 8                /* most reported parts of a loop */
};

/* Steps through a group's *stays*: the iterations that it spends in one place and in one page of
 * the directory. */
struct walk {
	const struct loop_group *g;
	uint64_t i, until;      /* the present stay: [i, until) */
	struct share_permission *page[2];   /* [1]: of an iteration in two pages; else NULL */
	uint64_t told, told_end;        /* iterations to be reported; equal: none */
};

struct split {
	struct walk walk[GROUPS];
	uint32_t n, per;
	uint64_t from, to;      /* iterations to be simulated */
	/* Parts of the loop to be reported, in order. */
	uint32_t ntold;
	struct part { uint64_t from, to; } told[TOLD];
};

/* Limits a place's bytes below an address, and from it on, to the address' page of the
 * directory. */
static void in_page(const struct share_core *l, uint64_t first, uint64_t *before, uint64_t *rest)
{
	uint64_t unit = UINT64_C(1) << (l->shift + share_page_shift(l->shift));
	uint64_t below = first & (unit - 1);

	if (below < *before)
		*before = below;
	if (unit - below < *rest)
		*rest = unit - below;
}

/* A stay of one iteration, in which the group spans two places. */
static void walk_split(struct work *w, struct walk *k, uint64_t address, uint64_t rest)
{
	struct share_core *l = w->core->sharing;
	uint64_t n[2] = { rest, k->g->sum.span - rest }, behind;

	k->until = k->i + 1;
	k->told = k->told_end = k->i;
	for (uint32_t j = 0; j < 2; address += n[j++]) {
		const struct sim_page *p = play_place(w, address, &behind, &rest);
		uint64_t closed = 1;

		k->page[j] = p && n[j] <= rest ? share_closed(l, l->shift, address + p->delta, n[j],
			k->g->sum.n[1], p->cell, &closed) : NULL;
		if (closed)
			k->told_end = k->until;
	}
	if (!k->page[0]) {
		k->page[0] = k->page[1];
		k->page[1] = NULL;
	}
}

/* Computes the iterations to be reported: from the first to the last of the stay that touches a
 * line in `closed`.  Bit 0 is the line of `first`, the stay's lowest byte. */
static void walk_closed(const struct share_core *l, struct walk *k, uint64_t first, uint64_t closed)
{
	uint64_t lo = ((first >> l->shift) + (uint32_t)__builtin_ctzll(closed)) << l->shift;
	uint64_t hi = ((first >> l->shift) + 64 - (uint32_t)__builtin_clzll(closed)) << l->shift;
	uint64_t n = k->until - k->i, span = k->g->sum.span, a, b;
	uint64_t step = (int64_t)k->g->step < 0 ? -k->g->step : k->g->step;

	k->told = k->i;
	k->told_end = k->until;
	if (!step)
		return;
	/* Steps from `first` until the group's last byte reaches lo, and until its first byte
	 * reaches hi. */
	a = first + span > lo ? 0 : (lo - (first + span)) / step + 1;
	b = (hi - first + step - 1) / step;
	if (b > n)
		b = n;
	if ((int64_t)k->g->step < 0) {
		uint64_t swap = n - b;

		b = n - a;
		a = swap;
	}
	k->told = k->i + a;
	k->told_end = k->i + b;
}

/* Computes the stay that begins in iteration k->i. */
static void walk_on(struct work *w, struct walk *k)
{
	struct share_core *l = w->core->sharing;
	const uint32_t span = k->g->sum.span;
	uint64_t address = k->g->at + k->i * k->g->step, before, rest, n, way, closed;
	const struct sim_page *p = play_place(w, address, &before, &rest);

	k->page[0] = k->page[1] = NULL;
	k->told = k->told_end = k->i;
	if (p)
		in_page(l, address + p->delta, &before, &rest);
	n = loop_stay(before, rest, span, k->g->step, k->g->n - k->i);
	if (p && !n) {
		walk_split(w, k, address, rest);
		return;
	}
	k->until = k->i + (n ? n : 1);
	if (!p)                 /* its accesses are skipped */
		return;
	way = (n - 1) * k->g->step;
	if ((int64_t)way < 0) {
		address += way;
		way = -way;
	}
	k->page[0] = share_closed(l, l->shift, address + p->delta, way + span, k->g->sum.n[1],
		p->cell, &closed);
	if (closed)
		walk_closed(l, k, address + p->delta, closed);
}

/* Prepares the loop's groups; false: the loop does not suit. */
static bool walks_make(struct split *b, const struct loop *l)
{
	b->n = l->s->ngroups;
	for (uint32_t i = 0; i < b->n; i++) {
		b->walk[i].g = &l->group[i];
		if (!l->group[i].n || l->group[i].at < NOWHERE)
			return false;
	}
	return b->n;
}

/* Adds a part to be reported and joins it with those near; false: too many parts. */
static bool part_add(struct split *b, uint64_t from, uint64_t to)
{
	struct part *p = b->told, *end = p + b->ntold, *q;

	while (p < end && p->to + NEAR < from)
		p++;
	for (q = p; q < end && q->from <= to + NEAR; q++) {
		if (q->from < from)
			from = q->from;
		if (q->to > to)
			to = q->to;
	}
	if (q == p && b->ntold == TOLD)
		return false;
	memmove(p + 1, q, (size_t)(end - q) * sizeof *p);
	b->ntold += 1 - (uint32_t)(q - p);
	*p = (struct part){ from, to };
	return true;
}

/* Finds the parts of [from, to) in which a group must report; false: too many iterations, or stays
 * too short.
 * all: any such part makes it fail. */
static bool look(struct work *w, struct split *b, struct walk *k, bool all)
{
	const uint64_t end = k->g->n < b->to ? k->g->n : b->to, n = end > b->from ? end - b->from :
		0;
	uint64_t stays = 0;

	for (k->i = b->from; k->i < end; k->i = k->until) {
		walk_on(w, k);
		if (k->told_end > b->to)
			k->told_end = b->to;
		if (++stays > 2 + n / SHORT)
			return false;
		if (k->told < k->told_end && (all || k->told_end - k->told > n / 2 ||
		    !part_add(b, k->told, k->told_end)))
			return false;
	}
	return true;
}

/* Group g must report too much.  This tends to last, so the loop is tested ever more rarely. */
static bool give_up(struct sim_segment *seg, uint32_t g)
{
	seg->telling = (uint8_t)g;
	seg->pauses = (uint8_t)(2 * seg->pauses + 1) & PAUSES;
	seg->pause = seg->pauses;
	return false;
}

/* Finds the parts to be reported.  false: all iterations are, or finding out does not pay. */
static bool split_find(struct work *w, const struct loop *l, struct split *b)
{
	struct sim_segment *seg = l->seg;
	/* Short loops, and those with groups behind their exit, are not split. */
	bool all = b->to - b->from < 2 * NEAR || seg->behind;
	uint64_t told = 0;

	if (seg->pause) {
		seg->pause--;
		return false;
	}
	b->per = l->per;
	b->ntold = 0;
	if (b->per >> w->core->sharing->turn_shift >= SHARE_GAP - 1 || !walks_make(b, l))
		return give_up(seg, 0);
	for (uint32_t i = 0, g = seg->telling; i < b->n; i++, g = g + 1 < b->n ? g + 1 : 0)
		if (!look(w, b, &b->walk[g], all))
			return give_up(seg, g);
	for (uint32_t i = 0; i < b->ntold; i++)
		told += b->told[i].to - b->told[i].from;
	if (told > (b->to - b->from) / 2)
		return give_up(seg, seg->telling);
	seg->pauses = 0;
	return true;
}

/* Prepares iterations [from, to) to be simulated without reports: notes which pages they use, stay
 * by stay in time order, as single accesses would.  false: permissions were revoked meanwhile. */
static bool split_use(struct work *w, struct split *b, uint64_t from, uint64_t to)
{
	struct share_core *l = w->core->sharing;

	for (uint32_t g = 0; g < b->n; g++)
		b->walk[g].i = b->walk[g].until = from;
	for (;;) {
		struct walk *next = NULL;

		for (struct walk *k = b->walk; k < b->walk + b->n; k++)
			if (k->until < to && k->until < k->g->n &&
			    (!next || k->until < next->until))
				next = k;
		if (!next)
			return true;
		next->i = next->until;
		walk_on(w, next);
		if (next->until > to)
			next->until = to;
		if (next->told < next->told_end && next->told < to)
			return false;
		for (uint32_t j = 0; j < 2 && next->page[j]; j++)
			share_used(l, next->page[j], share_turn(l, (next->i - from) * b->per),
				share_turn(l, (next->until - 1 - from) * b->per));
	}
}

/* Simulates iterations [from, to) as if the thread were alone. */
static void free_part(struct work *w, struct loop *l, uint64_t from, uint64_t to)
{
	l->facts &= ~(uint32_t)FACT_TOLD;
	loop_part(w, l, LOOP_SPLIT + 1, from, to);
	l->facts |= FACT_TOLD;
	share_pass(w->core->sharing, (to - from) * l->per);
}

uint64_t split_play(struct work *w, struct loop *l, uint64_t from, uint64_t to)
{
	struct split b;

	b.from = from;
	b.to = to;
	if (!split_find(w, l, &b))
		return from;
	for (uint32_t i = 0; i <= b.ntold; i++) {
		uint64_t end = i < b.ntold ? b.told[i].from : to;

		if (from < end && split_use(w, &b, from, end))
			free_part(w, l, from, end);
		else
			loop_part(w, l, LOOP_SPLIT + 1, from, end);
		if (i == b.ntold)
			break;
		from = b.told[i].to;
		loop_part(w, l, LOOP_SPLIT + 1, end, from);
	}
	return to;
}
