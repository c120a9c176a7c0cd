/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the maps of a result, in the columns of its timeline. */
#include "analysis/measure/maps.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/measure/monitor_tables.h"
#include "base/by_field.h"

enum { ROW_ACCESSES = 4 * MON_MAP_ACCESSES };       /* on average, of rows that the sample surely
						     * has */

static int by_place(const void *a, const void *b)
{
	const struct measured_map *x = a, *y = b;

	BY(object);
	BY(thread);
	BY(column);
	BY(row);
	return 0;
}

static int by_address(const void *a, const void *b)
{
	const struct measured_map *x = a, *y = b;

	BY(object);
	BY(lo);
	return 0;
}

/* --- pieces ----------------------------------------------------------------------------------- */

enum { PIECE_LEAST = 4096 };

static size_t run_of_object(const struct measured_map *m, size_t n)
{
	size_t end = 1;

	while (end < n && m[end].object == m->object)
		end++;
	return end;
}

/* All rows are parts of one block. */
static bool one_block(const struct measured_map *m, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (m[i].row >= MON_MAP_ROWS || m[i].lo != m->lo || m[i].bytes != m->bytes)
			return false;
	return true;
}

/* The number of pieces of so many bytes that have a row. */
static size_t count_pieces(const struct measured_map *m, size_t n, uint64_t bytes)
{
	size_t pieces = 1;

	for (size_t i = 1; i < n; i++)
		pieces += m[i].lo / bytes != m[i - 1].lo / bytes;
	return pieces;
}

/* Gives rows, which are sorted by address, the numbers of their pieces. */
static void number_pieces(struct measured_map *m, size_t n, uint64_t bytes)
{
	const size_t pieces = count_pieces(m, n, bytes);
	uint16_t row = 0;

	for (size_t i = 0; i < n; i++) {
		const bool next = i + 1 < n && m[i + 1].lo / bytes != m[i].lo / bytes;

		m[i].row = row;
		row = (uint16_t)(row + next);
		m[i].pieces = (uint16_t)pieces;
	}
	for (size_t i = 0; i < n; i++) {
		m[i].lo = m[i].lo / bytes * bytes;
		m[i].bytes = bytes;
	}
}

/* The rows of one object become pieces, as short as they are known and MON_MAP_ROWS suffice. */
static void make_pieces(struct measured_map *m, size_t n)
{
	uint64_t bytes = PIECE_LEAST;

	for (size_t i = 0; i < n; i++) {
		const bool part = m[i].row < MON_MAP_ROWS;
		const uint64_t size = part ? m[i].bytes / MON_MAP_ROWS : m[i].bytes;

		m[i].lo += part ? m[i].row * m[i].bytes / MON_MAP_ROWS : 0;
		while (bytes < size)
			bytes *= 2;
	}
	qsort(m, n, sizeof *m, by_address);
	while (count_pieces(m, n, bytes) > MON_MAP_ROWS)
		bytes *= 2;
	number_pieces(m, n, bytes);
}

static size_t sort_and_merge(struct measured_map *m, size_t n)
{
	size_t kept = 0;

	if (n)
		qsort(m, n, sizeof *m, by_place);
	for (size_t i = 0, end; i < n; i += end) {
		end = run_of_object(&m[i], n - i);
		if (!one_block(&m[i], end))
			make_pieces(&m[i], end);
	}
	if (n)
		qsort(m, n, sizeof *m, by_place);
	for (size_t i = 0; i < n; i++) {
		if (kept && !by_place(&m[kept - 1], &m[i]))
			for (int f = 0; f < MEASURED_MAP_FIELDS; f++)
				m[kept - 1].count[f] += m[i].count[f];
		else
			m[kept++] = m[i];
	}
	return kept;
}

/* --- rows ------------------------------------------------------------------------------------- */

struct list { struct measured_map *map; size_t n, room; };

/* Makes room for one more; 0 / -1 (memory). */
static int more(struct list *l)
{
	const size_t room = l->room ? 2 * l->room : 4096;
	struct measured_map *grown = l->n < l->room ? l->map :
		realloc(l->map, room * sizeof *grown);

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
static int add_columns(struct list *l, const struct columns *c, const struct mon_map *row,
	const struct measured_map *m)
{
	const uint32_t first = column_of(c, row->from),
		n = column_of(c, row->from + row->width - 1) - first + 1;

	for (uint32_t i = 0; i < n; i++) {
		struct measured_map part = *m;
		uint64_t any = 0;

		part.column = (uint16_t)(first + i);
		for (int f = 0; f < MEASURED_MAP_FIELDS; f++)
			any |= part.count[f] = m->count[f] * (i + 1) / n - m->count[f] * i / n;
		if (!any)
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
		struct measured_map m = { .object = tables_object(p, row->object),
			.thread = columns_thread(c, row->thread), .row = (uint16_t)row->row,
			.lo = row->lo, .bytes = row->bytes, .count = { [MAPPED_READS] = row->reads,
			[MAPPED_WRITES] = row->writes, [MAPPED_SAMPLED] = row->sampled,
			[MAPPED_FIRST] = row->first_misses,
			[MAPPED_LAST] = row->last_misses } };

		if (m.object >= MON_OBJ_FIRST && m.object < p->nobjects && m.thread != UINT32_MAX &&
		    m.bytes && add_columns(&list, c, row, &m)) {
			free(list.map);
			return -1;
		}
	}
	c->map = list.map;
	c->nmaps = sort_and_merge(list.map, list.n);
	return 0;
}

size_t maps_first(const struct columns *c, uint32_t object)
{
	size_t low = 0, high = c->nmaps;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (c->map[middle].object < object)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

double maps_touched(const struct columns *c, uint32_t object)
{
	bool touched[MON_MAP_ROWS] = { false };
	double drawn = 0, rows = 0, bytes = 0;

	for (size_t i = maps_first(c, object); i < c->nmaps && c->map[i].object == object; i++) {
		touched[c->map[i].row] = true;
		drawn += (double)(c->map[i].count[MAPPED_READS] + c->map[i].count[MAPPED_WRITES]);
		bytes = c->map[i].pieces ? 0 : (double)c->map[i].bytes;
	}
	for (int i = 0; i < MON_MAP_ROWS; i++)
		rows += touched[i];
	return rows > 0 && bytes >= MON_MAP_ROWS && drawn >= ROW_ACCESSES * rows ?
		bytes * rows / MON_MAP_ROWS : NAN;
}

void maps_free(struct columns *c)
{
	free(c->map);
	c->map = NULL;
	c->nmaps = 0;
}
