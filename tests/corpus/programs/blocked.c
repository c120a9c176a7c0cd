/* SPDX-License-Identifier: BSD-3-Clause */
/* matmul.c in blocks of 32 columns and 32 terms.
 *
 * A block of right (128 lines) stays in level 1 while all 128 rows pass: each of its lines misses
 * once, 2048.  left: a column of blocks (512 lines) is new for every block: 4 x 2048.  product:
 * likewise, for its column of blocks is pushed out by the other 640 lines: 4 x 2048.
 * corpus: machine=small */
#include "corpus.h"

enum { N = 128, B = 32, PAD = 8 };
static double left[N][N + PAD] ON_LEVEL2, right[N][N + PAD] ON_LEVEL2, product[N][N + PAD] ON_LEVEL2;

static KERNEL void block(int j0, int k0)
{
	for (int i = 0; i < N; i++)
		for (int j = j0; j < j0 + B; j++) {
			double s = product[i][j];

			for (int k = k0; k < k0 + B; k++)
				s += left[i][k] * right[k][j];
			product[i][j] = s;
		}
}

static KERNEL void step(void)
{
	for (int j = 0; j < N; j += B)
		for (int k = 0; k < N; k += B)
			block(j, k);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			left[i][j] = (i + j) % 7;
			right[i][j] = (i - j) % 5;
		}
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g %g\n", product[3][5], product[127][126]);
	printf("expect right load_miss 1 = %d\n", N * N / 8);
	printf("expect left load_miss 1 = %d\n", N / B * N * N / 8);
	printf("expect product miss 1 = %d\n", N / B * N * N / 8);
	printf("expect right load_miss 2 = %d\n", N * N / 8);
	return 0;
}
