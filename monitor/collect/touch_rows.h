/* SPDX-License-Identifier: BSD-3-Clause */
/* Who touched the rows of drawn structures first: rows of a result (struct mon_touch). */
#ifndef PSC_MONITOR_TOUCH_ROWS_H
#define PSC_MONITOR_TOUCH_ROWS_H

#include "monitor/collect/armed.h"
#include "simulate/simulate.h"

#pragma GCC visibility push(hidden)

void touch_rows_begin(void);    /* before those of the first thread */
/* Writes the rows of the structures that were drawn of the core, without those of cores before. */
void touch_rows_write(struct pscm_armed *a, const struct sim_core *core);

#pragma GCC visibility pop
#endif
