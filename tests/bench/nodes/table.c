/* SPDX-License-Identifier: BSD-3-Clause */
/* All threads gather from a table that one thread has made and nobody writes. */
#include <stdio.h>

enum { N = 1 << 16, TABLE = 1 << 14, SHIFT = 18, STEPS = 60 };
static double table[TABLE], out[N];
static int at[N];

static void fill(void)
{
	for (int i = 0; i < TABLE; i++)
		table[i] = i % 31;
#pragma omp parallel for
	for (int i = 0; i < N; i++) {
		at[i] = (int)((unsigned)i * 2654435761u >> SHIFT);
		out[i] = 0;
	}
}

static void step(void)
{
#pragma omp parallel for
	for (int i = 0; i < N; i++)
		out[i] += table[at[i]];
}

int main(void)
{
	fill();
	for (int t = 0; t < STEPS; t++)
		step();
	printf("%g\n", out[N / 3]);
	return 0;
}
