/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts values and picks medians and quartiles. */
#include "analysis/measure/quantiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void sort(double *values, uint32_t n)
{
	qsort(values, n, sizeof *values, by_value);
}

/* n > 0; the caller frees; NULL: memory. */
static double *sorted_copy(const double *values, uint32_t n)
{
	double *copy = malloc(n * sizeof *copy);

	if (copy) {
		memcpy(copy, values, n * sizeof *copy);
		sort(copy, n);
	}
	return copy;
}

static double middle(const double *sorted, uint32_t n)
{
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* The value at a share of the way through sorted values, between two of them if need be. */
static double quantile(const double *sorted, uint32_t n, double at)
{
	double x = at * (n - 1);
	uint32_t i = (uint32_t)x;

	return i + 1 < n ? sorted[i] + (x - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

double median_of(const double *values, uint32_t n)
{
	double *sorted = n && values ? sorted_copy(values, n) : NULL, median;

	if (!sorted)
		return NAN;
	median = middle(sorted, n);
	free(sorted);
	return median;
}

double spread_of(const double *values, uint32_t n)
{
	double *sorted = n >= SPREAD_LEAST && values ? sorted_copy(values, n) : NULL;
	double median, spread;

	if (!sorted)
		return NAN;
	median = middle(sorted, n);
	spread = fmax(quantile(sorted, n, 0.75) - median, median - quantile(sorted, n, 0.25));
	free(sorted);
	return spread;
}

double lower_quartile(double *values, uint32_t n)
{
	sort(values, n);
	return values[(n - 1) / 4];
}
