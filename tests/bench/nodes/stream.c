/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream over three arrays.  Thread 0 touches all pages first; with -DPARALLEL each thread its own part. */
#include <stdio.h>

enum { N = 1 << 17, STEPS = 60 };
static double a[N], b[N], c[N];

static void fill(void)
{
#ifdef PARALLEL
#pragma omp parallel for
#endif
	for (int i = 0; i < N; i++) {
		a[i] = 1;
		b[i] = i % 17;
		c[i] = 0;
	}
}

static void step(void)
{
#pragma omp parallel for
	for (int i = 0; i < N; i++)
		c[i] = a[i] + 3 * b[i];
}

int main(void)
{
	fill();
	for (int t = 0; t < STEPS; t++)
		step();
	printf("%g\n", c[N / 3]);
	return 0;
}
