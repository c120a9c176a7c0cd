/* SPDX-License-Identifier: BSD-3-Clause */
/* Merge sort from the bottom up, 16384 integers, between two arrays of 64 KiB.
 *
 * 14 passes, each reads all of one array and writes all of the other.  Runs double: in every
 * pass both arrays move through level 1 (128 KiB against 32) once: N / 16 misses each, reads and
 * writes in turn, 7 passes either way.  Level 2 holds all three arrays: no misses there.
 * corpus: machine=small lto */
#include "corpus.h"

enum { N = 16384, PASSES = 14 };
static int given[N] ON_LEVEL2, even[N] ON_LEVEL2, odd[N] ON_LEVEL2;

static KERNEL void merge(const int *from, int *to, int width)
{
	for (int lo = 0; lo < N; lo += 2 * width) {
		int i = lo, j = lo + width, mid = j, hi = mid + width;

		for (int k = lo; k < hi; k++)
			to[k] = i < mid && (j >= hi || from[i] <= from[j]) ? from[i++] : from[j++];
	}
}

static KERNEL void step(void)
{
	memcpy(even, given, sizeof even);
	for (int width = 1; width < N; width *= 4) {
		merge(even, odd, width);
		merge(odd, even, 2 * width);
	}
}

int main(void)
{
	uint32_t seed = 11;
	int wrong = 0;

	for (int i = 0; i < N; i++)
		given[i] = (int)corpus_random(&seed);
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	for (int i = 1; i < N; i++)
		wrong += even[i - 1] > even[i];
	printf("%d wrong, %d\n", wrong, even[N / 2]);
	printf("expect odd stores = %d at O0\n", PASSES / 2 * N);
	printf("expect even bytes in %d %d\n", 4 * (PASSES + 1) * N, 4 * (2 * PASSES + 1) * N);
	printf("expect odd store_miss 1 = %d\n", PASSES / 2 * N / 16);
	printf("expect odd load_miss 1 = %d\n", PASSES / 2 * N / 16);
	printf("expect even load_miss 1 = %d\n", PASSES / 2 * N / 16);
	printf("expect even store_miss 1 = %d\n", (PASSES / 2 + 1) * N / 16);
	printf("expect given load_miss 1 = %d\n", N / 16);
	printf("expect total miss 2 in 0 8\n");
	return 0;
}
