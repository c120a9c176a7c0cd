/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints how much stack each call of a recursion takes.
 * more: 16 idle
 * more: 96 record switched front
 */
#include <stdio.h>
#include <stdint.h>

enum { DEPTH = 20000 };
static int a[1000];
static char *lowest;

__attribute__((noinline)) static long down(int n, long x)
{
	char here;
	long s = 0, below;

	if (!lowest || &here < lowest)
		lowest = &here;
	if (n == 0)
		return x;
	for (int i = 0; i < 3; i++)
		s += a[(i + n) % 1000];
	below = down(n - 1, x + s);
	return below + a[n % 1000];
}

int main(void)
{
	char here;
	long sum = 0;

	for (int i = 0; i < 12; i++) {
		sum += down(DEPTH, i);          /* PHASE */
	}
	printf("%ld\n%ld bytes a call\n", sum, (long)(&here - lowest) / DEPTH);
	return 0;
}
