/* SPDX-License-Identifier: BSD-3-Clause */
/* Misses of the last level by *module*: the memory channel of a node that serves them, number node
 * * channels + channel. Only machines have them whose channels follow from the place in a
 * page (machine_channels()). */
#ifndef PSC_SIMULATE_CHANNELS_H
#define PSC_SIMULATE_CHANNELS_H

#include "simulate/cache/sim.h"

struct sim_channels {           /* of a cell */
	uint64_t now[MACHINE_MODULES];
	uint64_t seen[MACHINE_MODULES];         /* at the last border (column_writer.c) */
};

/* The core is attached to its machine.  Without memory nothing is known of channels. */
void sim_channels_attach(struct sim_core *core);
/* Forgets all counts. */
void sim_channels_clear(struct sim_core *core);
/* Counts a miss of a line of a node; core->modules is not 0. */
void sim_channels_count(struct sim_core *core, const struct sim_cell *cell, uint64_t address,
	uint32_t node);

#endif
