/* SPDX-License-Identifier: BSD-3-Clause */
/* Figure 1 (c) of the MemProf paper, concurrent remote accesses: both threads read all of one object at
 * the same time.
 *
 * object: 512 KiB, read by both: two misses a line; with a thread a node, those of the thread that did
 * not set it are remote.  Nobody writes it: nothing is shared, truly or falsely, at a cost.
 * corpus: openmp threads=2 machine=small,nodes */
#include <omp.h>
#include "corpus.h"

enum { N = 65536 };
static int object[2 * N] ON_LEVEL2;
static long total[2][8] ON_PAGE;

static KERNEL long use(void)
{
	long s = 0;

	for (int i = 0; i < 2 * N; i++)
		s += object[i] & 3;
	return s;
}

static KERNEL void step(void)
{
#pragma omp parallel num_threads(2)
	{
		int me = omp_get_thread_num();

		total[me][0] += use();
	}
}

int main(void)
{
	for (int i = 0; i < 2 * N; i++)
		object[i] = i % 7;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%ld %ld\n", total[0][0], total[1][0]);
	printf("expect object bytes = %d\n", 2 * 2 * N * 4);
	printf("expect object load_miss 1 = %d\n", 2 * N / 8);
	printf("expect object load_miss 2 = %d\n", 2 * N / 8);
	printf("expect object remote = %d on nodes\n", N / 8);
	printf("expect object local = %d on nodes\n", N / 8);
	printf("expect object true_sharing = 0\n");
	printf("expect object false_sharing = 0\n");
	return 0;
}
