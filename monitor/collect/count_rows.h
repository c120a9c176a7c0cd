/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of counts, and of lines for which threads contend. */
#ifndef PSC_MONITOR_COUNT_ROWS_H
#define PSC_MONITOR_COUNT_ROWS_H

#include "monitor/collect/armed.h"
#include "monitor/host/threads.h"

#pragma GCC visibility push(hidden)

/* Adds a thread's counts of one simulation to the slot's rows.  MON_DROP_NONE; MON_DROP_ROWS: the
 * rows do not fit. */
uint32_t pscm_count_rows(struct pscm_armed *a, struct pscm_replay *replay,
	const struct pscm_thread *t);
/* Adds rows for cache lines of requested objects for which several threads contend.  share NULL: no
 * two threads recorded. */
void pscm_line_rows(struct pscm_armed *a, struct share *share);

#pragma GCC visibility pop
#endif
