/* SPDX-License-Identifier: BSD-3-Clause */
/* The common case of a group's accesses in the nearest level.  Always inlined, once for each
 * variant of that level (struct level1).  Private to the simulator. */
#ifndef PSC_SIMULATE_FIRST_LEVEL_H
#define PSC_SIMULATE_FIRST_LEVEL_H

#include "simulate/access/play.h"
#include "simulate/coherence/share.h"

LRU_INLINE void one(struct work *w, const struct level1 *k, const uint32_t *d, uint64_t address)
{
	const uint32_t bits = *d & ~PSC_GROUP_FLAGS, shift = k->cache.shift, line = 1u << shift,
		size = PSC_ACCESS_SIZE(bits);
	const struct sim_page *p = &w->v->page[page_slot(address, w->context)];
	uint64_t first;

	if (unlikely(p->key != SIM_PAGE_KEY(address, w->context))) {
		if (address < NOWHERE)
			return;
		p = play_part(w, address);
		if (unlikely(!p))
			return;
	}
	first = address + p->delta;
	if (unlikely(((uint32_t)first & (line - 1)) + size > line) &&
	    !(k->sampled && sample_none(w->sample, first, size) && address % 4096 + size <= 4096 &&
	      p->key == SIM_PAGE_KEY(address, w->context))) {
		w->core->group = group_number(d);
		play_straddle(w, address, size, bits & 1);
		return;
	}
	p->cell->recent[bits & 1] += SIM_ONE + size;
	if (k->told && !share_free(w->core->sharing, shift, first, 1, bits & 1, p->cell,
	    w->core->sharing->turn)) {
		w->core->group = group_number(d);
		share_tell(w->core->sharing, address, first, first + size - 1, bits & 1, p->cell);
	}
	if (k->sampled && !sample_has(w->sample, first))
		return;
	if (lru_line(&k->cache, k->wide, first >> shift))
		play_miss(w->core, first, size, p->cell, bits & 1, group_number(d));
}

LRU_INLINE void many_count(struct sim_cell *cell, const uint32_t *d)
{
	cell->recent[0] += (uint64_t)PSC_MANY_COUNT(d[1]) * SIM_ONE + PSC_MANY_BYTES(d[1]);
	cell->recent[1] += (uint64_t)PSC_MANY_COUNT(d[2]) * SIM_ONE + PSC_MANY_BYTES(d[2]);
}

/* A group of several members.  In one line and one place it is one lookup, counted for the first
 * member. */
LRU_INLINE void many(struct work *w, const struct level1 *k, const uint32_t *d, uint64_t address)
{
	const uint32_t shift = k->cache.shift, line = 1u << shift, span = PSC_MANY_SPAN(*d);
	const struct sim_page *p = &w->v->page[page_slot(address, w->context)];
	uint64_t first, rest = 4096 - address % 4096;

	if (unlikely(p->key != SIM_PAGE_KEY(address, w->context))) {
		uint64_t before;

		if (address < NOWHERE)
			return;
		p = play_place(w, address, &before, &rest);
		if (unlikely(!p)) {
			play_group(w, d, address);
			return;
		}
	}
	first = address + p->delta;
	if (k->told && span <= rest && !share_free(w->core->sharing, shift, first, span, d[2] != 0,
	    p->cell, w->core->sharing->turn))
		play_mark(w, d, address, first, p->cell);
	if (((uint32_t)first & (line - 1)) + span > line || unlikely(span > rest)) {
		if (span <= rest ? play_planned(w, k, d, first, p->cell) :
		    play_split(w, d, address, rest, p))
			many_count(p->cell, d);
		else
			play_group(w, d, address);
		return;
	}
	many_count(p->cell, d);
	if (k->sampled && !sample_has(w->sample, first))
		return;
	if (lru_line(&k->cache, k->wide, first >> shift))
		play_miss(w->core, first + PSC_MEMBER_OFFSET(d[3]), PSC_MEMBER_SIZE(d[3]), p->cell,
			d[3] & 1, group_number(d));
}

/* Simulates one group; returns the next group. */
LRU_INLINE const uint32_t *group(struct work *w, const struct level1 *k, const uint32_t *d,
	uint64_t address)
{
	uint32_t bits = *d;

	if (unlikely(k->each))
		play_group(w, d, address);
	else if (bits & PSC_GROUP_MANY)
		many(w, k, d, address);
	else if (unlikely(bits & 2))
		play_group(w, d, address);
	else
		one(w, k, d, address);
	return group_next(d);
}

#endif
