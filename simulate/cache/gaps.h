/* SPDX-License-Identifier: BSD-3-Clause */
/* Random gaps between what a sample takes: equal gaps would meet loops of that period. */
#ifndef PSC_SIMULATE_GAPS_H
#define PSC_SIMULATE_GAPS_H

#include <stdbool.h>
#include <stdint.h>

/* A number from most / 2 to most * 3 / 2. */
static inline uint32_t sim_gap(uint32_t *random, uint32_t most)
{
	*random = *random * UINT32_C(1664525) + UINT32_C(1013904223);
	return most / 2 + (uint32_t)((uint64_t)(*random >> 8) * (most + 1) >> 24);
}

/* A number from 0 to 1. */
static inline double sim_even(uint32_t *random)
{
	*random = *random * UINT32_C(1664525) + UINT32_C(1013904223);
	return (double)(*random >> 8) / (1 << 24);
}

/* The number of trials before the next success, of which each has the probability 1 / most:
 * wherever one begins to count, nothing depends on what was before.  The exponential distribution
 * is von Neumann's, from comparisons alone: a sequence of random numbers that falls for an odd
 * number of them begins with the wanted fraction. */
static inline uint32_t sim_gap_any(uint32_t *random, uint32_t most)
{
	for (uint32_t whole = 0; ; whole++) {
		const double first = sim_even(random);
		double last = first, next = sim_even(random);
		bool odd = true;

		for (; next <= last; next = sim_even(random)) {
			last = next;
			odd = !odd;
		}
		if (odd)        /* -1 / log(1 - 1 / most) is about most - 1 / 2 */
			return (uint32_t)((whole + first) * (most - 0.5));
	}
}

#endif
