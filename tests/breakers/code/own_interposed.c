/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that GCC knows by name, the program's own, called as if they were of another unit: what they record
 * lies between the words of their callers.
 * flags: -O2 -fno-tree-loop-distribute-patterns
 * flags: -O0
 */
#include <stddef.h>
#include <stdio.h>

#define OWN __attribute__((weak, noipa))
static double from[256], to[256], sums[64];
static volatile int length = 200;

OWN void *memmove(void *a, const void *b, size_t n)
{
	char *x = a;
	const char *y = b;

	if (x < y)
		for (size_t i = 0; i < n; i++)
			x[i] = y[i];
	else
		while (n-- != 0)
			x[n] = y[n];
	return a;
}

OWN int memcmp(const void *a, const void *b, size_t n)
{
	const char *x = a, *y = b;

	for (size_t i = 0; i < n; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

__attribute__((noinline)) static long step(int k)
{
	long sum = 0;

	sums[k % 64] += from[k];
	__builtin_memmove(to, from + k % 8, (size_t)length * sizeof *to);
	sums[(k + 1) % 64] += to[k];
	sum += __builtin_memcmp(to, from, (size_t)length * sizeof *to);
	sums[(k + 2) % 64] -= to[k + 1];
	sums[(k + 3) % 64] += from[k + 2];
	for (int i = 0; i < length; i++)        /* how often is not known in front of it */
		__builtin_memmove(from + i % 16, to + i, sizeof *to * (size_t)(1 + (i & 1)));
	for (int i = 0; i < 64; i++)
		__builtin_memmove(to + i, from + i, sizeof *to * (size_t)(1 + (k & 1)));
	return sum + (long)sums[k % 64];
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < 256; i++)
		from[i] = i % 17;
	for (int k = 0; k < 60; k++) /* PHASE */
		sum += step(k);
	printf("%ld\n", sum);
	return 0;
}
