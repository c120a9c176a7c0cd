/* SPDX-License-Identifier: BSD-3-Clause */
/* Nested parallel regions: two threads that make two each; and a region by one thread (if(0)).
 *
 * cells: every inner thread adds to its quarter of 65536 integers, twice in a step.
 * corpus: openmp threads=2 machine=small */
#include <omp.h>
#include "corpus.h"

enum { N = 65536 };
static int cells[N] ON_LEVEL2, alone[1024] ON_PAGE;

static KERNEL void quarter(int outer, int inner)
{
	int from = (outer * 2 + inner) * (N / 4);

	for (int i = from; i < from + N / 4; i++)
		cells[i] += 1;
}

static KERNEL void step(void)
{
	for (int r = 0; r < 2; r++) {
#pragma omp parallel num_threads(2)
		{
			int outer = omp_get_thread_num();

#pragma omp parallel num_threads(2)
			quarter(outer, omp_get_thread_num());
		}
	}
#pragma omp parallel for if (0)
	for (int i = 0; i < 1024; i++)
		alone[i]++;
}

int main(void)
{
	omp_set_max_active_levels(2);
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%d %d %d\n", cells[0], cells[N - 1], alone[5]);
	printf("expect cells bytes = %d\n", 2 * 2 * N * 4);
	printf("expect cells loads = %d at O0\n", 2 * N);
	printf("expect alone bytes = %d\n", 2 * 1024 * 4);
	return 0;
}
