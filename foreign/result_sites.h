/* SPDX-License-Identifier: BSD-3-Clause */
/* Misses by source line: gathered cell by cell, summed over the threads, the worst lines of each
 * context and object kept. */
#ifndef PSC_FOREIGN_RESULT_SITES_H
#define PSC_FOREIGN_RESULT_SITES_H

#include "monitor/shared/shm.h"
#include "simulate/simulate.h"

void result_sites_begin(void);
/* Adds the lines of a cell, scaled to its row.  MON_DROP_NONE or MON_DROP_MEMORY. */
uint32_t result_sites_add(const struct sim_core *core, uint32_t cell,
	const struct mon_count_row *row);
/* Writes the rows; returns their number. */
uint32_t result_sites_write(struct mon_site out[MON_SITES]);
void result_sites_end(void);

#endif
