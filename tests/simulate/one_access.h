/* SPDX-License-Identifier: BSD-3-Clause */
/* The levels without records: one access of a core, of independent LRU levels. */
#ifndef TEST_ONE_ACCESS_H
#define TEST_ONE_ACCESS_H

#include "simulate/cache/lru.h"
#include "simulate/cache/sim.h"

/* It does not exceed the smallest line, or touches at most two. */
static inline void one_access(struct sim_core *core, uint64_t first, uint64_t last, struct sim_cell *cell, uint32_t store)
{
	uint32_t fetched = lru_access(core->level[0], core->sim->wide, first, last);

	if (!fetched)
		return;
	cell->miss[0][store]++;
	cell->fetched[0] += fetched;
	sim_queue(core, first, last, cell, store);
}

#endif
