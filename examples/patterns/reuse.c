/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight filters on a picture of 128 MiB, one after the other: when a filter comes to a line, the cache has lost it again.
 * All filters on one strip of the picture after the other: it has not. */
#include <stdio.h>

enum { PIXELS = 1 << 25, FILTERS = 8, STRIP = 1 << 15 };

static int picture[PIXELS];

static void filter(int *pixel, int n, int k)
{
	for (int i = 0; i < n; i++)
		pixel[i] += (pixel[i] >> 4) ^ k;
}

static void all_filters(void)
{
#ifdef FIXED
	for (int from = 0; from < PIXELS; from += STRIP)
		for (int k = 0; k < FILTERS; k++)
			filter(picture + from, STRIP, k);
#else
	for (int k = 0; k < FILTERS; k++)
		filter(picture, PIXELS, k);
#endif
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < PIXELS; i++)
		picture[i] = i % 251;
	for (int step = 0; step < 10; step++)
		all_filters();
	for (int i = 0; i < PIXELS; i++)
		sum += picture[i];
	return printf("%ld\n", sum) < 0;
}
