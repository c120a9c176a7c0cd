/* SPDX-License-Identifier: BSD-3-Clause */
/* Two arrays of 2 MiB each in the frame of a function with a parallel region: 4 of 8 MiB.
 * flags: -O2 -fopenmp
 */
#include <stdio.h>

enum { ROWS = 1024, COLUMNS = 512 };

__attribute__((noinline)) static int two(int k)
{
	int a[ROWS][COLUMNS], b[ROWS][COLUMNS], x, y, wrong = 0, last;

	for (x = 0; x < ROWS; x++)
		for (y = 0; y < COLUMNS; y++) {
			a[x][y] = k;
			b[x][y] = x + y;
		}
#pragma omp parallel num_threads(2)
	{
#pragma omp loop lastprivate(x, y) collapse(2)
		for (x = 0; x < ROWS; x++)
			for (y = 0; y < COLUMNS; y++)
				a[x][y] += b[x][y];
	}
	last = x;
	for (x = 0; x < ROWS; x++)
		for (y = 0; y < COLUMNS; y++)
			wrong += a[x][y] - b[x][y] != k;
	return wrong + last;
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < 8; i++) {
		sum += two(i);          /* PHASE */
	}
	printf("%ld\n", sum);
	return 0;
}
