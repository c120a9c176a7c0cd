/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws records that were simulated into maps (simulate/cache/maps.h). */
#ifndef PSC_SIMULATE_LOOP_MAPS_H
#define PSC_SIMULATE_LOOP_MAPS_H

#include "simulate/cache/maps.h"
#include "simulate/loop/loop.h"

/* Requires core->drawn.  Draws the records of a batch, before `end`, that were noted. */
void sim_maps_draw(struct work *w, const uint64_t *end);

#endif
