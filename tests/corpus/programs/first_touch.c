/* SPDX-License-Identifier: BSD-3-Clause */
/* First touch: one thread sets all of alone, each of two threads its own half of together; then both
 * threads read their halves of either.
 *
 * Each 1 MiB, a miss a line in both levels, half of them by each thread.  With a thread a node, the pages of
 * alone lie on the first: what the second thread fetches of it, half, is remote; of together nothing.
 * corpus: openmp threads=2 machine=small,nodes */
#include "corpus.h"

enum { N = 131072 };
static double alone[N] ON_LEVEL2, together[N] ON_LEVEL2;
static double total;

static KERNEL double read_all(const double *p)
{
	double s = 0;

#pragma omp parallel for schedule(static) reduction(+ : s)
	for (int i = 0; i < N; i++)
		s += p[i];
	return s;
}

static KERNEL void step(void)
{
	total += read_all(alone) + read_all(together);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		alone[i] = i % 3;
#pragma omp parallel for schedule(static)
	for (int i = 0; i < N; i++)
		together[i] = i % 5;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%.10g\n", total);
	printf("expect alone bytes = %d\n", N * 8);
	for (int level = 1; level <= 2; level++) {
		printf("expect alone load_miss %d = %d\n", level, N / 8);
		printf("expect together load_miss %d = %d\n", level, N / 8);
	}
	printf("expect alone remote = %d on nodes\n", N / 8 / 2);
	printf("expect alone local = %d on nodes\n", N / 8 / 2);
	printf("expect together remote = 0 on nodes\n");
	printf("expect together local = %d on nodes\n", N / 8);
	return 0;
}
