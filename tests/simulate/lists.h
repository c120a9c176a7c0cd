/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference simulator of test_hierarchy: it uses lists, and follows the rules in
 * simulate/cache/hierarchy.h as plainly as possible. */
#ifndef TESTS_SIMULATE_LISTS_H
#define TESTS_SIMULATE_LISTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "simulate/cache/hierarchy.h"

enum { CPUS = 4, WAYS = 8, SETS = 16, STREAMS = 16 };

/* A line in a way.  Ways keep their position; age is the time of the last use (LRU). */
struct entry {
	bool valid, dirty, ahead;
	uint64_t line, age, owner;
};

struct tree {           /* a node of PLRU, made of pointers */
	struct tree *child[2];
	int older;
	uint32_t way;
};

struct cache {
	struct entry way[SETS][WAYS];
	struct tree *root[SETS];
	uint32_t random;
	struct { bool used; uint64_t chunk, last; int64_t stride; } stream[STREAMS];
	uint32_t next_stream;
};

struct counts {
	uint64_t miss[MACHINE_LEVELS][2], fetched[MACHINE_LEVELS];
	uint64_t writeback[MACHINE_LEVELS], prefetched[MACHINE_LEVELS], useful[MACHINE_LEVELS];
	uint64_t tlb_miss[MACHINE_TLBS][2];
};

enum { OWNERS = 8 };
static struct {
	const struct machine_flat *m;
	struct cache cache[MACHINE_LEVELS][CPUS];
	struct { uint64_t page[8]; } tlb[MACHINE_TLBS][CPUS][8];
	struct counts count[OWNERS];
	uint64_t clock;
} plain;

static const struct machine_level *level_of(uint32_t i)
{
	return &plain.m->level[i];
}

static uint32_t instance_of(uint32_t i, uint32_t cpu)
{
	const struct machine_level *l = level_of(i);

	return l->shared == MACHINE_SHARED_CPU ? cpu : l->shared == MACHINE_SHARED_ALL ? 0
		: cpu / l->cpus;
}

static struct tree *tree_make(uint32_t from, uint32_t n)
{
	struct tree *t = block_get(sizeof *t);

	t->way = from;
	if (n > 1) {
		t->child[0] = tree_make(from, n / 2);
		t->child[1] = tree_make(from + n / 2, n / 2);
	}
	return t;
}

static bool tree_touch(struct tree *t, uint32_t way)
{
	if (!t->child[0])
		return t->way == way;
	for (int side = 0; side < 2; side++)
		if (tree_touch(t->child[side], way)) {
			t->older = !side;
			return true;
		}
	return false;
}

static void touch(struct cache *c, uint32_t i, uint32_t set, uint32_t way)
{
	c->way[set][way].age = ++plain.clock;
	if (level_of(i)->replacement == MACHINE_PLRU) {
		if (!c->root[set])
			c->root[set] = tree_make(0, level_of(i)->assoc);
		tree_touch(c->root[set], way);
	}
}

static struct entry *find(uint32_t i, uint32_t instance, uint64_t line)
{
	const struct machine_level *l = level_of(i);
	struct entry *set = plain.cache[i][instance].way[line % l->sets];

	for (uint32_t w = 0; w < l->assoc; w++)
		if (set[w].valid && set[w].line == line)
			return &set[w];
	return NULL;
}

static uint32_t pick(struct cache *c, uint32_t i, uint32_t set)
{
	uint32_t best = 0, ways = level_of(i)->assoc;

	for (uint32_t w = 0; w < ways; w++)
		if (!c->way[set][w].valid)
			return w;
	if (level_of(i)->replacement == MACHINE_RANDOM)
		return hier_random(&c->random) % ways;
	if (level_of(i)->replacement == MACHINE_PLRU) {
		const struct tree *t = c->root[set];

		while (t->child[0])
			t = t->child[t->older];
		return t->way;
	}
	for (uint32_t w = 1; w < ways; w++)
		if (c->way[set][w].age < c->way[set][best].age)
			best = w;
	return best;
}

struct gone {
	uint64_t address, owner;
	bool dirty;
};
struct way_out {                /* of one access or prefetch */
	uint32_t cpu, start;
	bool demand;
	uint64_t who;
	uint32_t ngone;
	struct gone gone[64];
};
static struct { uint32_t level; uint64_t line; } wish[256];
static uint32_t nwishes;

static void push(struct way_out *o, uint64_t address, uint64_t owner, bool dirty)
{
	o->gone[o->ngone++] = (struct gone){ address, owner, dirty };
}

static void put(struct way_out *o, uint32_t i, uint64_t line, bool dirty, bool ahead, uint64_t owner)
{
	const struct machine_level *l = level_of(i);
	uint32_t instance = instance_of(i, o->cpu), set = (uint32_t)(line % l->sets), way;
	struct cache *c = &plain.cache[i][instance];
	struct entry old;

	way = pick(c, i, set);
	old = c->way[set][way];
	c->way[set][way] = (struct entry){ true, dirty, ahead, line, 0, owner };
	touch(c, i, set, way);
	if (!old.valid)
		return;
	if (l->inclusion == MACHINE_INCLUSIVE)
		for (uint32_t near = i; near-- > 0; )
			for (uint32_t n = 0; n < CPUS; n++)
				for (uint64_t a = 0; a < l->line; a += level_of(near)->line) {
					struct entry *e;
					uint32_t cpu;

					/* Is instance n of that level below this one? */
					for (cpu = 0; cpu < plain.m->ncpus; cpu++)
						if (instance_of(near, cpu) == n &&
						    instance_of(i, cpu) == instance)
							break;
					if (cpu == plain.m->ncpus)
						continue;
					e = find(near, n, (old.line * l->line + a) /
						level_of(near)->line);
					if (!e)
						continue;
					if (e->dirty) {
						old.dirty = true;
						old.owner = e->owner;
						plain.count[e->owner].writeback[near]++;
					}
					e->valid = false;
				}
	if (old.dirty)
		plain.count[old.owner].writeback[i]++;
	if (i + 1 < plain.m->nlevels &&
	    (old.dirty || level_of(i + 1)->inclusion == MACHINE_EXCLUSIVE))
		push(o, old.line * l->line, old.owner, old.dirty);
}

static void wish_for(uint32_t i, uint64_t line, uint64_t next)
{
	if (line * level_of(i)->line / 4096 == next * level_of(i)->line / 4096) {
		wish[nwishes].level = i;
		wish[nwishes++].line = next;
	}
}

static void prefetcher(uint32_t i, uint32_t instance, uint64_t line)
{
	struct cache *c = &plain.cache[i][instance];
	uint64_t chunk = line * level_of(i)->line / 4096;
	int64_t step;

	if (level_of(i)->prefetch == MACHINE_NEXT_LINE)
		for (uint32_t k = 1; k <= level_of(i)->degree; k++)
			wish_for(i, line, line + k);
	if (level_of(i)->prefetch != MACHINE_STRIDE)
		return;
	for (int s = 0; s < STREAMS; s++) {
		if (!c->stream[s].used || c->stream[s].chunk != chunk)
			continue;
		step = (int64_t)line - (int64_t)c->stream[s].last;
		if (step == 0)
			return;
		if (step == c->stream[s].stride)
			for (uint32_t k = 1; k <= level_of(i)->degree; k++)
				wish_for(i, line, line + (uint64_t)step * k);
		c->stream[s].stride = step;
		c->stream[s].last = line;
		return;
	}
	c->stream[c->next_stream].used = true;
	c->stream[c->next_stream].chunk = chunk;
	c->stream[c->next_stream].last = line;
	c->stream[c->next_stream].stride = 0;
	c->next_stream = (c->next_stream + 1) % STREAMS;
}

static bool soil(uint32_t i, uint32_t cpu, uint64_t address, uint64_t owner)
{
	struct entry *e = find(i, instance_of(i, cpu), address / level_of(i)->line);

	if (!e)
		return false;
	e->dirty = true;
	e->owner = owner;
	return true;
}

static uint32_t look_up(struct way_out *o, uint32_t i, uint64_t address)
{
	const struct machine_level *l = level_of(i);
	uint32_t instance = instance_of(i, o->cpu);
	uint64_t line = address / l->line;
	struct entry *e = find(i, instance, line);

	if (!e && l->inclusion == MACHINE_EXCLUSIVE)
		for (uint32_t cpu = 0; cpu < plain.m->ncpus; cpu++)
			for (uint32_t near = 0; near < i; near++)
				if (instance_of(i, cpu) == instance &&
				    instance_of(near, cpu) != instance_of(near, o->cpu) &&
				    find(near, instance_of(near, cpu), address / level_of(near)->line))
					return 0;
	if (!e) {
		if (l->inclusion != MACHINE_EXCLUSIVE)
			put(o, i, line, false, !o->demand && i == o->start, 0);
		if (o->demand)
			prefetcher(i, instance, line);
		return 1;
	}
	if (l->inclusion == MACHINE_EXCLUSIVE) {
		uint32_t near;

		e->valid = false;
		if (!e->dirty)
			return 0;
		for (near = i; near > o->start; near--)
			if (soil(near - 1, o->cpu, address, e->owner))
				return 0;
		plain.count[e->owner].writeback[i]++;
		if (i + 1 < plain.m->nlevels)
			push(o, address, e->owner, true);
		return 0;
	}
	touch(&plain.cache[i][instance], i, (uint32_t)(line % l->sets),
		(uint32_t)(e - plain.cache[i][instance].way[line % l->sets]));
	if (o->demand && e->ahead) {
		e->ahead = false;
		plain.count[o->who].useful[i]++;
		prefetcher(i, instance, line);
	}
	return 0;
}

static void hand_over(struct way_out *o, uint32_t i, const struct gone *g)
{
	const struct machine_level *l = level_of(i);
	uint32_t instance = instance_of(i, o->cpu);
	struct entry *e = find(i, instance, g->address / l->line);

	if (l->inclusion == MACHINE_EXCLUSIVE) {
		if (!e) {
			put(o, i, g->address / l->line, g->dirty, false, g->owner);
			return;
		}
		touch(&plain.cache[i][instance], i, (uint32_t)(e->line % l->sets),
			(uint32_t)(e - plain.cache[i][instance].way[e->line % l->sets]));
	}
	if (g->dirty && !soil(i, o->cpu, g->address, g->owner)) {
		plain.count[g->owner].writeback[i]++;
		if (i + 1 < plain.m->nlevels)
			push(o, g->address, g->owner, true);
	}
}

static void outwards(struct way_out *o, uint64_t first, uint64_t last, int store)
{
	bool on = true;

	o->ngone = 0;
	for (uint32_t i = o->start; i < plain.m->nlevels; i++) {
		struct gone before[64];
		uint32_t nbefore = o->ngone, missing = 0, line = level_of(i)->line;

		memcpy(before, o->gone, sizeof before);
		o->ngone = 0;
		if (on) {
			missing = look_up(o, i, first);
			if (first / line != last / line)
				missing += look_up(o, i, last);
			if (missing && o->demand) {
				plain.count[o->who].miss[i][store]++;
				plain.count[o->who].fetched[i] += missing;
			}
		}
		for (uint32_t k = 0; k < nbefore; k++)
			hand_over(o, i, &before[k]);
		on = on && missing;
	}
}

/* Pages, the most recent first. */
static uint32_t tlb_look(uint32_t t, uint32_t cpu, uint64_t page)
{
	const struct machine_tlb *m = &plain.m->tlb[t];
	uint64_t *list = plain.tlb[t][cpu][(page + 1) % (m->entries / m->ways)].page;
	uint32_t way = 0;
	bool missing;

	while (way < m->ways - 1 && list[way] != page + 1)
		way++;
	missing = list[way] != page + 1;
	memmove(list + 1, list, way * sizeof *list);
	list[0] = page + 1;
	return missing;
}

static void plain_access(uint32_t cpu, uint64_t who, uint64_t first, uint64_t last, int store)
{
	struct way_out o = { .cpu = cpu, .demand = true, .who = who };
	uint32_t missing = 1;

	for (uint32_t t = 0; t < plain.m->ntlbs && missing; t++) {
		uint32_t page = plain.m->tlb[t].page;

		missing = tlb_look(t, cpu, first / page);
		if (first / page != last / page)
			missing += tlb_look(t, cpu, last / page);
		if (missing)
			plain.count[who].tlb_miss[t][store]++;
	}
	nwishes = 0;
	outwards(&o, first, last, store);
	for (int side = 0; side < 2 && store && plain.m->write; side++) {
		uint32_t i = 0;

		if (side && first / level_of(0)->line == last / level_of(0)->line)
			break;
		while (i < plain.m->nlevels && !soil(i, cpu, side ? last : first, who))
			i++;
	}
	o.demand = false;
	for (uint32_t k = 0; k < nwishes; k++) {
		o.start = wish[k].level;
		if (find(o.start, instance_of(o.start, cpu), wish[k].line))
			continue;
		plain.count[who].prefetched[o.start]++;
		outwards(&o, wish[k].line * level_of(o.start)->line,
			wish[k].line * level_of(o.start)->line, 0);
	}
}

#endif
