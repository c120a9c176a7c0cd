/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where the times behind a switch become alike. */
#include "analysis/trials/settle.h"

#include <math.h>

#include "analysis/measure/quantiles.h"

#define NEAR 0.02               /* share of the median */
#define DEVIATIONS 3
#define FURTHER 1.25            /* of the point found, which is itself uncertain */
#define FLOOR_S 0.03
enum { FLOOR_EXECUTIONS = 5, FLOOR_LONG = 2 };

static double deviation_of(const double *time, uint32_t n, double median)
{
	double copy[SETTLE_MOST];

	for (uint32_t i = 0; i < n; i++)
		copy[i] = fabs(time[i] - median);
	return median_of(copy, n);
}

int settle_point(const double *time, uint32_t n)
{
	const uint32_t quarter = n / 4;
	const double *tail = time + n - quarter;
	const double end = median_of(tail, quarter);
	const double near = fmax(NEAR * end, DEVIATIONS * deviation_of(tail, quarter, end));

	for (uint32_t i = 0; i <= n / 2; i++)
		if (fabs(median_of(time + i, SETTLE_WINDOW) - end) <= near)
			return (int)i;
	return -1;
}

uint32_t settle_discard(int point, double seconds)
{
	const uint32_t settled = point > 0 ? (uint32_t)ceil(FURTHER * point) + 1 : 0;
	const double floor_ = seconds > FLOOR_S ? FLOOR_LONG :
		fmax(FLOOR_EXECUTIONS, ceil(FLOOR_S / fmax(seconds, 1e-9)));

	return (uint32_t)fmin(fmax(settled, floor_), DISCARD_MOST);
}
