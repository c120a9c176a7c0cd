/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws records that were simulated into maps (simulate/cache/maps.h). */
#ifndef PSC_SIMULATE_LOOP_MAPS_H
#define PSC_SIMULATE_LOOP_MAPS_H

#include "simulate/cache/maps.h"
#include "simulate/loop/loop.h"

/* Draws the records of a batch that began at a position of the execution, and with the contexts from w->context on. */
void sim_maps_draw(struct work *w, const uint64_t *words, const uint64_t *end, uint64_t position);

#endif
