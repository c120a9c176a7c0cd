/* SPDX-License-Identifier: BSD-3-Clause */
/* Prefix sums in place, over 512 KiB: a load and a store for each element; the line comes with the load.
 * Then a second pass from the end, which finds the end of the array still there: 512 lines less in
 * level 1, 4096 in level 2; and so does the next execution at the beginning.
 * corpus: machine=small,touched lto */
#include "corpus.h"

enum { N = 131072 };
static unsigned prefix[N] ON_LEVEL2;

static KERNEL void up(void)
{
	unsigned s = 0;

	for (int i = 0; i < N; i++)
		prefix[i] = s += prefix[i];
}

static KERNEL void down(void)
{
	unsigned s = 0;

	for (int i = N - 1; i >= 0; i--)
		prefix[i] = s += prefix[i] & 15;
}

static KERNEL void step(void)
{
	up();
	down();
}

int main(void)
{
	for (int i = 0; i < N; i++)
		prefix[i] = (unsigned)i * 7;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%u %u\n", prefix[3], prefix[N / 2]);
	printf("expect prefix loads = %d at O0 O2 lto\n", 2 * N);
	printf("expect prefix stores = %d at O0 O2 lto\n", 2 * N);
	printf("expect prefix bytes = %d\n", 4 * N * 4);
	printf("expect prefix load_miss 1 in %d %d\n", 2 * (N / 16 - LEVEL1 / LINE),
		2 * (N / 16 - LEVEL1 / LINE) + 24);
	printf("expect prefix load_miss 2 in %d %d\n", 2 * (N / 16 - LEVEL2 / LINE),
		2 * (N / 16 - LEVEL2 / LINE) + 64);
	printf("expect prefix store_miss 1 = 0\n");
	return 0;
}
