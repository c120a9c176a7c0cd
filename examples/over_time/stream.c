/* SPDX-License-Identifier: BSD-3-Clause */
/* Four loops over three arrays, each larger than the caches of the machine that the test models: a copy, a multiplication of what
 * is gathered at random, a sum, a sum with a factor. */
#include <stdio.h>
#include <string.h>

enum { N = 500000, STEPS = 20 };
static double a[N], b[N], c[N];
static int at[N];

static void copy(void)
{
	memcpy(c, a, sizeof c);
}

static void scale(void)
{
	for (int i = 0; i < N; i++)
		b[i] = 0.5 * c[at[i]];
}

static void add(void)
{
	for (int i = 0; i < N; i++)
		c[i] = a[i] + b[i];
}

static void triad(void)
{
	for (int i = 0; i < N; i++)
		a[i] = b[i] + 0.25 * c[i];
}

static void step(void)
{
	copy();
	scale();
	add();
	triad();
}

int main(void)
{
	unsigned x = 1;

	for (int i = 0; i < N; i++) {
		x = x * 1664525u + 1013904223u;
		at[i] = (int)(x % N);
		a[i] = i;
	}
	for (int s = 0; s < STEPS; s++)
		step();
	printf("%g\n", a[N / 2]);
	return 0;
}
