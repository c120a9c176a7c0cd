/* SPDX-License-Identifier: BSD-3-Clause */
/* Long steps of a solver on a sparse matrix: rows are multiplied in blocks, vectors are updated and
 * norms are taken.  With OpenMP a team multiplies each block.  Argument: rows in thousands; default 60. */
#include <stdio.h>
#include <stdlib.h>

enum { ENTRIES = 12, BLOCK = 500, SWEEPS = 3, STEPS = 12 };

static int rows;
static int *column;
static double *value, *x, *y, *r;

static void multiply(int from, int to)
{
#pragma omp parallel for
	for (int i = from; i < to; i++) {
		double sum = 0;

		for (int k = 0; k < ENTRIES; k++)
			sum += value[(long)i * ENTRIES + k] * x[column[(long)i * ENTRIES + k]];
		y[i] = sum;
	}
}

static void update(int from, int to, double by)
{
	for (int i = from; i < to; i++) {
		r[i] -= by * y[i];
		x[i] += by * r[i];
	}
}

static double norm(int from, int to)
{
	double sum = 0;

	for (int i = from; i < to; i++)
		sum += r[i] * r[i];
	return sum;
}

static double step(void)
{
	double sum = 0;

	for (int sweep = 0; sweep < SWEEPS; sweep++) {
		for (int i = 0; i < rows; i += BLOCK)
			multiply(i, i + BLOCK);
		for (int i = 0; i < rows; i += BLOCK)
			update(i, i + BLOCK, 0.001);
		sum = 0;
		for (int i = 0; i < rows; i += BLOCK)
			sum += norm(i, i + BLOCK);
	}
	return sum;
}

int main(int argc, char **argv)
{
	unsigned seed = 1;
	double sum = 0;

	rows = (argc > 1 ? atoi(argv[1]) : 60) * 1000;
	column = malloc((size_t)rows * ENTRIES * sizeof *column);
	value = malloc((size_t)rows * ENTRIES * sizeof *value);
	x = malloc((size_t)rows * sizeof *x);
	y = malloc((size_t)rows * sizeof *y);
	r = malloc((size_t)rows * sizeof *r);
	if (!column || !value || !x || !y || !r)
		return 1;
	for (long i = 0; i < (long)rows * ENTRIES; i++) {
		seed = seed * 1103515245u + 12345u;
		column[i] = (int)((seed >> 8) % (unsigned)rows);
		value[i] = 1.0 / (double)(1 + i % 7);
	}
	for (int i = 0; i < rows; i++) {
		x[i] = i % 13;
		y[i] = r[i] = 1;
	}
	for (int s = 0; s < STEPS; s++)
		sum = step();
	printf("%.6e\n", sum);
	return 0;
}
