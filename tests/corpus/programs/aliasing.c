/* SPDX-License-Identifier: BSD-3-Clause */
/* k arrays that begin in the same set (32 KiB apart), read side by side.
 *
 * Seven fit beside each other in eight ways: one miss a line.  Twelve do not: an array's line has
 * gone when its next element is read, every load misses, in level 2 too (32 KiB is its way).
 * corpus: machine=small lto */
#include "corpus.h"

enum { N = 4096 };
static double seven[7][N] ON_LEVEL2, twelve[12][N] ON_LEVEL2;
static double sum;

static KERNEL double across(double (*x)[N], int k)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < k; j++)
			s += x[j][i];
	return s;
}

static KERNEL void step(void)
{
	sum += across(seven, 7) + across(twelve, 12);
}

int main(void)
{
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < 7; j++)
			seven[j][i] = i + j;
		for (int j = 0; j < 12; j++)
			twelve[j][i] = i - j;
	}
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g\n", sum);
	for (int level = 1; level <= 2; level++) {
		printf("expect seven load_miss %d = %d\n", level, 7 * N / 8);
		printf("expect twelve load_miss %d = %d\n", level, 12 * N);
	}
	printf("expect seven bytes = %d\n", 7 * N * 8);
	printf("expect worst twelve across\n");
	return 0;
}
