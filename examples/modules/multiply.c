/* SPDX-License-Identifier: BSD-3-Clause */
/* Multiplies two matrices by the definition, again and again.  The threads share the rows of c: each
 * reads its own rows of a, and all of b. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };
static double a[N][N], b[N][N], c[N][N];

static void fill(void)
{
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++) {
			a[i][k] = 1.0 / (1 + i + k);
			b[i][k] = i == k ? 2 : 1e-3 * (i - k);
		}
}

static void multiply(void)
{
#pragma omp parallel for
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double sum = 0;

			for (int k = 0; k < N; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] = sum;
		}
}

int main(int argc, char **argv)
{
	const int times = argc > 1 ? atoi(argv[1]) : 200;
	double trace = 0;

	fill();
	for (int t = 0; t < times; t++)
		multiply();
	for (int i = 0; i < N; i++)
		trace += c[i][i];
	printf("trace %.12g\n", trace);
	return 0;
}
