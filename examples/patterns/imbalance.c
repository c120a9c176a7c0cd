/* SPDX-License-Identifier: BSD-3-Clause */
/* Row i of a triangle has i elements: halves of the rows are not halves of the work. */
#include <stdio.h>

enum { N = 1500 };

static double triangle[N][N], sums[N];

static void add_rows(void)
{
#ifdef FIXED
#pragma omp parallel for schedule(dynamic, 16)
#else
#pragma omp parallel for schedule(static)
#endif
	for (int i = 0; i < N; i++) {
		double sum = 0;

		for (int j = 0; j <= i; j++)
			sum += triangle[i][j] / (1 + sum * sum);
		sums[i] += sum;
	}
}

int main(void)
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j <= i; j++)
			triangle[i][j] = (i + j) % 5;
	for (int step = 0; step < 60; step++)
		add_rows();
	for (int i = 0; i < N; i++)
		sum += sums[i];
	return printf("%g\n", sum) < 0;
}
