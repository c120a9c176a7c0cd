/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the maps of a result, in the columns of its timeline. */
#include "analysis/measure/maps.h"

#include <stdlib.h>

#include "analysis/measure/monitor_tables.h"

#define BY(field) \
	do { \
		if (x->field != y->field) \
			return x->field < y->field ? -1 : 1; \
	} while (0)

static int by_place(const void *a, const void *b)
{
	const struct measured_map *x = a, *y = b;

	BY(object);
	BY(thread);
	BY(column);
	BY(row);
	BY(bytes);
	return 0;
}

static uint32_t thread_of(const struct columns *c, uint32_t thread)
{
	for (uint32_t i = 0; i < c->nteam; i++)
		if (c->team[i].thread == thread)
			return c->team[i].number;
	return UINT32_MAX;
}

/* Leaves out objects whose blocks differ: several blocks have been one object of ours. */
static size_t leave_out_several(struct measured_map *m, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0, end; i < n; i = end) {
		bool one = true;

		for (end = i; end < n && m[end].object == m[i].object; end++)
			one = one && m[end].bytes == m[i].bytes;
		for (size_t k = i; one && k < end; k++)
			m[kept++] = m[k];
	}
	return kept;
}

static size_t sort_and_merge(struct measured_map *m, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(m, n, sizeof *m, by_place);
	for (size_t i = 0; i < n; i++) {
		if (kept && !by_place(&m[kept - 1], &m[i])) {
			m[kept - 1].reads += m[i].reads;
			m[kept - 1].writes += m[i].writes;
		} else {
			m[kept++] = m[i];
		}
	}
	return leave_out_several(m, kept);
}

int maps_add(const struct measurements *p, struct columns *c, const struct mon_result *r)
{
	size_t n = 0;

	c->map = malloc(((size_t)r->nmaps + 1) * sizeof *c->map);
	if (!c->map)
		return -1;
	for (uint32_t i = 0; i < r->nmaps; i++) {
		const struct mon_map *row = &r->maps[i];
		const uint64_t column = (row->from + row->width / 2) / c->width;
		struct measured_map m = { .object = tables_object(p, row->object), .thread = thread_of(c, row->thread),
			.column = (uint16_t)(column < c->n ? column : c->n - 1), .row = (uint16_t)row->row, .bytes = row->bytes,
			.reads = row->reads, .writes = row->writes };

		if (m.object >= MON_OBJ_FIRST && m.object < p->nobjects && m.thread != UINT32_MAX && m.bytes)
			c->map[n++] = m;
	}
	c->nmaps = sort_and_merge(c->map, n);
	return 0;
}

void maps_free(struct columns *c)
{
	free(c->map);
	c->map = NULL;
	c->nmaps = 0;
}
