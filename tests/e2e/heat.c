/* SPDX-License-Identifier: BSD-3-Clause */
/* A stencil whose loops run across the rows, unless built with -DFIXED. */
#include <stdio.h>

#define N 400

static double t[N][N], tnew[N][N], steps[N];

static void diffuse(void)
{
#ifdef FIXED
	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < N - 1; j++)
#else
	for (int j = 1; j < N - 1; j++)
		for (int i = 1; i < N - 1; i++)
#endif
			tnew[i][j] = t[i][j] + 0.1 * (t[i - 1][j] + t[i + 1][j] + t[i][j - 1] + t[i][j + 1] - 4 * t[i][j]);
}

static void copy_back(void)
{
	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < N - 1; j++)
			t[i][j] = tnew[i][j];
}

int main(void)
{
	for (int k = 0; k < N; k++)
		t[k][N / 2] = 100;
	for (int step = 0; step < 80; step++) { /* the phase */
		diffuse();
		steps[step % N] += t[N / 2][N / 2];
		copy_back();
	}
	printf("%.6f\n", t[N / 2][N / 2]);
	return 0;
}
