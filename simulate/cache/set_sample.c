/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the cache sets of a sample. */
#include "simulate/cache/set_sample.h"
#include <string.h>

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * UINT64_C(0x2545f4914f6cdd1d) >> 32;
}

/* The number of set index bits common to all levels, from the longest line's offset (*shift)
 * upward.  Levels indexed by page frames have only bits within a page in common with the others. */
static uint32_t common_bits(const struct machine_flat *m, uint32_t *shift)
{
	uint32_t lo = 0, hi = 63;

	for (uint32_t i = 0; i < m->nlevels; i++) {
		uint32_t line = (uint32_t)__builtin_ctz(m->level[i].line);
		uint32_t top = line + (uint32_t)__builtin_ctz(m->level[i].sets);

		if (m->level[i].physical && (UINT64_C(1) << top) > m->page_size)
			top = (uint32_t)__builtin_ctz(m->page_size);
		if (line > lo)
			lo = line;
		if (top < hi)
			hi = top;
	}
	*shift = lo;
	return hi > lo ? hi - lo : 0;
}

bool sample_make(struct sample *s, const struct machine_flat *m, uint32_t n, uint64_t seed)
{
	uint32_t bits;

	memset(s, 0, sizeof *s);
	bits = common_bits(m, &s->shift);
	s->classes = bits < 12 ? 1u << bits : SAMPLE_CLASSES;
	s->chosen = s->classes / n;
	if (s->chosen < 2)
		return false;
	s->groups = s->chosen < 4 ? 2 : s->chosen < SAMPLE_GROUPS ? 4 : SAMPLE_GROUPS;
	s->chosen -= s->chosen % s->groups;
	seed = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
	/* A group holds classes with equal lowest bits.  If strides make such classes differ, the
	 * groups differ, and the error shows it. */
	for (uint32_t g = 0; g < s->groups; g++) {
		uint32_t left = s->classes / s->groups, need = s->chosen / s->groups;

		for (uint32_t c = g; c < s->classes; c += s->groups, left--)
			if (next(&seed) % left < need) {
				s->in[c / 64] |= UINT64_C(1) << c % 64;
				s->group[c] = (uint8_t)g;
				need--;
			}
	}
	for (uint32_t c = 0; c < 64; c++)
		if (s->classes > 64 || s->in[0] >> c % s->classes & 1)
			s->turning |= UINT64_C(1) << c;
	return true;
}

uint64_t sample_scaled(const struct sample *s, uint64_t count)
{
	return (uint64_t)((unsigned __int128)count * s->classes / s->chosen);
}
