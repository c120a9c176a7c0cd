/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread counts for itself, but the counters lie in one cache line: every write takes it from the other threads. */
#include <omp.h>
#include <stdio.h>

enum { N = 1 << 20, THREADS = 64 };

struct counter {
	volatile long hits;   /* read by a progress display, say: so it is written each time */
#ifdef FIXED
	char line[56];
#endif
};
#ifdef FIXED
_Alignas(64)
#endif
static struct counter counters[THREADS];
static int data[N];

static void count(int above)
{
#pragma omp parallel
	{
		struct counter *mine = &counters[omp_get_thread_num() % THREADS];

#pragma omp for
		for (int i = 0; i < N; i++)
			if (data[i] > above)
				mine->hits++;
	}
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < N; i++)
		data[i] = (int)((unsigned)i * 2654435761u >> 24);
	for (int step = 0; step < 100; step++)
		count(step % 256);
	for (int i = 0; i < THREADS; i++)
		sum += counters[i].hits;
	return printf("%ld\n", sum) < 0;
}
