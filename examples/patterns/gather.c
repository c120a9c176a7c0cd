/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds up what an index names, in no order; sorted, the index names neighbours together. */
#include <stdio.h>
#include <stdlib.h>

enum { VALUES = 1 << 22, PICKS = 1 << 20 };

static long value[VALUES];
static int pick[PICKS];

static long add_picked(void)
{
	long sum = 0;

	for (int i = 0; i < PICKS; i++)
		sum += value[pick[i]];
	return sum;
}

#ifdef FIXED
static int ascending(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
#endif

int main(void)
{
	unsigned long random = 1;
	long sum = 0;

	for (int i = 0; i < VALUES; i++)
		value[i] = i % 13;
	for (int i = 0; i < PICKS; i++) {
		random = random * 6364136223846793005UL + 1442695040888963407UL;
		pick[i] = (int)((random >> 33) % VALUES);
	}
#ifdef FIXED
	qsort(pick, PICKS, sizeof *pick, ascending);   /* once, for 60 steps */
#endif
	for (int step = 0; step < 60; step++)
		sum += add_picked();
	return printf("%ld\n", sum) < 0;
}
