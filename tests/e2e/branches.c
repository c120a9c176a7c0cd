/* SPDX-License-Identifier: BSD-3-Clause */
/* For sharing.sh: threads take lines from one another where a branch on data decides.  The accesses of
 * every step and run are the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 200000, THREADS = 4, HALF = 500, ALL = 1000 };

static struct { long hits, sum; } count[THREADS] __attribute__((aligned(64)));
static long total __attribute__((aligned(64)));
static int data[N], marks[N];

static void count_part(int t, long first, long last, int limit)
{
	for (long i = first; i < last; i++)
		if (data[i] > limit)
			count[t].hits++;
}

/* Equal parts; limits by thread. */
static void parts(int threads, int limit, int others)
{
#pragma omp parallel for schedule(static, 1)
	for (int t = 0; t < threads; t++)
		count_part(t, (long)N * t / threads, (long)N * (t + 1) / threads, t ? others : limit);
}

static void unequal_parts(int threads)
{
#pragma omp parallel for schedule(static, 1)
	for (int t = 0; t < threads; t++)
		count_part(t, 0, N / (1 + 3 * t), HALF);
}

static void critical(void)
{
#pragma omp parallel for
	for (int i = 0; i < N / 8; i++)
		if (data[i] > HALF)
#pragma omp critical
			total++;
}

static void atomic(void)
{
#pragma omp parallel for
	for (int i = 0; i < N / 2; i++)
		if (data[i] > HALF)
#pragma omp atomic
			total++;
}

/* All lines are used by all threads, for a moment each. */
static void alternate(void)
{
#pragma omp parallel for schedule(static, 1)
	for (int i = 0; i < N; i++)
		if (data[i] > HALF)
			marks[i]++;
}

static void step(const char *shape, int threads)
{
	if (!strcmp(shape, "all"))
		parts(threads, HALF, HALF);
	else if (!strcmp(shape, "seldom"))
		parts(threads, ALL - 3, ALL - 3);
	else if (!strcmp(shape, "one"))
		parts(threads, HALF, ALL);
	else if (!strcmp(shape, "unequal"))
		unequal_parts(threads);
	else if (!strcmp(shape, "critical"))
		critical();
	else if (!strcmp(shape, "atomic"))
		atomic();
	else
		alternate();
}

int main(int argc, char **argv)
{
	const char *shape = argc > 1 ? argv[1] : "all";
	int threads = argc > 2 ? atoi(argv[2]) : 2;
	unsigned random = 1;

	for (int i = 0; i < N; i++) {
		random = random * 1103515245 + 12345;
		data[i] = (int)(random >> 16) % ALL;
	}
	for (int step_number = 0; step_number < 4; step_number++)
		step(shape, threads);
	printf("%ld %ld %d\n", count[0].hits, total, marks[N - 1]);
	return 0;
}
