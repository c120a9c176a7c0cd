/* SPDX-License-Identifier: BSD-3-Clause */
/* The library that loader.c opens. */
#include "../corpus.h"

enum { N = 32768 };
static double shelf[N] ON_LEVEL2;

double take(int from, int n);
double take(int from, int n)
{
	double s = 0;

	for (int i = from; i < from + n; i++)
		s += shelf[i] += 1;
	return s;
}
