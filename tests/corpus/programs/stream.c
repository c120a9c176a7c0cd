/* SPDX-License-Identifier: BSD-3-Clause */
/* STREAM as the BSC paper changed it: c is allocated, and scale reads it at pseudo-random indices, N / 8
 * of them.
 *
 * Arrays of 512 KiB: copy, add and triad miss once a line of each operand.  The indices of scale visit
 * each of c's 8192 lines once; of those that copy left last (half of each level is c's) some are hit, and
 * of those that scale read last, add writes some.  Copy may become memcpy: the same references of eight
 * bytes, read and written by turns.
 * corpus: machine=small lto */
#include "corpus.h"

enum { N = 65536, LINES = N / 8 };
static double a[N] ON_LEVEL2, b[N] ON_LEVEL2, *c;

static KERNEL void copy(void)
{
	for (int i = 0; i < N; i++)
		c[i] = a[i];
}

static KERNEL void scale(double s)
{
	for (unsigned i = 0; i < N / 8; i++)
		b[i] = s * c[i * 4051u % LINES * 8];
}

static KERNEL void add(void)
{
	for (int i = 0; i < N; i++)
		c[i] = a[i] + b[i];
}

static KERNEL void triad(double s)
{
	for (int i = 0; i < N; i++)
		a[i] = b[i] + s * c[i];
}

static KERNEL void step(void)
{
	copy();
	scale(0.5);
	add();
	triad(0.25);
}

int main(void)
{
	c = aligned_alloc(32768, N * sizeof *c);
	if (!c)
		return 1;
	for (int i = 0; i < N; i++)
		a[i] = i % 3, b[i] = i % 7, c[i] = 0;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g %g %g\n", a[77], b[78], c[79]);
	printf("expect a load_miss 1 = %d\n", 2 * LINES);
	printf("expect a store_miss 1 = %d\n", LINES);
	printf("expect b load_miss 1 = %d\n", 2 * LINES);
	printf("expect b store_miss 1 = %d\n", N / 8 / 8);
	printf("expect a bytes = %d\n", 3 * N * 8);
	printf("expect total miss 1 in %d %d\n", 3 * LINES + 2 * LINES + N / 64 + 4 * LINES - LEVEL1 / LINE,
		3 * LINES + 2 * LINES + N / 64 + 4 * LINES + 10);
	printf("expect c bytes = %d\n", 3 * N * 8 + N / 8 * 8);
	printf("expect c store_miss 1 in %d %d\n", 2 * LINES - LEVEL1 / LINE, 2 * LINES);
	printf("expect c load_miss 1 in %d %d\n", 2 * LINES - LEVEL1 / LINE, 2 * LINES);
	printf("expect (heap) bytes = 0\n");     /* c itself lies in .bss, far behind .data */
	free(c);
	return 0;
}
