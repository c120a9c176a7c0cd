/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of maps (struct mon_map). */
#ifndef PSC_MONITOR_MAP_ROWS_H
#define PSC_MONITOR_MAP_ROWS_H

#include "monitor/collect/armed.h"
#include "simulate/simulate.h"

/* Writes the map of a thread's core in at most `room` rows: its columns become wider for that. */
void pscm_map_rows(struct pscm_armed *a, struct sim_core *core, uint32_t thread, uint32_t room);

#endif
