/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies a core's accesses to a page of the directory: counts misses, queues invalidations, and
 * decides which lines the core may use without reports from then on. */
#include "simulate/coherence/directory.h"

/* The number of levels that two cores do not share. */
static uint32_t apart(const struct share *s, uint32_t a, uint32_t b)
{
	const struct sim_core *x = s->cores[a]->core, *y = s->cores[b]->core;
	uint32_t n = 0;

	for (uint32_t i = 0; i < x->nlevels; i++)
		n += x->level[i] != y->level[i];
	return n;
}

/* Queues invalidations for o's core.  A line has at most one invalidation for each core: the one
 * that reaches most levels. */
static void post(const struct act *a, struct share_user *o, uint64_t lines)
{
	const struct share *s = a->l->share;
	struct share_user *_Atomic *queue = &s->cores[o->core]->queue[stripe_of(a->p->number)];
	uint32_t far = apart(s, o->core, a->l->index) - 1;

	for (uint32_t i = MACHINE_LEVELS; i-- > far; )
		lines &= ~o->invalidation[i];
	for (uint32_t i = 0; i < far; i++)
		o->invalidation[i] &= ~lines;
	o->invalidation[far] |= lines;
	if (o->chained)
		return;
	o->next = atomic_load_explicit(queue, memory_order_relaxed);
	atomic_store_explicit(queue, o, memory_order_relaxed);
	o->chained = true;
}

/* Lines became contended: their other users are managed from now on. */
static void adopt(const struct act *a, uint64_t lines)
{
	for (struct share_user *o = a->p->users; o; o = o->peer) {
		uint64_t new = lines & o->holds & ~o->managed;

		if (o == a->me || !new)
			continue;
		o->managed |= new;
		if (!permission_managed(a->l->share, o)) {
			o->managed &= ~new;
			continue;
		}
		while (new) {
			struct line_record *r = a->p->record ? a->p->record[line_take(&new)] : NULL;

			if (!r)
				break;
			contended_enter(a->l->share, a->t, r, o);
		}
	}
}

static void invalidate(const struct act *a)
{
	const struct share *s = a->l->share;
	uint64_t shared = a->written & a->p->many, part = shared & ~a->whole;

	for (struct share_user *o = a->p->users; o; o = o->peer) {
		uint64_t had;

		if (o == a->me || same_cache(s, o->core, a->l->index))
			continue;
		o->unseen |= shared & a->whole;
		for (uint64_t left = part; left; ) {
			uint32_t k = line_take(&left);

			o->mask[k].unseen = (o->part >> k & 1 ? o->mask[k].unseen : 0) |
				a->e->line[k].written;
		}
		o->part |= part;
		had = o->holds & a->written;
		a->t->posted += (uint64_t)__builtin_popcountll(had);
		had &= ~o->managed;
		if (!had)
			continue;
		o->holds &= ~had;
		post(a, o, had);
	}
}

/* Adds the access to what the core ever read and wrote of these lines.  Most lines are soon used
 * completely and are skipped then. */
static void note(const struct act *a, uint64_t lines)
{
	struct share_user *me = a->me;
	uint64_t all = share_mask_all(a->l->shift);

	me->written |= a->whole & lines;
	for (uint64_t left = a->e->read & ~me->read & lines; left; ) {
		uint32_t k = line_take(&left);

		me->mask[k].read |= a->e->line[k].read;
		me->read |= (uint64_t)(me->mask[k].read == all) << k;
	}
	for (uint64_t left = a->e->written & ~me->written & lines; left; ) {
		uint32_t k = line_take(&left);

		me->mask[k].written |= a->e->line[k].written;
		me->written |= (uint64_t)(me->mask[k].written == all) << k;
	}
}

/* The farthest level that an invalidation removed line k from. */
static uint32_t lost_far(const struct share_user *me, uint32_t k)
{
	uint32_t far = MACHINE_LEVELS - 1;

	while (far && !(me->lost_from[far] >> k & 1))
		far--;
	return far;
}

/* Counts the coherence misses of lines that an invalidation removed from the core's caches. */
static void misses(const struct act *a)
{
	for (uint64_t left = a->lines & a->me->lost; left; ) {
		uint32_t k = line_take(&left);
		const struct share_line *x = &a->e->line[k];
		struct line_record *r = record_touched(a, k);

		if (r)
			contended_seen(a->l->share, r, a->me, x->cell,
				user_unseen(a->me, k) & (x->read | x->written), lost_far(a->me, k));
	}
}

/* The lines with a queued invalidation for the core. */
static uint64_t pending(const struct share_user *me)
{
	uint64_t lines = 0;

	for (uint32_t i = 0; me->chained && i < MACHINE_LEVELS; i++)
		lines |= me->invalidation[i];
	return lines;
}

/* Counts shared lines, once for each context; not in the warm-up, whose cell is 0. */
static void lines_shared(const struct act *a)
{
	uint64_t new = a->lines & a->shared;

	if (!new || !a->e->line[__builtin_ctzll(new)].cell)
		return;
	new = directory_unseen(a->l->share, a->t, a->p, a->e->context, new);
	while (new)
		a->l->core->cells[a->e->line[line_take(&new)].cell].shared_lines++;
}

/* A line is no longer contended: removes invalid copies from their caches. */
static void cool_down(const struct act *a, struct line_record *r, uint32_t k)
{
	const uint64_t bit = UINT64_C(1) << k;

	contended_finish(a->l->share, a->t, r);
	for (struct share_user *o = a->p->users; o; o = o->peer) {
		bool invalid = o->managed & bit && contended_leave(r, o);

		o->managed &= ~bit;
		if (o == a->me || !invalid || !(o->holds & bit))
			continue;
		o->holds &= ~bit;
		post(a, o, bit);
	}
}

/* Decides which lines become or stop being contended, and grants permission to the others.  A line
 * stays contended for CONTENDED stretches with applications after the last use side by side: how
 * often a core applies it within a stretch depends on the host. */
static void part_ways(const struct act *a, uint64_t side_by_side)
{
	struct page *p = a->p;
	uint64_t cool = 0, contended = 0;

	for (uint64_t left = a->lines & (side_by_side | p->contended); left; ) {
		uint64_t bit = left & -left;
		uint32_t k = line_take(&left);
		struct line_record *r = record_touched(a, k);

		if (r && side_by_side & bit)
			r->contended = CONTENDED;
		else if (r && r->contended && r->applied != a->l->stretch)
			r->contended--;
		if (r)
			r->applied = a->l->stretch;
		if (r && r->contended)
			contended |= bit & ~p->contended;
		else
			cool |= bit & p->contended;
		if (r && cool & bit)
			cool_down(a, r, k);
	}
	p->contended = (p->contended | contended) & ~cool;
	a->me->managed |= a->lines & p->contended;
	permission_grant(a, a->lines & ~p->contended & ~pending(a->me));
}

/* Extends the turns in which the core reported the page. */
static void used(const struct act *a)
{
	struct share_user *me = a->me;
	uint32_t from = a->e->first - a->l->origin, to = a->e->last - a->l->origin;

	if (me->stretch != a->l->stretch) {
		me->stretch = a->l->stretch;
		me->first = from;
		me->last = to;
	}
	if (to > me->last)
		me->last = to;
}

static void meet(struct act *a, uint64_t fresh)
{
	struct share_user *me = a->me;
	uint64_t met, seen = a->lines & ~pending(me);

	met = permission_revoke(a, fresh);
	for (uint64_t left = a->lines & (a->p->contended | a->e->lasting | met); left; ) {
		uint64_t bit = left & -left;

		if (contended_meet(a, line_take(&left)))
			met |= bit;
	}
	misses(a);
	me->unseen &= ~seen;    /* queued lines keep theirs: they miss in the next batch */
	me->part &= ~seen;
	me->lost &= ~a->lines;
	for (uint32_t i = 0; i < MACHINE_LEVELS; i++)
		me->lost_from[i] &= ~a->lines;
	me->holds |= a->lines;
	me->touched |= a->lines;
	if (met)
		adopt(a, met);
	if (a->written)
		invalidate(a);
	lines_shared(a);
	part_ways(a, met);
	used(a);
}

void directory_apply(struct share_core *l, struct stripe *t, struct page *p,
	const struct share_lines *e)
{
	/* An entry applied before in this batch may have granted permission. */
	uint64_t lines = e->read | e->written, had = permission_had(l, e),
		all = share_mask_all(l->shift), shared;
	struct act a = { .l = l, .t = t, .p = p, .e = e };

	a.me = p ? directory_user(l->share, t, p, l->index) : NULL;
	if (!a.me) {
		lose(l->share, lines);
		return;
	}
	/* Of lines whose turns are known, those of the whole batch must be. */
	if (had)
		lines &= ~had | contended_known(&a);
	a.lines = lines;
	a.written = lines & e->written;
	for (uint64_t left = e->written; left; ) {
		uint64_t bit = left & -left;

		a.whole |= e->line[line_take(&left)].written == all ? bit : 0;
	}
	shared = p->many & p->wrote;
	p->many |= lines & p->touched & ~a.me->touched;
	p->touched |= lines;
	p->wrote |= a.written;
	a.shared = p->many & p->wrote;
	if (a.shared && !directory_masks(l->share, t, p)) {
		lose(l->share, lines);
		return;
	}
	if (p->masks || (e->lasting && directory_masks(l->share, t, p)))
		note(&a, a.shared | e->lasting);
	if (lines)
		meet(&a, a.shared & ~shared);
}
