/* SPDX-License-Identifier: BSD-3-Clause */
/* Doubles at offset 60 of every line: each access touches two lines.
 *
 * It is one reference.  The first of its lines came with the one before, the second is new: one
 * miss each.  The very first fetches two.
 * corpus: machine=small lto */
#include "corpus.h"

enum { N = 8192 };
static char straddled[(N + 1) * LINE] ON_LEVEL2;
static double sum;

static KERNEL void step(void)
{
	double s = 0;

	for (int i = 0; i < N; i++) {
		double d;

		memcpy(&d, straddled + i * LINE + 60, sizeof d);
		s += d;
	}
	sum += s;
}

int main(void)
{
	for (int i = 0; i < N; i++) {
		double d = i % 9;

		memcpy(straddled + i * LINE + 60, &d, sizeof d);
	}
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g\n", sum);
	printf("expect straddled loads = %d\n", N);
	printf("expect straddled bytes = %d\n", N * 8);
	for (int level = 1; level <= 2; level++) {
		printf("expect straddled load_miss %d = %d\n", level, N);
		printf("expect straddled fetched %d = %d\n", level, N + 1);
	}
	return 0;
}
