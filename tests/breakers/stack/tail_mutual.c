/* SPDX-License-Identifier: BSD-3-Clause */
/* Two functions that call each other last, a million deep: at -O2 these calls are jumps, which need no stack.
 */
#include <stdio.h>

static long odd(long n, const long *a, long s);

__attribute__((noinline)) static long even(long n, const long *a, long s)
{
	if (n == 0)
		return s;
	return odd(n - 1, a, s + a[n & 7]);
}

__attribute__((noinline)) static long odd(long n, const long *a, long s)
{
	if (n == 0)
		return -s;
	return even(n - 1, a, s ^ a[n & 7]);
}

int main(void)
{
	long a[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, sum = 0;

	for (int i = 0; i < 10; i++) {
		sum += even(1000000 + i, a, i);         /* PHASE */
	}
	printf("%ld\n", sum);
	return 0;
}
