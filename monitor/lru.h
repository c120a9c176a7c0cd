/* SPDX-License-Identifier: BSD-3-Clause */
/* One lookup in one cache: the inner loop of everything.  Private to sim.c and consume.c. */
#ifndef PSC_MONITOR_LRU_H
#define PSC_MONITOR_LRU_H

#include <string.h>
#include "monitor/sim.h"

#define LRU_INLINE static inline __attribute__((always_inline))

LRU_INLINE uint32_t lru_set32(const struct sim_cache *c, uint32_t line)
{
	if (c->mask)
		return line & c->mask;
	/* Lemire's remainder: exact for 32-bit operands. */
	return (uint32_t)(((unsigned __int128)(c->magic * line) * c->sets) >> 64);
}

LRU_INLINE uint32_t lru_set64(const struct sim_cache *c, uint64_t line)
{
	return c->mask ? (uint32_t)(line & c->mask) : (uint32_t)(line % c->sets);
}

/* Searches a set and moves the tag to its front, in one pass that shifts as it goes.
 * Returns whether the tag was missing; then the last way has gone. */
#define LRU_SCAN(type, set, assoc, tag) \
	type carry = set[0]; \
	if (carry == tag) \
		return 0; \
	set[0] = tag; \
	for (uint32_t way = 1; way < assoc; way++) { \
		type here = set[way]; \
		set[way] = carry; \
		if (here == tag) \
			return 0; \
		carry = here; \
	} \
	return 1

LRU_INLINE uint32_t lru_scan32(uint32_t *set, uint32_t assoc, uint32_t tag)
{
	LRU_SCAN(uint32_t, set, assoc, tag);
}

LRU_INLINE uint32_t lru_scan64(uint64_t *set, uint32_t assoc, uint64_t tag)
{
	LRU_SCAN(uint64_t, set, assoc, tag);
}

/* 1 when the line was not there. */
LRU_INLINE uint32_t lru_line(const struct sim_cache *c, bool wide, uint64_t line)
{
	if (wide)
		return lru_scan64((uint64_t *)c->tags + (size_t)lru_set64(c, line) * c->assoc,
			c->assoc, line);
	return lru_scan32((uint32_t *)c->tags + (size_t)lru_set32(c, (uint32_t)line) * c->assoc,
		c->assoc, (uint32_t)line);
}

/* Lines brought in by one access: 0, 1 or 2. */
LRU_INLINE uint32_t lru_access(const struct sim_cache *c, bool wide, uint64_t first, uint64_t last)
{
	uint64_t a = first >> c->shift, b = last >> c->shift;
	uint32_t fetched = lru_line(c, wide, a);

	if (a != b)
		fetched += lru_line(c, wide, b);
	return fetched;
}

#endif
