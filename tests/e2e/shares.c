/* SPDX-License-Identifier: BSD-3-Clause */
/* For busy.sh: a step whose parts take 6, 3 and 1 tenths of its processor time, wherever it runs: each
 * operation waits for the one before, and none for memory.  The last part is many short calls. */
#include <stdio.h>
#include <stdlib.h>

enum { UNIT = 1200000, SHORT = 1000 };
static double value[3];

static double chain(double x, int n)
{
	for (int i = 0; i < n; i++)
		x = x * 0.9999999 + 1e-7;
	return x;
}

__attribute__((noinline)) static void most(void)
{
	value[0] = chain(value[0], 6 * UNIT);
}

__attribute__((noinline)) static void some(void)
{
	value[1] = chain(value[1], 3 * UNIT);
}

__attribute__((noinline)) static void least(void)
{
	value[2] = chain(value[2], SHORT);
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 150;

	for (int step = 0; step < steps; step++) {
		most();
		for (int i = 0; i < UNIT / SHORT; i++)
			least();
		some();
	}
	printf("%.3f\n", value[0] + value[1] + value[2]);
	return 0;
}
