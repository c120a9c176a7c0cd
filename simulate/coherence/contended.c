/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the coherence misses of contended lines, which cores use side by side, by turns.
 *
 * A core's turns in a line wait as windows until all cores of the line have reported them, however
 * far the host lets one core get ahead of another.  They are merged
 * block by block, turn by turn. */
#include "simulate/coherence/directory.h"

/* --- misses ----------------------------------------------------------------------------------- */

/* Counts a coherence miss; returns whether it was a store.  Atomic: other cores may update the cell
 * at the same time under another stripe's lock. */
static uint32_t count(struct share *s, struct line_record *r, const struct share_user *o,
	uint32_t cell,
	bool is_true)
{
	struct sim_cell *c = &s->cores[o->core]->core->cells[cell];
	uint32_t store = !user_read(o, r->line);

	__atomic_fetch_add(&c->coherent[is_true][store], 1, __ATOMIC_RELAXED);
	if (cell)
		r->miss[is_true]++;
	return store;
}

void contended_seen(struct share *s, struct line_record *r, const struct share_user *o,
	uint32_t cell,
	bool is_true, uint32_t far)
{
	struct sim_cell *c = &s->cores[o->core]->core->cells[cell];
	uint32_t store = count(s, r, o, cell, is_true);

	for (uint32_t i = 0; i <= far; i++)
		__atomic_fetch_add(&c->coherence[i][store], 1, __ATOMIC_RELAXED);
}

/* The nearest level that held the line at its touch in a turn; l->alone: no private one.  A core
 * that returns to it soon finds it in the nearest level. */
static uint32_t held_at(const struct share_core *l, const struct line_history *h,
	const struct window *w,
	uint32_t turn, uint64_t bit)
{
	if (h->touched && turn - h->touched <= SHARE_GAP)
		return 0;
	return w->held & bit ? !(w->near & bit) : l->alone;
}

/* Loads of a turn of the window beyond its first: the mean, rounded. */
static uint64_t loads_after(const struct window *w)
{
	uint64_t turns = w->times * (uint64_t)__builtin_popcountll(w->touched);

	return w->loads > turns ? (w->loads - turns + turns / 2) / turns : 0;
}

/* Counts a miss of the private levels from `from` on for its source line. */
static void count_site(const struct share_core *l, uint32_t number, uint32_t from)
{
	struct sim_site *site;

	if (!number)
		return;
	site = &l->core->sites->site[number - 1];
	if (!from)
		__atomic_fetch_add(&site->first_beyond, 1, __ATOMIC_RELAXED);
	if (l->alone == l->core->nlevels)
		__atomic_fetch_add(&site->last_beyond, 1, __ATOMIC_RELAXED);
}

/* Counts a miss found among the turns, unless the caches simulated and counted it.  A line that was
 * evicted misses without the other core, too. */
static void found(struct share *s, struct line_record *r, struct line_history *h,
	const struct window *w,
	uint32_t turn, uint64_t bit)
{
	const struct share_core *l = s->cores[h->user->core];
	struct sim_cell *c = &l->core->cells[w->cell];
	uint32_t from = held_at(l, h, w, turn, bit), store;

	if (from >= l->alone)
		return;
	if (h->lost) {
		h->lost--;
		return;
	}
	store = count(s, r, h->user, w->cell, w->used & h->unseen);
	count_site(l, w->site, from);
	__atomic_fetch_add(&c->contended, loads_after(w), __ATOMIC_RELAXED);
	for (uint32_t i = from; i < l->alone; i++)
		__atomic_fetch_add(&c->beyond[i][store], 1, __ATOMIC_RELAXED);
}

/* --- merging ---------------------------------------------------------------------------------- */

static void window_free(struct stripe *t, struct window *w)
{
	w->next = t->spare;
	t->spare = w;
}

/* A core's turns of one block: those of its first windows. */
static struct window block_of(const struct line_history *h, uint32_t block)
{
	struct window sum = { 0 };

	for (const struct window *w = h->head; w && w->block == block; w = w->next) {
		sum.touched |= w->touched;
		sum.wrote |= w->wrote;
		sum.written |= w->written;
		sum.lost += w->lost;
		if (w->times > 1)
			break;
	}
	return sum;
}

/* Removes the turns of one block. */
static void block_done(struct stripe *t, struct line_history *h, uint32_t block)
{
	while (h->head && h->head->block == block) {
		struct window *w = h->head;

		if (w->times > 1) {
			w->loads -= w->loads / w->times;
			w->times--;
			w->block++;
			return;
		}
		h->head = w->next;
		if (h->before == w)
			h->before = NULL;
		if (!h->head)
			h->last = h->before = NULL;
		h->nwindows--;
		window_free(t, w);
	}
}

/* The window with the touch in a turn of the block. */
static const struct window *window_in(const struct line_history *h, uint64_t bit)
{
	const struct window *w = h->head;

	while (!(w->touched & bit))
		w = w->next;
	return w;
}

/* A core touches the line in a turn (+ 1). */
static void touch(struct share *s, struct line_record *r, struct line_history *h, uint32_t turn,
	uint64_t bit)
{
	if (h->invalid)
		found(s, r, h, window_in(h, bit), turn, bit);
	h->touched = turn;
	h->holds = true;
	h->invalid = false;
	h->unseen = 0;
}

/* A core writes the line: all others that used it miss next. */
static void wrote(const struct share *s, const struct line_record *r, const struct line_history *by)
{
	uint64_t written = by->now.written;

	for (struct line_history *h = r->histories; h; h = h->next) {
		if (h == by || !h->holds || same_cache(s, h->user->core, by->user->core))
			continue;
		h->invalid = true;
		h->unseen |= written;
	}
}

static void merge_turn(struct share *s, struct line_record *r, uint32_t turn, uint64_t bit)
{
	for (struct line_history *h = r->histories; h; h = h->next)
		if (h->now.touched & bit)
			touch(s, r, h, turn, bit);
	for (const struct line_history *h = r->histories; h; h = h->next)
		if (h->now.wrote & bit)
			wrote(s, r, h);
}

/* Merges one block of all cores. */
static void merge_block(struct share *s, struct stripe *t, struct line_record *r, uint32_t block)
{
	uint64_t turns = 0;

	for (struct line_history *h = r->histories; h; h = h->next) {
		h->now = block_of(h, block);
		h->lost += h->now.lost;
		turns |= h->now.touched;
	}
	for (; turns; turns &= turns - 1)
		merge_turn(s, r, block * SHARE_BLOCK + (uint32_t)__builtin_ctzll(turns) + 1,
			turns & -turns);
	for (struct line_history *h = r->histories; h; h = h->next)
		if (h->now.touched)
			block_done(t, h, block);
}

/* Merges all blocks before `end`. */
static void merge(struct share *s, struct stripe *t, struct line_record *r, uint32_t end)
{
	for (;;) {
		uint32_t block = UINT32_MAX;

		for (const struct line_history *h = r->histories; h; h = h->next)
			if (h->head)
				block = least(block, h->head->block);
		if (block >= end)
			return;
		merge_block(s, t, r, block);
	}
}

void contended_finish(struct share *s, struct stripe *t, struct line_record *r)
{
	merge(s, t, r, UINT32_MAX);
}

/* The blocks that all cores of the line have reported; 0 if a core has not begun the stretch. */
static uint32_t reported_by_all(const struct share *s, const struct line_record *r)
{
	uint32_t n = UINT32_MAX;

	for (const struct share_user *o = r->page->users; o; o = o->peer) {
		const struct share_core *l = s->cores[o->core];

		if (o->touched >> r->line & 1)
			n = least(n, l->stretch == r->stretch ? l->reported : 0);
	}
	return n;
}

/* --- histories -------------------------------------------------------------------------------- */

/* Joins the two windows before a new one if their turns are alike. */
static void join(struct stripe *t, struct line_history *h)
{
	struct window *a = h->before, *b = h->last;

	if (!a || b->times != 1 || a->block + a->times != b->block || a->touched != b->touched ||
	    a->wrote != b->wrote || a->near != b->near || a->held != b->held ||
	    a->used != b->used || a->written != b->written ||
	    a->cell != b->cell || a->site != b->site || a->lost | b->lost)
		return;
	a->times++;
	a->loads += b->loads;
	a->next = NULL;
	h->last = a;
	h->before = NULL;
	h->nwindows--;
	window_free(t, b);
}

/* A window for turns of a block, behind all others; NULL: no memory. */
static struct window *window_add(struct stripe *t, struct line_history *h, uint32_t block,
	uint16_t cell,
	uint16_t site, const struct share *s)
{
	struct window *w = h->last;

	if (w && w->times == 1 && w->block == block && w->cell == cell)
		return w;
	w = directory_window(s, t);
	if (!w)
		return NULL;
	if (h->last)
		join(t, h);
	w->block = block;
	w->times = 1;
	w->cell = cell;
	w->site = site;
	*(h->last ? &h->last->next : &h->head) = w;
	h->before = h->last;
	h->last = w;
	h->nwindows++;
	return w;
}

static void history_forget(struct line_history *h)
{
	h->holds = h->invalid = false;
	h->unseen = 0;
}

/* Begins a stretch in a line: the turns of the last one are complete. */
static void stretch_begin(const struct act *a, struct line_record *r, struct line_history *h)
{
	uint32_t stretch = a->l->stretch;

	if (r->stretch != stretch)
		contended_finish(a->l->share, a->t, r);
	r->stretch = stretch;
	if (h->stretch == stretch && h->reported)
		return;
	h->stretch = stretch;
	h->touched = h->lost = 0;
	h->reported = h->wrote = false;
	h->from = UINT32_MAX;
	h->to = 0;
	if (!(a->me->managed >> r->line & 1))
		history_forget(h);
}

/* Makes room for windows: merges what all cores have reported; in the end, everything. */
static void make_room(const struct act *a, struct line_record *r, const struct line_history *h,
	uint32_t block)
{
	struct share *s = a->l->share;

	if (h->nwindows < WINDOWS_MERGE)
		return;
	if (h->nwindows % WINDOWS_MERGE == 0)
		merge(s, a->t, r, least(block, reported_by_all(s, r)));
	if (h->nwindows >= WINDOWS_LINE)
		contended_finish(s, a->t, r);
}

/* Adds the core's turns of a batch.  lost: the caches simulated the first touch as a miss, because
 * of a write before it. */
static void turns_add(const struct act *a, struct line_record *r, struct line_history *h,
	const struct share_line *x, bool lost)
{
	uint32_t block = (a->e->base - a->l->origin) / SHARE_BLOCK;
	const struct sim_core *core = a->l->core;
	/* Generic cores have cells in the warm-up too. */
	uint16_t cell = core->generic && !core->counting ? 0 : x->cell, site = cell ? x->site : 0;
	struct window *w;

	make_room(a, r, h, block);
	w = window_add(a->t, h, block, cell, site, a->l->share);
	if (!w) {       /* the stripe has no more */
		contended_finish(a->l->share, a->t, r);
		w = window_add(a->t, h, block, cell, site, a->l->share);
	}
	if (!w) {
		lose(a->l->share, UINT64_C(1) << r->line);
		return;
	}
	w->lost += lost && h->reported;
	/* Of a turn that two batches share, the first says where the line was. */
	w->near |= x->near & ~w->touched;
	w->held |= x->held & ~w->touched;
	w->touched |= x->touched;
	w->wrote |= x->wrote;
	w->loads += x->loads;
	w->used |= x->read | x->written;
	w->written |= x->written;
	h->wrote |= x->wrote != 0;
	h->reported = true;
	h->from = least(h->from, block);
	h->to = block > h->to ? block : h->to;
}

struct line_record *record_touched(const struct act *a, uint32_t k)
{
	const struct share_line *x = &a->e->line[k];
	struct line_record *r = directory_record(a->l->share, a->t, a->p, k, x->delta);

	if (!r)
		lose(a->l->share, UINT64_C(1) << k);
	else if (x->cell)
		r->object = (uint32_t)a->l->core->cells[x->cell].key;
	return r;
}

/* Did both cores use the line in the same stretch, at most a block apart, and one of them write? */
static bool side_by_side(const struct share *s, const struct line_history *a,
	const struct line_history *b)
{
	return a->stretch == b->stretch && (a->wrote || b->wrote) &&
		a->from <= b->to + 1 && b->from <= a->to + 1 &&
		!same_cache(s, a->user->core, b->user->core);
}

bool contended_meet(const struct act *a, uint32_t k)
{
	struct share *s = a->l->share;
	struct line_record *r = record_touched(a, k);
	struct line_history *me = r ? directory_history(s, a->t, r, a->me) : NULL;

	if (!me)
		return false;
	stretch_begin(a, r, me);
	turns_add(a, r, me, &a->e->line[k], a->me->lost >> k & 1);
	for (const struct line_history *h = r->histories; h; h = h->next)
		if (h != me && side_by_side(s, me, h))
			return true;
	return false;
}

void contended_enter(const struct share *s, struct stripe *t, struct line_record *r,
	struct share_user *o)
{
	struct line_history *h = directory_history(s, t, r, o);

	if (h && !h->head)
		h->holds = true;
}

bool contended_leave(struct line_record *r, const struct share_user *o)
{
	bool invalid = false;

	for (struct line_history *h = r->histories; h; h = h->next)
		if (h->user == o) {
			invalid = h->invalid;
			history_forget(h);
		}
	return invalid;
}

static bool line_known(const struct act *a, uint32_t k)
{
	const struct line_record *r = a->p->record[k];
	const struct line_history *h = r && r->stretch == a->l->stretch ? r->histories : NULL;

	while (h && h->user != a->me)
		h = h->next;
	return h && h->stretch == r->stretch;
}

uint64_t contended_known(const struct act *a)
{
	uint64_t lines = 0;

	for (uint64_t left = a->p->record ? a->e->read | a->e->written : 0; left; ) {
		uint64_t bit = left & -left;

		lines |= line_known(a, line_take(&left)) ? bit : 0;
	}
	return lines;
}
