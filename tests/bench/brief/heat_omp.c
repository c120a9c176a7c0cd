/* SPDX-License-Identifier: BSD-3-Clause */
/* The heat equation, 40 steps of two parallel loops. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 700 };
static double u[N][N], v[N][N];

static void step(double (*to)[N], double (*from)[N])
{
	#pragma omp parallel for
	for (int i = 1; i < N - 1; i++)
		for (int k = 1; k < N - 1; k++)
			to[i][k] = from[i][k] + 0.2 * (from[i - 1][k] + from[i + 1][k] + from[i][k - 1] + from[i][k + 1] -
				4 * from[i][k]);
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40;
	double sum = 0;

	#pragma omp parallel for
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++)
			u[i][k] = i == N / 2 || k == N / 2;
	for (int t = 0; t < steps; t++) {               /* PHASE */
		step(v, u);
		step(u, v);
	}
	for (int i = 0; i < N; i++)
		sum += u[i][i];
	printf("%.9g\n", sum);
	return 0;
}
