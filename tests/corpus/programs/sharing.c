/* SPDX-License-Identifier: BSD-3-Clause */
/* False sharing: two threads count up each its own integer, in one line (close), and in two lines
 * (apart); true sharing: both count up the same one by turns (one).
 *
 * The references are the source's at -O0.  How often a line changes hands depends on how the threads take
 * turns: for close at least once, by false sharing; for apart never; for one at most twice a turn, as
 * what a barrier separates is taken apart.  Once in a while one of these is taken for false
 * sharing: a line that the other thread has sent back twice, and not written in between as far as its
 * batch has been played.
 * corpus: openmp threads=2 machine=small */
#include <omp.h>
#include "corpus.h"

enum { N = 8192, TURNS = 16 };
static volatile long close[8] ON_PAGE, apart[2][8] ON_PAGE, one[8] ON_PAGE;

static KERNEL void step(void)
{
#pragma omp parallel num_threads(2)
	{
		int me = omp_get_thread_num();

		for (int i = 0; i < N; i++)
			close[me]++;
		for (int i = 0; i < N; i++)
			apart[me][0]++;
		for (int t = 0; t < TURNS; t++) {
			if (t % 2 == me)
				for (int i = 0; i < N / TURNS; i++)
					one[0]++;
#pragma omp barrier
		}
	}
}

int main(void)
{
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%ld %ld %ld\n", close[0] + close[1], apart[0][0] + apart[1][0], one[0]);
	printf("expect close loads = %d\n", 2 * N);
	printf("expect close stores = %d\n", 2 * N);
	printf("expect apart loads = %d\n", 2 * N);
	printf("expect one stores = %d\n", N);
	printf("expect close false_sharing in 1 %d\n", 4 * N);
	printf("expect close true_sharing = 0\n");
	printf("expect apart false_sharing = 0\n");
	printf("expect apart true_sharing = 0\n");
	printf("expect one true_sharing in %d %d\n", TURNS / 2, 2 * TURNS);
	printf("expect one false_sharing in 0 %d\n", TURNS / 8);
	return 0;
}
