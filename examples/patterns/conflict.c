/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums the columns of a table whose rows are 4096 bytes long: the lines of a column lie in the same few sets of the cache. */
#include <stdio.h>

enum { ROWS = 256, COLUMNS = 504 };
#ifdef FIXED
enum { LENGTH = COLUMNS + 16 };   /* an odd number of lines: a column spreads over all sets */
#else
enum { LENGTH = 512 };
#endif

static double table[ROWS][LENGTH], sums[COLUMNS];

static void add_columns(void)
{
	for (int j = 0; j < COLUMNS; j++) {
		double sum = 0;

		for (int i = 0; i < ROWS; i++)
			sum += table[i][j];
		sums[j] += sum;
	}
}

int main(void)
{
	double all = 0;

	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < COLUMNS; j++)
			table[i][j] = i ^ j;
	for (int step = 0; step < 400; step++)
		for (int pass = 0; pass < 5; pass++)
			add_columns();
	for (int j = 0; j < COLUMNS; j++)
		all += sums[j];
	return printf("%g\n", all) < 0;
}
