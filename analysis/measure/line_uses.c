/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads how threads share cache lines, in the rows of the maps. */
#include "analysis/measure/line_uses.h"

#include <stdlib.h>

#include "analysis/measure/maps.h"
#include "analysis/measure/monitor_tables.h"
#include "base/by_field.h"

static int by_row(const void *a, const void *b)
{
	const struct measured_use *x = a, *y = b;

	BY(object);
	BY(row);
	return 0;
}

/* The rows of an object's maps. */
struct rows {
	const struct measured_map *of[MON_MAP_ROWS];    /* one entry of each row; NULL: it has
							 * none */
	const struct measured_map *any;                 /* NULL: the object has no maps */
};

static void find_rows(struct rows *rows, const struct columns *c, uint32_t object)
{
	*rows = (struct rows){ .any = NULL };
	for (size_t i = maps_first(c, object); i < c->nmaps && c->map[i].object == object; i++)
		rows->any = rows->of[c->map[i].row] = &c->map[i];
}

/* The row in which the lines of a row of the result are; MON_MAP_ROWS: none.  Where rows are
 * pieces, a part of a block is in the piece in which it begins. */
static uint32_t row_of(const struct rows *rows, const struct mon_use *use)
{
	const bool part = use->row < MON_MAP_ROWS;
	const uint64_t at = use->lo + (part ? use->row * use->bytes / MON_MAP_ROWS : 0);

	if (!rows->any->pieces)
		return part && use->lo == rows->any->lo && use->bytes == rows->any->bytes ?
			use->row : MON_MAP_ROWS;
	for (uint32_t r = 0; r < MON_MAP_ROWS; r++)
		if (rows->of[r] && at - rows->of[r]->lo < rows->of[r]->bytes)
			return r;
	return MON_MAP_ROWS;
}

static int by_object(const void *a, const void *b)
{
	const struct mon_use *x = *(const struct mon_use *const *)a,
		*y = *(const struct mon_use *const *)b;

	return x->object < y->object ? -1 : x->object > y->object;
}

/* Adds the lines of one row twice where two rows of the result are one row of the map. */
static size_t merge(struct measured_use *u, size_t n)
{
	size_t kept = 0;

	qsort(u, n, sizeof *u, by_row);
	for (size_t i = 0; i < n; i++) {
		if (!kept || by_row(&u[kept - 1], &u[i])) {
			u[kept++] = u[i];
			continue;
		}
		for (int k = 0; k < MON_LINE_USES; k++)
			u[kept - 1].lines[k] += u[i].lines[k];
	}
	return kept;
}

/* Rows of the result in the order of their objects, so that the rows of an
 * object's maps are found once. */
static void take(const struct measurements *p, struct columns *c, const struct mon_use **use,
	uint32_t n)
{
	struct rows rows = { .any = NULL };
	uint32_t last = UINT32_MAX;

	qsort(use, n, sizeof *use, by_object);
	for (uint32_t i = 0; i < n; i++) {
		struct measured_use u = { .object = tables_object(p, use[i]->object) };

		if (use[i]->object != last)
			find_rows(&rows, c, u.object);
		last = use[i]->object;
		u.row = rows.any && u.object >= MON_OBJ_FIRST ? row_of(&rows, use[i]) :
			MON_MAP_ROWS;
		for (int k = 0; k < MON_LINE_USES; k++)
			u.lines[k] = use[i]->lines[k];
		if (u.row < MON_MAP_ROWS)
			c->use[c->nuses++] = u;
	}
}

int line_uses_add(const struct measurements *p, struct columns *c, const struct mon_result *r)
{
	const struct mon_use **use = calloc(r->nuses + (size_t)1, sizeof *use);

	c->use = calloc(r->nuses + (size_t)1, sizeof *c->use);
	if (!use || !c->use) {
		free(use);
		return -1;
	}
	for (uint32_t i = 0; i < r->nuses; i++)
		use[i] = &r->uses[i];
	take(p, c, use, r->nuses);
	free(use);
	c->nuses = merge(c->use, c->nuses);
	return 0;
}

void line_uses_free(struct columns *c)
{
	free(c->use);
	c->use = NULL;
	c->nuses = 0;
}
