/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what was drawn of a thread's core. */
#include "monitor/collect/map_rows.h"

enum { MAP_HALVINGS = 10 };     /* until there is one column */

_Static_assert((int)MAP_ROWS == (int)MON_MAP_ROWS && (int)MAP_ACCESSES == (int)MON_MAP_ACCESSES,
	"maps are the simulator's");

void pscm_map_rows(struct pscm_armed *a, struct sim_core *core, uint32_t thread, uint32_t room)
{
	struct sim_maps *m = core->maps;

	for (uint32_t k = 0; m && m->ncounts > room && k < MAP_HALVINGS; k++)
		sim_maps_widen(m);
	for (uint32_t i = 0; m && i < MAP_COUNTS; i++) {
		const struct sim_map_count *c = &m->count[m->spare][i];
		const struct sim_map_object *o = c->key ? &m->object[sim_map_object(c)] : NULL;
		struct mon_map *row;

		if (!o || o->several)
			continue;
		row = pscm_row_maps(a);
		if (!row)
			return;
		*row = (struct mon_map){ .object = o->object, .thread = thread, .from = sim_map_column(c) * m->width,
			.width = m->width, .bytes = o->hi - o->lo, .row = sim_map_row(c), .reads = c->n[0], .writes = c->n[1] };
	}
}
