/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies the logs of the simulator's timelines into the shared memory, in parts. */
#include "monitor/collect/column_rows.h"
#include "monitor/collect/thread_nodes.h"
#include "simulate/simulate.h"
#include <string.h>

bool column_rows_wanted(const struct pscm_armed *a)
{
	return a->kind == MON_SIM && !a->nvariants && !a->nfilters;
}

/* Copies the parts; false: there is no room for all. */
static bool parts(struct pscm_armed *a, const struct sim_columns *c, const struct mon_columns *head)
{
	for (uint32_t at = 0; at < c->bytes || !at; at += sizeof head->log) {
		struct mon_columns *row = pscm_row_columns(a);

		if (!row)
			return false;
		*row = *head;
		row->left_out = at ? 0 : head->left_out;
		row->bytes = c->bytes - at < sizeof row->log ? c->bytes - at : sizeof row->log;
		memcpy(row->log, c->log + at, row->bytes);
	}
	return true;
}

void column_rows_write(struct pscm_armed *a, struct pscm_thread *t)
{
	const uint32_t before = a->rows.columns;
	struct sim_core *core = &t->replay.sim.core;
	struct mon_columns head = { .thread = t->index, .number = t->number,
		.node = thread_nodes_of(t) };
	struct sim_columns c;

	if (!sim_columns_end(core, &c))
		return;
	head.width = c.width;
	head.left_out = c.left_out;
	if (parts(a, &c, &head))
		return;
	/* A log without its end says nothing of what was lost, so all of it is left out. */
	a->rows.columns = before;
	head.left_out = core->records;
	c.bytes = 0;
	if (!parts(a, &c, &head))
		a->request->left_out += head.left_out;
}
