/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of maps (struct mon_map). */
#ifndef PSC_MONITOR_MAP_ROWS_H
#define PSC_MONITOR_MAP_ROWS_H

#include "monitor/collect/armed.h"
#include "simulate/simulate.h"

/* Writes the map of a thread's core; what has no room is left out. */
void pscm_map_rows(struct pscm_armed *a, const struct sim_core *core, uint32_t thread);

#endif
