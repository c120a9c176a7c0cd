/* SPDX-License-Identifier: BSD-3-Clause */
/* Slices: short measurements of at most 2 ms of processor time, whose quartiles are taken.  A slice
 * in which another program had the processor is not used: that program's data is in the caches.
 *
 * A slice is disturbed where a program ran in the other hardware thread of the core meanwhile: the
 * two divide the core's units and nearer caches, so that a line in level 1 may cost twice as much.
 * A virtual machine does not know which of its CPUs share a core; a probe of a few us before and
 * after a slice shows it: stores in level 1, as many as the core takes.  Undisturbed slices decide
 * what a line costs, where there are SERIES_QUIET of them (samples_undisturbed()). */
#ifndef PSC_MACHINE_COST_COST_SLICES_H
#define PSC_MACHINE_COST_COST_SLICES_H

#include <stdbool.h>
#include "machine/series.h"
#include "machine/working_sets.h"

struct slices {
	struct samples line[MACHINE_LEVELS + 1][COST_PATTERNS];
	struct samples over[MACHINE_LEVELS + 1][COST_WALKS];    /* loads, stores, dependent loads
								 * over all pages */
	struct samples huge[MACHINE_LEVELS + 1][COST_WALKS];    /* the same in huge pages */
	struct samples cycle, addition, taken, alternating;     /* ns of a cycle, of
								 * kernel_additions()'s; of a
								 * branch */
	double probe;           /* ns of the fastest probe */
	/* Lines of a slice, by the first one's speed. */
	size_t lines[MACHINE_LEVELS + 1][COST_PATTERNS + 2 * COST_WALKS];
	bool choosy;            /* the caller's: leave out slices that would begin disturbed */
};

enum { LEAST_SLICES = 24 };
#define ENOUGH_SPREAD 0.25              /* a series with LEAST_SLICES and this spread is settled */

/* Measures once, level by level, each level's set put into its cache before: everything, or only
 * what is not settled.  Slices of a series that has SERIES_QUIET undisturbed ones are left out
 * while they would begin disturbed. */
void slices_round(struct slices *s, struct working_sets *sets, bool everything);
#define MOST_SPREAD 0.40                /* with more, a cost varies: its range is wide, and it is
					 * marked */

/* The cost by the undisturbed slices of a series; high: the upper quartile of all its slices.  Of a
 * series that varies, and of one with less than SERIES_QUIET slices: from the lowest to the highest
 * decile of all of them, at least from 2/3 to 3/2 of the value. */
struct cost slices_cost(const struct slices *s, const struct samples *of);
/* The largest spread of a series, and which it is ("L2 gather").  The walks of independent accesses
 * and those in huge pages, which are a small part of any cost, and lines that crowd in a set, which
 * cost more than others in rare layouts only, are left out: their ranges say how sure they are.
 * Where caches are shared with other virtual machines, the latter never settle. */
double slices_spread(const struct slices *s, const struct machine_flat *f, char *which,
	size_t size);
/* The fewest slices that a series has.  quiet: the fewest beside which the core's other hardware
 * thread was idle. */
unsigned slices_least(const struct slices *s, const struct working_sets *sets, bool quiet);

#endif
