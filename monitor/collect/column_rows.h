/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of timelines (struct mon_columns). */
#ifndef PSC_MONITOR_COLUMN_ROWS_H
#define PSC_MONITOR_COLUMN_ROWS_H

#include "monitor/collect/armed.h"

struct sim_core;

/* Are there timelines of this request?  Not with variants, nor of some
 * contexts or structures alone. */
bool column_rows_wanted(const struct pscm_armed *a);
/* Writes the timeline of a thread's core.  number: what the program's teams call the
 * thread; -1: it was in none. */
void column_rows_write(struct pscm_armed *a, struct sim_core *core, uint32_t thread,
	int32_t number);

#endif
