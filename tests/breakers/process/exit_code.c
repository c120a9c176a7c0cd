/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that ends with a code of its own.
 * flags: -O2
 * flags: -O2 -DKILLED
 * all: ends in two ways
 */
#include <signal.h>
#include <stdio.h>

static double a[5000];

static double work(int n)
{
	double s = 0;

	for (int i = 0; i < n; i++) {
		a[i] += i;
		s += a[i * 5 % n];
	}
	return s;
}

int main(void)
{
	double sum = 0;

	for (int i = 0; i < 20; i++) {
		sum += work(5000);      /* PHASE */
	}
	printf("%g\n", sum);
	fflush(stdout);
#ifdef KILLED
	raise(SIGTERM);
#endif
	return 7;
}
