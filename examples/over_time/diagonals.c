/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix by its five diagonals, which lie one behind the other in one array: the product reads all of them at once. */
#include <stdio.h>

enum { SIDE = 200, N = SIDE * SIDE, DIAGONALS = 5, STEPS = 40 };
static double value[DIAGONALS][N], x[N], y[N];
static const int beside[DIAGONALS] = { -SIDE, -1, 0, 1, SIDE };
int diagonals = DIAGONALS;              /* as if read: a loop over them stays a loop */

static void multiply(void)
{
	for (int i = SIDE; i < N - SIDE; i++) {
		double sum = 0;

		for (int k = 0; k < diagonals; k++)
			sum += value[k][i] * x[i + beside[k]];
		y[i] = sum;
	}
}

static void relax(void)
{
	for (int i = 0; i < N; i++)
		x[i] -= 0.1 * y[i];
}

static void step(void)
{
	multiply();
	relax();
}

int main(void)
{
	for (int i = 0; i < N; i++) {
		x[i] = i % 10;
		for (int k = 0; k < DIAGONALS; k++)
			value[k][i] = k == 2 ? 4 : -1;
	}
	for (int s = 0; s < STEPS; s++)
		step();
	printf("%g\n", x[N / 2]);
	return 0;
}
