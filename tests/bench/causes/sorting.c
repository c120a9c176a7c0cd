/* SPDX-License-Identifier: BSD-3-Clause */
/* The median of a window of values: by sorting all of them with qsort, where a selection would do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES = 100001 };
static double value[VALUES], work[VALUES];

#ifdef FIXED
static double median(double *v, int n)
{
	int low = 0, high = n - 1, wanted = n / 2;

	while (low < high) {
		double pivot = v[(low + high) / 2];
		int i = low, k = high;

		while (i <= k) {
			while (v[i] < pivot)
				i++;
			while (v[k] > pivot)
				k--;
			if (i <= k) {
				double held = v[i];

				v[i++] = v[k];
				v[k--] = held;
			}
		}
		low = k < wanted ? i : low;
		high = i > wanted ? k : high;
	}
	return v[wanted];
}
#else
static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, int n)
{
	qsort(v, (size_t)n, sizeof *v, by_value);
	return v[n / 2];
}
#endif

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 40;
	unsigned state = 1;
	double sum = 0;

	for (int i = 0; i < VALUES; i++)
		value[i] = (state = state * 1664525u + 1013904223u) >> 4;
	for (int step = 0; step < steps; step++) { /* the phase */
		memcpy(work, value, sizeof work);
		sum += median(work, VALUES);
		value[step % VALUES] += 1;
	}
	printf("%.15g\n", sum);
	return 0;
}
