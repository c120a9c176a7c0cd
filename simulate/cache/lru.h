/* SPDX-License-Identifier: BSD-3-Clause */
/* One lookup in one LRU cache: the innermost loop of the simulator.  Private to cache/ and to the
 * includers of access/play.h. */
#ifndef PSC_SIMULATE_LRU_H
#define PSC_SIMULATE_LRU_H

#include <string.h>
#include "simulate/cache/lru_set.h"
#include "simulate/cache/sim.h"

/* The read-only geometry, copied so that the compiler keeps it in registers. */
LRU_INLINE struct sim_cache lru_geometry(const struct sim_cache *c)
{
	return (struct sim_cache){ .tags = c->tags, .shift = c->shift, .assoc = c->assoc,
		.sets = c->sets, .stride = c->stride, .mask = c->mask, .magic = c->magic,
		.frames = c->frames, .page = c->page };
}

/* Is it the commonest first level: 8 ways, lines of 64 bytes? */
LRU_INLINE bool lru_is_common(const struct sim_cache *l1)
{
	return l1->assoc == 8 && l1->shift == 6 && l1->mask;
}

/* Its geometry, with constants that the compiler knows. */
LRU_INLINE struct sim_cache lru_common(const struct sim_cache *c)
{
	struct sim_cache l1 = lru_geometry(c);

	l1.assoc = 8;
	l1.stride = 3;
	l1.shift = 6;
	if (!l1.mask)
		__builtin_unreachable();
	return l1;
}

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

/* Searches a set and moves the tag to its front.  1: a miss; the last way is evicted.  The most
 * recent way is tested first, by a branch, so that repeated accesses to a line do not wait for
 * their own stores. */
LRU_INLINE uint32_t lru_scan64(uint64_t *set, uint32_t assoc, uint64_t tag)
{
	uint64_t carry = set[0];

	if (carry == tag)
		return 0;
	set[0] = tag;
	for (uint32_t way = 1; way < assoc; way++) {
		uint64_t here = set[way];

		set[way] = carry;
		if (here == tag)
			return 0;
		carry = here;
	}
	return 1;
}

/* Finds a tag's way without changing the set; assoc: not present.  Used for invalidations, which
 * mostly find the line evicted already. */
LRU_INLINE uint32_t lru_way32(const uint32_t *set, uint32_t assoc, uint32_t tag)
{
	uint32_t way = 0;

#ifdef __SSE2__
	for (; way + 4 <= assoc; way += 4) {
		uint32_t found =
			lru_equal(_mm_loadu_si128((const __m128i *)(const void *)(set + way)),
			_mm_set1_epi32((int)tag));

		if (found)
			return way + (uint32_t)__builtin_ctz(found);
	}
#endif
	while (way < assoc && set[way] != tag)
		way++;
	return way;
}

/* Looks up a line and makes it the most recent of its set; 1: a miss. */
LRU_INLINE uint32_t lru_line(const struct sim_cache *c, bool wide, uint64_t line)
{
	if (wide)
		return lru_scan64((uint64_t *)c->tags + ((size_t)lru_set64(c, line) << c->stride),
			c->assoc, line);
	return lru_find32((uint32_t *)c->tags + ((size_t)lru_set32(c, (uint32_t)line) << c->stride),
		c->assoc, (uint32_t)line);
}

/* Looks up an access' lines; returns the number of misses: 0, 1 or 2. */
LRU_INLINE uint32_t lru_access(const struct sim_cache *c, bool wide, uint64_t first, uint64_t last)
{
	uint64_t a = first >> c->shift, b = last >> c->shift;
	uint32_t fetched = lru_line(c, wide, a);

	if (a != b)
		fetched += lru_line(c, wide, b);
	return fetched;
}

#endif
