/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the maps of a timeline of what was drawn, scaled by column to what the cells counted. */
#include "analysis/findings/map_rows.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/measure/maps.h"

/* What a thread did with a structure: counted, and drawn, by column. */
struct scale { double counted[TIMELINE_COLUMNS][2], drawn[TIMELINE_COLUMNS][2]; };

static void count_series(struct scale *s, const struct report_series *series, int writes)
{
	for (int i = 0; i < series->n; i++)
		s->counted[series->point[i].at][writes] += (double)series->point[i].value;
}

static void count_cells(struct scale *s, const struct report_timeline *t, int structure, int thread)
{
	for (int i = 0; i < t->ncells; i++)
		if (t->cells[i].structure == structure && t->cells[i].thread == thread) {
			count_series(s, &t->cells[i].reads, 0);
			count_series(s, &t->cells[i].writes, 1);
		}
}

static void count_drawn(struct scale *s, const struct measured_map *m, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		s->drawn[m[i].column][0] += (double)m[i].reads;
		s->drawn[m[i].column][1] += (double)m[i].writes;
	}
}

/* The points of the reads, or of the writes, of n entries of one structure and thread. */
static int series_of(struct report *r, const struct measured_map *m, size_t n, const struct scale *s, int writes,
	struct report_series *out)
{
	struct report_point *point = arena_array(r->arena, n, sizeof *point);

	if (!point)
		return -1;
	*out = (struct report_series){ point, 0 };
	for (size_t i = 0; i < n; i++) {
		const double drawn = (double)(writes ? m[i].writes : m[i].reads);
		const double all = s->drawn[m[i].column][writes];
		const double value = all > 0 ? round(drawn * s->counted[m[i].column][writes] / all) : 0;

		if (value >= 1)
			point[out->n++] = (struct report_point){ (uint32_t)m[i].column * MON_MAP_ROWS + m[i].row, (int64_t)value };
	}
	return 0;
}

/* The bytes of the structure that the entries touch. */
static void note_used(struct report_time_structure *s, const struct measured_map *m, size_t n)
{
	const int64_t bytes = (int64_t)m->bytes;

	for (size_t i = 0; i < n; i++) {
		const int64_t from = m[i].row * bytes / MON_MAP_ROWS, to = (m[i].row + 1) * bytes / MON_MAP_ROWS - 1;

		s->used_from = s->used_from < 0 || from < s->used_from ? from : s->used_from;
		s->used_to = to > s->used_to ? to : s->used_to;
	}
}

static int add_map(struct report *r, struct report_timeline *t, int structure, const struct measured_map *m, size_t n)
{
	struct scale *s = calloc(1, sizeof *s);
	struct report_time_map *map = &t->maps[t->nmaps];
	int rc = s ? 0 : -1;

	if (rc)
		return rc;
	*map = (struct report_time_map){ .structure = structure, .thread = (int)m->thread };
	count_cells(s, t, structure, map->thread);
	count_drawn(s, m, n);
	rc = series_of(r, m, n, s, 0, &map->reads) || series_of(r, m, n, s, 1, &map->writes) ? -1 : 0;
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
static bool drawn(const struct report_timeline *t, const struct measured_map *m, const uint32_t *structure)
{
	const uint32_t s = structure[m->object];

	return s && t->structures[s - 1].name[0] && !t->structures[s - 1].joined && (int)m->thread < t->threads;
}

int findings_maps(const struct measurements *p, struct report *r, struct report_timeline *t, const uint32_t *structure)
{
	const struct columns *c = p->columns;
	size_t rows = 0, n;

	for (size_t i = 0; i < c->nmaps; i += run(&c->map[i], c->nmaps - i))
		rows++;
	t->maps = arena_array(r->arena, rows, sizeof *t->maps);
	if (!t->maps)
		return -1;
	t->rows = rows ? MON_MAP_ROWS : 0;
	for (size_t i = 0; i < c->nmaps; i += n) {
		n = run(&c->map[i], c->nmaps - i);
		if (drawn(t, &c->map[i], structure) && add_map(r, t, (int)structure[c->map[i].object], &c->map[i], n))
			return -1;
	}
	return 0;
}
