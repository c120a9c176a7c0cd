/* SPDX-License-Identifier: BSD-3-Clause */
/* The order of states is drawn: a program with a period could otherwise have its long executions
 * always in the same state.  The seed is printed, so that a trial can be understood later. */
#ifndef PSC_TRIALS_COIN_H
#define PSC_TRIALS_COIN_H

#include <stdbool.h>
#include <stdint.h>

struct coin {
	uint64_t state;
};

static inline struct coin coin_seed(uint64_t seed)
{
	return (struct coin){ seed };
}

/* A step of splitmix64, a well-mixed counter; its highest bit. */
static inline bool coin_throw(struct coin *c)
{
	uint64_t z = c->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (z ^ (z >> 31)) >> 63;
}

#endif
