/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes timelines for tests. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/report/made_timeline.h"

struct made *made_new(int threads)
{
	struct made *m = calloc(1, sizeof *m);

	m->arena = arena_new();
	m->t = (struct report_timeline){ .columns = MADE_COLUMNS, .rows = MADE_ROWS, .threads = threads, .nodes = 1, .executions = 1,
		.width = MADE_WIDTH, .references = MADE_COLUMNS * MADE_WIDTH, .time = NAN, .sample_share = NAN,
		.regions = m->regions, .structures = m->structures, .cells = m->cells, .maps = m->maps, .marks = m->marks };
	return m;
}

void made_free(struct made *m)
{
	arena_free(m->arena);
	free(m);
}

int made_region(struct made *m, const char *name, int parent)
{
	const int n = ++m->t.nregions;

	m->regions[n - 1] = (struct report_time_region){ REGION_LOOP, name, "a.c", 10 * n, parent, NAN };
	return n;
}

int made_structure(struct made *m, const char *name)
{
	m->structures[m->t.nstructures++] = (struct report_time_structure){ .name = name, .bytes = MADE_BYTES, .blocks = 1,
		.used_from = -1, .used_to = -1, .allocated_by = -1, .allocations = NAN, .releases = NAN };
	return m->t.nstructures;
}

static struct report_series series(struct made *m, const int64_t *value, int n)
{
	struct report_point *p = arena_array(m->arena, (size_t)n, sizeof *p);
	struct report_series s = { p, 0 };

	for (int i = 0; i < n; i++)
		if (value[i])
			p[s.n++] = (struct report_point){ (uint32_t)i, value[i] };
	return s;
}

struct report_series made_flat(struct made *m, int from, int to, int64_t n)
{
	int64_t v[MADE_COLUMNS] = { 0 };

	for (int c = from; c < to; c++)
		v[c] = n;
	return series(m, v, MADE_COLUMNS);
}

static void add_row(const struct made_use *u, int column, int64_t *v)
{
	const int rows = u->last - u->first, columns = u->to - u->from, at = column - u->from;
	const int passes = u->walk == MADE_TWICE_UP ? 2 : 1;
	const int row = u->walk == MADE_MIXED ? at * 7 % rows : at * passes * rows / columns % rows;

	if (u->walk == MADE_ALL)
		for (int r = u->first; r < u->last; r++)
			v[column * MADE_ROWS + r] += u->accesses / rows;
	else
		v[column * MADE_ROWS + (u->walk == MADE_DOWN ? u->last - 1 - row : u->first + row)] += u->accesses;
}

static struct report_time_map *map_of(struct made *m, int structure, int thread)
{
	for (int i = 0; i < m->t.nmaps; i++)
		if (m->maps[i].structure == structure && m->maps[i].thread == thread)
			return &m->maps[i];
	m->maps[m->t.nmaps] = (struct report_time_map){ .structure = structure, .thread = thread };
	return &m->maps[m->t.nmaps++];
}

void made_use(struct made *m, const struct made_use *u)
{
	struct report_time_cell *c = &m->cells[m->t.ncells++];
	struct report_time_map *map = map_of(m, u->structure, u->thread);
	struct report_series *s = u->writes ? &map->writes : &map->reads;
	int64_t v[MADE_COLUMNS * MADE_ROWS] = { 0 };

	*c = (struct report_time_cell){ .region = u->region, .structure = u->structure, .thread = u->thread };
	*(u->writes ? &c->writes : &c->reads) = made_flat(m, u->from, u->to, u->accesses);
	c->bytes = made_flat(m, u->from, u->to, 8 * u->accesses);
	for (int i = 0; i < s->n; i++)
		v[s->point[i].at] = s->point[i].value;
	for (int column = u->from; column < u->to; column++)
		add_row(u, column, v);
	*s = series(m, v, MADE_COLUMNS * MADE_ROWS);
}

void made_mark(struct made *m, int thread, int number, int64_t at)
{
	m->marks[m->t.nmarks++] = (struct report_time_mark){ thread, number, at };
}
