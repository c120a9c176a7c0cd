/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at records that were simulated for walks (simulate/cache/walk_table.h). */
#ifndef PSC_SIMULATE_LOOP_WALK_SAMPLES_H
#define PSC_SIMULATE_LOOP_WALK_SAMPLES_H

#include "simulate/cache/walk_table.h"
#include "simulate/loop/loop.h"

/* Looks at the records of a batch that was simulated: counted, and with the
 * contexts from w->context on. */
void sim_walks_look(struct work *w, const uint64_t *words, const uint64_t *end);

/* Looks at a long loop that was simulated; at the long blocks of straight code, or at all of them
 * if none was looked at before. */
void sim_walks_loop(struct work *w, const struct loop *l);
void sim_walks_blocks(struct work *w, struct sim_segment *seg, const uint64_t *words);

#endif
