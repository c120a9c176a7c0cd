/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the directory's pages, users and line records, and allocates their memory. */
#include "simulate/coherence/directory.h"

enum {
	PLACES = 256,           /* entries of a stripe's hash of pages at first */
	SLAB = 64 << 10         /* bytes requested from the caller at once */
};

static bool stripe_make(const struct sim_env *env, struct stripe *t)
{
	sim_lock_init(&t->lock);
	t->nplaces = PLACES;
	t->places = env->get(PLACES * sizeof *t->places);
	t->chunk = env->get(RECORDS / CHUNK * sizeof *t->chunk);
	return t->places && t->chunk;
}

struct share *share_new(const struct sim_env *env, const struct machine_flat *m, uint32_t turn)
{
	struct share *s = env->get(sizeof *s);

	if (!s)
		return NULL;
	s->env = env;
	for (uint32_t i = 0; i < SHARE_STRIPES; i++)
		if (!stripe_make(env, &s->stripe[i]))
			return NULL;
	for (uint32_t i = 0; i < m->nlevels; i++)
		if ((uint32_t)__builtin_ctz(m->level[i].line) > s->shift)
			s->shift = (uint32_t)__builtin_ctz(m->level[i].line);
	s->unit = s->shift > 6 ? s->shift - 6 : 0;
	s->turn_shift = (uint32_t)__builtin_ctz(turn ? turn : SHARE_TURN);
	return s;
}

static void lock_all(struct share *s)
{
	for (uint32_t i = 0; i < SHARE_STRIPES; i++)
		pthread_mutex_lock(&s->stripe[i].lock);
}

static void unlock_all(struct share *s)
{
	for (uint32_t i = SHARE_STRIPES; i-- > 0; )
		pthread_mutex_unlock(&s->stripe[i].lock);
}

/* The number of nearest levels that no other core shares.  A line that another core wrote comes
 * from the first shared level, or from memory. */
static uint32_t levels_alone(const struct share *s, const struct sim_core *core)
{
	uint32_t k = 0;

	for (; k < core->nlevels; k++)
		for (uint32_t i = 0; i < s->ncores; i++)
			if (s->cores[i] && s->cores[i]->core != core &&
			    s->cores[i]->core->level[k] == core->level[k])
				return k;
	return k;
}

int share_attach(struct share *s, struct sim_core *core, uint32_t index)
{
	struct share_core *l;

	if (index >= SHARE_CORES)
		return -1;
	l = s->env->get(sizeof *l);
	if (!l)
		return -1;
	l->share = s;
	l->core = core;
	l->index = index;
	l->shift = s->shift;
	l->unit = s->unit;
	l->turn_shift = s->turn_shift;
	l->turn = 1;
	lock_all(s);
	s->cores[index] = l;
	if (index >= s->ncores)
		s->ncores = index + 1;
	core->sharing = l;
	for (uint32_t i = 0; i < s->ncores; i++)
		if (s->cores[i])
			s->cores[i]->alone = levels_alone(s, s->cores[i]->core);
	unlock_all(s);
	return 0;
}

uint64_t share_lost(const struct share *s)
{
	uint64_t lost = atomic_load(&s->lost), posted = 0;

	for (uint32_t i = 0; i < SHARE_STRIPES; i++)
		posted += s->stripe[i].posted;
	return lost * 100 > posted ? lost : 0;
}

/* Zeroed memory, rounded up to the host's lines. */
static void *slab_get(const struct share *s, struct stripe *t, size_t bytes)
{
	void *p;

	bytes = (bytes + 63) & ~(size_t)63;
	if (t->left < bytes) {
		t->slab = s->env->get(SLAB);
		t->left = t->slab ? SLAB : 0;
		if (!t->slab)
			return NULL;
	}
	p = t->slab;
	t->slab += bytes;
	t->left -= bytes;
	return p;
}

/* --- pages ------------------------------------------------------------------------------------ */

static struct page_place *place_of(const struct stripe *t, uint64_t page)
{
	uint32_t at = (uint32_t)(page * UINT64_C(0x9e3779b97f4a7c15) >> 36);

	for (;; at++) {
		struct page_place *p = &t->places[at & (t->nplaces - 1)];

		if (!p->page || p->page == page + 1)
			return p;
	}
}

static bool places_grow(const struct share *s, struct stripe *t)
{
	struct page_place *old = t->places, *more = s->env->get(2 * t->nplaces * sizeof *more);
	uint32_t n = t->nplaces;

	if (!more)
		return false;
	t->places = more;
	t->nplaces = 2 * n;
	for (uint32_t i = 0; i < n; i++)
		if (old[i].page)
			*place_of(t, old[i].page - 1) = old[i];
	return true;
}

struct page *directory_look(const struct stripe *t, uint64_t page)
{
	return place_of(t, page)->at;
}

struct page *directory_page(const struct share *s, struct stripe *t, uint64_t page)
{
	struct page_place *at = place_of(t, page);
	struct page *p;

	if (at->page)
		return at->at;
	if (t->npages == PAGES || (2 * t->npages >= t->nplaces && !places_grow(s, t)))
		return NULL;
	p = slab_get(s, t, sizeof *p);
	if (!p)
		return NULL;
	p->number = page;
	t->npages++;
	*place_of(t, page) = (struct page_place){ page + 1, p };
	return p;
}

static struct user_masks *masks_make(const struct share *s, struct stripe *t)
{
	return slab_get(s, t, (sizeof(struct user_masks)) << share_page_shift(s->shift));
}

struct share_user *directory_user(const struct share *s, struct stripe *t, struct page *p,
	uint32_t core)
{
	struct share_user *o;
	struct user_masks *mask = NULL;

	for (o = p->users; o; o = o->peer)
		if (o->core == core)
			return o;
	if (p->masks) {
		mask = masks_make(s, t);
		if (!mask)
			return NULL;
	}
	o = p->n < FEW ? &p->of[p->n] : slab_get(s, t, sizeof *o);
	if (!o)
		return NULL;
	o->core = core;
	o->index = p->n++;
	o->page = p;
	o->mask = mask;
	*(o->index ? p->last : &p->users) = o;
	p->last = &o->peer;
	return o;
}

bool directory_masks(const struct share *s, struct stripe *t, struct page *p)
{
	if (p->masks)
		return true;
	if (t->nshared == SHARED)
		return false;
	for (struct share_user *o = p->users; o; o = o->peer) {
		if (!o->mask)
			o->mask = masks_make(s, t);
		if (!o->mask)
			return false;
	}
	t->nshared++;
	return p->masks = true;
}

/* The lines that the user is known to have written, of these. */
static uint64_t wrote_of(const struct share_user *o, uint64_t lines)
{
	uint64_t wrote = o->written & lines;

	for (uint64_t left = o->mask ? lines & ~wrote : 0; left; ) {
		const uint64_t bit = left & -left;

		wrote |= user_written(o, line_take(&left)) ? bit : 0;
	}
	return wrote;
}

static struct share_use use_of(const struct share *s, const struct page *p)
{
	struct share_use use = { .first = p->number << share_page_shift(s->shift) << s->shift,
		.line = UINT32_C(1) << s->shift, .touched = p->touched,
		.many = p->many, .wrote = p->wrote };
	uint64_t one = 0;

	for (const struct share_user *o = p->users; o; o = o->peer) {
		const uint64_t wrote = wrote_of(o, p->many & p->wrote);

		use.writers |= one & wrote;
		one |= wrote;
	}
	return use;
}

void share_uses(struct share *s, void (*take)(void *to, const struct share_use *use), void *to)
{
	for (uint32_t i = 0; i < SHARE_STRIPES; i++) {
		struct stripe *t = &s->stripe[i];

		pthread_mutex_lock(&t->lock);
		for (uint32_t k = 0; k < t->nplaces; k++) {
			const struct share_use use = t->places[k].page ?
				use_of(s, t->places[k].at) : (struct share_use){ 0 };

			if (use.touched)
				take(to, &use);
		}
		pthread_mutex_unlock(&t->lock);
	}
}

/* --- lines ------------------------------------------------------------------------------------ */

static struct line_record *record_new(const struct share *s, struct stripe *t)
{
	struct line_record **c;

	if (t->nrecords == RECORDS)
		return NULL;
	c = &t->chunk[t->nrecords / CHUNK];
	if (!*c)
		*c = s->env->get(CHUNK * sizeof **c);
	return *c ? record_at(t, t->nrecords++) : NULL;
}

struct line_record *directory_record(const struct share *s, struct stripe *t, struct page *p,
	uint32_t k,
	uint64_t delta)
{
	struct line_record *r;

	if (!p->record)
		p->record = slab_get(s, t, sizeof *p->record << share_page_shift(s->shift));
	if (!p->record || p->record[k])
		return p->record ? p->record[k] : NULL;
	r = p->record[k] = record_new(s, t);
	if (!r)
		return NULL;
	r->page = p;
	r->line = k;
	r->address = (((p->number << share_page_shift(s->shift)) + k) << s->shift) + delta;
	return r;
}

static struct line_history *history_at(const struct share *s, struct stripe *t,
	struct line_record *r,
	uint32_t i)
{
	struct more_histories **m = &r->more;

	if (i < FEW)
		return &r->of[i];
	for (i -= FEW;; i -= MORE, m = &(*m)->next) {
		if (!*m)
			*m = slab_get(s, t, sizeof **m);
		if (!*m || i < MORE)
			return *m ? &(*m)->of[i] : NULL;
	}
}

struct line_history *directory_history(const struct share *s, struct stripe *t,
	struct line_record *r,
	struct share_user *user)
{
	struct line_history *h = history_at(s, t, r, user->index);

	if (h && !h->user) {
		h->user = user;
		h->next = r->histories;
		r->histories = h;
	}
	return h;
}

struct window *directory_window(const struct share *s, struct stripe *t)
{
	struct window *w = t->spare;

	if (w) {
		t->spare = w->next;
		*w = (struct window){ 0 };
		return w;
	}
	if (t->nwindows == WINDOWS)
		return NULL;
	w = slab_get(s, t, sizeof *w);
	t->nwindows += w != NULL;
	return w;
}

uint64_t directory_unseen(struct share *s, struct stripe *t, struct page *p, uint32_t context,
	uint64_t lines)
{
	const uint32_t n = sizeof p->seen->of / sizeof *p->seen->of;
	struct turn_seen **at = &p->seen;

	for (;; at = &(*at)->next) {
		if (!*at)
			*at = slab_get(s, t, sizeof **at);
		if (!*at) {
			lose(s, lines);
			return 0;
		}
		for (uint32_t i = 0; i < n; i++) {
			if ((*at)->of[i].lines && (*at)->of[i].context != context)
				continue;
			lines &= ~(*at)->of[i].lines;
			(*at)->of[i].lines |= lines;
			(*at)->of[i].context = context;
			return lines;
		}
	}
}
