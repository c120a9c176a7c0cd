/* SPDX-License-Identifier: BSD-3-Clause */
/* A five-point stencil on a square, by two threads of OpenMP.  Prints the sum at the end. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1500, STEPS = 400 };

static void step(double *to, const double *from)
{
#pragma omp parallel for num_threads(2)
	for (int i = 1; i < N - 1; i++)
		for (int k = 1; k < N - 1; k++)
			to[i * N + k] = 0.2 * (from[i * N + k] + from[(i - 1) * N + k] +
				from[(i + 1) * N + k] + from[i * N + k - 1] + from[i * N + k + 1]);
}

int main(void)
{
	double *a = calloc((size_t)N * N, sizeof *a), *b = calloc((size_t)N * N, sizeof *b);
	double sum = 0;

	if (!a || !b)
		return 1;
	for (int i = 0; i < N * N; i++)
		a[i] = b[i] = i % 97;
	for (int n = 0; n < STEPS; n++)
		step(n % 2 ? a : b, n % 2 ? b : a);
	for (int i = 0; i < N * N; i++)
		sum += a[i];
	printf("%.6f\n", sum);
	return 0;
}
