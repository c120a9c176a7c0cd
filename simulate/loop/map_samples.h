/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws records that were simulated into maps (simulate/cache/map_counts.h). */
#ifndef PSC_SIMULATE_LOOP_MAP_SAMPLES_H
#define PSC_SIMULATE_LOOP_MAP_SAMPLES_H

#include "simulate/cache/map_counts.h"
#include "simulate/loop/loop.h"

/* Requires core->drawn.  Draws the records of a batch, before `end`, that were noted. */
void sim_maps_draw(struct work *w, const uint64_t *end);

#endif
