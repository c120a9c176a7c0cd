/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of walks (struct mon_walk). */
#ifndef PSC_MONITOR_WALK_ROWS_H
#define PSC_MONITOR_WALK_ROWS_H

#include "monitor/collect/armed.h"
#include "simulate/simulate.h"

/* Writes the walks of a thread's core that the request wants; those without room are left out. */
void pscm_walk_rows(struct pscm_armed *a, const struct sim_core *core, uint32_t thread);

#endif
