/* SPDX-License-Identifier: BSD-3-Clause */
/* For sharing.sh, with two threads: what they do to each other's cache lines is known. */
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 12, TIMES = 4096, LINE = 8, TABLE = 4096 };

static struct { long own[2 * LINE]; } near __attribute__((aligned(64))),
	apart __attribute__((aligned(64)));
static long counter[LINE] __attribute__((aligned(64)));
static double table[TABLE] __attribute__((aligned(64)));
static double sum[2 * LINE] __attribute__((aligned(64)));

/* One line, a word each. */
static void neighbours(int times)
{
#pragma omp parallel for schedule(static, 1)
	for (int t = 0; t < 2; t++)
		for (int i = 0; i < times; i++)
			((volatile long *)near.own)[t] += i;
}

/* A line each. */
static void padded(int times)
{
#pragma omp parallel for schedule(static, 1)
	for (int t = 0; t < 2; t++)
		for (int i = 0; i < times; i++)
			((volatile long *)apart.own)[t * LINE] += i;
}

/* One word.  The sum is lost; who takes the line from whom is not. */
static void counted(int times)
{
#pragma omp parallel for schedule(static, 1)
	for (int t = 0; t < 2; t++)
		for (int i = 0; i < times; i++)
			((volatile long *)counter)[0]++;
}

/* Read by both, written by none. */
static void looked_up(int times)
{
#pragma omp parallel for schedule(static, 1)
	for (int t = 0; t < 2; t++) {
		double s = 0;

		for (int i = 0; i < times; i++)
			s += table[i % TABLE];
		sum[t * LINE] += s;
	}
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : STEPS;

	for (int step = 0; step < steps; step++) {
		neighbours(TIMES);
		padded(TIMES);
		counted(TIMES);
		looked_up(TIMES);
	}
	printf("%ld %ld %d %g\n", near.own[0] + near.own[1], apart.own[0] + apart.own[LINE],
		counter[0] > 0, sum[0] + sum[LINE]);
	return 0;
}
