/* SPDX-License-Identifier: BSD-3-Clause */
/* For whatif.sh: nine arrays that lie in the same cache sets, one more than there are ways; a matrix whose
 * columns do; and an array that is just larger than the nearest cache.  With -DPAD=8 or -DWIDER=8 what
 * --what-if models is done in the source. */
#include <stdio.h>
#include <stdlib.h>

#ifndef PAD
#define PAD 0           /* doubles before b */
#endif
#ifndef WIDER
#define WIDER 0         /* doubles at the end of each row */
#endif
enum { N = 2048, ROWS = 64, COLUMNS = 512, LONG = 16384 };
#define PAGE __attribute__((aligned(4096)))

static double a[N] PAGE, c[N] PAGE, d[N] PAGE, e[N] PAGE, f[N] PAGE, g[N] PAGE, h[N] PAGE, k[N] PAGE;
static double b[N + PAD] PAGE;
static double matrix[ROWS][COLUMNS + WIDER] PAGE;
static double stream[LONG] PAGE;

__attribute__((noinline)) static double nine(void)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += a[i] + b[i + PAD] + c[i] + d[i] + e[i] + f[i] + g[i] + h[i] + k[i];
	return s;
}

__attribute__((noinline)) static double columns(void)
{
	double s = 0;

	for (int j = 0; j < COLUMNS; j++)
		for (int i = 0; i < ROWS; i++)
			s += matrix[i][j];
	return s;
}

__attribute__((noinline)) static double once(void)
{
	double s = 0;

	for (int i = 0; i < LONG; i++)
		s += stream[i];
	return s;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 400;
	double s = 0;

	for (int step = 0; step < steps; step++) {
		s += nine();
		s += columns();
		s += once();
	}
	printf("%g\n", s);
	return 0;
}
