/* SPDX-License-Identifier: BSD-3-Clause */
#include "dense.h"

void dense_times_vector(int n, int stride, const double *a, const double *x, double *y)
{
	for (int i = 0; i < n; i++) {
		double sum = 0;

		for (int k = 0; k < n; k++)
			sum += a[(long)i * n + k] * x[k * stride];
		y[i * stride] = sum;
	}
}

void dense_times_vectors(int n, int vectors, const double *a, const double *x, double *y)
{
	for (int i = 0; i < n; i++) {
		double sum[16] = { 0 };

		for (int k = 0; k < n; k++)
			for (int v = 0; v < vectors; v++)
				sum[v] += a[(long)i * n + k] * x[k * vectors + v];
		for (int v = 0; v < vectors; v++)
			y[i * vectors + v] = sum[v];
	}
}
