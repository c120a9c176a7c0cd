/* SPDX-License-Identifier: BSD-3-Clause */
/* Two loops across the rows of matrices, and a phase that memory does not matter for ("compute"). */
#include <stdio.h>
#include <string.h>

#define N 700
static double from[N][N], to[N][N], few[64];

static void spread(void)
{
	for (int j = 1; j < N - 1; j++)
		for (int i = 1; i < N - 1; i++)
			to[i][j] = 0.25 * (from[i][j - 1] + from[i][j + 1]);
}

static void copy_back(void)
{
	for (int j = 1; j < N - 1; j++)
		for (int i = 1; i < N - 1; i++)
			from[i][j] = to[i][j];
}

static void compute(void)
{
	for (int r = 0; r < 2000; r++)
		for (int i = 0; i < 64; i++)
			few[i] = few[i] * 0.99 + 1 / (1 + few[i] * few[i]);
}

int main(int argc, char **argv)
{
	(void)argv;
	from[N / 2][N / 2] = 1;
	if (argc > 1) {
		for (int step = 0; step < 30; step++)   /* computes */
			compute();
	} else {
		for (int step = 0; step < 30; step++) { /* spreads */
			spread();
			copy_back();
		}
	}
	printf("%g\n", from[N / 2][N / 2 + 1] + few[0]);
	return 0;
}
