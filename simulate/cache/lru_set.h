/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of tags of 32 bits: an LRU stack, most recently used first, 0 = empty.  Private to the
 * simulator. */
#ifndef PSC_SIMULATE_LRU_SET_H
#define PSC_SIMULATE_LRU_SET_H

#include <stdint.h>

#define LRU_INLINE static inline __attribute__((always_inline))
enum { LRU_SIMD_WAYS = 16 };

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
extern const uint32_t lru_moves[2 * LRU_SIMD_WAYS];

/* `from` in the lanes where moves[lane] is all ones, `v` in the others. */
LRU_INLINE __m128i lru_blend(__m128i v, __m128i from, const uint32_t *moves)
{
	__m128i m = _mm_loadu_si128((const __m128i *)moves);

	return _mm_xor_si128(v, _mm_and_si128(_mm_xor_si128(v, from), m));
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
	const uint32_t *moves = lru_moves + LRU_SIMD_WAYS - 1 - (uint32_t)__builtin_ctz(found |
		1u << (assoc - 1));

	at[0] = lru_blend(a, _mm_or_si128(_mm_slli_si128(a, 4), _mm_cvtsi32_si128((int)tag)),
		moves);
	at[1] = lru_blend(b, _mm_or_si128(_mm_slli_si128(b, 4), _mm_srli_si128(a, 12)), moves + 4);
	return !found;
}

/* Nine to sixteen ways, four at a time until the tag is found. */
LRU_INLINE uint32_t lru_simd_far(uint32_t *set, uint32_t assoc, uint32_t tag)
{
	__m128i *at = (__m128i *)set, carry = _mm_cvtsi32_si128((int)tag),
		t = _mm_set1_epi32((int)tag);

	for (uint32_t way = 0; way < assoc; way += 4, at++) {
		__m128i v = *at, shifted = _mm_or_si128(_mm_slli_si128(v, 4), carry);
		uint32_t found = lru_equal(v, t);

		if (found) {
			*at = lru_blend(v, shifted, lru_moves + LRU_SIMD_WAYS - 1 -
				(uint32_t)__builtin_ctz(found));
			return 0;
		}
		carry = _mm_srli_si128(v, 12);
		*at = assoc - way < 4 ? lru_blend(v, shifted, lru_moves + LRU_SIMD_WAYS -
			(assoc - way)) :
			shifted;
	}
	return 1;
}
#endif

/* Searches a set and moves the tag to its front.  1: a miss; the last way is evicted.  With 5 to 16
 * ways, the memory of the set has whole multiples of 16 bytes and is aligned to them. */
LRU_INLINE uint32_t lru_find32(uint32_t *set, uint32_t assoc, uint32_t tag)
{
	if (set[0] == tag)
		return 0;
#ifdef __SSE2__
	if (assoc > 4 && assoc <= 8)
		return lru_simd(set, assoc, tag);
	if (assoc > 8 && assoc <= LRU_SIMD_WAYS)
		return lru_simd_far(set, assoc, tag);
#endif
	return lru_scan32(set, assoc, tag);
}

#endif
