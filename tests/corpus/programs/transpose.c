/* SPDX-License-Identifier: BSD-3-Clause */
/* Transposing 256 x 256 doubles three ways.
 *
 * in is read by rows each time: 3 x 8192 misses.  naive: rows of out are 2 KiB apart, a column
 * of stores meets two sets of level 1 (16 of level 2): every store misses.  blocked: 8 x 8 elements
 * use 8 lines eight times each: 8192 misses; where the block is on the diagonal its 4 + 4 lines
 * fill a set, and a local variable's line may push some out.  padded: rows of 33 lines: 8192.
 * corpus: machine=small lto */
#include "corpus.h"

enum { N = 256 };
static double in[N][N] ON_LEVEL2, naive[N][N] ON_LEVEL2, blocked[N][N] ON_LEVEL2;
static double padded[N][N + 8] ON_LEVEL2;

static KERNEL void plainly(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			naive[j][i] = in[i][j];
}

static KERNEL void by_blocks(void)
{
	for (int i0 = 0; i0 < N; i0 += 8)
		for (int j0 = 0; j0 < N; j0 += 8)
			for (int i = i0; i < i0 + 8; i++)
				for (int j = j0; j < j0 + 8; j++)
					blocked[j][i] = in[i][j];
}

static KERNEL void with_padding(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			padded[j][i] = in[i][j];
}

static KERNEL void step(void)
{
	plainly();
	by_blocks();
	with_padding();
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			in[i][j] = i * 3 + j;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g %g %g\n", naive[1][2], blocked[3][4], padded[255][6]);
	printf("expect in load_miss 1 = %d at O0 O2 lto\n", 3 * N * N / 8);
	printf("expect naive store_miss 1 = %d at O0 O2 lto\n", N * N);
	printf("expect naive store_miss 2 = %d at O0 O2 lto\n", N * N);
	printf("expect blocked miss 1 in %d %d\n", N * N / 8, N * N / 8 + 300);
	printf("expect padded miss 1 = %d\n", N * N / 8);
	printf("expect padded miss 2 = %d\n", N * N / 8);
	printf("expect worst naive plainly at O0 O2 lto\n");
	return 0;
}
