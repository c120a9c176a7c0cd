/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of maps (struct mon_map). */
#ifndef PSC_MONITOR_MAP_WRITER_H
#define PSC_MONITOR_MAP_WRITER_H

#include "monitor/collect/armed.h"
#include "simulate/simulate.h"

/* Writes the map of a thread's core.  It and the maps that follow, `threads` in all, have equal
 * parts of the rows that are left: columns become wider for that, and what does not fit even so is
 * counted (mon_request.undrawn). */
void pscm_map_rows(struct pscm_armed *a, struct sim_core *core, uint32_t thread, uint32_t threads);

#endif
