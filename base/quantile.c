/* SPDX-License-Identifier: BSD-3-Clause */
/* Sorts values and finds what lies between two of them. */
#include "base/quantile.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void quantile_sort(double *values, size_t n)
{
	qsort(values, n, sizeof *values, ascending);
}

double quantile_at(const double *sorted, size_t n, double at)
{
	const double x = at * (double)(n - 1);
	const size_t i = (size_t)x;

	return i + 1 < n ? sorted[i] + (x - (double)i) * (sorted[i + 1] - sorted[i]) :
		sorted[n - 1];
}

double quantile_nearest(const double *sorted, size_t n, double at)
{
	return sorted[(size_t)(at * (double)(n - 1) + 0.5)];
}
