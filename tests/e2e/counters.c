/* SPDX-License-Identifier: BSD-3-Clause */
/* For whatif.sh, with two threads: each counts in an element of its own, and both are in one line. */
#include <stdio.h>

static volatile long counter[2];
static double part[2][4096] __attribute__((aligned(64)));      /* no line is of both threads */

static void count(int t)
{
	for (int i = 0; i < 4096; i++) {
		part[t][i] += 1;
		counter[t]++;
	}
}

int main(void)
{
	for (int step = 0; step < 300; step++) {
#pragma omp parallel for schedule(static, 1)
		for (int t = 0; t < 2; t++)
			count(t);
	}
	printf("%ld\n", counter[0] + counter[1]);
	return 0;
}
