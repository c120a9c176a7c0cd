/* SPDX-License-Identifier: BSD-3-Clause */
/* Conflict misses at powers of two, in a direct-mapped level 1 of 4 KiB.
 *
 * one and two begin a multiple of 4 KiB apart: their elements of equal index share a place, and a
 * loop that reads both in turn always misses: N each, or as many as vectors are loaded.  three and four are 64 bytes off: N / 8 each.
 * column: 64 doubles 512 bytes apart share 8 places, 8 times over: each of four walks misses.
 * In level 2 (four ways) the pair hits after the line's first access: N / 8.  Local variables of -O0
 * have a place, too: two lines may be pushed out now and then.
 * corpus: machine=direct lto */
#include "corpus.h"

enum { N = 16384, ROWS = 64, WALKS = 4 };
static double one[N] ON_LEVEL2, two[N] ON_LEVEL2, three[N] ON_LEVEL2, four[N + 8] ON_LEVEL2;
static double column[ROWS][64] ON_LEVEL2;
static volatile double *volatile_four = four;
static double sum;

static KERNEL double dot(const double *p, const double *q)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += p[i] * q[i];
	return s;
}

static KERNEL double down(void)
{
	double s = 0;

	for (int w = 0; w < WALKS; w++)
		for (int i = 0; i < ROWS; i++)
			s += column[i][0] * w;
	return s;
}

static KERNEL void step(void)
{
	sum += dot(one, two) + dot(three, four + 8) + down();
}

int main(void)
{
	for (int i = 0; i < N; i++)
		one[i] = two[i] = three[i] = i % 3;
	for (int i = 0; i < N + 8; i++)
		volatile_four[i] = i % 2;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g\n", sum);
	printf("expect one load_miss 1 in %d %d at O0\n", N, N + 20);
	printf("expect two load_miss 1 in %d %d at O0\n", N, N + 20);
	printf("expect one load_miss 1 in %d %d\n", N / 4, N + 20);
	printf("expect two load_miss 1 in %d %d\n", N / 4, N + 20);
	printf("expect three load_miss 1 = %d at O2 lto\n", N / 8);
	printf("expect four load_miss 1 = %d at O2 lto\n", N / 8);
	printf("expect three load_miss 1 in %d %d at O0\n", N / 8, N / 8 + N / 64);
	printf("expect column load_miss 1 = %d\n", WALKS * ROWS);
	printf("expect one load_miss 2 = %d at O2 lto\n", N / 8);
	printf("expect two load_miss 2 = %d at O2 lto\n", N / 8);
	return 0;
}
