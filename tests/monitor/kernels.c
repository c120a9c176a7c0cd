/* SPDX-License-Identifier: BSD-3-Clause */
/* Two kernels for the comparison with cachegrind: `kernels triad|mm N`, N executions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRIAD 1000000
#define MM 160
static double a[TRIAD], b[TRIAD], c[TRIAD];
static double x[MM][MM], y[MM][MM], z[MM][MM];

static __attribute__((noinline)) void triad(void)
{
	for (int i = 0; i < TRIAD; i++)
		a[i] = b[i] + 3 * c[i];
}

static __attribute__((noinline)) void mm(void)
{
	for (int i = 0; i < MM; i++)
		for (int j = 0; j < MM; j++) {
			double sum = 0;

			for (int k = 0; k < MM; k++)
				sum += x[i][k] * y[k][j];
			z[i][j] = sum;
		}
}

static __attribute__((noinline)) void step(int which)
{
	if (which)
		mm();
	else
		triad();
}

int main(int argc, char **argv)
{
	int which = argc > 1 && !strcmp(argv[1], "mm");
	int times = argc > 2 ? atoi(argv[2]) : 3;

	for (int i = 0; i < TRIAD; i++)         /* else the compiler knows that all is 0 */
		b[i] = c[i] = times;
	memcpy(x, b, sizeof x);
	memcpy(y, c, sizeof y);
	for (int i = 0; i < times; i++)
		step(which);            /* the phase */
	printf("%g %g\n", a[7], z[3][4]);
	return 0;
}
