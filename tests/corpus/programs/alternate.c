/* SPDX-License-Identifier: BSD-3-Clause */
/* Figure 1 (b) of the MemProf paper, alternate remote accesses: two threads use one object one after
 * the other, never at a time.
 *
 * object: 512 KiB, four walks a step, by turns: each walk misses once a line; with a thread a node, those of the
 * thread that did not set it, half of them, are remote.
 * corpus: openmp threads=2 machine=small,nodes */
#include <omp.h>
#include "corpus.h"

enum { N = 65536, WALKS = 4 };
static double object[N] ON_LEVEL2;
static double total;

static KERNEL double use(void)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += object[i];
	return s;
}

static KERNEL void step(void)
{
#pragma omp parallel num_threads(2)
	for (int w = 0; w < WALKS; w++) {
		if (w % 2 == omp_get_thread_num())
			total += use();
#pragma omp barrier
	}
}

int main(void)
{
	for (int i = 0; i < N; i++)
		object[i] = i % 7;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g\n", total);
	printf("expect object bytes = %d\n", WALKS * N * 8);
	printf("expect object load_miss 1 = %d\n", WALKS * N / 8);
	printf("expect object load_miss 2 = %d\n", WALKS * N / 8);
	printf("expect object remote = %d on nodes\n", WALKS / 2 * N / 8);
	printf("expect object local = %d on nodes\n", WALKS / 2 * N / 8);
	return 0;
}
