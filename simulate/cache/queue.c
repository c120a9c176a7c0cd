/* SPDX-License-Identifier: BSD-3-Clause */
/* Classifies the misses of the nearest level and queues them for the farther ones. */
#include "simulate/cache/lru.h"

_Static_assert(MISS_STREAM == (int)PATTERN_STREAM && MISS_STRIDED == (int)PATTERN_STRIDED, "one numbering");

LRU_INLINE uint32_t classify(struct sim_core *core, uint64_t first, uint32_t shift, struct sim_cell *cell,
	uint32_t store)
{
	const uint32_t line = (uint32_t)(first >> shift), found = pattern_miss(&core->pattern, &core->sim->sets,
		line, SIM_PATTERN_PAGE - shift, &cell->last);
	const uint32_t kind = found & PATTERN_KIND, class = (kind ? kind : core->irregular) << 1 | store;
	const uint32_t extra = found % PATTERN_NEW / PATTERN_WALKS;

	sim_count_class(cell, 0, class, extra);
	if (found & PATTERN_NEW)
		reuse_miss(core->reuse, line, shift, cell->reuse);
	return class | extra << 8;
}

uint32_t sim_classify(struct sim_core *core, uint64_t first, struct sim_cell *cell, uint32_t store)
{
	return classify(core, first, core->level[0]->shift, cell, store);
}

LRU_INLINE uint32_t queue(struct sim_core *core, uint64_t first, uint64_t last, struct sim_cell *cell, uint32_t store,
	uint32_t class)
{
	struct sim_miss *m = &core->queue[core->nqueue++];

	m->first = first;
	m->last = last;
	m->cell = cell;
	m->frame = sim_frame(core, first);
	m->store = (uint8_t)store;
	m->class = (uint8_t)class;
	m->extra = (uint8_t)(class >> 8);
	if (__builtin_expect(core->nqueue == core->nfar + SIM_QUEUE, 0))
		sim_drain_some(core);
	return (uint8_t)class;
}

/* The rare cases: a sample lacks the neighbours of most lines, so it cannot tell classes. */
static __attribute__((noinline)) uint32_t queue_other(struct sim_core *core, uint64_t first, uint64_t last,
	struct sim_cell *cell, uint32_t store)
{
	return queue(core, first, last, cell, store, core->sim->sample ? core->irregular :
		sim_classify(core, first, cell, store));
}

uint32_t sim_queue(struct sim_core *core, uint64_t first, uint64_t last, struct sim_cell *cell, uint32_t store)
{
	if (__builtin_expect(core->level[0]->shift != 6 || core->sim->sample != NULL, 0))
		return queue_other(core, first, last, cell, store);
	return queue(core, first, last, cell, store, classify(core, first, 6, cell, store));
}
