/* SPDX-License-Identifier: BSD-3-Clause */
/* For balance.sh, with two threads.  The regions take milliseconds, so that it does not matter when the
 * system lets a thread run. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, TIMES = 5 };
static double part[2][100 * N], other[2][50 * N];
static double sum[2 * 64];

static void work(int thread, const double *from, int units)
{
	double s = 0;

	for (int n = 0; n < TIMES; n++)
		for (int i = 0; i < units * N; i++)
			s += from[i];
	sum[64 * thread] += s;
}

static void uneven(void)
{
#pragma omp parallel
#pragma omp for schedule(static, 1)
	for (int t = 0; t < 2; t++)
		work(t, part[t], t == 0 ? 100 : 1);
}

static void even(void)
{
#pragma omp parallel
#pragma omp for schedule(static, 1)
	for (int t = 0; t < 2; t++)
		work(t, other[t], 50);
}

static void meets(void)
{
#pragma omp parallel
	{
#pragma omp master
		work(0, part[0], 100);
#pragma omp barrier
	}
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 20;

	for (int step = 0; step < steps; step++) {
		uneven();
		even();
		meets();
	}
	printf("%g\n", sum[0] + sum[64]);
	return 0;
}
