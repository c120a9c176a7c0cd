/* SPDX-License-Identifier: BSD-3-Clause */
/* Strided walks over 512 KiB, twice level 2: unit (a double), line, page.
 *
 * unit: 65536 loads; every line is new, one miss in eight loads.  line: 8192 loads of one line
 * each, all miss.  page: 128 lines a page apart all fall into the same set of level 1 and into
 * 8 sets of level 2, 16 lines each: with 8 ways and least recently used first out, all miss.
 * corpus: machine=small,touched lto */
#include "corpus.h"

enum { N = 2 * LEVEL2 / 8 };
static double unit[N] ON_LEVEL2, line[N] ON_LEVEL2, page[N] ON_LEVEL2;
static double sum;

static KERNEL void walk(const double *p, int stride)
{
	double s = 0;

	for (int i = 0; i < N; i += stride)
		s += p[i];
	sum += s;
}

static KERNEL void step(void)
{
	walk(unit, 1);
	walk(line, LINE / 8);
	walk(page, PAGE / 8);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		unit[i] = line[i] = page[i] = i % 7;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g\n", sum);
	printf("expect unit loads = %d\n", N);
	printf("expect line loads = %d\n", N * 8 / LINE);
	printf("expect page loads = %d\n", N * 8 / PAGE);
	for (int level = 1; level <= 2; level++) {
		printf("expect unit load_miss %d = %d\n", level, N * 8 / LINE);
		printf("expect line load_miss %d = %d\n", level, N * 8 / LINE);
		printf("expect page load_miss %d = %d\n", level, N * 8 / PAGE);
	}
	printf("expect unit store_miss 1 = 0\n");
	printf("expect unit bytes = %d\n", N * 8);
	return 0;
}
