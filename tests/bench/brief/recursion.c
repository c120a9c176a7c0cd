/* SPDX-License-Identifier: BSD-3-Clause */
/* A recursive Fourier transform, there and back, with a product in between: 25 convolutions of a signal with itself. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double complex *root;
static int most;

static void transform(int n, int step, const double complex *in, double complex *out, int back)
{
	if (n == 1) {
		out[0] = in[0];
		return;
	}
	transform(n / 2, 2 * step, in, out, back);
	transform(n / 2, 2 * step, in + step, out + n / 2, back);
	for (int k = 0; k < n / 2; k++) {
		double complex w = root[k * (most / n)], odd = (back ? conj(w) : w) * out[k + n / 2];

		out[k + n / 2] = out[k] - odd;
		out[k] += odd;
	}
}

static void convolve(int n, double complex *x, double complex *y)
{
	transform(n, 1, x, y, 0);
	for (int i = 0; i < n; i++)
		y[i] = y[i] * y[i] / n;
	transform(n, 1, y, x, 1);
}

static double normalise(int n, double complex *x)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += creal(x[i]) * creal(x[i]);
	for (int i = 0; i < n; i++)
		x[i] /= sqrt(sum);
	return sum;
}

int main(int argc, char **argv)
{
	int n = most = 1 << 15, times = argc > 1 ? atoi(argv[1]) : 25;
	double complex *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
	double last = 0;

	root = malloc(n * sizeof *root);
	for (int i = 0; i < n; i++) {
		root[i] = cexp(-2 * acos(-1) * I * i / n);
		x[i] = exp(-1e-4 * i * i);
	}
	for (int k = 0; k < times; k++) {               /* PHASE */
		convolve(n, x, y);
		last = normalise(n, x);
	}
	printf("%.9g\n", last);
	return 0;
}
