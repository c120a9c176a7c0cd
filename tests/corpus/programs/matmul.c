/* SPDX-License-Identifier: BSD-3-Clause */
/* The naive matrix product that the MOCA and MODA papers look at: 128 x 128 doubles, rows padded
 * to 17 lines so that a column spreads over the sets.
 *
 * right: for each i all of it passes, 2048 lines, four times level 1: 128 x 2048 misses.  It stays in
 * level 2 (136 KiB; one row of each of the others passes meanwhile).  left and product: each line
 * is used during one i (8 j) only: 2048 misses each; the three matrices together exceed level 2.
 * -O3 may exchange the loops over j and k; right still passes once for each i.
 * corpus: machine=small */
#include "corpus.h"

enum { N = 128, PAD = 8 };
static double left[N][N + PAD] ON_LEVEL2, right[N][N + PAD] ON_LEVEL2, product[N][N + PAD] ON_LEVEL2;

static KERNEL void multiply(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			double s = 0;

			for (int k = 0; k < N; k++)
				s += left[i][k] * right[k][j];
			product[i][j] = s;
		}
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			left[i][j] = (i + j) % 7;
			right[i][j] = (i - j) % 5;
		}
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		multiply();
	printf("%g %g\n", product[3][5], product[127][126]);
	printf("expect right bytes = %d at O0\n", N * N * N * 8);
	printf("expect left bytes = %d at O0\n", N * N * N * 8);
	printf("expect product stores = %d at O0\n", N * N);
	printf("expect right load_miss 1 = %d\n", N * N * N / 8);
	printf("expect left load_miss 1 = %d at O0 O2 lto\n", N * N / 8);
	printf("expect product store_miss 1 = %d at O0 O2 lto\n", N * N / 8);
	printf("expect right load_miss 2 = 0 at O0 O2 lto\n");
	printf("expect left load_miss 2 = %d\n", N * N / 8);
	printf("expect product miss 2 = %d\n", N * N / 8);
	printf("expect worst right multiply\n");
	return 0;
}
