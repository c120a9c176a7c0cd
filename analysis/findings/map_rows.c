/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the maps of a timeline of what was drawn, scaled by column to what the cells counted. */
#include "analysis/findings/map_rows.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/measure/maps.h"
#include "base/by_field.h"

enum { RECORDS = 4 };   /* drawn in a row, whose accesses say as much as its misses do */

/* What a thread did with a structure, by column: counted by its cells, and drawn. */
enum scaled { READS, WRITES, FIRST, LAST, SCALED };
struct scale {
	double counted[TIMELINE_COLUMNS][SCALED], drawn[TIMELINE_COLUMNS][SCALED];
	double sampled[TIMELINE_COLUMNS];       /* of reads and writes drawn */
	double guessed[TIMELINE_COLUMNS];       /* the part of the accesses that is spread as the
						 * misses are */
	int rows[TIMELINE_COLUMNS];
};

/* The cells of a timeline by structure and thread: there may be many of both. */
struct cell_order { int structure, thread, cell; };
struct cells_by_map { struct cell_order *of; size_t n; };

static const enum measured_map_field field_of[SCALED] = { MAPPED_READS, MAPPED_WRITES, MAPPED_FIRST,
	MAPPED_LAST };

static void count_series(struct scale *s, const struct report_series *series, enum scaled f)
{
	for (int i = 0; i < series->n; i++)
		s->counted[series->point[i].at][f] += (double)series->point[i].value;
}

static int by_map(const void *a, const void *b)
{
	const struct cell_order *x = a, *y = b;

	BY(structure);
	BY(thread);
	return 0;
}

/* 0 / -1 (memory). */
static int order_cells(struct cells_by_map *c, const struct report_timeline *t)
{
	c->n = (size_t)t->ncells;
	c->of = calloc(c->n + 1, sizeof *c->of);
	if (!c->of)
		return -1;
	for (int i = 0; i < t->ncells; i++)
		c->of[i] = (struct cell_order){ t->cells[i].structure, t->cells[i].thread, i };
	qsort(c->of, c->n, sizeof *c->of, by_map);
	return 0;
}

/* The first cell in that order that is not before those of the map. */
static size_t first_cell(const struct cells_by_map *c, const struct cell_order *of)
{
	size_t lo = 0, hi = c->n;

	while (lo < hi) {
		const size_t middle = (lo + hi) / 2;

		if (by_map(&c->of[middle], of) < 0)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

/* The series of a machine's nearest and last level are those of the levels' numbers. */
static void count_cell(struct scale *s, const struct report_time_cell *cell,
	const struct machine_flat *flat)
{
	const uint32_t first = flat->level[0].level - 1,
		last = flat->level[flat->nlevels - 1].level - 1;

	count_series(s, &cell->reads, READS);
	count_series(s, &cell->writes, WRITES);
	if (first < TIMELINE_LEVELS)
		count_series(s, &cell->misses[first], FIRST);
	if (last < TIMELINE_LEVELS)
		count_series(s, &cell->misses[last], LAST);
}

static void count_cells(struct scale *s, const struct report_timeline *t,
	const struct cells_by_map *cells, const struct report_time_map *map,
	const struct machine_flat *flat)
{
	const struct cell_order of = { map->structure, map->thread, 0 };

	for (size_t i = first_cell(cells, &of); i < cells->n && !by_map(&cells->of[i], &of); i++)
		count_cell(s, &t->cells[cells->of[i].cell], flat);
}

static void count_drawn(struct scale *s, const struct measured_map *m, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (int f = 0; f < SCALED; f++)
			s->drawn[m[i].column][f] += (double)m[i].count[field_of[f]];
		s->sampled[m[i].column] += (double)m[i].count[MAPPED_SAMPLED];
		s->rows[m[i].column]++;
	}
}

/* One miss in some six is known, but accesses of irregular code are a few records that were drawn.
 * Where those are few for the rows that are used, accesses are rather where the misses are. */
static void choose_guess(struct scale *s)
{
	for (int c = 0; c < TIMELINE_COLUMNS; c++) {
		const double all = s->drawn[c][READS] + s->drawn[c][WRITES], share = all > 0 ?
			s->sampled[c] / all : 1;
		const double records = s->sampled[c] / TIMELINE_DRAWN, rows = s->rows[c];

		s->guessed[c] = s->drawn[c][FIRST] > 0 ? share * rows / (rows + records / RECORDS) :
			0;
	}
}

static double value_of(const struct measured_map *m, const struct scale *s, enum scaled f)
{
	const double *drawn = s->drawn[m->column], counted = s->counted[m->column][f];
	const double part = drawn[f] > 0 ? (double)m->count[field_of[f]] / drawn[f] : 0;
	const double missed = drawn[FIRST] > 0 ? (double)m->count[MAPPED_FIRST] / drawn[FIRST] : 0;
	double guessed = s->guessed[m->column];

	if (f != READS && f != WRITES)
		return round(part * counted);
	if (!(drawn[f] > 0))
		guessed = drawn[FIRST] > 0 ? 1 : 0;
	return round(counted * (part + guessed * (missed - part)));
}

/* The points of one field of n entries of one structure and thread. */
static int series_of(struct report *r, const struct measured_map *m, size_t n,
	const struct scale *s, enum scaled f, struct report_series *out)
{
	struct report_point *point = arena_array(r->arena, n, sizeof *point);

	if (!point)
		return -1;
	*out = (struct report_series){ point, 0 };
	for (size_t i = 0; i < n; i++) {
		const double value = value_of(&m[i], s, f);

		if (value >= 1)
			point[out->n++] = (struct report_point){ (uint32_t)m[i].column *
				MON_MAP_ROWS + m[i].row, (int64_t)value };
	}
	return 0;
}

/* The bytes of the structure that the entries touch, or the pieces that its rows are. */
static void note_used(struct report_time_structure *s, const struct measured_map *m, size_t n)
{
	const int64_t bytes = (int64_t)m->bytes;

	s->pieces = m->pieces;
	s->piece_bytes = m->pieces ? bytes : 0;
	if (m->pieces)
		return;
	/* It may have had a further block before, as a vector that grows has while it copies. */
	s->bytes = bytes;
	for (size_t i = 0; i < n; i++) {
		const int64_t from = m[i].row * bytes / MON_MAP_ROWS, to = (m[i].row + 1) * bytes /
			MON_MAP_ROWS - 1;

		s->used_from = s->used_from < 0 || from < s->used_from ? from : s->used_from;
		s->used_to = to > s->used_to ? to : s->used_to;
	}
}

static int add_map(struct report *r, const struct machine_flat *flat,
	const struct cells_by_map *cells, int structure, const struct measured_map *m, size_t n)
{
	struct report_timeline *t = r->timelines;
	struct scale *s = calloc(1, sizeof *s);
	struct report_time_map *map = &t->maps[t->nmaps];
	int rc = s ? 0 : -1;

	if (rc)
		return rc;
	*map = (struct report_time_map){ .structure = structure, .thread = (int)m->thread };
	count_cells(s, t, cells, map, flat);
	count_drawn(s, m, n);
	choose_guess(s);
	rc = series_of(r, m, n, s, READS, &map->reads) ||
		series_of(r, m, n, s, WRITES, &map->writes) ||
		series_of(r, m, n, s, FIRST, &map->first_misses) ||
		series_of(r, m, n, s, LAST, &map->last_misses) ? -1 : 0;
	if (!rc && map->reads.n + map->writes.n > 0) {
		note_used(&t->structures[structure - 1], m, n);
		t->nmaps++;
	}
	free(s);
	return rc;
}

/* The number of entries from the first on that are of its structure and thread. */
static size_t run(const struct measured_map *m, size_t n)
{
	size_t k = 1;

	while (k < n && m[k].object == m->object && m[k].thread == m->thread)
		k++;
	return k;
}

/* Rows of structures have a name of their own, and are of one object. */
static bool drawn(const struct report_timeline *t, const struct measured_map *m,
	const uint32_t *structure)
{
	const uint32_t s = structure[m->object];

	return s && t->structures[s - 1].name[0] && !t->structures[s - 1].joined &&
		(int)m->thread < t->threads;
}

int findings_maps(const struct measurements *p, struct report *r, struct report_timeline *t,
	const uint32_t *structure)
{
	const struct columns *c = p->columns;
	struct cells_by_map cells;
	size_t rows = 0, n;
	int rc = 0;

	for (size_t i = 0; i < c->nmaps; i += run(&c->map[i], c->nmaps - i))
		rows++;
	t->maps = arena_array(r->arena, rows, sizeof *t->maps);
	if (!t->maps || order_cells(&cells, t))
		return -1;
	t->rows = rows ? MON_MAP_ROWS : 0;
	for (size_t i = 0; i < c->nmaps && !rc; i += n) {
		const struct measured_map *m = &c->map[i];

		n = run(m, c->nmaps - i);
		if (drawn(t, m, structure))
			rc = add_map(r, &p->machine->flat, &cells, (int)structure[m->object], m, n);
	}
	free(cells.of);
	return rc;
}
