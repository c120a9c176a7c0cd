/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices: short measurements of at most 2 ms of processor time, whose quartiles are taken.  A slice
 * in which another program had the processor is not used: that program's data is in the caches. */
#ifndef PSC_MACHINE_SLICES_H
#define PSC_MACHINE_SLICES_H

#include <stdbool.h>
#include "machine/series.h"
#include "machine/working_sets.h"

struct slices {
	struct series line[MACHINE_LEVELS + 1][COST_PATTERNS];
	struct series over[MACHINE_LEVELS + 1][COST_WALKS];     /* loads, stores, dependent loads over all pages */
	struct series cycle, taken, alternating;                /* ns of a cycle; of a branch */
	/* Lines of a slice, by the first one's speed. */
	size_t lines[MACHINE_LEVELS + 1][COST_PATTERNS + COST_WALKS];
	unsigned interrupted;
};

enum { LEAST_SLICES = 24 };
#define ENOUGH_SPREAD 0.25              /* a series with LEAST_SLICES and this spread is settled */

/* Measures once, level by level, each level's set put into its cache before: everything, or only
 * what is not settled. */
void slices_round(struct slices *s, struct working_sets *sets, bool everything);
/* The largest spread of a series, and which it is ("L2 gather").  The walks of independent accesses,
 * which are a small part of any cost, are left out: their ranges say how sure they are. */
double slices_spread(const struct slices *s, const struct machine_flat *f, char *which, size_t size);
/* The fewest slices that a series has. */
unsigned slices_least(const struct slices *s, const struct working_sets *sets);

#endif
