/* SPDX-License-Identifier: BSD-3-Clause */
/* A seven-point stencil on 64 x 64 x 64 doubles, from u to v; a plane is 32 KiB, as level 1.
 *
 * Level 1 keeps rows but no planes: for each of 62 planes 512 lines of the plane itself (its outer
 * rows are neighbours) and 496 of each of its two neighbours miss.  Level 2 keeps three planes of u
 * and what passes of v: each line of u misses once, 62 x 512 + 2 x 496; of v 62 x 496.
 * corpus: machine=small */
#include "corpus.h"

enum { N = 64, M = N - 2, ROW = N / 8 };
static double u[N][N][N] ON_LEVEL2, v[N][N][N] ON_LEVEL2;

static KERNEL void step(void)
{
	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < N - 1; j++)
			for (int k = 1; k < N - 1; k++)
				v[i][j][k] = u[i][j][k] + 0.125 * (u[i - 1][j][k] + u[i + 1][j][k] +
					u[i][j - 1][k] + u[i][j + 1][k] + u[i][j][k - 1] +
					u[i][j][k + 1]);
}

int main(void)
{
	for (int i = 0; i < N * N * N; i++)
		u[0][0][i] = i % 9;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g %g\n", v[1][2][3], v[60][30][40]);
	printf("expect u loads = %d at O0\n", 7 * M * M * M);
	printf("expect v bytes = %d\n", M * M * M * 8);
	printf("expect u load_miss 1 = %d\n", M * (N * ROW + 2 * M * ROW));
	printf("expect v store_miss 1 = %d\n", M * M * ROW);
	printf("expect u load_miss 2 = %d\n", M * N * ROW + 2 * M * ROW);
	printf("expect v store_miss 2 = %d\n", M * M * ROW);
	return 0;
}
