/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads: a parallel region in a loop, with next to no work, and one with all of the work. */
#include <stdio.h>
enum { N = 1500, TIMES = 400 };
static double a[2][N];
static void step(void)
{
	for (int k = 0; k < TIMES; k++) {
#pragma omp parallel num_threads(2)
#pragma omp for
		for (int t = 0; t < 2; t++)
			a[t][k] += 1;
	}
#pragma omp parallel for num_threads(2)
	for (int t = 0; t < 2; t++)
		for (int k = 0; k < TIMES; k++)
			for (int i = 1; i < N; i++)
				a[t][i] = 0.5 * (a[t][i] + a[t][i - 1]) + 1;
}
int main(void)
{
	for (int i = 0; i < 30; i++)
		step();
	printf("%g\n", a[0][N - 1] + a[1][N - 1]);
	return 0;
}
