/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of a map. */
#include "simulate/cache/maps.h"
#include <string.h>

bool sim_maps_add(struct sim_maps *m, uint32_t key, const uint32_t n[2])
{
	struct sim_map_count *table = m->count[m->spare];
	uint32_t slot = key * UINT32_C(0x9e3779b1) >> 13;

	for (; table[slot].key && table[slot].key != key; slot = (slot + 1) % MAP_COUNTS)
		;
	if (!table[slot].key && m->ncounts == MAP_COUNTS / 4 * 3)
		return false;
	m->ncounts += !table[slot].key;
	table[slot].key = key;
	table[slot].n[0] += n[0];
	table[slot].n[1] += n[1];
	return true;
}

void sim_maps_widen(struct sim_maps *m)
{
	const uint32_t old = m->spare;

	m->spare = !old;
	m->ncounts = 0;
	m->width *= 2;
	for (uint32_t i = 0; i < MAP_COUNTS; i++) {
		const struct sim_map_count *c = &m->count[old][i];

		if (c->key)
			sim_maps_add(m, 1 + (sim_map_object(c) << 18 | sim_map_column(c) / 2 << 8 | sim_map_row(c)), c->n);
	}
	memset(m->count[old], 0, sizeof m->count[old]);
}
