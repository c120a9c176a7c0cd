/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates machines whose levels depend on each other (hierarchy.h).  An access passes all levels
 * at once, under one lock for all caches that it can touch. */
#include "simulate/cache/hierarchy.h"

#include <string.h>
#include "simulate/cache/frames.h"
#include "simulate/cache/lru.h"
#include "simulate/cache/map_counts.h"

enum { VALID = 1, DIRTY = 2, AHEAD = 4, FLAGS = 3 };   /* of an entry: line << FLAGS | these */
enum { CHUNK = 12 };    /* prefetchers stay in 4 KiB: the next page frame may be any one */
#define SECTION 16      /* streams that a stride prefetcher follows */

struct hier_stream {
	uint64_t chunk;         /* address >> CHUNK, plus 1; 0: free */
	uint64_t last;          /* line */
	int64_t stride;         /* lines, 0: not known yet */
};

/* A line evicted to the next level: it is dirty, or the next level is exclusive. */
struct leaving {
	uint64_t address, owner;
	bool dirty;
};

struct wanted {
	uint64_t line;
	uint32_t level;
};
enum { MOST_LEAVING = 2 * MACHINE_LEVELS, MOST_WANTED = 2 * 16 * MACHINE_LEVELS };

/* One access or prefetch on its way outwards. */
struct walk {
	struct sim_core *core;
	struct sim_cell *cell;
	struct sim_site *site;  /* once the first level is missed */
	uint64_t at[2];         /* its one or two addresses, in different lines of the first
				 * level */
	uint64_t normalised[2]; /* the same, not by page frames */
	uint32_t n;
	uint32_t store;
	uint32_t class;         /* of its miss of the first level: the class word */
	uint32_t start;         /* level */
	bool demand;
	uint32_t nleaving, nwanted;
	struct leaving leaving[MOST_LEAVING];
	struct wanted wanted[MOST_WANTED];
};

/* --- one set ---------------------------------------------------------------------------------- */

static uint64_t *set_at(const struct sim_cache *c, uint64_t line, size_t *base)
{
	*base = (size_t)lru_set64(c, line) << c->stride;
	return (uint64_t *)c->tags + *base;
}

/* The line's way; assoc: not present. */
static uint32_t way_of(const struct sim_cache *c, const uint64_t *set, uint64_t line)
{
	uint64_t want = line << FLAGS | VALID;
	uint32_t way = 0;

	while (way < c->assoc && (set[way] & ~(uint64_t)(DIRTY | AHEAD)) != want)
		way++;
	return way;
}

static void to_front(uint64_t *v, uint32_t way)
{
	uint64_t front = v[way];

	for (; way; way--)
		v[way] = v[way - 1];
	v[0] = front;
}

/* Tree nodes are numbered as in a heap, from 1.  A set bit: the right half is the older one. */
static void tree_used(const struct sim_cache *c, uint64_t *tree, uint32_t way)
{
	for (uint32_t node = way + c->assoc; node > 1; node >>= 1)
		if (node & 1)
			*tree &= ~(UINT64_C(1) << (node >> 1));
		else
			*tree |= UINT64_C(1) << (node >> 1);
}

static uint32_t tree_oldest(const struct sim_cache *c, uint64_t tree)
{
	uint32_t node = 1;

	while (node < c->assoc)
		node = 2 * node + (tree >> node & 1);
	return node - c->assoc;
}

/* Updates the replacement state for a use of the way; returns the entry's new way. */
static uint32_t way_used(struct sim_cache *c, uint64_t *set, size_t base, uint32_t way)
{
	if (c->replacement == MACHINE_PLRU)
		tree_used(c, &c->tree[base >> c->stride], way);
	if (c->replacement != MACHINE_LRU)
		return way;
	if (way) {
		to_front(set, way);
		if (c->owner)
			to_front(c->owner + base, way);
	}
	return 0;
}

/* Chooses the way to replace: empty ways first, which LRU keeps last. */
static uint32_t way_victim(struct sim_cache *c, const uint64_t *set, size_t base)
{
	if (c->replacement == MACHINE_LRU)
		return c->assoc - 1;
	for (uint32_t way = 0; way < c->assoc; way++)
		if (!set[way])
			return way;
	if (c->replacement == MACHINE_PLRU)
		return tree_oldest(c, c->tree[base >> c->stride]);
	return hier_random(&c->random) % c->assoc;
}

/* Empties the way; under LRU older entries move up. */
static void way_remove(struct sim_cache *c, uint64_t *set, size_t base, uint32_t way)
{
	if (c->replacement == MACHINE_LRU)
		for (; way + 1 < c->assoc; way++) {
			set[way] = set[way + 1];
			if (c->owner)
				c->owner[base + way] = c->owner[base + way + 1];
		}
	set[way] = 0;
}

/* --- what leaves a level ---------------------------------------------------------------------- */

static void count_writeback(struct sim_core *core, uint32_t level, uint64_t owner)
{
	sim_core_cell(core, (uint32_t)(owner >> 32), (uint32_t)owner)->writeback[level]++;
}

static void leave(struct walk *w, uint64_t address, uint64_t owner, bool dirty)
{
	w->leaving[w->nleaving++] = (struct leaving){ address, owner, dirty };
}

/* Removes the lines of [address, address + size) from one cache.  true: one was dirty. */
static bool cache_clear(struct walk *w, struct sim_cache *c, uint32_t level, uint64_t address,
	uint64_t size, uint64_t *owner)
{
	bool dirty = false;
	size_t base;

	for (uint64_t a = address; a < address + size; a += UINT64_C(1) << c->shift) {
		uint64_t *set = set_at(c, a >> c->shift, &base);
		uint32_t way = way_of(c, set, a >> c->shift);

		if (way == c->assoc)
			continue;
		if (set[way] & DIRTY) {
			dirty = true;
			*owner = c->owner[base + way];
			count_writeback(w->core, level, *owner);
		}
		way_remove(c, set, base, way);
	}
	return dirty;
}

/* Iterates over level i's caches of the CPUs that share c; *n begins with 0.  NULL: no more. */
static struct sim_cache *next_nearer(struct sim *s, const struct sim_cache *c, uint32_t i,
	uint32_t *n)
{
	uint32_t from = sim_instance(s, i, c->cpu), to = sim_instance(s, i, c->cpu + c->cpus - 1);

	while (from + *n <= to) {
		struct sim_cache *near = atomic_load_explicit(&s->instance[i][from + (*n)++],
			memory_order_acquire);

		if (near)
			return near;
	}
	return NULL;
}

/* Removes a line that an inclusive level evicts from all nearer caches.  true: it was dirty. */
static bool clear_nearer(struct walk *w, uint32_t level, uint64_t address, uint64_t *owner)
{
	const struct sim_cache *c = w->core->level[level];
	struct sim_cache *near;
	bool dirty = false;

	for (uint32_t i = level; i-- > 0; )
		for (uint32_t n = 0; (near = next_nearer(w->core->sim, c, i, &n)); )
			dirty |= cache_clear(w, near, i, address, UINT64_C(1) << c->shift, owner);
	return dirty;
}

/* true: another nearer cache of an exclusive level's CPUs holds the line, and supplies it. */
static bool held_nearer(const struct walk *w, uint32_t level, uint64_t address)
{
	const struct sim_cache *c = w->core->level[level], *near;
	size_t base;

	for (uint32_t i = 0; i < level && c->cpus > 1; i++)
		for (uint32_t n = 0; (near = next_nearer(w->core->sim, c, i, &n)); ) {
			uint64_t line = address >> near->shift;

			if (near != w->core->level[i] &&
			    way_of(near, set_at(near, line, &base), line) != near->assoc)
				return true;
		}
	return false;
}

static void evict(struct walk *w, uint32_t level, uint64_t entry, uint64_t owner)
{
	const struct sim_core *core = w->core;
	const struct sim_cache *c = core->level[level];
	uint64_t address = entry >> FLAGS << c->shift;
	bool dirty = entry & DIRTY;

	if (c->inclusion == MACHINE_INCLUSIVE)
		dirty |= clear_nearer(w, level, address, &owner);
	if (dirty)
		count_writeback(w->core, level, owner);
	if (level + 1 < core->nlevels &&
	    (dirty || core->level[level + 1]->inclusion == MACHINE_EXCLUSIVE))
		leave(w, address, owner, dirty);
}

static void fill(struct walk *w, uint32_t level, uint64_t line, uint64_t flags, uint64_t owner)
{
	struct sim_cache *c = w->core->level[level];
	size_t base;
	uint64_t *set = set_at(c, line, &base);
	uint32_t way = way_victim(c, set, base);
	uint64_t old = set[way], old_owner = c->owner ? c->owner[base + way] : 0;

	set[way] = line << FLAGS | VALID | flags;
	if (c->owner)
		c->owner[base + way] = owner;
	way_used(c, set, base, way);
	if (old)
		evict(w, level, old, old_owner);
}

/* Makes the line dirty; false: the level does not have it. */
static bool make_dirty(struct sim_core *core, uint32_t level, uint64_t address, uint64_t owner)
{
	struct sim_cache *c = core->level[level];
	size_t base;
	uint64_t *set = set_at(c, address >> c->shift, &base);
	uint32_t way = way_of(c, set, address >> c->shift);

	if (way == c->assoc)
		return false;
	set[way] |= DIRTY;
	c->owner[base + way] = owner;
	return true;
}

/* --- prefetchers ------------------------------------------------------------------------------ */

static void want(struct walk *w, uint32_t level, uint64_t line, int64_t step)
{
	const struct sim_cache *c = w->core->level[level];
	uint32_t shift = CHUNK - c->shift;

	for (uint32_t i = 1; i <= c->degree; i++) {
		uint64_t next = line + (uint64_t)step * i;

		if (next >> shift != line >> shift)
			return;
		w->wanted[w->nwanted++] = (struct wanted){ next, level };
	}
}

/* Trains the prefetcher: the level missed the line, or would have without prefetching. */
static void prefetch(struct walk *w, uint32_t level, uint64_t line)
{
	struct sim_cache *c = w->core->level[level];
	uint64_t chunk = (line >> (CHUNK - c->shift)) + 1;
	struct hier_stream *s = c->streams;
	int64_t stride;

	if (c->prefetch == MACHINE_NEXT_LINE)
		want(w, level, line, 1);
	if (c->prefetch != MACHINE_STRIDE)
		return;
	while (s < c->streams + SECTION && s->chunk != chunk)
		s++;
	if (s == c->streams + SECTION) {
		c->streams[c->next_stream++ % SECTION] = (struct hier_stream){ chunk, line, 0 };
		return;
	}
	stride = (int64_t)(line - s->last);
	if (!stride)
		return;
	if (stride == s->stride)
		want(w, level, line, stride);
	s->stride = stride;
	s->last = line;
}

/* --- one level -------------------------------------------------------------------------------- */

/* Removes a line from an exclusive level on a hit; its dirty state follows the line. */
static void take(struct walk *w, uint32_t level, uint64_t *set, size_t base, uint32_t way,
	uint64_t address)
{
	struct sim_cache *c = w->core->level[level];
	bool dirty = set[way] & DIRTY;
	uint64_t owner = c->owner ? c->owner[base + way] : 0;

	way_remove(c, set, base, way);
	if (!dirty)
		return;
	for (uint32_t i = level; i-- > w->start; )
		if (make_dirty(w->core, i, address, owner))
			return;
	count_writeback(w->core, level, owner); /* no nearer level has it any more */
	if (level + 1 < w->core->nlevels)
		leave(w, address, owner, true);
}

/* Looks up a line; true: it missed and is filled, unless the level is exclusive. */
static bool look(struct walk *w, uint32_t level, uint64_t address)
{
	struct sim_cache *c = w->core->level[level];
	uint64_t line = address >> c->shift;
	size_t base;
	uint64_t *set = set_at(c, line, &base);
	uint32_t way = way_of(c, set, line);
	bool ahead;

	if (way == c->assoc) {
		if (c->inclusion == MACHINE_EXCLUSIVE && held_nearer(w, level, address))
			return false;
		if (c->inclusion != MACHINE_EXCLUSIVE)
			fill(w, level, line, w->demand || level != w->start ? 0 : AHEAD, 0);
		if (w->demand)
			prefetch(w, level, line);
		return true;
	}
	if (c->inclusion == MACHINE_EXCLUSIVE) {
		take(w, level, set, base, way, address);
		return false;
	}
	way = way_used(c, set, base, way);
	ahead = w->demand && set[way] & AHEAD;
	if (ahead) {
		set[way] &= ~(uint64_t)AHEAD;
		w->cell->useful[level]++;
		prefetch(w, level, line);
	}
	return false;
}

/* Receives a line that the next nearer level evicted.  Write-backs do not allocate, so dirty states
 * never change misses. */
static void receive(struct walk *w, uint32_t level, const struct leaving *l)
{
	struct sim_cache *c = w->core->level[level];
	uint64_t line = l->address >> c->shift;
	size_t base;
	uint64_t *set;
	uint32_t way;

	if (c->inclusion != MACHINE_EXCLUSIVE) {
		if (!l->dirty || make_dirty(w->core, level, l->address, l->owner))
			return;
		count_writeback(w->core, level, l->owner);
		if (level + 1 < w->core->nlevels)
			leave(w, l->address, l->owner, true);
		return;
	}
	set = set_at(c, line, &base);
	way = way_of(c, set, line);
	if (way == c->assoc) {
		fill(w, level, line, l->dirty ? DIRTY : 0, l->owner);
		return;
	}
	way_used(c, set, base, way);
	if (l->dirty)
		make_dirty(w->core, level, l->address, l->owner);
}

static void count_class(struct walk *w, uint32_t level)
{
	if (!level) {
		w->class = sim_classify(w->core, w->normalised[0], w->cell, w->store);
		return;
	}
	sim_count_class(w->cell, level, w->class);
}

static void count_site(struct walk *w, uint32_t level)
{
	struct sim_core *core = w->core;

	if (core->passing)
		return;
	if (!level) {
		w->site = sim_site(core, core->group, w->cell);
		w->site->first++;
		if (core->drawn)
			sim_maps_recur(core, w->normalised[0], w->cell, 1);
	}
	if (level + 1 < core->nlevels)
		return;
	w->site->last++;
	if (core->drawn)
		sim_maps_last(core, w->normalised[0], w->cell);
}

static void walk(struct walk *w)
{
	struct sim_core *core = w->core;
	bool going = true;

	w->nleaving = 0;
	for (uint32_t i = w->start; i < core->nlevels && (going || w->nleaving); i++) {
		struct leaving arrived[MOST_LEAVING];
		uint32_t narrived = w->nleaving, missed = 0, shift = core->level[i]->shift;

		memcpy(arrived, w->leaving, narrived * sizeof *arrived);
		w->nleaving = 0;
		if (going) {
			missed = look(w, i, w->at[0]);
			if (w->n == 2 && w->at[0] >> shift != w->at[1] >> shift)
				missed += look(w, i, w->at[1]);
		}
		for (uint32_t k = 0; k < narrived; k++)
			receive(w, i, &arrived[k]);
		going = missed != 0;
		if (!going || !w->demand)
			continue;
		w->cell->miss[i][w->store]++;
		w->cell->fetched[i] += missed;
		count_class(w, i);
		count_site(w, i);
		if (i + 1 == core->nlevels)
			sim_last_miss(core, w->normalised[0], w->normalised[w->n - 1], w->cell,
				w->store, shift);
	}
}

static void walk_wanted(struct walk *w)
{
	w->demand = false;
	w->n = 1;
	for (uint32_t i = 0; i < w->nwanted; i++) {
		uint32_t level = w->wanted[i].level;
		const struct sim_cache *c = w->core->level[level];
		size_t base;
		const uint64_t *set = set_at(c, w->wanted[i].line, &base);

		if (way_of(c, set, w->wanted[i].line) != c->assoc)
			continue;
		w->cell->prefetched[level]++;
		w->start = level;
		w->at[0] = w->wanted[i].line << c->shift;
		walk(w);
	}
}

/* --- accesses --------------------------------------------------------------------------------- */

/* Simulates the TLBs; tags are page numbers + 1, since 0 is an empty way. */
static void translate(struct sim_core *core, uint64_t first, uint64_t last, struct sim_cell *cell,
	uint32_t store)
{
	for (uint32_t i = 0; i < core->ntlbs; i++) {
		struct sim_cache *t = core->tlb[i];
		uint64_t a = (first >> t->shift) + 1, b = (last >> t->shift) + 1;
		uint32_t missed = lru_line(t, true, a);

		if (a != b)
			missed += lru_line(t, true, b);
		if (!missed)
			return;
		cell->tlb_miss[i][store]++;
	}
}

static void store_done(struct sim_core *core, uint64_t address, uint64_t owner)
{
	for (uint32_t i = 0; i < core->nlevels; i++)
		if (make_dirty(core, i, address, owner))
			return;
}

void sim_first(struct sim_core *core, uint64_t first, uint64_t last, struct sim_cell *cell,
	uint32_t store)
{
	struct sim_cache *c = core->level[0];
	struct walk w;
	uint64_t line;

	translate(core, first, last, cell, store);
	w.normalised[0] = first;
	w.normalised[1] = last;
	if (core->sim->frames) {
		first = frames_address(first, core->sim->page);
		last = frames_address(last, core->sim->page);
	}
	line = first >> c->shift;
	if (line == last >> c->shift) {         /* fast path for hits in the first level */
		size_t base;
		uint64_t *set = set_at(c, line, &base);
		uint32_t way = (set[0] & ~(uint64_t)DIRTY) == (line << FLAGS | VALID) ? 0
			: way_of(c, set, line);

		if (way < c->assoc && !(set[way] & AHEAD)) {
			way = way_used(c, set, base, way);
			if (store && c->owner) {
				set[way] |= DIRTY;
				c->owner[base + way] = cell->key;
			}
			return;
		}
	}
	w.core = core;
	w.cell = cell;
	w.at[0] = first;
	w.at[1] = last;
	w.n = line == last >> c->shift ? 1 : 2;
	w.store = store;
	w.start = w.nwanted = 0;
	w.demand = true;
	walk(&w);
	if (store && c->owner)
		for (uint32_t i = 0; i < w.n; i++)
			store_done(core, w.at[i], cell->key);
	if (w.nwanted)
		walk_wanted(&w);
}

/* --- set-up ----------------------------------------------------------------------------------- */

bool hier_needed(const struct machine_flat *m)
{
	return !machine_is_plain(m);
}

static bool level_ok(const struct machine_flat *m, uint32_t i)
{
	const struct machine_level *l = &m->level[i];

	if (l->replacement > MACHINE_RANDOM || l->inclusion > MACHINE_EXCLUSIVE ||
	    l->prefetch > MACHINE_STRIDE || l->degree > 16)
		return false;
	if (l->replacement == MACHINE_PLRU && (l->assoc > 64 || (l->assoc & (l->assoc - 1))))
		return false;
	if (i == 0)
		return l->inclusion == MACHINE_INDEPENDENT;
	if (l->inclusion == MACHINE_EXCLUSIVE && (l->prefetch || l->line != l[-1].line))
		return false;
	return l->line >= l[-1].line &&
		(l->shared == MACHINE_SHARED_ALL || (l[-1].cpus && l->cpus % l[-1].cpus == 0));
}

bool hier_machine_ok(const struct machine_flat *m)
{
	if (m->ntlbs > MACHINE_TLBS || m->write > MACHINE_WRITE_BACK)
		return false;
	for (uint32_t i = 0; i < m->ntlbs; i++) {
		const struct machine_tlb *t = &m->tlb[i];

		if (!t->ways || t->ways > 1024 || !t->entries || t->entries > 1 << 20 ||
		    t->entries % t->ways || t->page < 4096 || (t->page & (t->page - 1)))
			return false;
	}
	for (uint32_t i = 0; hier_needed(m) && i < m->nlevels; i++)
		if (!level_ok(m, i))
			return false;
	return true;
}

bool hier_cache_make(struct sim *s, struct sim_cache *c, const struct machine_level *l)
{
	size_t tags = (size_t)l->sets << c->stride;

	c->replacement = l->replacement;
	c->inclusion = l->inclusion;
	c->prefetch = l->prefetch;
	c->degree = l->degree;
	if (l->replacement == MACHINE_PLRU && !(c->tree = s->env->get(l->sets * sizeof *c->tree)))
		return false;
	if (l->prefetch == MACHINE_STRIDE &&
	    !(c->streams = s->env->get(SECTION * sizeof *c->streams)))
		return false;
	return s->machine.write == MACHINE_WRITE_UNTRACKED ||
		(c->owner = s->env->get(tags * sizeof *c->owner)) != NULL;
}

static struct sim_cache *tlb_make(struct sim *s, const struct machine_tlb *t)
{
	struct machine_level l = { .line = t->page, .assoc = t->ways,
		.sets = t->entries / t->ways };

	return sim_cache_make(s, &l);
}

bool hier_core_attach(struct sim_core *core, struct sim *s, uint32_t cpu)
{
	for (uint32_t i = 0; i < s->machine.ntlbs; i++) {
		if (!s->tlb[i][cpu])
			s->tlb[i][cpu] = tlb_make(s, &s->machine.tlb[i]);
		if (!s->tlb[i][cpu])
			return false;
		core->tlb[i] = s->tlb[i][cpu];
	}
	core->ntlbs = s->machine.ntlbs;
	return true;
}

bool hier_has(const struct sim_cache *c, uint64_t line)
{
	size_t base;

	return way_of(c, set_at(c, line, &base), line) != c->assoc;
}

bool hier_drop(struct sim_cache *c, uint64_t line)
{
	size_t base;
	uint64_t *set = set_at(c, line, &base);
	uint32_t way = way_of(c, set, line);

	if (way == c->assoc)
		return false;
	way_remove(c, set, base, way);
	return true;
}
