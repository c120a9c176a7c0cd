/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix times several vectors, with a library that is not instrumented: a product for each vector
 * reads the matrix each time, one product for all of them reads it once. */
#include <stdio.h>
#include <stdlib.h>

#include "dense.h"

enum { N = 1500, VECTORS = 8 };

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40;
	double *a = malloc(sizeof *a * N * N), *x = malloc(sizeof *x * N * VECTORS);
	double *y = malloc(sizeof *y * N * VECTORS), sum = 0;

	if (!a || !x || !y)
		return 1;
	for (int i = 0; i < N * N; i++)
		a[i] = i % 5 - 2;
	for (int i = 0; i < N * VECTORS; i++)
		x[i] = i % 3;
	for (int step = 0; step < steps; step++) { /* the phase */
#ifdef FIXED
		dense_times_vectors(N, VECTORS, a, x, y);
#else
		for (int v = 0; v < VECTORS; v++)
			dense_times_vector(N, VECTORS, a, x + v, y + v);
#endif
		for (int i = 0; i < N * VECTORS; i++)
			sum += y[i];
		x[step % N] += 1;
	}
	printf("%.15g\n", sum);
	return 0;
}
