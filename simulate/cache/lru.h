/* SPDX-License-Identifier: BSD-3-Clause */
/* One lookup in one LRU cache: the innermost loop of the simulator.  Private to cache/ and to the
 * includers of access/play.h. */
#ifndef PSC_SIMULATE_LRU_H
#define PSC_SIMULATE_LRU_H

#include <string.h>
#include "simulate/cache/sim.h"

#define LRU_INLINE static inline __attribute__((always_inline))

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

LRU_INLINE uint32_t lru_scan32(uint32_t *set, uint32_t assoc, uint32_t tag)
{
	uint32_t carry = set[0];

	set[0] = tag;
	for (uint32_t way = 1; way < assoc; way++) {
		uint32_t here = set[way];

		set[way] = carry;
		if (here == tag)
			return 0;
		carry = here;
	}
	return 1;
}

#ifdef __SSE2__
#include <emmintrin.h>
extern const uint32_t lru_moves[2 * SIM_SIMD_WAYS];

/* `from` in the lanes where moves[lane] is all ones, `v` in the others. */
LRU_INLINE __m128i lru_blend(__m128i v, __m128i from, const uint32_t *moves)
{
	__m128i m = _mm_loadu_si128((const __m128i *)moves);

	return _mm_or_si128(_mm_and_si128(m, from), _mm_andnot_si128(m, v));
}

LRU_INLINE uint32_t lru_equal(__m128i v, __m128i tag)
{
	return (uint32_t)_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(v, tag)));
}

/* Five to eight ways at once, without a branch on the way found: it selects a mask of the ways to
 * move. */
LRU_INLINE uint32_t lru_simd(uint32_t *set, uint32_t assoc, uint32_t tag)
{
	__m128i *at = (__m128i *)set, a = at[0], b = at[1], t = _mm_set1_epi32((int)tag);
	uint32_t found = lru_equal(a, t) | lru_equal(b, t) << 4;
	const uint32_t *moves = lru_moves + SIM_SIMD_WAYS - 1 - __builtin_ctz(found | 1u << (assoc - 1));

	at[0] = lru_blend(a, _mm_or_si128(_mm_slli_si128(a, 4), _mm_cvtsi32_si128((int)tag)), moves);
	at[1] = lru_blend(b, _mm_or_si128(_mm_slli_si128(b, 4), _mm_srli_si128(a, 12)), moves + 4);
	return !found;
}

/* Nine to sixteen ways, four at a time until the tag is found. */
LRU_INLINE uint32_t lru_simd_far(uint32_t *set, uint32_t assoc, uint32_t tag)
{
	__m128i *at = (__m128i *)set, carry = _mm_cvtsi32_si128((int)tag), t = _mm_set1_epi32((int)tag);

	for (uint32_t way = 0; way < assoc; way += 4, at++) {
		__m128i v = *at, shifted = _mm_or_si128(_mm_slli_si128(v, 4), carry);
		uint32_t found = lru_equal(v, t);

		if (found) {
			*at = lru_blend(v, shifted, lru_moves + SIM_SIMD_WAYS - 1 - __builtin_ctz(found));
			return 0;
		}
		carry = _mm_srli_si128(v, 12);
		*at = assoc - way < 4 ? lru_blend(v, shifted, lru_moves + SIM_SIMD_WAYS - (assoc - way)) :
			shifted;
	}
	return 1;
}
#endif

/* Finds a tag's way without changing the set; assoc: not present.  Used for invalidations, which
 * mostly find the line evicted already. */
LRU_INLINE uint32_t lru_way32(const uint32_t *set, uint32_t assoc, uint32_t tag)
{
	uint32_t way = 0;

#ifdef __SSE2__
	for (; way + 4 <= assoc; way += 4) {
		uint32_t found = lru_equal(_mm_loadu_si128((const __m128i *)(const void *)(set + way)),
			_mm_set1_epi32((int)tag));

		if (found)
			return way + (uint32_t)__builtin_ctz(found);
	}
#endif
	while (way < assoc && set[way] != tag)
		way++;
	return way;
}

LRU_INLINE uint32_t lru_find32(uint32_t *set, uint32_t assoc, uint32_t tag)
{
	if (set[0] == tag)
		return 0;
#ifdef __SSE2__
	if (assoc > 4 && assoc <= 8)
		return lru_simd(set, assoc, tag);
	if (assoc > 8 && assoc <= SIM_SIMD_WAYS)
		return lru_simd_far(set, assoc, tag);
#endif
	return lru_scan32(set, assoc, tag);
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
