/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates of a reaction, exp and pow of one of 512 temperatures in each cell: a table of 512 has them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CELLS = 200000, CLASSES = 512 };
static unsigned short temperature[CELLS];
static double fuel[CELLS];

static double rate(int class)
{
	double t = 300 + 2.0 * class;

	return pow(t / 300, 1.7) * exp(-1500 / t);
}

static void burn(double dt)
{
#ifdef FIXED
	static double table[CLASSES];

	for (int i = 0; i < CLASSES; i++)
		table[i] = rate(i);
	for (int i = 0; i < CELLS; i++)
		fuel[i] -= dt * table[temperature[i]] * fuel[i];
#else
	for (int i = 0; i < CELLS; i++)
		fuel[i] -= dt * rate(temperature[i]) * fuel[i];
#endif
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40;
	double sum = 0;

	for (int i = 0; i < CELLS; i++) {
		temperature[i] = (unsigned short)(i * 7 % CLASSES);
		fuel[i] = 1;
	}
	for (int step = 0; step < steps; step++) /* the phase */
		burn(1e-3);
	for (int i = 0; i < CELLS; i++)
		sum += fuel[i];
	printf("%.15g\n", sum);
	return 0;
}
