/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates single accesses, groups and ranges: from the program's address to the nearest cache
 * level. Private to the simulator. */
#ifndef PSC_SIMULATE_PLAY_H
#define PSC_SIMULATE_PLAY_H

#include "simulate/cache/lru.h"
#include "simulate/access/thread.h"
#include "base/abi.h"

enum { NOWHERE = 4096 };        /* a lower address means that the access did not happen */

/* State of a batch for the slow paths; loops over records keep copies in registers. */
struct work {
	struct sim_thread *v;
	struct sim_core *core;
	const struct sim_cache *l1;
	const struct sample *sample;
	/* Called before each lookup while line_events.c has touches pending; else NULL. */
	void (*before_lookup)(struct work *w, uint64_t line);
	uint32_t context;
	uint32_t most;          /* longest access that touches at most two lines, at any level */
	uint16_t work;          /* number of the cell of the context's core work; CORE_WORK_NONE */
	bool counting, wide;
	bool worked;            /* core work is counted */
	uint32_t facts;         /* enum sim_facts that hold for all records */
	uint64_t from, copied;  /* the load half of a copy, until its store half follows */
	bool read;              /* reread_next(): a library may have read what was stored before
				 * the record */
};

/* How the nearest level is simulated.  Fields are constants where the struct is made, so the
 * compiler generates separate code for each variant. */
struct level1 {
	struct sim_cache cache; /* its geometry, in registers */
	bool wide;
	bool sampled;           /* only some sets are simulated */
	bool told;              /* accesses are reported to the directory */
	bool each;              /* groups are simulated member by member */
};
LRU_INLINE struct level1 level1_of(const struct work *w)
{
	return (struct level1){ .cache = lru_geometry(w->l1), .wide = w->wide };
}
/* The commonest level: lru_is_common(), not wide. */
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

/* Translates an address that misses the table of whole pages.  NULL (here and below): skip the
 * access; this happens only in variants. */
const struct sim_page *play_part(struct work *w, uint64_t address);
/* Translates any address; *before, *rest: bytes of its place below the address, and from it on. */
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

/* Unpacked descriptors lie in the first half of an array; in the second, as far behind each group,
 * is its number (sim_group()). */
enum { DESCRIPTOR_WORDS = 1 << 20 };
LRU_INLINE uint32_t group_number(const uint32_t *group)
{
	return group[DESCRIPTOR_WORDS];
}

/* Simulates one access; its group and that of the next three is core->group. */
void play_access(struct work *w, uint64_t address, uint32_t size, uint32_t store);
/* Simulates an access that crosses a line boundary. */
void play_straddle(struct work *w, uint64_t address, uint32_t size, uint32_t store);
/* Simulates a range; for a copy, keeps the load half and simulates both with the store half. */
void play_block(struct work *w, uint32_t bits, uint64_t address, uint64_t length);
/* Simulates the accesses that a group describes, in any places; it may be
 * no group of a descriptor. */
void play_members(struct work *w, const uint32_t *group, uint64_t address);
/* The same for a group of a descriptor. */
void play_group(struct work *w, const uint32_t *group, uint64_t address);
/* Counts and queues a miss of the nearest level.  group: its number. */
void play_miss(struct sim_core *core, uint64_t first, uint32_t size, struct sim_cell *cell,
	uint32_t store, uint32_t group);

/* Looks up a line; 1: it is sampled and missed. */
static inline uint32_t play_look(struct work *w, uint64_t line)
{
	if (!sample_has(w->sample, line << w->l1->shift))
		return 0;
	if (w->before_lookup)
		w->before_lookup(w, line);
	return lru_line(w->l1, w->wide, line);
}

/* Simulates one access within a line, in a first level of any kind. */
static inline void play_first(struct work *w, uint64_t first, uint32_t size, struct sim_cell *cell,
	uint32_t store)
{
	if (w->core->generic)
		sim_first(w->core, first, first + size - 1, cell, store);
	else if (play_look(w, first >> w->l1->shift))
		play_miss(w->core, first, size, cell, store, w->core->group);
}

/* The cell for the directory.  In the warm-up it is cell 0: a generic core has real cells even
 * then. */
static inline struct sim_cell *play_counted(const struct work *w, struct sim_cell *cell)
{
	return w->counting ? cell : w->core->cells;
}

/* A *plan* lists the lookups of a group at a given offset into a line: for each line, in the order
 * of first touch, the member that touches it first.  Adjacent lines lie in different sets, so a
 * line's further touches within the group are hits that change nothing. */
#define PLAN_ENTRY(offset, size, store, second) \
	((offset) << 16 | (size) << 2 | (second) << 1 | (store))
enum { PLAN_MAX = 2 * PSC_GROUP_MAX, PLANS = 1024, PLAN_ENTRIES = 16384 };
struct lookup_plan {
	uint64_t key;           /* group << 12 | offset into the line; 0: none */
	uint32_t at, n;         /* entries; PLAN_ENTRY's `second`: the access crosses into a line */
	uint32_t mask, lines;   /* share_mask()s of each line, read and written */
};
struct plans {
	struct lookup_plan plan[PLANS];
	uint32_t entry[PLAN_ENTRIES];
	uint64_t mask[PLAN_ENTRIES][2];
	uint32_t used, masked;
};
#define PLAN_KEY(group, offset) ((uint64_t)(uintptr_t)(group) << 12 | (offset))
LRU_INLINE uint32_t plan_slot(uint64_t key)
{
	return (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 54);
}
/* Computes the entries of a group at an offset into a line; returns their number, at most
 * PLAN_MAX. */
uint32_t play_plan_entries(const uint32_t *group, uint32_t offset, uint32_t shift, uint32_t *out);
/* Makes a plan; NULL: no memory, or the group spans nearly as many lines as the level has sets. */
const struct lookup_plan *play_plan(struct work *w, const uint32_t *group, uint32_t offset);
LRU_INLINE const struct lookup_plan *plan_of(struct work *w, const uint32_t *group, uint32_t offset)
{
	const uint64_t key = PLAN_KEY(group, offset);
	const struct lookup_plan *plan = w->v->plans ? &w->v->plans->plan[plan_slot(key)] : NULL;

	return plan && plan->key == key ? plan : play_plan(w, group, offset);
}
/* Simulates those parts of plan entries whose lines are in the sample. */
void play_sampled(struct work *w, const uint32_t *entry, uint32_t n, uint64_t first,
	struct sim_cell *cell, uint32_t group);
void play_plans_forget(struct sim_thread *v);
/* Reports the lines of a group in one place to the directory, whose lines have the length of the
 * nearest level's. */
void play_mark(struct work *w, const uint32_t *group, uint64_t address, uint64_t first,
	struct sim_cell *cell);

/* Simulates one plan entry, or one access, at a normalised address.  number: of its group, read
 * where it misses. */
LRU_INLINE void play_entry(struct work *w, const struct level1 *k, uint64_t at, uint32_t entry,
	struct sim_cell *cell, const uint32_t *number)
{
	uint64_t line = at >> k->cache.shift;
	uint32_t missed = lru_line(&k->cache, k->wide, line);

	if (unlikely(entry & 2)) {
		uint32_t second = lru_line(&k->cache, k->wide, line + 1);

		cell->fetched[0] += missed & second;
		missed |= second;
	}
	if (missed)
		play_miss(w->core, at, PSC_MEMBER_SIZE(entry), cell, entry & 1, *number);
}

/* Simulates a group in several lines of one place; false: no plan, simulate it member by member. */
LRU_INLINE bool play_planned(struct work *w, const struct level1 *k, const uint32_t *d,
	uint64_t first, struct sim_cell *cell)
{
	const struct lookup_plan *plan;
	const uint32_t *entry;

	if (k->sampled && sample_none(w->sample, first, PSC_MANY_SPAN(*d)))
		return true;
	plan = plan_of(w, d, (uint32_t)first & ((1u << k->cache.shift) - 1));
	if (unlikely(!plan))
		return false;
	entry = w->v->plans->entry + plan->at;
	if (k->sampled) {
		play_sampled(w, entry, plan->n, first, cell, group_number(d));
		return true;
	}
	for (const uint32_t *end = entry + plan->n; entry < end; entry++)
		play_entry(w, k, first + PSC_MEMBER_OFFSET(*entry), *entry, cell,
			d + DESCRIPTOR_WORDS);
	return true;
}

/* Simulates a group in two places, the first p, the second `rest` bytes from the address, as if in
 * one. false: they belong to different objects or an access lies in both; simulate it member by
 * member. */
bool play_split(struct work *w, const uint32_t *d, uint64_t address, uint64_t rest,
	const struct sim_page *p);

LRU_INLINE const uint32_t *group_next(const uint32_t *group)
{
	return group + (*group & PSC_GROUP_MANY ? 3 + PSC_MANY_N(*group) : 1);
}

/* One iteration of a group without ranges: bytes from the lowest address to the highest end; the
 * first access, encoded as a member; accesses by kind; the sum of their bytes. */
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
