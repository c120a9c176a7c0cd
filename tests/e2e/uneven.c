/* SPDX-License-Identifier: BSD-3-Clause */
/* Long executions that are hard to count in slices.
 *   few    computes; an access now and then
 *   grows  the tenth execution is thirty times as long as the others
 *   own    a plain loop, where no slice can begin, beside the calls */
#include <stdio.h>
#include <string.h>

enum { N = 1 << 20, PIECE = 1 << 14, TABLE = 1 << 16, STEPS = 14, CALLS = 4000 };

static double big[N], small[64], table[TABLE];

__attribute__((noinline)) static double compute(int at)
{
	double x = 1;

	for (int i = 0; i < 10000; i++)
		x = x * 1.0000001 + 1e-9;
	return x + table[at % TABLE];
}

__attribute__((noinline)) static double piece(int at)
{
	double s = 0;

	for (int i = 0; i < PIECE; i++)
		s += big[at + i] * small[i & 63];
	return s;
}

static double walk(int times)
{
	double s = 0;

	for (int k = 0; k < times; k++)
		for (int i = 0; i < N; i += PIECE)
			s += piece(i);
	return s;
}

int main(int argc, char **argv)
{
	int few = argc > 1 && !strcmp(argv[1], "few");
	int own = argc > 1 && !strcmp(argv[1], "own");
	double s = 0;

	for (int i = 0; i < N; i++)
		big[i] = i % 7;
	for (int i = 0; i < 64; i++)
		small[i] = i;
	for (int step = 0; step < STEPS; step++) { /* the phase */
		if (few)
			for (int i = 0; i < CALLS; i++)
				s += compute(64 * i);
		else
			s += walk(step == 9 && !own ? 300 : 10);
		for (int i = 0; own && i < 2 * N; i++) /* own */
			s = s / 2 + big[i % N];
	}
	printf("%g\n", s);
	return 0;
}
