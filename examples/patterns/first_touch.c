/* SPDX-License-Identifier: BSD-3-Clause */
/* A page lies on the memory node of the thread that first writes it: here one thread writes all that a team works on. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 22 };

static double *a, *b;

static void set_up(void)
{
#ifdef FIXED
#pragma omp parallel for schedule(static)
#endif
	for (int i = 0; i < N; i++) {
		a[i] = 0;
		b[i] = i % 9;
	}
}

static void accumulate(double c)
{
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++)
		a[i] += c * b[i];
}

int main(void)
{
	double sum = 0;

	a = malloc(N * sizeof *a);
	b = malloc(N * sizeof *b);
	if (!a || !b)
		return 1;
	set_up();
	for (int step = 0; step < 60; step++)
		accumulate(0.5);
	for (int i = 0; i < N; i++)
		sum += a[i];
	return printf("%g\n", sum) < 0;
}
