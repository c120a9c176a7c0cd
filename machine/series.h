/* SPDX-License-Identifier: BSD-3-Clause */
/* The times of repeated measurements of one thing, and their quantiles. */
#ifndef PSC_MACHINE_SERIES_H
#define PSC_MACHINE_SERIES_H

#include "machine/line_costs.h"

enum { SERIES_MOST = 2048, SERIES_GROUPS = 24, SERIES_QUIET = 8 };

struct series {
	double v[SERIES_MOST];
	unsigned n;
	unsigned least;         /* if not 0: as many groups as for so many slices */
};

/* Slices, and beside each the time of a probe whose instructions never change (cost_slices.c). */
struct samples {
	struct series ns, probe;
};

/* Ignored once the series is full. */
void series_add(struct series *s, double v);
/* The slices are dealt to 8 to SERIES_GROUPS groups of three or more; less than 24 slices to 8
 * groups of one to three.  The fastest slice of each group counts, so that slices that other
 * programs disturbed do not as long as a part of them is undisturbed.  Value: the lower quartile of
 * these, low: their lowest decile; high: the upper quartile of all slices.  Of an empty series
 * 0. */
struct cost series_cost(const struct series *s);
/* How far the quartiles of the groups are apart, as a share of the lower one. */
double series_spread(const struct series *s);
/* First the slices whose probe took at most `limit`, beside which the core's other hardware thread
 * was idle, then the others, in so many groups that each has some of the first.  Where these are
 * fewer than SERIES_QUIET, only the others.  Returns the number of the first. */
unsigned samples_undisturbed(const struct samples *s, double limit, struct series *out);
/* The upper quartile of rates; 0: none. */
double series_rate(const struct series *s);

#endif
