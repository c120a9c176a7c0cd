/* SPDX-License-Identifier: BSD-3-Clause */
/* For boundary: STEPS executions of a phase whose time between two executions is kept.  Prints, in ns, the median
 * of all boundaries, and after it the longest ones, as many as asked for. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { N = 2048 };
static double a[N];
static uint64_t *gap, left;

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

__attribute__((noinline)) static void step(int i)
{
	gap[i] = now() - left;
	for (int k = 1; k < N; k++)
		a[k] = a[k - 1] * 0.5 + i;
	left = now();
}

static int compare(const void *x, const void *y)
{
	uint64_t p = *(const uint64_t *)x, q = *(const uint64_t *)y;

	return p < q ? -1 : p > q;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 1000, longest = argc > 2 ? atoi(argv[2]) : 0;

	gap = calloc((size_t)steps, sizeof *gap);
	left = now();
	for (int i = 0; i < steps; i++)
		step(i);
	qsort(gap + 1, (size_t)steps - 1, sizeof *gap, compare);
	printf("%llu", (unsigned long long)gap[steps / 2]);
	for (int i = 1; i <= longest && i < steps; i++)
		printf(" %llu", (unsigned long long)gap[steps - i]);
	printf("\n");
	free(gap);
	return a[N - 1] < 0;
}
