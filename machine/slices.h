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

/* Measures everything once, level by level, each level's set put into its cache before. */
void slices_round(struct slices *s, struct working_sets *sets);
/* The largest spread of a series, and which it is ("L2 gather"). */
double slices_spread(const struct slices *s, const struct machine_flat *f, char *which, size_t size);
/* The fewest slices that a series has. */
unsigned slices_least(const struct slices *s, const struct working_sets *sets);

#endif
