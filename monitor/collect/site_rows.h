/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of misses by source line (struct mon_site): collected thread by thread, written at the end
 * of an experiment.  There is one collection at a time. */
#ifndef PSC_MONITOR_SITE_ROWS_H
#define PSC_MONITOR_SITE_ROWS_H

#include "monitor/collect/armed.h"
#include "monitor/state.h"

/* The most rows that site_rows_cell() collects for the cells of a core. */
uint32_t site_rows_room(const struct sim_core *core);
/* Begins a collection of at most `room` rows.  Without memory none is collected. */
void site_rows_begin(uint32_t room);
/* Collects the misses of a cell by line.  r: its row of counts, scaled; the
 * lines are scaled as it is. */
void site_rows_cell(const struct sim_core *core, const struct sim_cell *cell,
	const struct mon_count_row *r);
/* Writes the rows of the request. */
void site_rows_write(struct pscm_armed *a);

#endif
