/* SPDX-License-Identifier: BSD-3-Clause */
/* For sharing.sh and whatif.sh, with two threads: arrays whose pages one thread touches first, or each
 * its own; with SPREAD all of the second kind. */
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 12, N = 1 << 17 };        /* 1 MiB each */

static double mine[N], ours[N];
static double sum[2 * 64];

static void set(void)
{
#ifdef SPREAD
#pragma omp parallel for schedule(static)
#endif
	for (int i = 0; i < N; i++)
		mine[i] = i;
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++)
		ours[i] = i;
}

/* The same halves as above. */
static void use(double *a, double *to)
{
#pragma omp parallel
	{
		double s = 0;

#pragma omp for schedule(static)
		for (int i = 0; i < N; i++)
			s += a[i];
#pragma omp critical
		*to += s;
	}
}

int main(void)
{
	set();
	for (int step = 0; step < STEPS; step++) {
		use(mine, &sum[0]);
		use(ours, &sum[64]);
	}
	printf("%g\n", sum[0] - sum[64]);
	return 0;
}
