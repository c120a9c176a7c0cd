/* SPDX-License-Identifier: BSD-3-Clause */
/* Ackermann's function: nothing but calls of itself, of which GCC makes loops and inlines some.
 * idle: bench=12 count=7 time=1.15 instructions=1.03 */
#include <stdio.h>
#include <stdlib.h>

static unsigned climb(unsigned m, unsigned n)
{
	if (m == 0)
		return n + 1;
	return climb(m - 1, n ? climb(m, n - 1) : 1);
}

int main(int argc, char **argv)
{
	unsigned m = 3, n = argc > 1 ? (unsigned)atoi(argv[1]) : 9;

	printf("%u\n", climb(m, n));
	return 0;
}
