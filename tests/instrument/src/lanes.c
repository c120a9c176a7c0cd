/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels whose vector form gathers, scatters or masks: "lanes NAME N".  See records.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX 4096
#define noinline __attribute__((noinline))
struct point { float x, y, z; };
double a[MAX], o[MAX];
float af[MAX], of[MAX];
struct point p[MAX];
int near[MAX], flag[MAX];
long far[MAX];

noinline static double gather_near(int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += a[near[i]];
	return s;
}

noinline static double gather_far(int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += a[far[i]];
	return s;
}

noinline static float gather_single(int n)
{
	float s = 0;

	for (int i = 0; i < n; i++)
		s += af[near[i]];
	return s;
}

noinline static float gather_half(int n)
{
	float s = 0;

	for (int i = 0; i < n; i++)
		s += af[far[i]];
	return s;
}

noinline static float gather_point(int n)
{
	float s = 0;

	for (int i = 0; i < n; i++)
		s += p[near[i]].x * p[near[i]].z;
	return s;
}

/* The index comes before the array: signs matter. */
noinline static double gather_back(const double *end, const int *by, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += end[-by[i]];
	return s;
}

noinline static void scatter(int n)
{
	for (int i = 0; i < n; i++)
		o[near[i]] = a[i];
}

noinline static void masked(const double *x, double *restrict y, int n)
{
	for (int i = 0; i < n; i++)
		if (flag[i])
			y[i] = x[i] + 1;
}

noinline static void masked_single(const float *x, float *restrict y, int n)
{
	for (int i = 0; i < n; i++)
		if (flag[i])
			y[i] = x[i] + 1;
}

noinline static double masked_gather(const double *x, double *restrict y, const int *by, int n)
{
	for (int i = 0; i < n; i++)
		if (flag[i])
			y[i] = x[by[i]];
	return y[0];
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	int n = argc > 2 ? atoi(argv[2]) : 0;
	double s = 0, *from = a, *to = o;
	float *from_single = af, *to_single = of;
	int *index = near;

	__asm__ volatile ("" : "+r"(from), "+r"(to), "+r"(from_single), "+r"(to_single), "+r"(index));
	if (n < 0 || n >= MAX)
		return 2;
	for (int i = 0; i < MAX; i++) {
		near[i] = far[i] = (i * 37L) % MAX;
		flag[i] = i % 3 == 0;
		a[i] = af[i] = p[i].x = i;
		p[i].z = 1;
	}
	if (!strcmp(name, "gather_near"))
		s = gather_near(n);
	else if (!strcmp(name, "gather_far"))
		s = gather_far(n);
	else if (!strcmp(name, "gather_single"))
		s = gather_single(n);
	else if (!strcmp(name, "gather_half"))
		s = gather_half(n);
	else if (!strcmp(name, "gather_point"))
		s = gather_point(n);
	else if (!strcmp(name, "gather_back"))
		s = gather_back(a + MAX - 1, near, n);
	else if (!strcmp(name, "scatter"))
		scatter(n);
	else if (!strcmp(name, "masked"))
		masked(from, to, n);
	else if (!strcmp(name, "masked_single"))
		masked_single(from_single, to_single, n);
	else if (!strcmp(name, "masked_gather"))
		s = masked_gather(from, to, index, n);
	for (int i = 0; i < MAX; i++)
		s += o[i] + of[i];
	printf("%g\n", s);
	return 0;
}
