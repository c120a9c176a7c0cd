/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates one access of a core with independent LRU levels, without records. */
#ifndef PSC_TESTS_SIMULATE_ONE_ACCESS_H
#define PSC_TESTS_SIMULATE_ONE_ACCESS_H

#include "simulate/cache/lru.h"
#include "simulate/cache/sim.h"

/* The access is no longer than the shortest line, or touches at most two lines. */
static inline void one_access(struct sim_core *core, uint64_t first, uint64_t last, struct sim_cell *cell, uint32_t store)
{
	uint32_t fetched = lru_access(core->level[0], core->sim->wide, first, last);

	if (!fetched)
		return;
	cell->miss[0][store]++;
	cell->fetched[0] += fetched;
	sim_queue(core, first, last, sim_site(core, 0, cell), store);
}

#endif
