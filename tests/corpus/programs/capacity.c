/* SPDX-License-Identifier: BSD-3-Clause */
/* Working sets just below and just above each level, four walks each.
 *
 * Below (7/8): the first walk misses, the others hit.  Above (9/8): every set sees nine lines in
 * turn, and least recently used first out loses each before it comes again: all four walks miss.
 * All of below1 and above1 misses once in level 2, which above2 has filled.
 * corpus: machine=small,touched lto */
#include "corpus.h"

enum {
	BELOW1 = LEVEL1 / 8 * 7, ABOVE1 = LEVEL1 / 8 * 9,
	BELOW2 = LEVEL2 / 8 * 7, ABOVE2 = LEVEL2 / 8 * 9, WALKS = 4
};
static long below1[BELOW1 / 8] ON_LEVEL2, above1[ABOVE1 / 8] ON_LEVEL2;
static long below2[BELOW2 / 8] ON_LEVEL2, above2[ABOVE2 / 8] ON_LEVEL2;
static long sum;

static KERNEL long walk(const long *p, int n)
{
	long s = 0;

	for (int w = 0; w < WALKS; w++)
		for (int i = 0; i < n; i++)
			s += p[i] ^ w;
	return s;
}

static KERNEL void step(void)
{
	sum = walk(below1, BELOW1 / 8);
	sum += walk(above1, ABOVE1 / 8);
	sum += walk(below2, BELOW2 / 8);
	sum += walk(above2, ABOVE2 / 8);
}

int main(void)
{
	for (int i = 0; i < ABOVE2 / 8; i++) {
		above2[i] = i;
		if (i < BELOW2 / 8)
			below2[i] = i;
		if (i < ABOVE1 / 8)
			above1[i] = i;
		if (i < BELOW1 / 8)
			below1[i] = i;
	}
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%ld\n", sum);
	printf("expect below1 bytes = %d\n", WALKS * BELOW1);
	printf("expect below1 miss 1 = %d\n", BELOW1 / LINE);
	printf("expect above1 miss 1 = %d\n", WALKS * ABOVE1 / LINE);
	printf("expect below2 miss 1 = %d\n", WALKS * BELOW2 / LINE);
	printf("expect above2 miss 1 = %d\n", WALKS * ABOVE2 / LINE);
	printf("expect below1 miss 2 = %d\n", BELOW1 / LINE);
	printf("expect above1 miss 2 = %d\n", ABOVE1 / LINE);
	printf("expect below2 miss 2 = %d\n", BELOW2 / LINE);
	printf("expect above2 miss 2 = %d\n", WALKS * ABOVE2 / LINE);
	return 0;
}
