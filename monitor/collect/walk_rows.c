/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what a thread's core has noted of walks. */
#include "monitor/collect/walk_rows.h"

_Static_assert((int)WALK_STEPS == (int)MON_WALK_STEPS, "a row has the simulator's steps");

static void fill(struct mon_walk *row, const struct sim_walk *k, uint32_t thread)
{
	*row = (struct mon_walk){ .context = k->context, .object = k->object, .thread = thread,
		.line = k->line, .size = k->size, .store = k->store, .per = k->per,
		.bytes = k->bytes, .seen = k->seen, .length = k->length };
	for (uint32_t i = 0; i < WALK_STEPS; i++) {
		row->step[i] = k->step[i].step;
		row->moves[i] = k->step[i].n;
	}
}

void pscm_walk_rows(struct pscm_armed *a, const struct sim_core *core, uint32_t thread)
{
	for (uint32_t i = 0; core->walks && i < WALKS; i++) {
		const struct sim_walk *k = &core->walks->walk[i];
		struct mon_walk *row;

		if (!k->used || !pscm_wanted(a, k->context, k->object, true))
			continue;
		row = pscm_row_walks(a);
		if (!row)
			return;
		fill(row, k, thread);
	}
}
