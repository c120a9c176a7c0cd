/* SPDX-License-Identifier: BSD-3-Clause */
/* From an address to the nearest cache level: single accesses, groups and ranges.  Private to the simulator. */
#ifndef PSC_SIMULATE_PLAY_H
#define PSC_SIMULATE_PLAY_H

#include "simulate/cache/lru.h"
#include "simulate/access/thread.h"
#include "base/abi.h"

enum { NOWHERE = 4096 };        /* addresses below are none: the access did not take place */

/* State of a batch for the slow paths; loops over records keep copies in registers. */
struct work {
	struct sim_thread *v;
	struct sim_core *core;
	const struct sim_cache *l1;
	const struct sample *sample;
	/* Before each lookup, while a loop is played whose groups' touches have not all been; NULL. */
	void (*before_lookup)(struct work *w, uint64_t line);
	uint32_t context;
	uint32_t most;          /* bytes of an access that touches two lines at most, at any level */
	bool counting, wide;
	uint32_t facts;         /* enum sim_facts, of all records */
	uint64_t from, copied;  /* the read half of a copy, until the other is known */
};

/* How the nearest level is played.  What is known of it where it is made is known when the code is, so that
 * there is code for each way. */
struct level1 {
	struct sim_cache cache; /* its shape, for registers */
	bool wide;
	bool sampled;           /* only some sets are simulated */
	bool told;              /* the directory hears of each access */
	bool each;              /* groups are played member by member */
};
LRU_INLINE struct level1 level1_of(const struct work *w)
{
	return (struct level1){ .cache = lru_geometry(w->l1), .wide = w->wide };
}
/* The commonest shape: lru_is_common(), not wide. */
LRU_INLINE struct level1 level1_common(const struct work *w)
{
	return (struct level1){ .cache = lru_common(w->l1) };
}
LRU_INLINE bool level1_is_common(const struct work *w)
{
	return !w->wide && lru_is_common(w->l1);
}

LRU_INLINE uint32_t page_slot(uint64_t address, uint32_t context)
{
	return ((uint32_t)(address >> 12) + context * 17) % SIM_PAGES;
}

LRU_INLINE struct sim_part *part_slot(struct sim_thread *v, uint64_t address, uint32_t context)
{
	return &v->part[((uint32_t)(address >> 4) + context * 17) % SIM_PAGES];
}

/* Translates an address that misses the table of whole pages.  NULL, here and in the next: the
 * access is left out, which only happens in variants. */
const struct sim_page *play_part(struct work *w, uint64_t address);
/* Translates any address, and says how many bytes before and behind it (itself included) mean the same. */
const struct sim_page *play_place(struct work *w, uint64_t address, uint64_t *before,
	uint64_t *rest);
/* Forgets all translations. */
void play_places_forget(struct sim_thread *t);
/* Translates an address. */
LRU_INLINE const struct sim_page *play_find(struct work *w, uint64_t address)
{
	const struct sim_page *p = &w->v->page[page_slot(address, w->context)];

	return p->key == SIM_PAGE_KEY(address, w->context) ? p : play_part(w, address);
}

/* One plain access. */
void play_access(struct work *w, uint64_t address, uint32_t size, uint32_t store);
/* An access that leaves its line. */
void play_straddle(struct work *w, uint64_t address, uint32_t size, uint32_t store);
/* A range group; both halves of a copy when its second comes. */
void play_block(struct work *w, uint32_t bits, uint64_t address, uint64_t length);
/* The accesses of one group, wherever they lie. */
void play_group(struct work *w, const uint32_t *group, uint64_t address);
void play_miss(struct sim_core *core, uint64_t first, uint32_t size, struct sim_cell *cell,
	uint32_t store);

/* 1 when a line is simulated and was not there. */
static inline uint32_t play_look(struct work *w, uint64_t line)
{
	if (!sample_has(w->sample, line << w->l1->shift))
		return 0;
	if (w->before_lookup)
		w->before_lookup(w, line);
	return lru_line(w->l1, w->wide, line);
}

/* One access in one line, through a first level of whatever kind. */
static inline void play_first(struct work *w, uint64_t first, uint32_t size, struct sim_cell *cell,
	uint32_t store)
{
	if (w->core->generic)
		sim_first(w->core, first, first + size - 1, cell, store);
	else if (play_look(w, first >> w->l1->shift))
		play_miss(w->core, first, size, cell, store);
}

/* In the warm-up a cell may be known that is not counted. */
static inline struct sim_cell *play_counted(const struct work *w, struct sim_cell *cell)
{
	return w->counting ? cell : w->core->cells;
}

/* Which lines a group touches that begins so far into a line, in the order of first touch: one entry
 * each, the member that touches it first.  Adjacent lines lie in different sets, so a line's second
 * touch within a group is a hit that changes nothing. */
#define PLAN_ENTRY(offset, size, store, second) \
	((offset) << 16 | (size) << 2 | (second) << 1 | (store))
enum { PLAN_MAX = 2 * PSC_GROUP_MAX, PLANS = 1024, PLAN_ENTRIES = 16384 };
struct plan {
	uint64_t key;           /* group << 12 | offset into the line; 0: none */
	uint32_t at, n;         /* entries; second: with the line behind it, which is new as well */
	uint32_t mask, lines;   /* what is read and written of each line, as share_mask() has it */
};
struct plans {
	struct plan plan[PLANS];
	uint32_t entry[PLAN_ENTRIES];
	uint64_t mask[PLAN_ENTRIES][2];
	uint32_t used, masked;
};
#define PLAN_KEY(group, offset) ((uint64_t)(uintptr_t)(group) << 12 | (offset))
LRU_INLINE uint32_t plan_slot(uint64_t key)
{
	return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 54);
}
/* The entries of a group that begins so far into a line: at most PLAN_MAX. */
uint32_t play_plan_entries(const uint32_t *group, uint32_t offset, uint32_t shift, uint32_t *out);
/* NULL: none can be made. */
const struct plan *play_plan(struct work *w, const uint32_t *group, uint32_t offset);
LRU_INLINE const struct plan *plan_of(struct work *w, const uint32_t *group, uint32_t offset)
{
	const uint64_t key = PLAN_KEY(group, offset);
	const struct plan *plan = w->v->plans ? &w->v->plans->plan[plan_slot(key)] : NULL;

	return plan && plan->key == key ? plan : play_plan(w, group, offset);
}
/* Its entries, as far as their lines are simulated. */
void play_sampled(struct work *w, const uint32_t *entry, uint32_t n, uint64_t first,
	struct sim_cell *cell);
void play_plans_forget(struct sim_thread *v);
/* With several threads: a group in one place touches its lines.  The directory's lines are those of
 * the nearest level. */
void play_mark(struct work *w, const uint32_t *group, uint64_t address, uint64_t first,
	struct sim_cell *cell);

/* One entry of a plan, or one access, from a normalised address on. */
LRU_INLINE void play_entry(struct work *w, const struct level1 *k, uint64_t at, uint32_t entry,
	struct sim_cell *cell)
{
	uint64_t line = at >> k->cache.shift;
	uint32_t missed = lru_line(&k->cache, k->wide, line);

	if (unlikely(entry & 2)) {
		uint32_t second = lru_line(&k->cache, k->wide, line + 1);

		cell->fetched[0] += missed & second;
		missed |= second;
	}
	if (missed)
		play_miss(w->core, at, PSC_MEMBER_SIZE(entry), cell, entry & 1);
}

/* In several lines of one place; false: it must be played member by member. */
LRU_INLINE bool play_planned(struct work *w, const struct level1 *k, const uint32_t *d, uint64_t first,
	struct sim_cell *cell)
{
	const struct plan *plan;
	const uint32_t *entry;

	if (k->sampled && sample_none(w->sample, first, PSC_MANY_SPAN(*d)))
		return true;
	plan = plan_of(w, d, (uint32_t)first & ((1u << k->cache.shift) - 1));
	if (unlikely(!plan))
		return false;
	entry = w->v->plans->entry + plan->at;
	if (k->sampled) {
		play_sampled(w, entry, plan->n, first, cell);
		return true;
	}
	for (const uint32_t *end = entry + plan->n; entry < end; entry++)
		play_entry(w, k, first + PSC_MEMBER_OFFSET(*entry), *entry, cell);
	return true;
}

/* In two places, the second of which begins `rest` bytes behind the address: as one, if both belong to
 * one object and no access lies in both.  p is the first.  false: member by member. */
bool play_split(struct work *w, const uint32_t *d, uint64_t address, uint64_t rest,
	const struct sim_page *p);

LRU_INLINE const uint32_t *group_next(const uint32_t *group)
{
	return group + (*group & PSC_GROUP_MANY ? 3 + PSC_MANY_N(*group) : 1);
}

/* One iteration of a group of plain accesses: its bytes from the lowest address to the end of
 * the last, its first access (as a member is encoded), accesses by kind and their bytes. */
struct group_sum {
	uint32_t span, first, n[2], bytes;
};
LRU_INLINE struct group_sum group_sum(const uint32_t *d)
{
	struct group_sum s = { 0 };

	if (*d & PSC_GROUP_MANY) {
		s.span = PSC_MANY_SPAN(*d);
		s.first = d[3];
		s.n[0] = PSC_MANY_COUNT(d[1]);
		s.n[1] = PSC_MANY_COUNT(d[2]);
		s.bytes = PSC_MANY_BYTES(d[1]) + PSC_MANY_BYTES(d[2]);
	} else {
		s.span = s.bytes = PSC_ACCESS_SIZE(*d);
		s.first = *d & ~PSC_GROUP_FLAGS;
		s.n[*d & 1] = 1;
	}
	return s;
}
#endif
