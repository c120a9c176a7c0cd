/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks that the columns of a core's timeline sum to the counts of its cells. */
#ifndef TESTS_SIMULATE_COLUMN_SUMS_H
#define TESTS_SIMULATE_COLUMN_SUMS_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "monitor/client/column_log.h"
#include "simulate/cache/channels.h"
#include "simulate/simulate.h"

/* The log in parts, as the monitor writes it.  The caller frees. */
static inline struct mon_columns *column_parts(const struct sim_columns *c, uint32_t *n)
{
	struct mon_columns *part;

	*n = c->bytes / MON_COLUMN_BYTES + 1;
	part = calloc(*n, sizeof *part);
	for (uint32_t i = 0, at = 0; i < *n; i++, at += MON_COLUMN_BYTES) {
		part[i].width = c->width;
		part[i].bytes = c->bytes - at < MON_COLUMN_BYTES ? c->bytes - at : MON_COLUMN_BYTES;
		memcpy(part[i].log, c->log + at, part[i].bytes);
	}
	return part;
}

static inline struct sim_cell *cell_of(const struct sim_core *core, uint32_t context, uint32_t object)
{
	for (uint32_t i = 1; i < core->ncells; i++)
		if (core->cells[i].key == ((uint64_t)context << 32 | object))
			return &core->cells[i];
	fail_msg("no cell of context %u, object %u", context, object);
	return NULL;
}

static inline void assert_same_sums(const struct sim_core *core, const struct sim_cell *c, const uint64_t *sum)
{
	const uint32_t last = core->nlevels - 1;

	assert_int_equal(sum[TIMELINE_READS], c->refs[0]);
	assert_int_equal(sum[TIMELINE_WRITES], c->refs[1]);
	assert_int_equal(sum[TIMELINE_BYTES], c->bytes);
	for (uint32_t l = 0; l < core->nlevels; l++)
		assert_int_equal(sum[TIMELINE_MISSES + l], c->miss[l][0] + c->miss[l][1]);
	assert_int_equal(sum[TIMELINE_COHERENT], c->coherent[0][0] + c->coherent[0][1] + c->coherent[1][0] +
		c->coherent[1][1]);
	for (uint32_t i = 0; i < MISS_CLASSES; i++)
		assert_int_equal(sum[TIMELINE_CLASS + i], c->class[last][i][0] + c->class[last][i][1]);
	for (uint32_t i = 0; i < MACHINE_NODES && i < core->sim->machine.nodes.count; i++)
		assert_int_equal(sum[TIMELINE_SERVED + i], c->served[i][0] + c->served[i][1]);
}

/* Ends the core's timeline.  Returns its number of columns with counts. */
static inline uint32_t assert_columns_sum(struct sim_core *core)
{
	uint64_t (*sum)[TIMELINE_FIELDS] = calloc(core->ncells, sizeof *sum), misses[2] = { 0, 0 };
	uint64_t (*module)[MACHINE_MODULES] = calloc(core->ncells, sizeof *module);
	uint64_t before = UINT64_MAX, sited[2] = { 0, 0 };
	uint32_t n, columns = 0;
	struct columns_reader *log;
	struct columns_item it;
	struct sim_columns c;
	struct mon_columns *part;

	if (!sim_columns_end(core, &c)) {       /* it counted nothing */
		free(sum);
		free(module);
		return 0;
	}
	assert_int_equal(c.left_out, 0);
	part = column_parts(&c, &n);
	log = columns_open(part, n);
	while (columns_next(log, &it)) {
		if (it.kind == COLUMNS_CELL)
			for (int f = 0; f < TIMELINE_FIELDS; f++)
				sum[cell_of(core, it.context, it.object) - core->cells][f] += it.count[f];
		if (it.kind == COLUMNS_MODULE)
			module[cell_of(core, it.context, it.object) - core->cells][it.module] += it.last;
		if (it.kind == COLUMNS_SITE) {
			sited[0] += it.first;
			sited[1] += it.last;
		}
		columns += it.kind == COLUMNS_CELL && it.from != before;
		before = it.from;
	}
	assert_true(columns_whole(log));
	for (uint32_t i = 1; i < core->ncells; i++) {
		assert_same_sums(core, &core->cells[i], sum[i]);
		if (core->modules)
			assert_memory_equal(module[i], core->channels[i].now, sizeof module[i]);
		for (uint32_t s = core->sites->rest[i].next; s; s = core->sites->site[s - 1].next) {
			misses[0] += core->sites->site[s - 1].first;
			misses[1] += core->sites->site[s - 1].last;
		}
	}
	assert_memory_equal(misses, sited, sizeof misses);
	columns_close(log);
	free(part);
	free(sum);
	free(module);
	return columns;
}
#endif
