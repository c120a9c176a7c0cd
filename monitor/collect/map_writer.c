/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what was drawn of a thread's core. */
#include "monitor/collect/map_writer.h"

enum { MAP_HALVINGS = 10 };     /* until there is one column */

_Static_assert((int)MAP_ROWS == (int)MON_MAP_ROWS && (int)MAP_ACCESSES == (int)MON_MAP_ACCESSES,
	"maps are the simulator's");

/* The row of a count, without its numbers. */
static struct mon_map place_of(const struct sim_maps *m, const struct sim_map_count *c)
{
	const struct sim_map_object *o = &m->object[sim_map_object(c)];
	const uint32_t row = sim_map_row(c);
	struct mon_map out = { .object = o->object, .from = sim_map_column(c) * m->width,
		.width = m->width, .lo = o->lo, .bytes = o->hi - o->lo, .row = row };

	if (o->pieces) {
		out.lo = o->pieces->at[row] << o->pieces->shift;
		out.bytes = UINT64_C(1) << o->pieces->shift;
		out.row = MON_MAP_ROWS;
	}
	return out;
}

/* Writes the row of a count.  false: there is no room for it, or its object has lost its rows. */
static bool write_count(struct pscm_armed *a, const struct sim_maps *m,
	const struct sim_map_count *c, uint32_t thread)
{
	struct mon_map *row = m->object[sim_map_object(c)].lost ? NULL : pscm_row_maps(a);

	if (!row)
		return false;
	*row = place_of(m, c);
	row->thread = thread;
	row->reads = c->n[MAP_READS];
	row->writes = c->n[MAP_WRITES];
	row->sampled = c->n[MAP_SAMPLED];
	row->first_misses = c->n[MAP_FIRST];
	row->last_misses = c->n[MAP_LAST];
	return true;
}

void pscm_map_rows(struct pscm_armed *a, struct sim_core *core, uint32_t thread, uint32_t threads)
{
	const struct sim_maps *m = core->maps;
	const uint32_t room = (MON_MAPS - a->rows.maps) / (threads ? threads : 1);
	const struct sim_map_table *table;
	uint32_t written = 0;

	if (!m)
		return;
	if (core->drawn)
		sim_maps_border(core, m->at);
	for (uint32_t k = 0; m->ncounts > room && k < MAP_HALVINGS && sim_maps_widen(core); k++)
		;
	a->request->undrawn += m->left_out;
	table = &m->table[m->used];
	for (uint32_t i = 0; i < table->room; i++) {
		const struct sim_map_count *c = &table->count[i];

		if (!c->key)
			continue;
		if (written < room && write_count(a, m, c, thread))
			written++;
		else
			a->request->undrawn += sim_map_samples(c->n);
	}
}
