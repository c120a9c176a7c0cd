/* SPDX-License-Identifier: BSD-3-Clause */
/* Lookups as Monte Carlo codes make them: each particle draws an energy and a material, and small
 * functions look for the energy in each nuclide's grid and interpolate.
 * idle: bench=600000 count=3000 time=1.05 instructions=1.035
 *       inlined=uniform,number,material,find,largest,nuclide,mixture */
#include <stdio.h>
#include <stdlib.h>

#define NUCLIDES 40
#define POINTS   512
#define CHANNELS 4

struct point {
	double energy, value[CHANNELS];
};

static struct point grid[NUCLIDES][POINTS];
static int members[8][NUCLIDES], nmembers[8];

/* A multiplicative generator: its nth number is a power, found by squaring. */
#define FACTOR 6364136223846793005UL

static double uniform(unsigned long *seed)
{
	*seed *= FACTOR;
	return (double)(*seed >> 11) / 9007199254740992.0;
}

static unsigned long number(unsigned long n)
{
	unsigned long power = 1;

	for (unsigned long square = FACTOR; n; n >>= 1, square *= square)
		if (n & 1)
			power *= square;
	return power;
}

static int material(unsigned long *seed)
{
	static const double share[8] = { 0.34, 0.2, 0.16, 0.1, 0.1, 0.05, 0.04, 0.01 };
	double drawn = uniform(seed);

	for (int m = 0; m < 8; m++) {
		if (drawn < share[m])
			return m;
		drawn -= share[m];
	}
	return 0;
}

static long find(const struct point *p, long n, double energy)
{
	long low = 0, high = n - 1;

	while (high - low > 1) {
		long middle = low + (high - low) / 2;

		if (p[middle].energy > energy)
			high = middle;
		else
			low = middle;
	}
	return low;
}

static void nuclide(double energy, int which, double *out)
{
	long i = find(grid[which], POINTS, energy);
	const struct point *low = &grid[which][i], *high = low + 1;
	double f = (high->energy - energy) / (high->energy - low->energy);

	for (int c = 0; c < CHANNELS; c++)
		out[c] = high->value[c] - f * (high->value[c] - low->value[c]);
}

static void mixture(double energy, int m, double *out)
{
	double one[CHANNELS];

	for (int c = 0; c < CHANNELS; c++)
		out[c] = 0;
	for (int i = 0; i < nmembers[m]; i++) {
		nuclide(energy, members[m][i], one);
		for (int c = 0; c < CHANNELS; c++)
			out[c] += one[c] * 0.125;
	}
}

static int largest(const double *v)
{
	int best = 0;

	for (int c = 1; c < CHANNELS; c++)
		if (v[c] > v[best])
			best = c;
	return best;
}

static void fill(void)
{
	unsigned long seed = 42;

	for (int n = 0; n < NUCLIDES; n++)
		for (int i = 0; i < POINTS; i++) {
			grid[n][i].energy = (i + 0.5 * uniform(&seed)) / (POINTS - 1);
			for (int c = 0; c < CHANNELS; c++)
				grid[n][i].value[c] = uniform(&seed);
		}
	for (int m = 0; m < 8; m++)
		for (int n = m; n < NUCLIDES; n += m + 2)
			members[m][nmembers[m]++] = n;
}

int main(int argc, char **argv)
{
	long particles = argc > 1 ? atol(argv[1]) : 300000;
	unsigned long sum = 0;

	fill();
#pragma omp parallel for schedule(dynamic, 100) reduction(+:sum)
	for (long p = 0; p < particles; p++) {
		unsigned long seed = number(3 * (unsigned long)p + 1);
		double energy = uniform(&seed), sections[CHANNELS];
		int m = material(&seed);

		mixture(energy, m, sections);
		sum += (unsigned long)largest(sections) + 1;
	}
	printf("%lu\n", sum);
	return 0;
}
