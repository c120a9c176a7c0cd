/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantiles of values in an array. */
#ifndef PSC_BASE_QUANTILE_H
#define PSC_BASE_QUANTILE_H

#include <stddef.h>

/* Sorts n values, ascending; none is NAN. */
void quantile_sort(double *values, size_t n);
/* The value at a share `at`, 0..1, of the way through n > 0 sorted values: a straight line between
 * the two values beside it. */
double quantile_at(const double *sorted, size_t n, double at);
/* The value nearest to that share of the way; of two, the larger. */
double quantile_nearest(const double *sorted, size_t n, double at);

#endif
