/* SPDX-License-Identifier: BSD-3-Clause */
/* For unlike.sh: step i has i x i cells to go over, as a wavefront over a square, beside work that takes
 * what 20 cells take.  In step 10 the cells have 100 / 120 of the time, wherever the program runs: each
 * operation waits for the one before.  Argument: steps. */
#include <stdio.h>
#include <stdlib.h>

enum { CELL = 60000, FIXED = 20 };
static double value[2];

static double chain(double x, int n)
{
	for (int i = 0; i < n; i++)
		x = x * 0.9999999 + 1e-7;
	return x;
}

__attribute__((noinline)) static void front(int cells)
{
	value[0] = chain(value[0], cells * CELL);
}

__attribute__((noinline)) static void fixed(void)
{
	value[1] = chain(value[1], FIXED * CELL);
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 20;

	for (int step = 1; step <= steps; step++) {
		front(step * step);
		fixed();
	}
	printf("%.3f\n", value[0] + value[1]);
	return 0;
}
