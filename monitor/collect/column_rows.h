/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of timelines (struct mon_columns). */
#ifndef PSC_MONITOR_COLUMN_ROWS_H
#define PSC_MONITOR_COLUMN_ROWS_H

#include "monitor/collect/armed.h"

struct pscm_thread;

/* Are there timelines of this request?  Not with variants, nor of some
 * contexts or structures alone. */
bool column_rows_wanted(const struct pscm_armed *a);
/* Writes the timeline of a thread. */
void column_rows_write(struct pscm_armed *a, struct pscm_thread *t);

#endif
