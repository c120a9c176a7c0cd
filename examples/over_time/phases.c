/* SPDX-License-Identifier: BSD-3-Clause */
/* Phases that depend on one another: clear, up and down need nothing of the others; add_up and add_down both add to the
 * density, and total reads it. */
#include <stdio.h>

enum { N = 60000, STEPS = 40 };
static double density[N], spin_up[N], spin_down[N], psi_up[N], psi_down[N], sum;
static int order[N];

static void clear(void)
{
	for (int i = 0; i < N; i++)
		density[i] = 1e-3;
}

static void up(void)
{
	for (int i = 1; i < N; i++)
		psi_up[i] = spin_up[i] + spin_up[i - 1];
}

static void add_up(void)
{
	for (int i = 0; i < N; i++)
		density[i] += psi_up[i];
}

static void down(void)
{
	for (int i = N - 1; i >= 0; i--)
		psi_down[i] = 3 * spin_down[i];
}

static void add_down(void)
{
	for (int i = 0; i < N; i++)
		density[i] += psi_down[order[i]];
}

static void total(void)
{
	for (int i = 0; i < N; i++)
		sum += density[i];
}

static void step(void)
{
	clear();
	up();
	add_up();
	down();
	add_down();
	total();
}

int main(void)
{
	unsigned x = 1;

	for (int i = 0; i < N; i++) {
		x = x * 1664525u + 1013904223u;
		order[i] = (int)(x % N);
		spin_up[i] = i % 7;
		spin_down[i] = i % 5;
	}
	for (int s = 0; s < STEPS; s++)
		step();
	printf("%g\n", sum);
	return 0;
}
