/* SPDX-License-Identifier: BSD-3-Clause */
/* One matrix of 256 x 256 doubles read by rows and one by columns.
 *
 * row: 65536 / 8 misses.  column: rows are 2 KiB apart, so a column's 256 lines share two sets of
 * level 1 and 16 of level 2: nothing survives until the next column, every load misses.
 * padded: with rows of 33 lines a column spreads over all sets (4 lines each in level 1), its
 * lines serve 8 columns: 256 rows x 32 lines.
 * corpus: machine=small lto */
#include "corpus.h"

enum { N = 256 };
static double row[N][N] ON_LEVEL2, column[N][N] ON_LEVEL2, padded[N][N + 8] ON_LEVEL2;
static double sum;

static KERNEL void by_rows(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			sum += row[i][j];
}

static KERNEL void by_columns(void)
{
	double s = sum;

	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++)
			s += column[i][j];
	for (int j = 0; j < N; j++)
		for (int i = 0; i < N; i++)
			s += padded[i][j];
	sum = s;
}

static KERNEL void step(void)
{
	by_rows();
	by_columns();
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			row[i][j] = column[i][j] = padded[i][j] = i * j % 11;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g\n", sum);
	for (int level = 1; level <= 2; level++) {
		printf("expect row load_miss %d = %d\n", level, N * N / 8);
		printf("expect column load_miss %d = %d\n", level, N * N);
		printf("expect padded load_miss %d = %d\n", level, N * N / 8);
	}
	printf("expect row bytes = %d\n", N * N * 8);
	printf("expect column bytes = %d\n", N * N * 8);
	printf("expect padded bytes = %d\n", N * N * 8);
	printf("expect worst column by_columns\n");
	return 0;
}
