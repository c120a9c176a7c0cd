/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the maps of a result, in the columns of its timeline. */
#include "analysis/measure/maps.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/measure/monitor_tables.h"
#include "base/by_field.h"

enum { ROW_ACCESSES = 4 * MON_MAP_ACCESSES };       /* on average, of rows that the sample surely has */

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

struct list { struct measured_map *map; size_t n, room; };

/* Makes room for one more; 0 / -1 (memory). */
static int more(struct list *l)
{
	const size_t room = l->room ? 2 * l->room : 4096;
	struct measured_map *grown = l->n < l->room ? l->map : realloc(l->map, room * sizeof *grown);

	if (!grown)
		return -1;
	l->room = l->n < l->room ? l->room : room;
	l->map = grown;
	return 0;
}

static uint32_t column_of(const struct columns *c, uint64_t position)
{
	return position / c->width < c->n ? (uint32_t)(position / c->width) : c->n - 1;
}

/* Adds a row to the columns that it overlaps, in equal parts; 0 / -1 (memory). */
static int add_columns(struct list *l, const struct columns *c, const struct mon_map *row, const struct measured_map *m)
{
	const uint32_t first = column_of(c, row->from), n = column_of(c, row->from + row->width - 1) - first + 1;

	for (uint32_t i = 0; i < n; i++) {
		struct measured_map part = *m;

		part.column = (uint16_t)(first + i);
		part.reads = m->reads * (i + 1) / n - m->reads * i / n;
		part.writes = m->writes * (i + 1) / n - m->writes * i / n;
		if (!part.reads && !part.writes)
			continue;
		if (more(l))
			return -1;
		l->map[l->n++] = part;
	}
	return 0;
}

int maps_add(const struct measurements *p, struct columns *c, const struct mon_result *r)
{
	struct list list = { NULL, 0, 0 };

	if (more(&list))
		return -1;
	for (uint32_t i = 0; i < r->nmaps; i++) {
		const struct mon_map *row = &r->maps[i];
		struct measured_map m = { .object = tables_object(p, row->object), .thread = columns_thread(c, row->thread),
			.row = (uint16_t)row->row, .bytes = row->bytes, .reads = row->reads, .writes = row->writes };

		if (m.object >= MON_OBJ_FIRST && m.object < p->nobjects && m.thread != UINT32_MAX && m.bytes &&
		    add_columns(&list, c, row, &m)) {
			free(list.map);
			return -1;
		}
	}
	c->map = list.map;
	c->nmaps = sort_and_merge(list.map, list.n);
	return 0;
}

double maps_touched(const struct columns *c, uint32_t object)
{
	bool touched[MON_MAP_ROWS] = { false };
	double drawn = 0, rows = 0, bytes = 0;

	for (size_t i = 0; i < c->nmaps; i++)
		if (c->map[i].object == object) {
			touched[c->map[i].row] = true;
			drawn += (double)(c->map[i].reads + c->map[i].writes);
			bytes = (double)c->map[i].bytes;
		}
	for (int i = 0; i < MON_MAP_ROWS; i++)
		rows += touched[i];
	return rows > 0 && bytes >= MON_MAP_ROWS && drawn >= ROW_ACCESSES * rows ? bytes * rows / MON_MAP_ROWS : NAN;
}

void maps_free(struct columns *c)
{
	free(c->map);
	c->map = NULL;
	c->nmaps = 0;
}
