/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions with marker versions, called in loops of functions with and without one. */
#include <stdio.h>

enum { N = 50, STEPS = 10 };
static double data[N];

double leaf(int k)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += data[i] * k;
	return s;
}

double work(int k)
{
	double s = 0;

	for (int i = 0; i < 3; i++)
		s += leaf(k + i);
	return s;
}

static inline double small(int k)
{
	for (int i = 0; i < N; i++)
		data[i] += k;
	return work(k);
}

double tree(int depth)
{
	double s = leaf(depth);

	for (int i = 0; depth && i < 2; i++)
		s += tree(depth - 1);
	return s;
}

double in_a_version(void)
{
	double s = 0;

	for (int step = 0; step < STEPS; step++) /* @phase small */
		s += small(step) + leaf(step) + tree(3);
	return s;
}

/* The construct keeps the markers in the function itself. */
double in_native_code(void)
{
	double s = 0;

#pragma omp parallel
	{
	}
	for (int step = 0; step < STEPS; step++) /* @phase large */
		s += small(step) + leaf(step) + tree(3);
	return s;
}

int main(void)
{
	printf("%g\n", in_a_version());
	printf("%g\n", in_native_code());
	return 0;
}
