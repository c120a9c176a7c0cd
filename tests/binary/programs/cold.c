/* SPDX-License-Identifier: BSD-3-Clause */
/* A function whose rare code GCC puts apart ("work.cold"), with a loop in it.  Comments as in loops.c. */
#include <stdio.h>
#include <stdlib.h>

static volatile int values[1000];

__attribute__((cold, noinline)) static void report(int i)
{
	fprintf(stderr, "%d\n", i);
}

__attribute__((noinline)) static int work(int n)                /* region: work function */
{
	int s = 0;

	for (int i = 0; i < n; i++) {                           /* region: work loop 1 */
		s += values[i];
		if (__builtin_expect(values[i] < 0, 0))
			for (int k = 0; k < values[i + 1]; k++) /* region: work loop 2 */
				report(k * s);
	}
	return s;
}

int main(int argc, char **argv)
{
	values[argc] = argv[0][0];
	printf("%d\n", work(900));
	return 0;
}
