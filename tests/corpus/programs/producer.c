/* SPDX-License-Identifier: BSD-3-Clause */
/* Figure 1 (a) of the MemProf paper, remote usage after allocation: one thread allocates and sets an
 * object, another alone uses it.
 *
 * object: 512 KiB, read once a step by the second thread: a miss a line; with a thread a node all are remote.
 * own was set by its user: none is.
 * corpus: openmp threads=2 machine=small,nodes */
#include <omp.h>
#include "corpus.h"

enum { N = 65536 };
static double object[N] ON_LEVEL2, own[N] ON_LEVEL2;
static double total;

static KERNEL double use(const double *p)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += p[i];
	return s;
}

static KERNEL void step(void)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 1)
		total += use(object) + use(own);
}

static void set(int thread, double *p)
{
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == thread)
		for (int i = 0; i < N; i++)
			p[i] = i % 7;
}

int main(void)
{
	set(0, object);
	set(1, own);
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g\n", total);
	printf("expect object bytes = %d\n", N * 8);
	printf("expect object load_miss 1 = %d\n", N / 8);
	printf("expect own load_miss 2 = %d\n", N / 8);
	printf("expect object remote = %d on nodes\n", N / 8);
	printf("expect object local = 0 on nodes\n");
	printf("expect own remote = 0 on nodes\n");
	return 0;
}
