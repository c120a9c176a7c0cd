/* SPDX-License-Identifier: BSD-3-Clause */
/* For structs.sh: arrays of structs of which loops use few members, in order and in no order; one of which
 * they use all.  With -DSPLIT only what the loops use is there. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, VISITS = 20000 };

#ifdef SPLIT
struct body { double x, y, z; };
struct cell { double pressure; int next, level; };
#else
struct vector { double x, y, z; };
struct body { double x, y, z; struct vector speed, force; };    /* 72 bytes */
struct cell {
	double pressure;
	double more[21];
	int next, level;        /* three lines further */
	double rest;
};
#endif
struct pair { double a, b; };

static double walk(const struct body *all)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += all[i].x * all[i].y + all[i].z;
	return s;
}

static double visit(const struct cell *cells, const int *which)
{
	double s = 0;

	for (int i = 0; i < VISITS; i++)
		s += cells[which[i]].pressure * cells[which[i]].next + cells[which[i]].level;
	return s;
}

static double both(const struct pair *all)
{
	double s = 0;

	for (int i = 0; i < 3 * N; i++)
		s += all[i].a * all[i].b;
	return s;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 400;
	struct body *bodies = aligned_alloc(64, N * sizeof *bodies);
	struct cell *grid = aligned_alloc(64, N * sizeof *grid);
	struct pair *pairs = calloc(3 * N, sizeof *pairs);
	int *which = malloc(VISITS * sizeof *which);
	unsigned random = 1;
	double s = 0;

	for (int i = 0; i < N; i++) {
		bodies[i] = (struct body){ .x = 1, .y = i };
		grid[i] = (struct cell){ .pressure = i };
	}
	for (int i = 0; i < VISITS; i++)
		which[i] = (int)((random = random * 1103515245u + 12345u) >> 8) % N;
	for (int step = 0; step < steps; step++) {
		s += walk(bodies);
		s += visit(grid, which);
		s += both(pairs);
	}
	printf("%g\n", s);
	return 0;
}
