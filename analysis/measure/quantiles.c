/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts values and picks medians and quartiles. */
#include "analysis/measure/quantiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/quantile.h"

/* n > 0; the caller frees; NULL: memory. */
static double *sorted_copy(const double *values, uint32_t n)
{
	double *copy = malloc(n * sizeof *copy);

	if (copy) {
		memcpy(copy, values, n * sizeof *copy);
		quantile_sort(copy, n);
	}
	return copy;
}

double median_of(const double *values, uint32_t n)
{
	double *sorted = n && values ? sorted_copy(values, n) : NULL, median;

	if (!sorted)
		return NAN;
	median = quantile_at(sorted, n, 0.5);
	free(sorted);
	return median;
}

double spread_of(const double *values, uint32_t n)
{
	double *sorted = n >= SPREAD_LEAST && values ? sorted_copy(values, n) : NULL;
	double median, spread;

	if (!sorted)
		return NAN;
	median = quantile_at(sorted, n, 0.5);
	spread = fmax(quantile_at(sorted, n, 0.75) - median, median - quantile_at(sorted, n, 0.25));
	free(sorted);
	return spread;
}

double lower_quartile(double *values, uint32_t n)
{
	quantile_sort(values, n);
	return values[(n - 1) / 4];
}
