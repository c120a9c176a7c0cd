/* SPDX-License-Identifier: BSD-3-Clause */
/* For first_touch.sh, with two threads: pages that one thread touches first and both use, pages that each touches itself,
 * and a block that is allocated anew in each step.  A quarter of `mine` is never used. */
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 60, SWEEPS = 6, N = 1 << 17, USED = N / 4 * 3 };     /* 1 MiB each */

static double step(double *mine, double *ours)
{
	double *fresh = malloc(N * sizeof *fresh), sum = 0;

	for (int k = 0; k < SWEEPS; k++) {
#pragma omp parallel for schedule(static) reduction(+:sum)
		for (int i = 0; i < USED; i++)
			sum += mine[i];
#pragma omp parallel for schedule(static)
		for (int i = 0; i < N; i++)
			fresh[i] = ours[i] += 1;
	}
	free(fresh);
	return sum;
}

int main(void)
{
	double *mine = malloc(N * sizeof *mine), *ours = malloc(N * sizeof *ours), sum = 0;

	for (int i = 0; i < N; i++)
		mine[i] = i;
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++)
		ours[i] = i;
	for (int k = 0; k < STEPS; k++)
		sum += step(mine, ours);
	printf("%g\n", sum);
	free(mine);
	free(ours);
	return 0;
}
