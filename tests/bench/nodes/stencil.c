/* SPDX-License-Identifier: BSD-3-Clause */
/* Sweeps of Jacobi's method over two planes, which the caches of eight threads hold, and those of
 * two do not. */
#include <stdio.h>

enum { N = 128, STEPS = 60 };
static double a[N][N], b[N][N];

static void sweep(double (*to)[N], double (*from)[N])
{
#pragma omp parallel for
	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < N - 1; j++)
			to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] +
				from[i][j - 1] + from[i][j + 1]);
}

static void step(void)
{
	sweep(b, a);
	sweep(a, b);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		a[i][0] = b[i][0] = i;
	for (int t = 0; t < STEPS; t++)
		step();
	printf("%g\n", a[N / 2][1]);
	return 0;
}
