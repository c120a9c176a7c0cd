/* SPDX-License-Identifier: BSD-3-Clause */
/* A parallel loop in which each of two threads works on its own half, a page each or more.
 *
 * mine: 16 KiB, 8 a thread: in each one's level 1 after the first step, and nothing pushes it out but
 * stream: 1 MiB, half each, twice a level 2: a miss a line.  So mine misses once a line again.
 * corpus: openmp threads=2 machine=small lto */
#include "corpus.h"

enum { N = 131072, M = 2048 };
static double stream[N] ON_LEVEL2, mine[M] ON_LEVEL2;

static KERNEL void step(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(static)
		for (int i = 0; i < N; i++)
			stream[i] = stream[i] * 0.5 + 1;
		for (int r = 0; r < 4; r++) {
#pragma omp for schedule(static)
			for (int i = 0; i < M; i++)
				mine[i] += r;
		}
	}
}

int main(void)
{
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g %g\n", stream[7], mine[M - 1]);
	printf("expect stream bytes = %d\n", 2 * N * 8);
	printf("expect mine bytes = %d\n", 4 * 2 * M * 8);
	for (int level = 1; level <= 2; level++) {
		printf("expect stream load_miss %d = %d\n", level, N / 8);
		printf("expect stream store_miss %d = 0\n", level);
		printf("expect mine load_miss %d = %d\n", level, M / 8);
	}
	printf("expect stream false_sharing = 0\n");
	return 0;
}
