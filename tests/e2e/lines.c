/* SPDX-License-Identifier: BSD-3-Clause */
/* For lines.sh: how often each line misses is known by construction.  "apart" fetches a line with every access, "beside"
 * with every eighth, "few" none. */
#include <stdio.h>

enum { N = 1 << 16 };
static double table[9 * N], few[8];

__attribute__((noinline)) static double walk(void)
{
	double s = 0;

	for (int i = 0; i < N; i++) {
		s += table[8 * i];              /* apart */
		s *= 0.5;
		s += table[8 * N + i];          /* beside */
		few[i & 7] += s;                /* few */
	}
	return s;
}

int main(void)
{
	double s = 0;

	table[8] = table[9 * N - 1] = 1;
	for (int step = 0; step < 60; step++)   /* the phase */
		s += walk();
	printf("%g\n", s + few[0]);
	return 0;
}
