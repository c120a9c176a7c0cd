/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a line's state and record are. */
#include "monitor/directory.h"

enum {
	PLACES = 256,           /* of the pages' hash, at first */
	SLAB = 32,              /* pages that get their memory at once */
	READERS = 60            /* lanes that a state can name as readers */
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
	s->page_shift = share_page_shift(s->shift);
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

int share_attach(struct share *s, struct sim_lane *lane, uint32_t index)
{
	struct share_lane *l;

	if (index >= SHARE_LANES)
		return -1;
	l = s->env->get(sizeof *l);
	if (!l)
		return -1;
	l->share = s;
	l->lane = lane;
	l->index = index;
	l->shift = s->shift;
	l->unit = s->unit;
	l->turn_shift = s->turn_shift;
	l->turn = 1;
	lock_all(s);
	s->lanes[index] = l;
	if (index >= s->nlanes)
		s->nlanes = index + 1;
	unlock_all(s);
	lane->sharing = l;
	return 0;
}

uint64_t share_lost(const struct share *s)
{
	uint64_t lost = atomic_load(&s->lost), posted = 0;

	for (uint32_t i = 0; i < SHARE_STRIPES; i++)
		posted += s->stripe[i].posted;
	return lost * 100 > posted ? lost : 0;
}

static uint64_t page_hash(const struct share *s, uint64_t line)
{
	return (line >> s->page_shift) * UINT64_C(0x9e3779b97f4a7c15);
}

struct place *directory_place(const struct share *s, const struct stripe *t, uint64_t line)
{
	uint64_t page = line >> s->page_shift;
	uint32_t at = (uint32_t)(page_hash(s, line) >> 36);

	for (;; at++) {
		struct place *p = &t->places[at & (t->nplaces - 1)];

		if (!p->page || p->page == page + 1)
			return p;
	}
}

static bool places_grow(const struct share *s, struct stripe *t)
{
	struct place *old = t->places, *more = s->env->get(2 * t->nplaces * sizeof *more);
	uint32_t n = t->nplaces;

	if (!more)
		return false;
	t->places = more;
	t->nplaces = 2 * n;
	for (uint32_t i = 0; i < n; i++)
		if (old[i].page)
			*directory_place(s, t, (old[i].page - 1) << s->page_shift) = old[i];
	return true;
}

/* Memory for the states of a page's lines; NULL: there is none. */
static uint64_t *states_make(const struct share *s, struct stripe *t)
{
	uint64_t *state;

	if (t->npages == PAGES)
		return NULL;
	if (!t->slab) {
		t->state = s->env->get(((size_t)SLAB << s->page_shift) * sizeof *t->state);
		if (!t->state)
			return NULL;
		t->slab = SLAB;
	}
	state = t->state;
	t->state += (size_t)1 << s->page_shift;
	t->slab--;
	t->npages++;
	return state;
}

uint64_t *directory_state(const struct share *s, struct stripe *t, uint64_t line)
{
	struct place *p = directory_place(s, t, line);

	if (!p->page) {
		if (2 * t->npages >= t->nplaces) {
			if (!places_grow(s, t))
				return NULL;
			p = directory_place(s, t, line);
		}
		p->state = states_make(s, t);
		if (!p->state)
			return NULL;
		p->page = (line >> s->page_shift) + 1;
	}
	return p->state + (line & ((UINT64_C(1) << s->page_shift) - 1));
}

struct sharer *directory_sharer(struct share *s, struct record *r, uint32_t lane)
{
	struct sharer *o;

	if (r->n >= FEW && (r->n - FEW) % MORE == 0) {
		struct more **m = &r->more;

		while (*m)
			m = &(*m)->next;
		*m = s->env->get(sizeof **m);
		if (!*m)
			return NULL;
	}
	o = sharer_at(r, r->n++);
	o->lane = lane & (SHARE_LANES - 1);
	return o;
}

static struct record *record_new(const struct share *s, struct stripe *t)
{
	struct record **c;

	if (t->nrecords == RECORDS)
		return NULL;
	c = &t->chunk[t->nrecords / CHUNK];
	if (!*c)
		*c = s->env->get(CHUNK * sizeof **c);
	if (!*c)
		return NULL;
	(*c)[t->nrecords % CHUNK].number = t->nrecords;
	return record_at(t, t->nrecords++);
}

/* Who had the line before it needed a record: they hold it. */
static bool record_fill(struct share *s, struct record *r, uint64_t state)
{
	for (uint32_t i = 0; i < s->nlanes; i++) {
		struct sharer *o;

		if (state & READ ? i >= READERS || !(state >> 2 >> i & 1) : state >> 3 != i)
			continue;
		o = directory_sharer(s, r, i);
		if (!o)
			return false;
		o->holds = true;
	}
	return true;
}

struct record *directory_record(struct share_lane *l, struct stripe *t, uint64_t *state,
	const struct share_entry *e)
{
	struct share *s = l->share;
	struct record *r = record_new(s, t);

	if (!r || !record_fill(s, r, *state)) {
		lose(s, 1);
		return NULL;
	}
	r->line = e->line;
	r->address = e->address;
	*state = (uint64_t)(uintptr_t)r;
	return r;
}

bool directory_alone(const struct share_lane *l, uint64_t *state, const struct share_entry *e)
{
	uint64_t own = (uint64_t)l->index << 3 | OWNED, is = *state;
	uint64_t bit = l->index < READERS ? UINT64_C(4) << l->index : 0;

	if (!is || (is & ~(uint64_t)WROTE) == own)
		*state = own | (is & WROTE) | (e->written ? WROTE : 0);
	else if ((is & KIND) == OWNED && !(is & WROTE) && !e->written && bit && is >> 3 < READERS)
		*state = UINT64_C(4) << (is >> 3) | bit | READ;
	else if ((is & KIND) == READ && !e->written && bit)
		*state = is | bit;
	else
		return false;
	return true;
}
