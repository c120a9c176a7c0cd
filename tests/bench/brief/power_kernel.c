/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>

void multiply(int n, const double *a, const double *x, double *y)
{
	for (int i = 0; i < n; i++) {
		double sum = 0;

		for (int k = 0; k < n; k++)
			sum += a[(long)i * n + k] * x[k];
		y[i] = sum;
	}
}

double norm(int n, const double *x)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += x[i] * x[i];
	return sqrt(sum);
}
