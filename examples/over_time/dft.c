/* SPDX-License-Identifier: BSD-3-Clause */
/* As in a wavelet code: an array is zeroed, and then all of it is overwritten; a density is summed up, a potential applied. */
#include <stdio.h>

enum { N = 60000, STEPS = 40 };
static double psi[N], coefficient[N], density[N], potential[N], result[N];

static void zero(void)
{
	for (int i = 0; i < N; i++)
		psi[i] = 0;
}

static void synthesise(void)
{
	for (int i = 1; i < N - 1; i++)
		psi[i] = coefficient[i - 1] - 2 * coefficient[i] + coefficient[i + 1];
	psi[0] = psi[N - 1] = coefficient[0];
}

static void sum_density(void)
{
	for (int i = 0; i < N; i++)
		density[i] += psi[i] * psi[i];
}

static void apply(void)
{
	for (int i = 0; i < N; i++)
		result[i] = psi[i] * potential[i];
}

static void step(void)
{
	zero();
	synthesise();
	sum_density();
	apply();
}

int main(void)
{
	for (int i = 0; i < N; i++) {
		coefficient[i] = i % 17;
		potential[i] = 1.0 / (1 + i);
	}
	for (int s = 0; s < STEPS; s++)
		step();
	printf("%g %g\n", density[N / 2], result[N / 3]);
	return 0;
}
