/* SPDX-License-Identifier: BSD-3-Clause */
/* The times of repeated measurements of one thing, and their quantiles. */
#ifndef PSC_MACHINE_SERIES_H
#define PSC_MACHINE_SERIES_H

#include "machine/costs.h"

enum { SERIES_MOST = 256, SERIES_GROUPS = 24 };

struct series {
	double v[SERIES_MOST];
	unsigned n;
};

/* Ignored once the series is full. */
void series_add(struct series *s, double v);
/* The slices are dealt to at most SERIES_GROUPS groups, of which the fastest slices are looked at, so
 * that slices that other programs disturbed do not count as long as a part of them is undisturbed.
 * Value: the lower quartile of these, low: their lowest decile; high: the upper quartile of all
 * slices.  Of an empty series 0. */
struct cost series_cost(const struct series *s);
/* How far the quartiles of the groups are apart, as a share of the lower one. */
double series_spread(const struct series *s);
/* The upper quartile of rates; 0: none. */
double series_rate(const struct series *s);

#endif
