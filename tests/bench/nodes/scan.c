/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread reads all of a table: work that grows with the threads, which a prediction does not know. */
#include <stdio.h>

enum { N = 1 << 15, STEPS = 60 };
static double table[N];

static double scan(void)
{
	double all = 0;

#pragma omp parallel reduction(+ : all)
	for (int i = 0; i < N; i++)
		all += table[i];
	return all;
}

int main(void)
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		table[i] = i % 7;
	for (int t = 0; t < STEPS; t++)
		sum += scan();
	printf("%g\n", sum > 0 ? 1.0 : 0.0);
	return 0;
}
