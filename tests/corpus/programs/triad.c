/* SPDX-License-Identifier: BSD-3-Clause */
/* The triad of STREAM over three arrays of 512 KiB: every line of each misses once in every level.
 * With lines of 32 bytes in level 1 and 128 in level 2 there are twice as many, and half as many.
 * corpus: machine=small,touched,lines lto */
#include "corpus.h"

enum { N = 65536 };
static double a[N] ON_LEVEL2, b[2 * N] ON_LEVEL2, c[2 * N] ON_LEVEL2;

static KERNEL void triad(void)
{
	for (int i = 0; i < N; i++)
		a[i] = b[i] + 3 * c[i];
}

int main(void)
{
	for (int i = 0; i < N; i++)
		b[i] = i % 5, c[i] = i % 3;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		triad();
	printf("%g %g\n", a[7], a[N - 1]);
	printf("expect total loads = %d at O0\n", 2 * N);
	for (const char *p = "abc"; *p; p++) {
		const char *what = *p == 'a' ? "store" : "load";

		printf("expect %c bytes = %d\n", *p, N * 8);
		printf("expect %c %ss = %d at O0\n", *p, what, N);
		for (int level = 1; level <= 2; level++)
			printf("expect %c %s_miss %d = %d on small touched\n", *p, what, level, N / 8);
		printf("expect %c %s_miss 1 = %d on lines\n", *p, what, N / 4);
		printf("expect %c %s_miss 2 = %d on lines\n", *p, what, N / 16);
	}
	return 0;
}
