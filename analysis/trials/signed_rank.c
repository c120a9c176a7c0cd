/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the ways in which the ranks 1 to n can have a sum, and takes averages of pairs. */
#include "analysis/trials/signed_rank.h"

#include <math.h>

#include "base/quantile.h"

enum { AVERAGES = SIGNED_RANK_MOST * (SIGNED_RANK_MOST + 1) / 2 };

/* In how many of the 2^n ways to choose signs the ranks of the positive
 * differences have each sum. */
static void count_ways(uint32_t n, double ways[AVERAGES + 1])
{
	for (int s = 0; s <= AVERAGES; s++)
		ways[s] = s == 0;
	for (uint32_t rank = 1; rank <= n; rank++)
		for (int s = (int)(n * (n + 1) / 2); s >= (int)rank; s--)
			ways[s] += ways[s - (int)rank];
}

double signed_rank_confidence(uint32_t n, int cut)
{
	double ways[AVERAGES + 1], less = 0;

	count_ways(n, ways);
	for (int s = 0; s <= cut; s++)
		less += ways[s];
	return 1 - 2 * ldexp(less, -(int)n);
}

int signed_rank_cut(uint32_t n, double confidence)
{
	double ways[AVERAGES + 1], less = 0;
	int cut = -1;

	count_ways(n, ways);
	while (1 - 2 * ldexp(less + ways[cut + 1], -(int)n) >= confidence)
		less += ways[++cut];
	return cut;
}

struct centre signed_rank_centre(const double *difference, uint32_t n, double confidence)
{
	double average[AVERAGES];
	uint32_t k = 0;
	int cut = signed_rank_cut(n, confidence);

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = i; j < n; j++)
			average[k++] = (difference[i] + difference[j]) / 2;
	quantile_sort(average, k);
	if (cut < 0)
		cut = 0;
	return (struct centre){ quantile_at(average, k, 0.5), average[cut],
		average[k - 1 - (uint32_t)cut], signed_rank_confidence(n, cut) };
}
