/* SPDX-License-Identifier: BSD-3-Clause */
/* One set-associative level with least recently used replacement, for programs whose misses have
 * no formula: they play their own sequence of addresses, from the algorithm, and print the
 * number.  Written for clearness; it shares nothing with the simulator that it checks. */
#ifndef MODEL_H
#define MODEL_H
#include "corpus.h"

enum { MODEL_WAYS = 8, MODEL_SETS = 512 };
struct model {
	uint64_t line[MODEL_SETS][MODEL_WAYS];  /* most recent first; 0: empty */
	uint64_t misses;
	unsigned sets;
};

static void model_touch(struct model *m, const void *address)
{
	uint64_t line = (uint64_t)(uintptr_t)address / LINE;
	uint64_t *way = m->line[line % m->sets];
	int i = 0;

	while (i < MODEL_WAYS - 1 && way[i] != line)
		i++;
	if (way[i] != line)
		m->misses++;
	for (; i; i--)
		way[i] = way[i - 1];
	way[0] = line;
}

static struct model model_level1 = { .sets = LEVEL1 / LINE / MODEL_WAYS };
static struct model model_level2 = { .sets = LEVEL2 / LINE / MODEL_WAYS };

/* Level 2 is asked for what level 1 misses. */
static inline void model_play(const void *address)
{
	uint64_t before = model_level1.misses;

	model_touch(&model_level1, address);
	if (model_level1.misses != before)
		model_touch(&model_level2, address);
}
#endif
