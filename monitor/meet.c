/* SPDX-License-Identifier: BSD-3-Clause */
/* Lanes meet in a line: what that costs them, which letters go, and who may use it without telling
 * from then on. */
#include "monitor/directory.h"

enum { HOT = 16 };      /* meetings until lanes that met side by side get rights again */

/* --- misses -------------------------------------------------------------------------------------- */

static bool same_cache(const struct share *s, uint32_t a, uint32_t b)
{
	return s->lanes[a]->lane->level[0] == s->lanes[b]->lane->level[0];
}

/* Levels that they do not share. */
static uint32_t apart(const struct share *s, uint32_t a, uint32_t b)
{
	const struct sim_lane *x = s->lanes[a]->lane, *y = s->lanes[b]->lane;
	uint32_t n = 0;

	for (uint32_t i = 0; i < x->nlevels; i++)
		n += x->level[i] != y->level[i];
	return n;
}

static void miss(struct share *s, struct record *r, struct sharer *o, uint32_t n, bool is_true,
	bool beyond)
{
	struct sim_cell *c = &s->lanes[o->lane]->lane->cells[o->cell];
	uint32_t store = !o->read;

	/* Other lanes may do so at the same time, for lines of other stripes. */
	__atomic_fetch_add(&c->coherent[is_true][store], n, __ATOMIC_RELAXED);
	if (beyond)
		__atomic_fetch_add(&c->beyond[store], n, __ATOMIC_RELAXED);
	if (o->cell)
		r->miss[is_true] += n;
}

/* Those of turns from t0 to t1 that lie in a part of it. */
static uint32_t part(uint32_t turns, const struct sharer *o, uint32_t overlap)
{
	uint32_t length = o->t1 - o->t0 + 1;

	return (uint32_t)(((uint64_t)turns * overlap + length - 1) / length);
}

/* The misses of a by what b wrote beside it: are there any? */
static bool hit_by(struct share *s, struct record *r, struct sharer *a, const struct sharer *b)
{
	uint32_t t0 = a->t0 > b->t0 ? a->t0 : b->t0, t1 = least(a->t1, b->t1), n;

	if (t0 > t1)
		return false;
	n = least(part(a->turns, a, t1 - t0 + 1), part(b->wrote, b, t1 - t0 + 1));
	n = least(a->left, n > a->used ? n - a->used : 0);
	if (!n)
		return false;
	miss(s, r, a, n, (a->read | a->written) & b->written, true);
	a->left -= n;
	a->used += n;
	return true;
}

/* Turns that were counted before: one that the end of a batch cuts in two, or those of a loop that
 * goes on when the batch had too many lines. */
static uint32_t again(uint32_t first, uint32_t last)
{
	return last >= first ? last - first + 1 : 0;
}

/* The lane's new turns; they join those of the same stretch. */
static void turns_add(const struct share_lane *l, struct sharer *me, const struct share_entry *e,
	bool is_new)
{
	uint32_t turns = e->turns, wrote = e->wrote;
	uint32_t from = e->first - l->origin, to = e->last - l->origin;

	if (is_new || me->stretch != l->stretch || from > me->t1 + SHARE_GAP) {
		me->turns = me->left = me->used = me->wrote = 0;
		me->t0 = from;
		me->t1 = to;
	}
	if (to > me->t1)
		me->t1 = to;
	me->stretch = l->stretch;
	me->cell = (uint32_t)(e->cell - l->lane->cells);
	turns -= least(turns, again(e->first, me->last));
	if (e->last_wrote)
		wrote -= least(wrote, again(e->first_wrote, me->last_wrote));
	if (e->last > me->last)
		me->last = e->last;
	if (e->last_wrote > me->last_wrote)
		me->last_wrote = e->last_wrote;
	me->turns += turns;
	me->left += turns - least(turns, is_new || me->lost);
	me->wrote += wrote;
}

/* A line has one letter to each lane at most: that of the writer whose caches are farthest. */
static void post(const struct share_lane *l, const struct record *r, struct sharer *o)
{
	const struct share *s = l->share;
	_Atomic uint32_t *mail = &s->lanes[o->lane]->mail[stripe_of(s, r->line)];

	if (!o->chained) {
		o->next = atomic_load_explicit(mail, memory_order_relaxed);
		atomic_store_explicit(mail, r->number + 1, memory_order_relaxed);
		o->chained = true;
	} else if (apart(s, o->lane, o->by) >= apart(s, o->lane, l->index)) {
		return;
	}
	o->by = l->index & (SHARE_LANES - 1);
}

static void invalidate(struct share_lane *l, struct stripe *t, struct record *r,
	const struct sharer *me, uint64_t written)
{
	const struct share *s = l->share;

	for (uint32_t i = 0; i < r->n; i++) {
		struct sharer *o = sharer_at(r, i);

		if (o == me || same_cache(s, o->lane, l->index))
			continue;
		o->unseen |= written;
		if (!o->holds)
			continue;
		t->posted++;
		o->holds = false;
		post(l, r, o);
	}
}

/* --- rights -------------------------------------------------------------------------------- */

static struct share_rights *rights_of(struct share_lane *l, uint64_t line)
{
	return &l->rights[(line >> l->share->page_shift) % SHARE_PAGES];
}

static struct share_page *page_of(struct share_lane *l, const struct share_rights *g)
{
	return &l->page[g - l->rights];
}

static bool rights_are_of(const struct share_rights *g, const struct share_lane *l, uint64_t line)
{
	return g->page == (line >> l->share->page_shift) + 1;
}

/* What the lane wrote by right is told to the line's other users. */
static void wrote_tell(struct share_lane *l, struct record *r, struct share_rights *g)
{
	const struct share *s = l->share;
	_Atomic uint64_t *at = &page_of(l, g)->wrote[share_in_page(l->shift, r->line)];
	uint64_t wrote = atomic_load_explicit(at, memory_order_relaxed);

	if (wrote)
		wrote = atomic_exchange_explicit(at, 0, memory_order_relaxed);
	for (uint32_t i = 0; wrote && i < r->n; i++) {
		struct sharer *o = sharer_at(r, i);

		if (o->lane == l->index)
			o->written |= wrote;
		else if (!same_cache(s, o->lane, l->index))
			o->unseen |= wrote;
	}
}

/* The place is for another page now. */
static void rights_end(struct share_lane *l, struct stripe *t, struct share_rights *g)
{
	uint64_t line = (g->page - 1) << l->share->page_shift;
	const uint64_t *state = directory_place(l->share, t, line)->state;
	struct share_page *p = page_of(l, g);

	for (uint32_t k = 0; k < 1u << l->share->page_shift; k++) {
		struct record *r = p->wrote[k] ? record_of(state[k]) : NULL;

		if (r)
			wrote_tell(l, r, g);
	}
}

void share_context(struct share_lane *l, struct share_rights *g, uint32_t context)
{
	struct share_page *p = page_of(l, g);
	struct share_told was = g->told;

	for (uint32_t i = 0; i < SHARE_CONTEXTS; i++)
		if (p->earlier[i].context == context) {
			g->told = p->earlier[i];
			p->earlier[i] = was;
			return;
		}
	p->earlier[p->next++ % SHARE_CONTEXTS] = was;
	g->told = (struct share_told){ .context = context };
}

static void rights_set(_Atomic uint64_t *lines, uint64_t to)
{
	atomic_store_explicit(lines, to, memory_order_relaxed);
}

/* The lane has the line and has told what it did; write: nobody else has it. */
static void grant(struct share_lane *l, struct stripe *t, const struct share_entry *e, bool write,
	bool shared)
{
	struct share_rights *g = rights_of(l, e->line);
	struct share_page *p = page_of(l, g);
	uint32_t context = (uint32_t)(e->cell->key >> 32);
	uint64_t bit = UINT64_C(1) << share_in_page(l->shift, e->line);

	if (!rights_are_of(g, l, e->line)) {
		if (g->page)
			rights_end(l, t, g);
		memset((void *)p, 0, sizeof *p);
		*g = (struct share_rights){ .page = (e->line >> l->share->page_shift) + 1 };
	}
	if (p->wrote[share_in_page(l->shift, e->line)] != share_mask_all(l))
		g->whole &= ~bit;       /* it was asked for meanwhile */
	rights_set(&g->read, g->read | bit);
	if (write)
		rights_set(&g->write, g->write | bit);
	if (g->told.context != context)
		share_context(l, g, context);
	g->told.lines |= bit;
	for (uint32_t i = 0; shared && !(p->shared & bit) && i < SHARE_CONTEXTS; i++)
		p->earlier[i].lines &= ~bit;
	if (shared)
		p->shared |= bit;
	if (e->last > g->last) {
		if (e->first > g->last + SHARE_GAP)
			g->first = e->first;
		g->last = e->last;
	}
}

/* Did o use the page in turns of this entry, or next to them? */
static bool beside(const struct share_lane *l, const struct share_entry *e,
	const struct share_lane *o, const struct share_rights *g)
{
	uint32_t last = g->last, first = g->first > o->origin ? g->first - o->origin : 0;

	return o->stretch == l->stretch && last >= o->origin &&
		e->first - l->origin <= last - o->origin + SHARE_GAP &&
		first <= e->last - l->origin + SHARE_GAP;
}

/* The others lose what the entry takes from them; when the line was not shared before, all.  True
 * when one may have used it meanwhile, which it did not tell. */
static bool revoke(struct share_lane *l, struct record *r, const struct share_entry *e, bool fresh)
{
	uint64_t bit = UINT64_C(1) << share_in_page(l->shift, e->line), had;
	bool side_by_side = false;

	for (uint32_t i = 0; i < r->n; i++) {
		struct share_lane *o = l->share->lanes[sharer_at(r, i)->lane];
		struct share_rights *g = rights_of(o, e->line);

		if (o == l || !rights_are_of(g, o, e->line))
			continue;
		had = (g->write | (e->written ? g->read : 0)) & bit;
		rights_set(&g->write, g->write & ~bit);
		if (e->written || fresh)
			rights_set(&g->read, g->read & ~bit);
		wrote_tell(o, r, g);
		side_by_side |= had && beside(l, e, o, g);
	}
	return side_by_side;
}

/* --- what an entry does ---------------------------------------------------------------------- */

/* Counts a line once a context. */
static void line_shared(struct share_lane *l, struct record *r, struct sim_cell *cell)
{
	uint32_t context = (uint32_t)(cell->key >> 32);
	uint64_t bit = UINT64_C(1) << context % 64;
	struct seen *seen = &r->seen;

	if (cell == l->lane->cells)
		return;
	while (seen->contexts && seen->block != context / 64) {
		if (!seen->next)
			seen->next = l->share->env->get(sizeof *seen->next);
		seen = seen->next;
		if (!seen) {
			lose(l->share, 1);
			return;
		}
	}
	seen->block = context / 64;
	cell->shared_lines += !(seen->contexts & bit);
	seen->contexts |= bit;
}

/* How it goes on: with rights, unless lanes use the line side by side, or did of late. */
static void part_ways(struct share_lane *l, struct stripe *t, struct record *r,
	const struct sharer *me, const struct share_entry *e, bool side_by_side)
{
	bool others = false;

	if (side_by_side)
		r->hot = HOT;
	else if (r->hot)
		r->hot--;
	for (uint32_t i = 0; i < r->n; i++)
		others |= sharer_at(r, i) != me && sharer_at(r, i)->holds;
	if (!r->hot && !me->chained)
		grant(l, t, e, !others, true);
}

static void meet(struct share_lane *l, struct stripe *t, struct record *r,
	const struct share_entry *e, bool fresh)
{
	struct share *s = l->share;
	struct sharer *me = sharer_find(r, l->index);
	uint64_t mine = e->read | e->written;
	bool is_new = !me, side_by_side;

	if (is_new) {
		me = directory_sharer(s, r, l->index);
		if (!me) {
			lose(s, 1);
			return;
		}
	}
	side_by_side = revoke(l, r, e, fresh);
	turns_add(l, me, e, is_new);
	me->read |= e->read;
	me->written |= e->written;
	if (e->cell != l->lane->cells)
		r->object = (uint32_t)e->cell->key;
	if (me->lost)
		miss(s, r, me, 1, me->unseen & mine, false);
	for (uint32_t i = 0; i < r->n; i++) {
		struct sharer *o = sharer_at(r, i);

		if (o == me || o->stretch != l->stretch || same_cache(s, o->lane, l->index))
			continue;
		side_by_side |= hit_by(s, r, me, o);
		side_by_side |= hit_by(s, r, o, me);
	}
	me->unseen = 0;
	me->lost = false;
	me->holds = true;
	if (e->written)
		invalidate(l, t, r, me, e->written);
	if (r->n > 1)
		line_shared(l, r, e->cell);
	part_ways(l, t, r, me, e, side_by_side);
}

void directory_apply(struct share_lane *l, struct stripe *t, uint64_t *state,
	const struct share_entry *e)
{
	struct record *r, *made = NULL;

	/* By an entry of the same batch that came before it, the lane may have got the right. */
	if (share_allowed_one(l, e->line, e->written, e->cell, e->first, e->last))
		return;
	if (!state) {
		lose(l->share, 1);
		return;
	}
	r = record_of(*state);
	if (!r && directory_alone(l, state, e)) {
		grant(l, t, e, *state & WROTE && (*state & KIND) == OWNED, false);
		return;
	}
	if (!r)
		r = made = directory_record(l, t, state, e);
	if (r)
		meet(l, t, r, e, made != NULL);
}
