/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes which thread touched the rows of structures first. */
#include "monitor/collect/touch_rows.h"
#include "monitor/address/first_touch.h"
#include <string.h>

enum { PAGE = 4096 };

static uint8_t written[MON_OBJECTS / 8];        /* by object: its rows are there */

void touch_rows_begin(void)
{
	memset(written, 0, sizeof written);
}

/* Pages first..end - 1 of a row that lie in the block as a whole. */
static void pages_of(const struct sim_map_object *o, uint32_t row, uint64_t *first, uint64_t *end)
{
	const uint64_t bytes = o->hi - o->lo, most = o->hi / PAGE;

	*first = (o->lo + row * bytes / MON_MAP_ROWS) / PAGE;
	*end = (o->lo + (row + 1) * bytes / MON_MAP_ROWS + PAGE - 1) / PAGE;
	if (*first * PAGE < o->lo)
		++*first;
	if (*end > most)
		*end = most;
}

/* The only thread that can have touched more than half of the pages first
 * (Boyer and Moore's vote). */
static uint32_t candidate(uint64_t first, uint64_t end)
{
	uint32_t thread = MON_ANY;
	uint64_t votes = 0;

	for (uint64_t p = first; p < end; p++) {
		const uint32_t of = first_touch_of(p * PAGE);

		if (!votes)
			thread = of;
		votes += of == thread ? 1 : (uint64_t)-1;
	}
	return thread;
}

/* The thread that touched more than half of the row's pages first;
 * MON_ANY: none, or it is unknown. */
static uint32_t toucher_of(const struct sim_map_object *o, uint32_t row)
{
	uint64_t first, end, n = 0;
	uint32_t thread;

	pages_of(o, row, &first, &end);
	if (first >= end)
		return MON_ANY;
	thread = candidate(first, end);
	if (thread == MON_ANY)
		return MON_ANY;
	for (uint64_t p = first; p < end; p++)
		n += first_touch_of(p * PAGE) == thread;
	return 2 * n > end - first ? thread : MON_ANY;
}

/* Rows with one toucher that follow one another are one row of the result.
 * false: there is no room. */
static bool write_object(struct pscm_armed *a, const struct sim_map_object *o)
{
	uint32_t thread = toucher_of(o, 0);

	for (uint32_t row = 0, end; row < MON_MAP_ROWS; row = end) {
		const uint32_t of = thread;

		for (end = row + 1; end < MON_MAP_ROWS; end++) {
			thread = toucher_of(o, end);
			if (thread != of)
				break;
		}
		if (of != MON_ANY) {
			struct mon_touch *t = pscm_row_touches(a);

			if (!t)
				return false;
			*t = (struct mon_touch){ .object = o->object, .thread = of, .from = row,
				.to = end, .bytes = o->hi - o->lo };
		}
	}
	return true;
}

void touch_rows_write(struct pscm_armed *a, const struct sim_core *core)
{
	for (uint32_t i = 0; core->maps && i < MAP_OBJECTS; i++) {
		const struct sim_map_object *o = &core->maps->object[i];

		if (!o->hi || o->pieces || o->lost || o->hi >> 48 || o->object >= MON_OBJECTS ||
		    written[o->object / 8] >> o->object % 8 & 1)
			continue;
		written[o->object / 8] |= (uint8_t)(1 << o->object % 8);
		if (first_touch_known(o->lo, o->object) && !write_object(a, o))
			return;
	}
}
