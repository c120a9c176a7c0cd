/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the coherence misses of contended lines, which cores use side by side, by turns. */
#include "simulate/coherence/directory.h"

void contended_miss(struct share *s, struct record *r, const struct share_user *o, uint32_t cell, uint32_t n,
	bool is_true, bool beyond)
{
	struct sim_cell *c = &s->cores[o->core]->core->cells[cell];
	uint32_t store = !user_read(o, r->line);

	/* Atomic: other cores may update the cell at the same time under another stripe's lock. */
	__atomic_fetch_add(&c->coherent[is_true][store], n, __ATOMIC_RELAXED);
	if (beyond)
		__atomic_fetch_add(&c->beyond[store], n, __ATOMIC_RELAXED);
	if (cell)
		r->miss[is_true] += n;
}

/* Scales turns of the run o.t0 … o.t1 to `overlap` turns of it, rounded up. */
static uint32_t part(uint32_t turns, const struct turns *o, uint32_t overlap)
{
	uint32_t length = o->t1 - o->t0 + 1;

	return (uint32_t)(((uint64_t)turns * overlap + length - 1) / length);
}

/* Counts the misses of core a that core b's writes in the same turns cause; true: there are any. */
static bool hit_by(struct share *s, struct record *r, const struct share_user *a, struct turns *ta,
	const struct share_user *b, const struct turns *tb)
{
	uint32_t t0 = ta->t0 > tb->t0 ? ta->t0 : tb->t0, t1 = least(ta->t1, tb->t1), n;

	if (t0 > t1)
		return false;
	n = least(part(ta->turns, ta, t1 - t0 + 1), part(tb->wrote, tb, t1 - t0 + 1));
	n = least(ta->left, n > ta->used ? n - ta->used : 0);
	if (!n)
		return false;
	contended_miss(s, r, a, ta->cell, n,
		(user_read(a, r->line) | user_written(a, r->line)) & user_written(b, r->line), true);
	ta->left -= n;
	ta->used += n;
	return true;
}

/* The number of turns counted already: a turn that the end of a batch cuts in two, or turns of a
 * loop whose lines were applied early. */
static uint32_t again(uint32_t first, uint32_t last)
{
	return last >= first ? last - first + 1 : 0;
}

/* Adds a core's turns to its run, or begins a new run.  The first touch ever (first) is no
 * coherence miss; a miss that the caches simulated (lost) is counted already. */
static void turns_add(const struct act *a, struct turns *me, const struct share_line *e, bool first,
	bool lost)
{
	const struct share_core *l = a->l;
	uint32_t turns = e->turns, wrote = e->wrote;
	uint32_t from = e->first - l->origin, to = e->last - l->origin;

	if (!me->last || me->stretch != l->stretch || from > me->t1 + SHARE_GAP) {
		me->turns = me->left = me->used = me->wrote = 0;
		me->t0 = from;
		me->t1 = to;
	} else {
		me->used += lost;       /* the caches missed because of a write meanwhile */
	}
	if (to > me->t1)
		me->t1 = to;
	me->stretch = l->stretch;
	me->cell = e->cell;
	turns -= least(turns, again(e->first, me->last));
	if (e->last_wrote)
		wrote -= least(wrote, again(e->first_wrote, me->last_wrote));
	if (e->last > me->last)
		me->last = e->last;
	if (e->last_wrote > me->last_wrote)
		me->last_wrote = e->last_wrote;
	me->turns += turns;
	me->left += turns;
	me->left -= least(me->left, first | lost);
	me->wrote += wrote;
}

struct record *record_touched(const struct act *a, uint32_t k)
{
	const struct share_line *x = &a->e->line[k];
	struct record *r = directory_record(a->l->share, a->t, a->p, k, x->delta);

	if (!r)
		lose(a->l->share, UINT64_C(1) << k);
	else if (x->cell)
		r->object = (uint32_t)a->l->core->cells[x->cell].key;
	return r;
}

bool contended_meet(const struct act *a, uint32_t k)
{
	struct share *s = a->l->share;
	struct record *r = record_touched(a, k);
	struct turns *me = r ? directory_turns(s, a->t, r, a->me->index) : NULL;
	bool any = false;

	if (!me)
		return false;
	turns_add(a, me, &a->e->line[k], ~a->me->touched >> k & 1, a->me->lost >> k & 1);
	for (const struct share_user *o = a->p->users; o; o = o->peer) {
		struct turns *its = o == a->me ? NULL : directory_turns_look(r, o->index);

		if (!its || !its->last || its->stretch != a->l->stretch ||
		    same_cache(s, o->core, a->l->index))
			continue;
		any |= hit_by(s, r, a->me, me, o, its);
		any |= hit_by(s, r, o, its, a->me, me);
	}
	return any;
}
