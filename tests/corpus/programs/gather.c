/* SPDX-License-Identifier: BSD-3-Clause */
/* A random gather: `from` is 512 KiB, 8192 lines; eight rounds visit every line once, in one
 * random order, another double of it each time.
 *
 * A line comes again after 8191 others: every load misses in both levels.  The indices are read in
 * order: one miss in 16, and none of their lines survives until the next execution.
 * corpus: machine=small lto */
#include "corpus.h"

enum { LINES = 8192, N = LINES * 8 };
static double from[N] ON_LEVEL2;
static int where[N] ON_LEVEL2;
static double sum;

static KERNEL void step(void)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += from[where[i]];
	sum += s;
}

int main(void)
{
	uint32_t seed = 1;

	for (int i = 0; i < LINES; i++)
		where[i] = i;
	for (int i = LINES - 1; i > 0; i--) {
		int j = (int)(corpus_random(&seed) % (uint32_t)(i + 1)), t = where[i];

		where[i] = where[j];
		where[j] = t;
	}
	for (int i = N - 1; i >= 0; i--)
		where[i] = where[i % LINES] * 8 + i / LINES;
	for (int i = 0; i < N; i++)
		from[i] = i % 13;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g\n", sum);
	printf("expect from bytes = %d\n", N * 8);
	printf("expect where bytes = %d\n", N * 4);
	for (int level = 1; level <= 2; level++) {
		printf("expect from load_miss %d = %d\n", level, N);
		printf("expect where load_miss %d = %d\n", level, N / 16);
	}
	printf("expect worst from step\n");
	return 0;
}
