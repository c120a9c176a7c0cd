/* SPDX-License-Identifier: BSD-3-Clause */
/* Long steps on a grid, plane by plane: a stencil, a transposed sweep with a stride, and particles
 * that are looked up in a table.  Argument: points a side; default 100. */
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 12, PARTICLES = 200000, TABLE = 1 << 18, GROUP = 2000 };

static long n;
static double *a, *b;
static unsigned *particle;
static float *table;

static void stencil(long k)
{
	for (long j = 1; j < n - 1; j++)
		for (long i = 1; i < n - 1; i++) {
			long at = (k * n + j) * n + i;

			b[at] = 0.4 * a[at] + 0.1 * (a[at - 1] + a[at + 1] + a[at - n] + a[at + n] +
				a[at - n * n] + a[at + n * n]);
		}
}

static void columns(long k)
{
	for (long i = 1; i < n - 1; i++)
		for (long j = 1; j < n - 1; j++)
			a[(j * n + k) * n + i] = b[(j * n + k) * n + i] * 0.99;
}

static float look_up(long from, long to)
{
	float sum = 0;

	for (long p = from; p < to; p++) {
		particle[p] = particle[p] * 1664525u + 1013904223u;
		sum += table[particle[p] >> 14];
	}
	return sum;
}

static float step(void)
{
	float sum = 0;

	for (long k = 1; k < n - 1; k++)
		stencil(k);
	for (long k = 1; k < n - 1; k++)
		columns(k);
	for (long p = 0; p < PARTICLES; p += GROUP)
		sum += look_up(p, p + GROUP);
	return sum;
}

int main(int argc, char **argv)
{
	float sum = 0;

	n = argc > 1 ? atol(argv[1]) : 100;
	a = calloc((size_t)(n * n * n), sizeof *a);
	b = calloc((size_t)(n * n * n), sizeof *b);
	particle = malloc(PARTICLES * sizeof *particle);
	table = calloc(TABLE, sizeof *table);
	if (n < 8 || !a || !b || !particle || !table)
		return 1;
	for (long i = 0; i < n * n * n; i++)
		a[i] = (double)(i % 17);
	for (unsigned p = 0; p < PARTICLES; p++)
		particle[p] = p * 2654435761u;
	for (int s = 0; s < STEPS; s++)
		sum += step();
	printf("%.6e %g\n", a[(n + 1) * n + 2], (double)sum);
	return 0;
}
