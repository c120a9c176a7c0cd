/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads work on tiles; each tile's work space is allocated and freed, in the thread's own arena,
 * whose end is given back to the system each time. */
#include <stdio.h>
#include <stdlib.h>

enum { TILES = 8, CELLS = 200000 };
static double result[TILES];

static double *room(void)
{
	double *space = malloc(CELLS * sizeof *space);

	if (!space)
		exit(1);
	return space;
}

static double tile(int number, double *mean, double *change, double *next)
{
	double sum = 0;

	for (int i = 0; i < CELLS; i++)
		mean[i] = number + i % 13;
	for (int i = 0; i < CELLS; i++)
		change[i] = 0.5 * mean[i];
	for (int i = 0; i < CELLS; i++)
		next[i] = mean[i] - change[i];
	for (int i = 0; i < CELLS; i += 100)
		sum += next[i];
	return sum;
}

static void sweep(double **kept)
{
#pragma omp parallel for num_threads(2) schedule(static, 1)
	for (int t = 0; t < TILES; t++) {
#ifdef FIXED
		double **space = kept + t % 2 * 3;
#else
		double *space[3] = { room(), room(), room() };
#endif

		result[t] += tile(t, space[0], space[1], space[2]);
		for (int i = 2; i >= 0 && !kept[0]; i--)
			free(space[i]);
	}
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40;
	double *kept[6] = { NULL };

#ifdef FIXED
	for (int i = 0; i < 6; i++)
		kept[i] = room();
#endif
	for (int step = 0; step < steps; step++) /* the phase */
		sweep(kept);
	printf("%.15g\n", result[0] + result[TILES - 1]);
	return 0;
}
