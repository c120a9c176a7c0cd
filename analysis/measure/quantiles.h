/* SPDX-License-Identifier: BSD-3-Clause */
/* Medians and quartiles of the values of an experiment's executions. */
#ifndef PSC_MEASURE_QUANTILES_H
#define PSC_MEASURE_QUANTILES_H

#include <stdint.h>

/* NAN: no values, or no memory. */
double median_of(const double *values, uint32_t n);

enum { SPREAD_LEAST = 3 };
/* The distance of the median from the farther quartile, which lies between two values where n - 1
 * is no multiple of 4.  NAN: fewer than SPREAD_LEAST values, or no memory. */
double spread_of(const double *values, uint32_t n);

/* One of the values, of which there is at least one: at most a quarter of them are smaller.  Sorts
 * them. */
double lower_quartile(double *values, uint32_t n);

#endif
