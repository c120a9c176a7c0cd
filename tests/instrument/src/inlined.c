/* SPDX-License-Identifier: BSD-3-Clause */
/* Static functions that GCC puts where they are called, once or, where they are small, each time. */
#include <stdio.h>

static double a[100], b[100];

/* Called once: a loop of its own, a nest, several loops with calls between, a call in last place. */
static void fill(int k)
{
	for (int i = 0; i < 100; i++)
		a[i] = i + k;
}

static double nest(int k)
{
	double s = 0;

	for (int i = 0; i < 100; i++)
		for (int j = 0; j <= i; j++)
			s += a[j] * b[i] + k;
	return s;
}

static void copy(double *to, const double *from, int n)
{
	for (int i = 0; i < n; i++)
		to[i] += from[i];
}

static double steps(int k)
{
	fill(k);
	for (int i = 0; i < 10; i++) {
		copy(b, a, 100);
		if (i == k)
			puts("step");
	}
	return nest(k);
}

static double relay(int k)
{
	if (k < 0)
		return 0;
	return steps(k);
}

/* Small, called often. */
static double at(const double *p, int i)
{
	return p[i % 100];
}

static double both(int i)
{
	return at(a, i) + at(b, i + 1);
}

double rest(int k)
{
	double s = both(k);

	for (int i = 0; i < 50; i++)
		s += both(i) - at(a, k);
	return s;
}

int main(void)
{
	double sum = 0;

	for (int k = 0; k < 5; k++)
		sum += relay(k) + rest(k);
	printf("%g\n", sum);
	return 0;
}
