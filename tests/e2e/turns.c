/* SPDX-License-Identifier: BSD-3-Clause */
/* For unlike.sh: short steps, and every period-th, the tenth among them, takes five times as long: by
 * another argument, or by a call that the short ones do not have.  `work` and `other` take one half
 * of a short step each.
 * Arguments: period; "call" or "argument". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 600000, STEPS = 40, SPECIAL = 10 };
static double value[3];

static double chain(double x, int n)
{
	for (int i = 0; i < n; i++)
		x = x * 0.9999999 + 1e-7;
	return x;
}

__attribute__((noinline)) static void work(int units)
{
	value[0] = chain(value[0], units * UNIT);
}

__attribute__((noinline)) static void output(int units)
{
	value[1] = chain(value[1], units * UNIT);
}

__attribute__((noinline)) static void other(void)
{
	value[2] = chain(value[2], UNIT);
}

int main(int argc, char **argv)
{
	int period = argc > 1 ? atoi(argv[1]) : 2;
	int by_call = argc > 2 && !strcmp(argv[2], "call");

	for (int step = 1; step <= STEPS; step++) {
		int special = step % period == SPECIAL % period;

		work(special && !by_call ? 9 : 1);
		if (special && by_call)
			output(8);
		other();
	}
	printf("%.3f\n", value[0] + value[1] + value[2]);
	return 0;
}
