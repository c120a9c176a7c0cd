/* SPDX-License-Identifier: BSD-3-Clause */
/* Classifies the queued misses of the nearest level, many at once: the pattern stays in the
 * processor's cache, and simulating the nearest level keeps its registers. */
#include "simulate/cache/lru.h"

_Static_assert(MISS_STREAM == (int)PATTERN_STREAM && MISS_STRIDED == (int)PATTERN_STRIDED,
	"one numbering");

_Static_assert(PATTERN_WALKS << 5 == 1 << SIM_EXTRA_AT && PATTERN_MEETS << 29 == (int)SIM_MEETS,
	"class word");

/* The code that misses: a hash of the context and of the source line. */
static uint16_t owner_of(const struct sim_cell *cell, uint32_t source)
{
	return (uint16_t)(sim_cell_context(cell) * UINT32_C(0x9e3779b1) >> 16 ^ source);
}

/* Adds the cause of the miss of a followed line to its class word.  Lines that always hit are in no
 * distance, so only where lines meet in a set is a short distance a
 * conflict in the nearest level. */
static __attribute__((noinline)) uint32_t add_cause(struct sim_core *core, uint32_t line,
	uint32_t shift, struct sim_cell *cell, uint32_t source, uint32_t class)
{
	uint32_t cause = reuse_count(core->reuse, line, owner_of(cell, source), shift, cell->reuse);

	if (!(class & SIM_MEETS))
		cause &= ~1u;
	if (!cause)
		return class;
	class |= SIM_CAUSE | cause << SIM_CAUSE_AT | core->reuse->shift << SIM_SHIFT_AT;
	if (cause & REUSE_NEAR && (class & 0xff) >> 1 == MISS_STRIDED)
		sim_count_stride(cell, class);
	return class;
}

/* The class word of pattern_miss()'s result, without a cause; unclassified: the word before. */
LRU_INLINE uint32_t class_word(uint32_t found, uint32_t unclassified)
{
	const uint32_t kind = found & PATTERN_KIND;

	return (kind ? kind << 1 | (unclassified & 1) : unclassified) | (found << 5 & SIM_EXTRA) |
		(found & PATTERN_MEETS) << 29;
}

/* source: the source line; 0: not known. */
LRU_INLINE uint32_t classify(struct sim_core *core, uint64_t first, uint32_t shift,
	struct sim_cell *cell, uint32_t source, uint32_t class)
{
	const uint32_t line = (uint32_t)(first >> shift), found = pattern_miss(&core->pattern,
		&core->sim->sets, line, SIM_PATTERN_PAGE - shift, &cell->last);

	class = class_word(found, class);
	if (__builtin_expect(found & PATTERN_NEW, PATTERN_NEW)) {
		if (__builtin_expect(reuse_follows(core->reuse, line), 0))
			class = add_cause(core, line, shift, cell, source, class);
	} else if (found & PATTERN_MEETS) {
		/* A line that keeps its class comes again soon: a conflict, if it
		 * met others when it was new. */
		class |= SIM_CAUSE | REUSE_NEAR << SIM_CAUSE_AT;
	}
	sim_count_class(cell, 0, class);
	return class;
}

uint32_t sim_classify(struct sim_core *core, uint64_t first, struct sim_cell *cell, uint32_t store)
{
	return classify(core, first, core->level[0]->shift, cell, sim_source_line(core, core->group,
		cell), (uint32_t)core->irregular << 1 | store);
}

/* The rare cases.  A sample lacks the neighbours of most lines, so it cannot tell classes. */
static __attribute__((noinline)) void classify_other(struct sim_core *core, struct sim_miss *m)
{
	m->frame = sim_frame(core, m->first);
	if (core->sim->sample)
		m->class = sim_miss_store(m);
	else if (__builtin_expect(core->level[0]->shift == 6, 1))
		m->class = classify(core, m->first, 6, m->site->cell, m->site->line, m->class);
	else
		m->class = classify(core, m->first, core->level[0]->shift, m->site->cell,
			m->site->line, m->class);
}

/* Classifies and counts a miss.  usual: core->usual holds. */
LRU_INLINE void classify_one(struct sim_core *core, const struct reuse *reuse, struct sim_miss *m,
	bool usual)
{
	const uint32_t line = (uint32_t)(m->first >> 6), store = sim_miss_store(m);
	const struct pattern_entry *page;
	uint32_t meets;

	if (usual && __builtin_expect(reuse_hash(line) > reuse->most, 1)) {
		struct sim_cell *cell = m->site->cell;

		page = pattern_next(&core->pattern, line, SIM_PATTERN_PAGE - 6, &cell->last,
			&meets);
		if (__builtin_expect(page != NULL, 1)) {
			m->frame = page->frame;
			m->class = MISS_STREAM << 1 | store | meets << 29;
			cell->class[0][MISS_STREAM][store]++;
			return;
		}
	}
	classify_other(core, m);
}

void sim_classify_queue(struct sim_core *core)
{
	struct sim_miss *m = core->queue + core->nclass, *end = core->queue + core->nqueue;
	const struct reuse *reuse = core->reuse;

	core->nclass = core->nqueue;
	if (!core->usual)
		for (; m < end; m++)
			classify_one(core, reuse, m, false);
	for (; m < end; m++)
		classify_one(core, reuse, m, true);
}

uint32_t sim_queue_classified(struct sim_core *core, uint64_t first, uint64_t last,
	struct sim_site *site, uint32_t store)
{
	struct sim_miss *m;
	uint32_t class;

	sim_pattern(core);
	m = &core->queue[core->nqueue++];
	*m = (struct sim_miss){ .first = first, .last = last, .site = site,
		.class = (uint32_t)core->irregular << 1 | store };
	core->nclass = core->nqueue;
	classify_one(core, core->reuse, m, core->usual);
	class = m->class;
	if (__builtin_expect(core->nqueue == core->nfar + SIM_QUEUE, 0))
		sim_drain_some(core);
	return class;
}
