/* SPDX-License-Identifier: BSD-3-Clause */
/* The directory.  A line is *owned* while one lane touches it, *read* while several do and none
 * writes, and *shared* once it was written and more than one touches it: only then it has a
 * record, with what each lane did, and only then anything is locked. */
#include "monitor/share.h"
#include <string.h>

enum {
	/* Lines, and those of them that are shared: 1 GiB and 256 MiB, if they have 64 bytes.  Only what
	 * is used takes memory. */
	SLOTS = 1 << 24, PROBES = 64,
	RECORDS = 1 << 22, CHUNK = 4096,
	READERS = 60,                   /* lanes that a state can name as readers */
	FEW = 2, MORE = 6,              /* lanes of a record, of each extension */
	LETTERS = 128                   /* at once */
};

/* The state of a line: 0 nobody's; a pointer, or */
#define OWNED 1u        /* index << 3 | WROTE | OWNED */
#define READ 2u         /* a bit per lane << 2 | READ */
#define WROTE 4u
#define KIND 3u

struct slot {
	_Atomic uint64_t line;  /* + 1 */
	_Atomic uint64_t state;
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
	uint32_t n;
	struct more *more;
	struct sharer of[FEW];
};

struct share {
	const struct sim_env *env;
	pthread_mutex_t lock;
	uint32_t shift, unit, turn_shift;
	_Atomic uint64_t lost;
	uint32_t nlanes, nrecords;
	uint64_t posted;        /* invalidations */
	struct slot *slots;
	struct record **chunk;
	struct share_lane *lanes[SHARE_LANES];
};

struct share *share_new(const struct sim_env *env, const struct machine_flat *m, uint32_t turn)
{
	struct share *s = env->get(sizeof *s);

	if (!s)
		return NULL;
	s->env = env;
	s->slots = env->get(SLOTS * sizeof *s->slots);
	s->chunk = env->get(RECORDS / CHUNK * sizeof *s->chunk);
	if (!s->slots || !s->chunk)
		return NULL;
	pthread_mutex_init(&s->lock, NULL);
	for (uint32_t i = 0; i < m->nlevels; i++)
		if ((uint32_t)__builtin_ctz(m->level[i].line) > s->shift)
			s->shift = (uint32_t)__builtin_ctz(m->level[i].line);
	s->unit = s->shift > 6 ? s->shift - 6 : 0;
	s->turn_shift = (uint32_t)__builtin_ctz(turn ? turn : SHARE_TURN);
	return s;
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
	pthread_mutex_lock(&s->lock);
	s->lanes[index] = l;
	if (index >= s->nlanes)
		s->nlanes = index + 1;
	pthread_mutex_unlock(&s->lock);
	lane->sharing = l;
	return 0;
}

static void lose(struct share *s, uint64_t n)
{
	atomic_fetch_add_explicit(&s->lost, n, memory_order_relaxed);
}

uint64_t share_lost(const struct share *s)
{
	uint64_t lost = atomic_load(&s->lost);

	return lost * 100 > s->posted ? lost : 0;
}

/* --- lines -------------------------------------------------------------------------------------- */

/* Neighbours lie side by side within 4 KiB. */
static struct slot *slot_find(struct share *s, uint64_t line, bool make)
{
	uint32_t page = 12 - (s->shift < 12 ? s->shift : 12);
	uint64_t at = ((line >> page) * UINT64_C(0x9e3779b97f4a7c15) >> 40) << page |
		(line & ((1u << page) - 1));

	for (uint32_t i = 0; i < PROBES; i++, at++) {
		struct slot *slot = &s->slots[at % SLOTS];
		uint64_t here = atomic_load_explicit(&slot->line, memory_order_acquire);

		if (here == line + 1 || (!here && make &&
		    (atomic_compare_exchange_strong(&slot->line, &here, line + 1) ||
		     here == line + 1)))
			return slot;
		if (!here && !make)
			return NULL;
	}
	return NULL;
}

static struct record *record_of(const struct slot *slot)
{
	uint64_t state = atomic_load_explicit(&slot->state, memory_order_acquire);

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

static struct record *record_at(const struct share *s, uint32_t number)
{
	return &s->chunk[number / CHUNK][number % CHUNK];
}

/* s->lock is held, here and below. */
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

static struct record *record_new(struct share *s)
{
	struct record **c;

	if (s->nrecords == RECORDS)
		return NULL;
	c = &s->chunk[s->nrecords / CHUNK];
	if (!*c)
		*c = s->env->get(CHUNK * sizeof **c);
	if (!*c)
		return NULL;
	(*c)[s->nrecords % CHUNK].number = s->nrecords;
	return record_at(s, s->nrecords++);
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
 * round; NULL while none is needed, or for want of room. */
static struct record *record_make(struct share_lane *l, struct slot *slot,
	const struct share_entry *e)
{
	struct share *s = l->share;
	struct record *r = record_of(slot);
	uint64_t state;

	if (r)
		return r;
	r = record_new(s);
	if (!r) {
		lose(s, 1);
		return NULL;
	}
	r->line = e->line - 1;
	r->address = e->address;
	do {
		state = atomic_load(&slot->state);
		r->n = 0;
		if (!record_fill(s, r, state)) {
			lose(s, 1);
			return NULL;
		}
	} while (!atomic_compare_exchange_weak(&slot->state, &state, (uint64_t)(uintptr_t)r));
	return r;
}

/* Without a lock: true when the line has no record and needs none. */
static bool alone(const struct share_lane *l, struct slot *slot, const struct share_entry *e)
{
	uint64_t own = (uint64_t)l->index << 3 | OWNED, state, next;
	uint64_t bit = l->index < READERS ? UINT64_C(4) << l->index : 0;

	state = atomic_load_explicit(&slot->state, memory_order_acquire);
	for (;;) {
		if (!state || (state & ~(uint64_t)WROTE) == own)
			next = own | (state & WROTE) | (e->written ? WROTE : 0);
		else if ((state & KIND) == OWNED && !(state & WROTE) && !e->written && bit &&
			state >> 3 < READERS)
			next = UINT64_C(4) << (state >> 3) | bit | READ;
		else if ((state & KIND) == READ && !e->written && bit)
			next = state | bit;
		else
			return false;
		if (next == state || atomic_compare_exchange_weak(&slot->state, &state, next))
			return true;
	}
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

/* The misses of a by what b wrote beside it. */
static void hit_by(struct share *s, struct record *r, struct sharer *a, const struct sharer *b)
{
	uint32_t t0 = a->t0 > b->t0 ? a->t0 : b->t0, t1 = least(a->t1, b->t1), n;

	if (t0 > t1)
		return;
	n = least(part(a->turns, a, t1 - t0 + 1), part(b->wrote, b, t1 - t0 + 1));
	n = least(a->left, n > a->used ? n - a->used : 0);
	if (!n)
		return;
	miss(s, r, a, n, (a->read | a->written) & b->written, true);
	a->left -= n;
	a->used += n;
}

/* The lane's new turns; they join those of the same stretch. */
static void turns_add(const struct share_lane *l, struct sharer *me, const struct share_entry *e,
	bool is_new)
{
	uint32_t turns = e->turns, wrote = e->wrote, from = e->first - l->origin;

	if (is_new || me->stretch != l->stretch || from > me->t1 + SHARE_GAP) {
		me->turns = me->left = me->used = me->wrote = 0;
		me->t0 = from;
	}
	me->t1 = e->last - l->origin;
	me->stretch = l->stretch;
	me->cell = (uint32_t)(e->cell - l->lane->cells);
	/* A turn that a batch's end cuts in two, or in which the filter was short, counts once. */
	if (e->first == me->last)
		turns--;
	if (e->first_wrote && e->first_wrote == me->last_wrote)
		wrote--;
	me->last = e->last;
	if (e->last_wrote)
		me->last_wrote = e->last_wrote;
	me->turns += turns;
	me->left += turns - least(turns, is_new || me->lost);
	me->wrote += wrote;
}

/* A line has one letter to each lane at most: that of the writer whose caches are farthest. */
static void post(const struct share_lane *l, const struct record *r, struct sharer *o)
{
	const struct share *s = l->share;
	struct share_lane *other = s->lanes[o->lane];

	if (!o->chained) {
		o->next = other->mail;
		other->mail = r->number + 1;
		o->chained = true;
	} else if (apart(s, o->lane, o->by) >= apart(s, o->lane, l->index)) {
		return;
	}
	o->by = l->index & (SHARE_LANES - 1);
}

static void invalidate(struct share_lane *l, struct record *r, const struct sharer *me,
	uint64_t written)
{
	struct share *s = l->share;

	for (uint32_t i = 0; i < r->n; i++) {
		struct sharer *o = sharer_at(r, i);

		if (o == me || same_cache(s, o->lane, l->index))
			continue;
		o->unseen |= written;
		if (!o->holds)
			continue;
		s->posted++;
		o->holds = false;
		post(l, r, o);
	}
}

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

static void meet(struct share_lane *l, struct record *r, const struct share_entry *e)
{
	struct share *s = l->share;
	struct sharer *me = sharer_find(r, l->index);
	uint64_t mine = e->read | e->written;
	bool is_new = !me;

	if (is_new) {
		me = sharer_add(s, r, l->index);
		if (!me) {
			lose(s, 1);
			return;
		}
	}
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
		hit_by(s, r, me, o);
		hit_by(s, r, o, me);
	}
	me->unseen = 0;
	me->lost = false;
	me->holds = true;
	if (e->written)
		invalidate(l, r, me, e->written);
	if (r->n > 1)
		line_shared(l, r, e->cell);
}

static void apply(struct share_lane *l, const struct share_entry *e)
{
	struct share *s = l->share;
	struct slot *slot = slot_find(s, e->line - 1, true);
	struct record *r;

	if (!slot) {
		lose(s, 1);
		return;
	}
	if (!record_of(slot) && alone(l, slot, e))
		return;
	pthread_mutex_lock(&s->lock);
	r = record_make(l, slot, e);
	if (r)
		meet(l, r, e);
	pthread_mutex_unlock(&s->lock);
}

void share_displace(struct share_lane *l, struct share_entry *e, uint64_t line, uint64_t address,
	struct sim_cell *cell)
{
	if (e->line)
		apply(l, e);
	*e = (struct share_entry){ .line = line, .address = address, .cell = cell };
}

/* --- batches ------------------------------------------------------------------------------------- */

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
static uint32_t letters_take(struct share_lane *l, struct letter *out, uint32_t most)
{
	struct share *s = l->share;
	uint32_t n = 0;

	pthread_mutex_lock(&s->lock);
	for (; n < most && l->mail; n++) {
		struct record *r = record_at(s, l->mail - 1);
		struct sharer *me = sharer_find(r, l->index);

		out[n] = (struct letter){ r->line, r->number, me->by };
		me->chained = false;
		l->mail = me->next;
	}
	pthread_mutex_unlock(&s->lock);
	return n;
}

/* Without the directory's lock in between: a batch holds its cache and comes to the directory. */
static void letters_read(struct share_lane *l)
{
	struct share *s = l->share;
	struct letter letter[LETTERS];
	uint32_t n;

	do {
		n = letters_take(l, letter, LETTERS);
		for (uint32_t i = 0; i < n; i++)
			if (!drop_line(l, s->lanes[letter[i].from], letter[i].line))
				letter[i].line = UINT64_MAX;
		pthread_mutex_lock(&s->lock);
		for (uint32_t i = 0; i < n; i++)
			if (letter[i].line != UINT64_MAX)
				sharer_find(record_at(s, letter[i].record), l->index)->lost = true;
		pthread_mutex_unlock(&s->lock);
	} while (n == LETTERS);
}

void share_begin(struct share_lane *l, uint32_t stretch)
{
	if (l->stretch != stretch)
		l->origin = (uint32_t)(l->clock >> l->turn_shift) + 1;
	l->stretch = stretch;
	letters_read(l);
}

void share_end(struct share_lane *l)
{
	for (uint32_t i = 0; i < SHARE_FILTER; i++)
		if (l->filter[i].line) {
			apply(l, &l->filter[i]);
			l->filter[i].line = 0;
		}
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

uint32_t share_worst(struct share *s, struct share_report *out, uint32_t max, uint32_t each)
{
	uint32_t n = 0;

	pthread_mutex_lock(&s->lock);
	for (uint32_t k = 0; k < s->nrecords; k++) {
		struct record *r = &s->chunk[k / CHUNK][k % CHUNK];
		uint32_t first = 0, last, at;

		if (!all(r->miss))
			continue;
		while (first < n && out[first].object != r->object)
			first++;
		for (last = first; last < n && out[last].object == r->object; last++)
			;
		at = first + place(out + first, last - first, r);
		if (at - first >= each)
			continue;
		if (last - first == each)       /* the object's last one goes */
			memmove(out + at + 1, out + at, (last - 1 - at) * sizeof *out);
		else if (n < max)
			memmove(out + at + 1, out + at, (n++ - at) * sizeof *out);
		else
			continue;
		report(s, r, &out[at]);
	}
	pthread_mutex_unlock(&s->lock);
	return n;
}
