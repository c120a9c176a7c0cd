/* SPDX-License-Identifier: BSD-3-Clause */
/* A conjugate-gradient step over a sparse matrix: values, column numbers and the vector are three streams at once, and the result of
 * the product is consumed by the loop behind it. */
#include <stdio.h>

enum { N = 40000, PER_ROW = 5, STEPS = 40 };
static double value[PER_ROW * N], x[N], y[N], r[N];
static int column[PER_ROW * N];

static void multiply(void)
{
	for (int i = 0; i < N; i++) {
		double sum = 0;

		for (int k = 0; k < PER_ROW; k++)
			sum += value[PER_ROW * i + k] * x[column[PER_ROW * i + k]];
		y[i] = sum;
	}
}

static void update(void)
{
	for (int i = 0; i < N; i++)
		r[i] = 0.5 * (r[i] + y[i]);
	for (int i = 0; i < N; i++)
		x[i] += 1e-3 * r[i];
}

static void step(void)
{
	multiply();
	update();
}

int main(void)
{
	for (int i = 0; i < N; i++) {
		x[i] = i % 10;
		for (int k = 0; k < PER_ROW; k++) {
			value[PER_ROW * i + k] = k == 2 ? 4 : -1;
			column[PER_ROW * i + k] = (i + (k - 2) * (k % 2 ? 1 : 100) + N) % N;
		}
	}
	for (int s = 0; s < STEPS; s++)
		step();
	printf("%g\n", x[N / 2]);
	return 0;
}
