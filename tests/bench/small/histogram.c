/* SPDX-License-Identifier: BSD-3-Clause */
/* A histogram: a function finds the bin of each value, another one counts.
 * idle: bench=60000000 count=400000 time=1.05 instructions=1.03
 *       inlined=bin_of,count,draw */
#include <stdio.h>
#include <stdlib.h>

#define BINS 256

struct histogram {
	double low, width;
	unsigned bin[BINS], outside;
};

static int bin_of(const struct histogram *h, double value)
{
	double at = (value - h->low) / h->width;

	return at >= 0 && at < BINS ? (int)at : -1;
}

static void count(struct histogram *h, double value)
{
	int bin = bin_of(h, value);

	if (bin < 0)
		h->outside++;
	else
		h->bin[bin]++;
}

static double draw(unsigned *state)
{
	double sum = 0;

	for (int i = 0; i < 4; i++) {
		*state = *state * 1664525u + 1013904223u;
		sum += (double)(*state >> 8) / 16777216.0;
	}
	return sum;
}

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 20000000;
	struct histogram h = { 0.25, 3.5 / BINS, { 0 }, 0 };
	unsigned state = 11, most = 0;

	for (long i = 0; i < n; i++)
		count(&h, draw(&state));
	for (int b = 1; b < BINS; b++)
		most = h.bin[b] > h.bin[most] ? (unsigned)b : most;
	printf("%u %u %u\n", most, h.bin[most], h.outside);
	return 0;
}
