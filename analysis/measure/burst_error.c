/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the error of ratios from groups of bursts. */
#include "analysis/measure/burst_error.h"

#include <math.h>

#include "analysis/measure/sampling_error.h"

/* The groups' differences sum to 0 there, because the row has no misses. */
void burst_error_add_work(double work[MON_GROUPS], const struct mon_count_row *row, double per)
{
	for (int g = 0; g < MON_GROUPS; g++)
		work[g] += per * ((double)row->statements / MON_GROUPS +
			(double)row->group[0][0][g]);
}

static bool missed(const struct mon_count_row *row, uint32_t level)
{
	return row->load_miss[level] + row->store_miss[level] > 0;
}

double burst_error(const struct mon_count_row *row, const double work[MON_GROUPS], uint32_t nlevels)
{
	uint32_t level = nlevels ? nlevels - 1 : 0, n = 0;
	double misses[MON_GROUPS], sum = 0, all = 0, square = 0;

	while (level && !missed(row, level))
		level--;
	for (int g = 0; g < MON_GROUPS; g++) {
		misses[g] = (double)row->group[level][0][g] + (double)row->group[level][1][g];
		sum += misses[g];
		all += work[g];
		n += work[g] > 0;
	}
	if (!(sum > 0) || !(all > 0))
		return 0;
	if (n < 2)
		return 1;
	for (int g = 0; g < MON_GROUPS; g++)
		square += pow(misses[g] - sum / all * work[g], 2);
	return fmin(sampling_error_student(n - 1) * sqrt(n / (n - 1.) * square) / sum,
		BURST_ERROR_MOST);
}
