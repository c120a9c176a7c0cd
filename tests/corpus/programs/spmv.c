/* SPDX-License-Identifier: BSD-3-Clause */
/* A sparse matrix (compressed rows) times a vector: 8192 rows of 8 elements, columns at random.
 *
 * values (512 KiB), columns (256 KiB), begins and y are streamed: one miss a line.  x (64 KiB) is
 * gathered: about half of it could stay in level 1 if nothing else passed; the number is the model's.
 * corpus: machine=small lto */
#include "model.h"

enum { ROWS = 8192, PER = 8, N = ROWS * PER };
static double values[N] ON_LEVEL2, x[ROWS] ON_LEVEL2, y[ROWS] ON_LEVEL2;
static int columns[N] ON_LEVEL2, begins[ROWS + 1] ON_LEVEL2;

static KERNEL void step(void)
{
	for (int i = 0; i < ROWS; i++) {
		double s = 0;

		for (int k = begins[i]; k < begins[i + 1]; k++)
			s += values[k] * x[columns[k]];
		y[i] = s;
	}
}

static void play(void)
{
	for (int i = 0; i < ROWS; i++) {
		model_play(&begins[i]);
		model_play(&begins[i + 1]);
		for (int k = begins[i]; k < begins[i + 1]; k++) {
			model_play(&values[k]);
			model_play(&columns[k]);
			model_play(&x[columns[k]]);
		}
		model_play(&y[i]);
	}
}

int main(void)
{
	uint32_t seed = 13;
	int one;

	for (int i = 0; i <= ROWS; i++)
		begins[i] = i * PER;
	for (int i = 0; i < ROWS; i++)
		x[i] = i % 3;
	for (int k = 0; k < N; k++)
		columns[k] = (int)(corpus_random(&seed) % ROWS), values[k] = k % 7;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g %g\n", y[1], y[8000]);
	play();
	model_level1.misses = 0;
	play();
	one = (int)model_level1.misses;
	printf("expect values bytes = %d\n", N * 8);
	printf("expect x bytes = %d\n", N * 8);
	printf("expect columns bytes = %d\n", N * 4);
	printf("expect values load_miss 1 = %d\n", N / 8);
	printf("expect columns load_miss 1 = %d\n", N / 16);
	printf("expect y store_miss 1 = %d\n", ROWS / 8);
	printf("expect begins miss 1 in %d %d\n", ROWS / 16 + 1, ROWS / 16 + 1 + 60);
	printf("expect x load_miss 1 in %d %d\n", (int)((one - N / 8 - N / 16 - ROWS / 8 - ROWS / 16) * 0.99),
		(int)((one - N / 8 - N / 16 - ROWS / 8 - ROWS / 16) * 1.01));
	printf("expect values load_miss 2 = %d\n", N / 8);
	return 0;
}
