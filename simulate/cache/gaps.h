/* SPDX-License-Identifier: BSD-3-Clause */
/* Random gaps between what a sample takes: equal gaps would meet loops of that period. */
#ifndef PSC_SIMULATE_GAPS_H
#define PSC_SIMULATE_GAPS_H

#include <stdint.h>

/* A number from most / 2 to most * 3 / 2. */
static inline uint32_t sim_gap(uint32_t *random, uint32_t most)
{
	*random = *random * UINT32_C(1664525) + UINT32_C(1013904223);
	return most / 2 + (uint32_t)((uint64_t)(*random >> 8) * (most + 1) >> 24);
}

#endif
