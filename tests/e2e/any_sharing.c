/* SPDX-License-Identifier: BSD-3-Clause */
/* For any_sharing.sh: two threads count the large words of a table.  Each has a counter of its own:
 * both in one cache line, or, with OWN_LINES, in a line each.  With ONE_WORD both have the same
 * counter. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 20, LINE = 64 / sizeof(long) };
#ifdef OWN_LINES
enum { APART = LINE };
#else
enum { APART = 1 };
#endif
static long hits[2 * LINE] __attribute__((aligned(64)));
static int data[N];

static void count(int above)
{
#pragma omp parallel num_threads(2)
	{
#ifndef ONE_WORD
		volatile long *mine = &hits[omp_get_thread_num() * APART];
#endif

#pragma omp for
		for (int i = 0; i < N; i++)
			if (data[i] > above)
#ifdef ONE_WORD
				__atomic_fetch_add(&hits[0], 1, __ATOMIC_RELAXED);
#else
				++*mine;
#endif
	}
}

int main(int argc, char **argv)
{
	const int steps = argc > 1 ? atoi(argv[1]) : 400;

	for (int i = 0; i < N; i++)
		data[i] = (int)((unsigned)i * 2654435761u >> 24);
	for (int step = 0; step < steps; step++)
		count(step % 64);
	printf("%ld\n", hits[0] + hits[1] + hits[LINE]);
	return 0;
}
