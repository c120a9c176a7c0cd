/* SPDX-License-Identifier: BSD-3-Clause */
/* The other worksharing constructs: reduction, sections, single, master, critical, atomic, simd, ordered.
 *
 * Each array is touched as often as its construct says, whoever does it: values: 16384 loads by the
 * reduction; left and right: 4096 stores in a section each; once: 512 stores in a single; main_only: 256 in
 * a master; bins: 2048 atomic additions, a load and a store each; list: 1024 elements in a critical.
 * corpus: openmp threads=2 machine=small lto */
#include "corpus.h"

enum { N = 16384, S = 4096, ONCE = 512, MASTER = 256, ATOMIC = 2048, LIST = 1024 };
static int values[N] ON_LEVEL2, left[S] ON_PAGE, right[S] ON_PAGE, once[ONCE] ON_PAGE;
static int main_only[MASTER] ON_PAGE, bins[16] ON_PAGE, list[LIST] ON_PAGE, ordered[64] ON_PAGE;
static int used;
static long sum;

static KERNEL void put(int *p, int n, int v)
{
	for (int i = 0; i < n; i++)
		p[i] = v ^ i;
}

static KERNEL void step(void)
{
	long s = 0;

	used = 0;
#pragma omp parallel
	{
#pragma omp for reduction(+ : s)
		for (int i = 0; i < N; i++)
			s += values[i];
#pragma omp sections
		{
#pragma omp section
			put(left, S, 1);
#pragma omp section
			put(right, S, 2);
		}
#pragma omp single
		put(once, ONCE, 3);
#pragma omp master
		put(main_only, MASTER, 4);
#pragma omp for
		for (int i = 0; i < ATOMIC; i++) {
#pragma omp atomic
			bins[i % 16]++;
		}
#pragma omp for
		for (int i = 0; i < LIST; i++) {
#pragma omp critical
			list[used++] = 1;
		}
#pragma omp for ordered
		for (int i = 0; i < 64; i++) {
#pragma omp ordered
			ordered[i] = i ? ordered[i - 1] + 1 : 0;
		}
	}
#pragma omp simd
	for (int i = 0; i < S; i++)
		left[i] = left[i] * 2;
	sum = s;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		values[i] = i % 9;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%ld %d %d %d %d %d %d %d\n", sum, left[5], right[6], once[7], main_only[8], bins[9],
		list[LIST - 1], ordered[63]);
	printf("expect values bytes = %d\n", N * 4);
	printf("expect left bytes = %d\n", S * 4 * 3);
	printf("expect right bytes = %d\n", S * 4);
	printf("expect once bytes = %d\n", ONCE * 4);
	printf("expect main_only bytes = %d\n", MASTER * 4);
	printf("expect bins loads = %d\n", ATOMIC);
	printf("expect bins stores = %d\n", ATOMIC);
	printf("expect list bytes = %d\n", LIST * 4);
	printf("expect ordered stores = 64\n");
	return 0;
}
