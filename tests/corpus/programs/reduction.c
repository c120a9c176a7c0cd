/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions over integers: sum, largest, and a dot product of characters.
 *
 * large (512 KiB) misses once a line in both levels, three times over; its last walk leaves level 1
 * full of its end.  small (8 KiB) is walked next, twice: its 128 lines miss in the first walk.
 * corpus: machine=small lto */
#include "corpus.h"

enum { N = 131072, M = 2048, WALKS = 3 };
static int large[N] ON_LEVEL2, small[M] ON_PAGE;
static int result[4];

static KERNEL int sum(const int *p, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += p[i];
	return s;
}

static KERNEL int largest(const int *p, int n)
{
	int s = p[0];

	for (int i = 1; i < n; i++)
		s = p[i] > s ? p[i] : s;
	return s;
}

static KERNEL int dot(const signed char *p, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += p[i] * p[i];
	return s;
}

static KERNEL void step(void)
{
	result[0] = sum(large, N);
	result[1] = largest(large, N);
	result[2] = dot((const signed char *)large, N * 4) & 0xffff;
	result[3] = sum(small, M) + largest(small, M);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		large[i] = i % 1001;
	for (int i = 0; i < M; i++)
		small[i] = i * 7;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%d %d %d %d\n", result[0], result[1], result[2], result[3]);
	for (int level = 1; level <= 2; level++) {
		printf("expect large load_miss %d = %d\n", level, WALKS * N / 16);
		printf("expect small load_miss %d = %d\n", level, M / 16);
	}
	printf("expect large loads = %d at O0\n", 2 * N + 2 * 4 * N);
	printf("expect small loads = %d at O0\n", 2 * M);
	return 0;
}
