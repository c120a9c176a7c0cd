/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory.  A line is *owned* while one lane touches it, *read* while several do and none
 * writes, and *shared* once it was written and more than one touches it: only then it has a
 * record, with what each lane did.
 *
 * It is in stripes, by page, each with its lock.  What a batch has gathered is applied stripe by
 * stripe; each lane begins with another one. */
#include "monitor/share.h"
#include <string.h>

enum {
	/* Of a stripe: pages, and lines that are shared; 4 GiB and 256 MiB in all with lines of 64
	 * bytes.  Only what is used takes memory. */
	PAGES = 1 << 16, RECORDS = 1 << 18,
	PLACES = 256,           /* of the pages' hash, at first */
	SLAB = 32,              /* pages that get their memory at once */
	CHUNK = 256,            /* records, likewise */
	READERS = 60,           /* lanes that a state can name as readers */
	FEW = 2, MORE = 6,      /* lanes of a record, of each extension */
	LETTERS = 128,          /* read at once */
	HOT = 16,               /* meetings until lanes that met side by side get rights again */
	AHEAD = 16              /* lines whose memory is asked for before they are applied */
};

/* The state of a line: 0 nobody's; a pointer, or */
#define OWNED 1u        /* index << 3 | WROTE | OWNED */
#define READ 2u         /* a bit per lane << 2 | READ */
#define WROTE 4u
#define KIND 3u

struct place {
	uint64_t page;          /* + 1; 0: none */
	uint64_t *state;        /* of its lines */
};

/* What one lane did to a line.  Turns are the latest ones of the stretch without a longer gap, from
 * t0 to t1: `used` turned out to be misses, `left` still may. */
struct sharer {
	uint64_t unseen;        /* what others wrote since it was here */
	uint64_t read, written; /* ever */
	uint32_t stretch, t0, t1;
	uint32_t last, last_wrote;      /* turns, + 1 */
	uint32_t turns, left, used, wrote;
	uint32_t cell;
	uint32_t next;          /* the next letter to its lane: number of the record + 1; 0 */
	uint32_t lane : 12, by : 12;    /* by: whose write the letter is about */
	bool holds : 1, lost : 1;       /* lost: it was in its cache and went because another wrote */
	bool chained : 1;               /* the letter was not read yet */
};

struct more {
	struct more *next;
	struct sharer of[MORE];
};

/* Contexts whose cells have counted the line as shared: 64 from block * 64 on. */
struct seen {
	struct seen *next;
	uint64_t contexts;
	uint32_t block;
};

struct record {
	uint64_t line, address;
	uint64_t miss[2];
	uint32_t object, number;
	struct seen seen;
	uint16_t n;             /* lanes */
	uint16_t hot;           /* meetings for which nobody gets rights */
	struct more *more;
	struct sharer of[FEW];
};

struct stripe {
	pthread_mutex_t lock;
	struct place *places;
	uint32_t nplaces, npages, nrecords;
	uint32_t slab;          /* pages left of it */
	uint64_t *state;        /* the next one's */
	uint64_t posted;        /* invalidations */
	struct record **chunk;
};

struct share {
	const struct sim_env *env;
	uint32_t shift, unit, turn_shift;
	uint32_t page_shift;    /* log2 of a page's lines; their bits fit in 64 */
	_Atomic uint64_t lost;
	uint32_t nlanes;        /* as lanes, changed under all locks */
	struct share_lane *lanes[SHARE_LANES];
	struct stripe stripe[SHARE_STRIPES];
};

static bool stripe_make(const struct sim_env *env, struct stripe *t)
{
	pthread_mutex_init(&t->lock, NULL);
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
	s->page_shift = s->shift < 6 ? 6 : s->shift < 12 ? 12 - s->shift : 0;
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
	l->page_shift = s->page_shift;
	l->turn = 1;
	lock_all(s);
	s->lanes[index] = l;
	if (index >= s->nlanes)
		s->nlanes = index + 1;
	unlock_all(s);
	lane->sharing = l;
	return 0;
}

static void lose(struct share *s, uint64_t n)
{
	atomic_fetch_add_explicit(&s->lost, n, memory_order_relaxed);
}

uint64_t share_lost(const struct share *s)
{
	uint64_t lost = atomic_load(&s->lost), posted = 0;

	for (uint32_t i = 0; i < SHARE_STRIPES; i++)
		posted += s->stripe[i].posted;
	return lost * 100 > posted ? lost : 0;
}

/* --- lines ---------------------------------------------------------------------------------- */

static uint64_t page_hash(const struct share *s, uint64_t line)
{
	return (line >> s->page_shift) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Pages that meet in a place of a lane's rights are of one stripe. */
static uint32_t stripe_of(const struct share *s, uint64_t line)
{
	return (uint32_t)(line >> s->page_shift) % SHARE_STRIPES;
}

/* Its stripe's lock is held, here and below. */
static struct place *place_find(const struct share *s, const struct stripe *t, uint64_t line)
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
			*place_find(s, t, (old[i].page - 1) << s->page_shift) = old[i];
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

static uint64_t *state_find(const struct share *s, struct stripe *t, uint64_t line)
{
	struct place *p = place_find(s, t, line);

	if (!p->page) {
		if (2 * t->npages >= t->nplaces) {
			if (!places_grow(s, t))
				return NULL;
			p = place_find(s, t, line);
		}
		p->state = states_make(s, t);
		if (!p->state)
			return NULL;
		p->page = (line >> s->page_shift) + 1;
	}
	return p->state + (line & ((UINT64_C(1) << s->page_shift) - 1));
}

static struct record *record_of(uint64_t state)
{
	return state && !(state & KIND) ? (struct record *)(uintptr_t)state : NULL;
}

static struct sharer *sharer_at(struct record *r, uint32_t i)
{
	struct more *m = r->more;

	if (i < FEW)
		return &r->of[i];
	for (i -= FEW; i >= MORE; i -= MORE)
		m = m->next;
	return &m->of[i];
}

static struct sharer *sharer_find(struct record *r, uint32_t lane)
{
	for (uint32_t i = 0; i < r->n; i++)
		if (sharer_at(r, i)->lane == lane)
			return sharer_at(r, i);
	return NULL;
}

static struct record *record_at(const struct stripe *t, uint32_t number)
{
	return &t->chunk[number / CHUNK][number % CHUNK];
}

static struct sharer *sharer_add(struct share *s, struct record *r, uint32_t lane)
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
		o = sharer_add(s, r, i);
		if (!o)
			return false;
		o->holds = true;
	}
	return true;
}

/* The record of a line that another lane touches than the one that wrote it, or the other way
 * round; NULL for want of room. */
static struct record *record_make(struct share_lane *l, struct stripe *t, uint64_t *state,
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

/* True when the line needs no record; *state is that of none. */
static bool alone(const struct share_lane *l, uint64_t *state, const struct share_entry *e)
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

	c->coherent[is_true][store] += n;
	if (beyond)
		c->beyond[store] += n;
	if (o->cell)
		r->miss[is_true] += n;
}

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
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
	return &l->rights[(line >> l->page_shift) % SHARE_PAGES];
}

static uint32_t in_page(const struct share_lane *l, uint64_t line)
{
	return (uint32_t)line & ((1u << l->page_shift) - 1);
}

static bool rights_are_of(const struct share_rights *g, const struct share_lane *l, uint64_t line)
{
	return g->page == (line >> l->page_shift) + 1;
}

/* What the lane wrote by right is told to the line's other users. */
static void wrote_tell(struct share_lane *l, struct record *r, struct share_rights *g)
{
	const struct share *s = l->share;
	_Atomic uint64_t *at = &g->wrote[in_page(l, r->line)];
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
	uint64_t line = (g->page - 1) << l->page_shift;
	const uint64_t *state = place_find(l->share, t, line)->state;

	for (uint32_t k = 0; k < 1u << l->page_shift; k++) {
		struct record *r = g->wrote[k] ? record_of(state[k]) : NULL;

		if (r)
			wrote_tell(l, r, g);
		g->wrote[k] = 0;
	}
}

void share_context(struct share_rights *g, uint32_t context)
{
	struct share_told was = g->told;

	for (uint32_t i = 0; i < SHARE_CONTEXTS; i++)
		if (g->earlier[i].context == context) {
			g->told = g->earlier[i];
			g->earlier[i] = was;
			return;
		}
	g->earlier[g->next++ % SHARE_CONTEXTS] = was;
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
	uint32_t context = (uint32_t)(e->cell->key >> 32);
	uint64_t bit = UINT64_C(1) << in_page(l, e->line);

	if (!rights_are_of(g, l, e->line)) {
		if (g->page)
			rights_end(l, t, g);
		*g = (struct share_rights){ .page = (e->line >> l->page_shift) + 1 };
	}
	g->whole &= ~bit;       /* it may have been asked for */
	rights_set(&g->read, g->read | bit);
	if (write)
		rights_set(&g->write, g->write | bit);
	if (g->told.context != context)
		share_context(g, context);
	g->told.lines |= bit;
	for (uint32_t i = 0; shared && !(g->shared & bit) && i < SHARE_CONTEXTS; i++)
		g->earlier[i].lines &= ~bit;
	if (shared)
		g->shared |= bit;
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
	uint64_t bit = UINT64_C(1) << in_page(l, e->line), had;
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
		me = sharer_add(s, r, l->index);
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

static void apply(struct share_lane *l, struct stripe *t, uint64_t *state,
	const struct share_entry *e)
{
	struct record *r, *made = NULL;

	if (!state) {
		lose(l->share, 1);
		return;
	}
	r = record_of(*state);
	if (!r && alone(l, state, e)) {
		grant(l, t, e, *state & WROTE && (*state & KIND) == OWNED, false);
		return;
	}
	if (!r)
		r = made = record_make(l, t, state, e);
	if (r)
		meet(l, t, r, e, made != NULL);
}

/* --- batches -------------------------------------------------------------------------------- */

/* A few of one stripe.  Each is memory that was not used for long, in several places: all are
 * asked for before the first is waited for. */
static void apply_some(struct share_lane *l, struct stripe *t, const uint16_t *which, uint32_t n)
{
	uint64_t *state[AHEAD];

	for (uint32_t i = 0; i < n; i++) {
		state[i] = state_find(l->share, t, l->entry[which[i]].line);
		__builtin_prefetch(state[i], 1);
	}
	for (uint32_t i = 0; i < n; i++) {
		char *r = state[i] ? (char *)record_of(*state[i]) : NULL;

		for (size_t k = 0; r && k < sizeof(struct record); k += 64)
			__builtin_prefetch(r + k, 1);
	}
	for (uint32_t i = 0; i < n; i++)
		apply(l, t, state[i], &l->entry[which[i]]);
}

/* All that was gathered. */
static void apply_all(struct share_lane *l)
{
	struct share *s = l->share;
	uint32_t begin[SHARE_STRIPES + 1] = { 0 }, fill[SHARE_STRIPES];

	if (!l->nentries)
		return;
	for (uint32_t i = 0; i < l->nentries; i++)
		begin[stripe_of(s, l->entry[i].line) + 1]++;
	for (uint32_t k = 0; k < SHARE_STRIPES; k++) {
		fill[k] = begin[k];
		begin[k + 1] += begin[k];
	}
	for (uint32_t i = 0; i < l->nentries; i++)
		l->order[fill[stripe_of(s, l->entry[i].line)]++] = (uint16_t)i;
	for (uint32_t k = 0; k < SHARE_STRIPES; k++) {
		uint32_t number = (k + l->index) % SHARE_STRIPES, n;
		struct stripe *t = &s->stripe[number];

		pthread_mutex_lock(&t->lock);
		for (uint32_t i = begin[number]; i < begin[number + 1]; i += n) {
			n = least(AHEAD, begin[number + 1] - i);
			apply_some(l, t, l->order + i, n);
		}
		pthread_mutex_unlock(&t->lock);
	}
	memset(l->at, 0, sizeof l->at);
	l->nentries = 0;
}

struct share_entry *share_entry_make(struct share_lane *l, uint64_t line, uint32_t at,
	uint64_t address, struct sim_cell *cell)
{
	struct share_entry *e;

	if (l->nentries == SHARE_LINES) {
		apply_all(l);
		return share_entry(l, line, address, cell);
	}
	e = &l->entry[l->nentries++];
	l->at[at] = (uint16_t)l->nentries;
	*e = (struct share_entry){ .line = line, .address = address, .cell = cell,
		.first = l->turn, .last = l->turn - 1 };
	return e;
}

void share_tell(struct share_lane *l, uint64_t address, uint64_t first, uint64_t last,
	uint32_t store, struct sim_cell *cell)
{
	uint64_t mask = share_mask(l, first, last);

	share_mark(l, address, first, store ? 0 : mask, store ? mask : 0, cell);
}

/* Turns from `from` to the last one, of which `last` and those before are counted. */
static uint32_t turns_new(const struct share_lane *l, uint32_t last, uint64_t n, uint32_t per,
	uint32_t to)
{
	uint64_t from, done;

	if (to <= last)
		return 0;
	if (per >> l->turn_shift == 0)  /* none is left out */
		return to - (last >= l->turn ? last : l->turn - 1);
	from = (uint64_t)last << l->turn_shift;         /* the first access behind those */
	done = from > l->clock ? (from - l->clock + per - 1) / per : 0;
	return (uint32_t)(n - done);
}

void share_stream(struct share_lane *l, uint64_t address, uint64_t first, uint64_t read,
	uint64_t written, struct sim_cell *cell, uint64_t n, uint32_t per)
{
	struct share_entry *e;
	uint32_t to = (uint32_t)((l->clock + (n - 1) * per) >> l->turn_shift) + 1;

	if (share_allowed_one(l, first >> l->shift, written, cell, to))
		return;
	e = share_entry(l, first >> l->shift,
		address - (first & ((UINT64_C(1) << l->shift) - 1)), cell);
	e->read |= read;
	e->turns += turns_new(l, e->last, n, per, to);
	if (to > e->last)
		e->last = to;
	if (!written)
		return;
	e->written |= written;
	e->wrote += turns_new(l, e->last_wrote, n, per, to);
	if (!e->last_wrote)
		e->first_wrote = l->turn;
	if (to > e->last_wrote)
		e->last_wrote = to;
}

/* From all caches of the lane that the writer does not use, too. */
static bool drop_line(const struct share_lane *l, const struct share_lane *from, uint64_t line)
{
	bool found = false;

	for (uint32_t i = 0; i < l->lane->nlevels; i++) {
		struct sim_cache *c = l->lane->level[i];
		uint64_t first = line << (l->shift - c->shift);

		if (c == from->lane->level[i])
			continue;
		for (uint64_t k = 0; k < UINT64_C(1) << (l->shift - c->shift); k++)
			found |= sim_cache_drop(l->lane->sim, c, first + k);
	}
	return found;
}

struct letter {
	uint64_t line;
	uint32_t record, from;
};

/* The first of the lane's letters, at most `most`. */
static uint32_t letters_take(const struct share_lane *l, struct stripe *t, _Atomic uint32_t *mail,
	struct letter *out, uint32_t most)
{
	uint32_t n = 0, next;

	pthread_mutex_lock(&t->lock);
	next = atomic_load_explicit(mail, memory_order_relaxed);
	for (; n < most && next; n++) {
		struct record *r = record_at(t, next - 1);
		struct sharer *me = sharer_find(r, l->index);

		out[n] = (struct letter){ r->line, r->number, me->by };
		me->chained = false;
		next = me->next;
	}
	atomic_store_explicit(mail, next, memory_order_relaxed);
	pthread_mutex_unlock(&t->lock);
	return n;
}

/* Without the directory's lock in between: a batch holds its cache and comes to the directory. */
static void letters_read(struct share_lane *l, struct stripe *t, _Atomic uint32_t *mail)
{
	struct share *s = l->share;
	struct letter letter[LETTERS];
	uint32_t n;

	do {
		n = letters_take(l, t, mail, letter, LETTERS);
		for (uint32_t i = 0; i < n; i++)
			if (!drop_line(l, s->lanes[letter[i].from], letter[i].line))
				letter[i].line = UINT64_MAX;
		pthread_mutex_lock(&t->lock);
		for (uint32_t i = 0; i < n; i++)
			if (letter[i].line != UINT64_MAX)
				sharer_find(record_at(t, letter[i].record), l->index)->lost = true;
		pthread_mutex_unlock(&t->lock);
	} while (n == LETTERS);
}

void share_begin(struct share_lane *l, uint32_t stretch)
{
	if (l->stretch != stretch)
		l->origin = (uint32_t)(l->clock >> l->turn_shift) + 1;
	l->stretch = stretch;
	for (uint32_t i = 0; i < SHARE_STRIPES; i++)
		if (atomic_load_explicit(&l->mail[i], memory_order_relaxed))
			letters_read(l, &l->share->stripe[i], &l->mail[i]);
}

void share_end(struct share_lane *l)
{
	apply_all(l);
}

/* Nearer levels than the first that other lanes use as well: a line comes from there, or from
 * memory. */
static uint32_t levels_alone(const struct share *s, const struct sim_lane *lane)
{
	uint32_t k = 0;

	for (; k < lane->nlevels; k++)
		for (uint32_t i = 0; i < s->nlanes; i++)
			if (s->lanes[i] && s->lanes[i]->lane != lane &&
			    s->lanes[i]->lane->level[k] == lane->level[k])
				return k;
	return k;
}

void share_settle(const struct share *s, struct sim_lane *lane)
{
	uint32_t n = levels_alone(s, lane);

	for (uint32_t i = 0; i < lane->ncells; i++) {
		struct sim_cell *c = &lane->cells[i];

		for (uint32_t k = 0; k < n; k++) {
			c->miss[k][0] += c->beyond[0];
			c->miss[k][1] += c->beyond[1];
			c->fetched[k] += c->beyond[0] + c->beyond[1];
		}
		c->beyond[0] = c->beyond[1] = 0;
	}
}

/* --- what is told -------------------------------------------------------------------------------- */

static void report(const struct share *s, struct record *r, struct share_report *out)
{
	*out = (struct share_report){ .address = r->address, .line = 1u << s->shift,
		.object = r->object, .miss = { r->miss[0], r->miss[1] }, .nthreads = r->n };
	for (uint32_t i = 0; i < r->n && i < SHARE_THREADS; i++) {
		const struct sharer *o = sharer_at(r, i);

		out->who[i].thread = o->lane;
		out->who[i].read = o->read;
		out->who[i].written = o->written;
		for (uint32_t k = i; k && out->who[k].thread < out->who[k - 1].thread; k--) {
			struct share_who swap = out->who[k];

			out->who[k] = out->who[k - 1];
			out->who[k - 1] = swap;
		}
	}
}

static uint64_t all(const uint64_t miss[2])
{
	return miss[0] + miss[1];
}

/* Where a line belongs among those of its object, that begin at `out`; -1: it is none of them. */
static uint32_t place(const struct share_report *out, uint32_t n, const struct record *r)
{
	uint32_t i = 0;

	while (i < n && all(out[i].miss) >= all(r->miss))
		i++;
	return i;
}

/* Puts the record where it belongs; the new number of reports. */
static uint32_t place_worst(const struct share *s, struct record *r, struct share_report *out,
	uint32_t n, uint32_t max, uint32_t each)
{
	uint32_t first = 0, last, at;

	while (first < n && out[first].object != r->object)
		first++;
	for (last = first; last < n && out[last].object == r->object; last++)
		;
	at = first + place(out + first, last - first, r);
	if (at - first >= each)
		return n;
	if (last - first == each)       /* the object's last one goes */
		memmove(out + at + 1, out + at, (last - 1 - at) * sizeof *out);
	else if (n < max)
		memmove(out + at + 1, out + at, (n++ - at) * sizeof *out);
	else
		return n;
	report(s, r, &out[at]);
	return n;
}

uint32_t share_worst(struct share *s, struct share_report *out, uint32_t max, uint32_t each)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < SHARE_STRIPES; i++) {
		struct stripe *t = &s->stripe[i];

		pthread_mutex_lock(&t->lock);
		for (uint32_t k = 0; k < t->nrecords; k++) {
			struct record *r = record_at(t, k);

			if (all(r->miss))
				n = place_worst(s, r, out, n, max, each);
		}
		pthread_mutex_unlock(&t->lock);
	}
	return n;
}
