/* SPDX-License-Identifier: BSD-3-Clause */
/* Classifies the misses of the nearest level and queues them for the farther ones. */
#include "simulate/cache/lru.h"

_Static_assert(MISS_STREAM == (int)PATTERN_STREAM && MISS_STRIDED == (int)PATTERN_STRIDED, "one numbering");

_Static_assert(PATTERN_WALKS << 5 == 1 << SIM_EXTRA_AT && PATTERN_MEETS << 29 == (int)SIM_MEETS, "class word");

/* Adds the cause of the miss of a followed line to its class word.  Lines that always hit are in no
 * distance, so only where lines meet in a set is a short distance a conflict in the nearest level. */
static __attribute__((noinline)) uint32_t add_cause(struct sim_core *core, uint32_t line, uint32_t shift,
	struct sim_cell *cell, uint32_t class)
{
	uint32_t cause = reuse_count(core->reuse, line, shift, cell->reuse);

	if (!(class & SIM_MEETS))
		cause &= ~1u;
	if (!cause)
		return class;
	class |= SIM_CAUSE | cause << SIM_CAUSE_AT | core->reuse->shift << SIM_SHIFT_AT;
	if (cause & REUSE_NEAR && (class & 0xff) >> 1 == MISS_STRIDED)
		sim_count_stride(cell, class);
	return class;
}

/* The class word of pattern_miss()'s result, without a cause. */
LRU_INLINE uint32_t class_word(const struct sim_core *core, uint32_t found, uint32_t store)
{
	const uint32_t kind = found & PATTERN_KIND;

	return (kind ? kind : core->irregular) << 1 | store | (found << 5 & SIM_EXTRA) |
		(found & PATTERN_MEETS) << 29;
}

LRU_INLINE uint32_t classify(struct sim_core *core, uint64_t first, uint32_t shift, struct sim_cell *cell,
	uint32_t store)
{
	const uint32_t line = (uint32_t)(first >> shift), found = pattern_miss(&core->pattern, &core->sim->sets,
		line, SIM_PATTERN_PAGE - shift, &cell->last);
	uint32_t class = class_word(core, found, store);

	if (__builtin_expect(found & PATTERN_NEW, PATTERN_NEW)) {
		if (__builtin_expect(reuse_follows(core->reuse, line), 0))
			class = add_cause(core, line, shift, cell, class);
	} else if (found & PATTERN_MEETS) {
		/* A line that keeps its class comes again soon: a conflict, if it met others when it was new. */
		class |= SIM_CAUSE | REUSE_NEAR << SIM_CAUSE_AT;
	}
	sim_count_class(cell, 0, class);
	return class;
}

uint32_t sim_classify(struct sim_core *core, uint64_t first, struct sim_cell *cell, uint32_t store)
{
	return classify(core, first, core->level[0]->shift, cell, store);
}

static __attribute__((noinline)) uint32_t queue_full(struct sim_core *core, uint32_t class)
{
	sim_drain_some(core);
	return class;
}

LRU_INLINE uint32_t queue(struct sim_core *core, uint64_t first, uint64_t last, struct sim_cell *cell,
	uint32_t store, uint32_t frame, uint32_t class)
{
	struct sim_miss *m = &core->queue[core->nqueue++];

	m->first = first;
	m->last = last;
	m->cell = cell;
	m->frame = frame;
	m->store = (uint8_t)store;
	m->class = class;
	if (__builtin_expect(core->nqueue == core->nfar + SIM_QUEUE, 0))
		return queue_full(core, class);
	return class;
}

/* The rare cases.  A sample lacks the neighbours of most lines, so it cannot tell classes. */
static __attribute__((noinline)) uint32_t queue_other(struct sim_core *core, uint64_t first, uint64_t last,
	struct sim_cell *cell, uint32_t store)
{
	const uint32_t frame = sim_frame(core, first);

	if (__builtin_expect(core->level[0]->shift == 6 && !core->sim->sample, 1))
		return queue(core, first, last, cell, store, frame, classify(core, first, 6, cell, store));
	return queue(core, first, last, cell, store, frame, core->sim->sample ? MISS_GATHER :
		sim_classify(core, first, cell, store));
}

/* Classifies and counts a miss of no rare case.  false: it is one, nothing is changed. */
LRU_INLINE bool classify_common(struct sim_core *core, uint64_t first, struct sim_cell *cell, uint32_t store,
	uint32_t *frame, uint32_t *class)
{
	const uint32_t line = (uint32_t)(first >> 6);
	const struct pattern_entry *page = NULL;
	uint32_t found;

	if (__builtin_expect(!core->usual || reuse_follows(core->reuse, line), 0))
		return false;
	found = pattern_common(&core->pattern, line, SIM_PATTERN_PAGE - 6, &cell->last, &page);
	if (__builtin_expect(found == PATTERN_OTHER, 0))
		return false;
	*frame = page->frame;
	*class = class_word(core, found, store);
	sim_count_class(cell, 0, *class);
	return true;
}

/* All calls are tail calls, so that no register is saved. */
uint32_t sim_queue(struct sim_core *core, uint64_t first, uint64_t last, struct sim_cell *cell, uint32_t store)
{
	uint32_t frame = 0, class = 0;

	if (__builtin_expect(!classify_common(core, first, cell, store, &frame, &class), 0))
		return queue_other(core, first, last, cell, store);
	return queue(core, first, last, cell, store, frame, class);
}
