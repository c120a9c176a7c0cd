/* SPDX-License-Identifier: BSD-3-Clause */
/* Faces are compared with those of known people. Each thread projects images of its own onto one
 * basis, a matrix that is filled once and then only read, by all threads at the same time. Of the
 * 200 matrices it is the only one that is in the wrong place. With FIXED each memory node has a
 * copy of it. */
#include <stdio.h>
#include <stdlib.h>
#include "nodes.h"

enum { IMAGES = 199 };

static size_t pixels = 1 << 14, vectors = 1 << 6;
static int steps = 30;
static double *image[IMAGES], *basis, *copy[NODES];

static double *matrix(size_t elements)
{
	double *m = malloc(elements * sizeof *m);

	if (!m)
		exit(1);
	return m;
}

/* One thread fills the basis before the others need it. */
static void train(void)
{
	basis = matrix(pixels * vectors);
	for (size_t i = 0; i < pixels * vectors; i++)
		basis[i] = (double)(i % 17) - 8;
}

/* Each thread reads its images itself. */
static void read_images(void)
{
#pragma omp parallel for schedule(static)
	for (int k = 0; k < IMAGES; k++) {
		image[k] = matrix(pixels);
		for (size_t i = 0; i < pixels; i++)
			image[k][i] = (double)((i + (size_t)k) % 11);
	}
}

#ifdef FIXED
static void copy_basis(void)
{
#pragma omp parallel
	if (first_of_node()) {
		double *mine = matrix(pixels * vectors);

		for (size_t i = 0; i < pixels * vectors; i++)
			mine[i] = basis[i];
		copy[node_here()] = mine;
	}
}
#endif

/* The coordinates of an image: its product with each vector of the basis, four at once. */
static double project(const double *face, const double *onto)
{
	double best = 0;

	for (size_t v = 0; v + 4 <= vectors; v += 4) {
		const double *a = onto + v * pixels, *b = a + pixels, *c = b + pixels, *d = c + pixels;
		double x = 0, y = 0, z = 0, w = 0;

		for (size_t i = 0; i < pixels; i++) {
			x += face[i] * a[i];
			y += face[i] * b[i];
			z += face[i] * c[i];
			w += face[i] * d[i];
		}
		best += x * x + y * y + z * z + w * w;
	}
	return best;
}

static double recognise(int step)
{
	double sum = 0;

#pragma omp parallel for schedule(static) reduction(+:sum)
	for (int t = 0; t < threads(); t++) {
		const double *onto = copy[node_here()] ? copy[node_here()] : basis;

		sum += project(image[mine(t, IMAGES, step)], onto);
	}
	return sum;
}

int main(int argc, char **argv)
{
	double sum = 0;

	if (argc > 1)
		pixels = (size_t)atol(argv[1]);
	if (argc > 2)
		vectors = (size_t)atol(argv[2]);
	train();
	read_images();
#ifdef FIXED
	copy_basis();
#endif
	for (int step = 0; step < steps; step++)
		sum += recognise(step);
	return printf("%g\n", sum) < 0;
}
