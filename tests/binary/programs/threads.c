/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenMP: comments as in loops.c. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 4000 };
static double from[N], to[N];

__attribute__((noinline)) static void smooth(int n)             /* region: smooth function */
{
	/* region of the next line: smooth parallelRegion */
#pragma omp parallel for
	for (int i = 1; i < n; i++)
		to[i] = (from[i - 1] + from[i]) / 2;
}

int main(int argc, char **argv)                                 /* region: main function */
{
	double s = 0;

	for (int i = 0; i < N; i++)                             /* region: main loop 1 */
		from[i] = rand() % 100 * argc;
	for (int k = 0; k < 7 * argc; k++)                      /* region: main loop 1 */
		smooth(N);
	{
		double *weight = malloc(N * sizeof *weight);

		for (int i = 0; i < N; i++)                     /* region: main loop 1 */
			weight[i] = rand() % 10;
		/* region of the next line: main parallelRegion */
#pragma omp parallel for reduction(+:s)
		for (int i = 0; i < N; i++)
			s += to[i] * weight[i];
	}
	printf("%s%g %g\n", argc > 5 ? argv[1] : "", to[N / 2], s);
	return 0;
}
