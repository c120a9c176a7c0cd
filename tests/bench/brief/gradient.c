/* SPDX-License-Identifier: BSD-3-Clause */
/* Conjugate gradients on a grid, until the residual is small: its loop is in a subroutine that main() calls. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int n;

static void apply(const double *x, double *y)
{
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n; k++) {
			int at = i * n + k;
			double sum = 4.01 * x[at];

			sum -= i > 0 ? x[at - n] : 0;
			sum -= i < n - 1 ? x[at + n] : 0;
			sum -= k > 0 ? x[at - 1] : 0;
			sum -= k < n - 1 ? x[at + 1] : 0;
			y[at] = sum;
		}
}

static double dot(const double *x, const double *y)
{
	double sum = 0;

	for (int i = 0; i < n * n; i++)
		sum += x[i] * y[i];
	return sum;
}

static void add(double *x, double a, const double *y)
{
	for (int i = 0; i < n * n; i++)
		x[i] += a * y[i];
}

static int solve(double *x, double *r, double *p, double *q, double small)
{
	double rr = dot(r, r), last = rr;
	int turns = 0;

	while (rr > small * small) {                    /* PHASE */
		double a;

		apply(p, q);
		a = rr / dot(p, q);
		add(x, a, p);
		add(r, -a, q);
		last = rr;
		rr = dot(r, r);
		for (int i = 0; i < n * n; i++)
			p[i] = r[i] + rr / last * p[i];
		turns++;
	}
	return turns;
}

int main(int argc, char **argv)
{
	double *v[4], small = argc > 1 ? atof(argv[1]) : 1e-6;
	size_t size;
	int turns;

	n = 300;
	size = (size_t)n * (size_t)n;
	for (int i = 0; i < 4; i++)
		v[i] = calloc(size, sizeof *v[i]);
	for (size_t i = 0; i < size; i++)
		v[1][i] = v[2][i] = sin(0.01 * (double)i) + cos(0.017 * (double)(i / 300));
	turns = solve(v[0], v[1], v[2], v[3], small);
	printf("%d %.8g\n", turns, v[0][size / 3]);
	return 0;
}
