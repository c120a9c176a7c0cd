/* SPDX-License-Identifier: BSD-3-Clause */
/* Fibonacci's numbers, each as the sum of two calls.
 * idle: bench=43 count=27 time=1.15 instructions=1.03 */
#include <stdio.h>
#include <stdlib.h>

unsigned long fib(unsigned n);

unsigned long fib(unsigned n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(int argc, char **argv)
{
	printf("%lu\n", fib(argc > 1 ? (unsigned)atoi(argv[1]) : 38));
	return 0;
}
