/* SPDX-License-Identifier: BSD-3-Clause */
/* A five-point stencil on 256 x 256 doubles, from u to v.
 *
 * Three rows of u (6 KiB) and one of v stay in level 1, so each line of u misses once (all 256 rows
 * are touched, 32 lines each), each line of v's 254 inner rows too.  Neither array fits in level 2.
 * corpus: machine=small,touched lto */
#include "corpus.h"

enum { N = 256 };
static double u[N][N] ON_LEVEL2, v[N][N] ON_LEVEL2;

static KERNEL void step(void)
{
	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < N - 1; j++)
			v[i][j] = u[i][j] + 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] +
				u[i][j + 1]);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			u[i][j] = (i ^ j) % 9;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g %g\n", v[1][2], v[100][200]);
	printf("expect u loads = %d at O0\n", 5 * (N - 2) * (N - 2));
	printf("expect v stores = %d at O0\n", (N - 2) * (N - 2));
	printf("expect v bytes = %d\n", (N - 2) * (N - 2) * 8);
	for (int level = 1; level <= 2; level++) {
		printf("expect u load_miss %d = %d\n", level, N * N / 8);
		printf("expect v store_miss %d = %d\n", level, (N - 2) * N / 8);
	}
	return 0;
}
