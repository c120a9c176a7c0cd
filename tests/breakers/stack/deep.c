/* SPDX-License-Identifier: BSD-3-Clause */
/* A recursion 200 000 deep, which takes 6.4 of the 8 MiB of stack.
 */
#include <stdio.h>

static int a[1000];

__attribute__((noinline)) static long down(int n, long x)
{
	long s = 0, below;

	if (n == 0)
		return x;
	for (int i = 0; i < 3; i++)
		s += a[(i + n) % 1000];
	below = down(n - 1, x + s);
	return below + a[n % 1000];
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < 10; i++) {
		sum += down(200000, i);         /* PHASE */
	}
	printf("%ld\n", sum);
	return 0;
}
