/* SPDX-License-Identifier: BSD-3-Clause */
/* Power iteration until it converges; the matrix is made by as much code, and is multiplied in power_kernel.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void multiply(int n, const double *a, const double *x, double *y);
double norm(int n, const double *x);

static double element(int i, int k)
{
	return 1.0 / (1 + abs(i - k)) + (i == k ? 2.0 + 0.001 * i : 0);
}

static void make(int n, double *a)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++)
			a[(size_t)i * n + k] = element(i, k);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1200, turns = 0;
	double *a = malloc((size_t)n * n * sizeof *a), *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
	double before, value = 0;

	make(n, a);
	for (int i = 0; i < n; i++)
		x[i] = 1;
	do {                                            /* PHASE */
		before = value;
		multiply(n, a, x, y);
		value = norm(n, y);
		for (int i = 0; i < n; i++)
			x[i] = y[i] / value;
		turns++;
	} while (fabs(value - before) > 1e-13 * value && turns < 2000);
	printf("%d %.10g\n", turns, value);
	return 0;
}
