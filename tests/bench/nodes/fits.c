/* SPDX-License-Identifier: BSD-3-Clause */
/* Averages of neighbours, there and back: the parts of few threads overflow their caches, those of many fit. */
#include <stdio.h>

enum { N = 12000, STEPS = 60 };
static double a[N], b[N];

static void fill(void)
{
#pragma omp parallel for
	for (int i = 0; i < N; i++) {
		a[i] = i % 13;
		b[i] = 0;
	}
}

static void average(double *to, const double *from)
{
#pragma omp for
	for (int i = 1; i < N - 1; i++)
		to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
}

static void step(void)
{
#pragma omp parallel
	{
		average(b, a);
		average(a, b);
	}
}

int main(void)
{
	fill();
	for (int t = 0; t < STEPS; t++)
		step();
	printf("%g\n", a[N / 3]);
	return 0;
}
