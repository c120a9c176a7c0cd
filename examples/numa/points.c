/* SPDX-License-Identifier: BSD-3-Clause */
/* Points are assigned to centres. All threads read and write all of one array of points, which the
 * master has allocated and filled: its node serves everybody. With FIXED its pages lie on all
 * nodes in turn. */
#include <stdio.h>
#include <stdlib.h>
#include "nodes.h"

enum { COORDINATES = 6 };

struct point {
	double at[COORDINATES];
	double cost;
	long centre;
};

static size_t npoints = 1 << 16;
static int steps = 30;
static struct point *points;

static void fill(size_t i)
{
	for (int k = 0; k < COORDINATES; k++)
		points[i].at[k] = (double)((i * 7 + (size_t)k * 3) % 101);
	points[i].cost = 1e9;
	points[i].centre = 0;
}

static void read_points(void)
{
	points = aligned_alloc(4096, npoints * sizeof *points);
	if (!points)
		exit(1);
#ifdef FIXED
	/* As mbind(points, size, MPOL_INTERLEAVE, ..): the next page lies on the next node. */
#pragma omp parallel
	for (size_t i = 0; i < npoints; i++)
		if (i * sizeof *points / 4096 % (size_t)threads() == (size_t)omp_get_thread_num())
			fill(i);
#else
	for (size_t i = 0; i < npoints; i++)
		fill(i);
#endif
}

/* Each thread takes every n-th point, other ones in each step. */
static double assign(int step)
{
	double gain = 0;

#pragma omp parallel reduction(+:gain)
	for (size_t i = (size_t)((omp_get_thread_num() + step) % threads()); i < npoints;
	     i += (size_t)threads()) {
		struct point *p = &points[i];
		double distance = 0;

		for (int k = 0; k < COORDINATES; k++)
			distance += (p->at[k] - step) * (p->at[k] - step);
		if (distance < p->cost) {
			gain += p->cost - distance;
			p->centre = step;
		}
		p->cost = distance;
	}
	return gain;
}

int main(int argc, char **argv)
{
	double sum = 0;

	if (argc > 1)
		npoints = (size_t)atol(argv[1]) / 64 * 64;
	read_points();
	for (int step = 0; step < steps; step++)
		sum += assign(step);
	return printf("%g\n", sum) < 0;
}
