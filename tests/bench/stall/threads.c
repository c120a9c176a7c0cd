/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels of two threads: they share the bandwidth of memory. */
#include "harness.h"

enum { THREADS = 2, FEW = 512 };
#define ELEMENTS (2 * MILLION)

/* --- together: z = x + sy, each thread in arrays of its own ---------------------------------------- */

static struct {
	double *in, *other, *out;
	float *in4, *other4, *out4;
} own[THREADS];

SAME_CODE static void triad(double *z, const double *x, const double *y, size_t n, double s)
{
	for (size_t i = 0; i < n; i++)
		z[i] = x[i] + s * y[i];
}

SAME_CODE static void triad_single(float *z, const float *x, const float *y, size_t n, float s)
{
	for (size_t i = 0; i < n; i++)
		z[i] = x[i] + s * y[i];
}

void together_init(void)
{
	for (int t = 0; t < THREADS; t++) {
		own[t].in = bench_doubles(ELEMENTS, 0.5);
		own[t].other = bench_doubles(ELEMENTS, 0.25);
		own[t].out = bench_doubles(ELEMENTS, 0);
		own[t].in4 = bench_floats(ELEMENTS, 0.5F);
		own[t].other4 = bench_floats(ELEMENTS, 0.25F);
		own[t].out4 = bench_floats(ELEMENTS, 0);
	}
}

/* fixed: half the bytes */
double together_run(enum version v)
{
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
	for (int t = 0; t < THREADS; t++)
		if (v == FIXED)
			triad_single(own[t].out4, own[t].in4, own[t].other4, ELEMENTS, 2.0F);
		else if (v == BAD)
			triad(own[t].out, own[t].in, own[t].other, ELEMENTS, 2.0);
		else
			REPEAT(ELEMENTS / FEW)
				triad(own[t].out, own[t].in, own[t].other, FEW, 2.0);
	return v == FIXED ? (double)own[1].out4[MILLION] : own[1].out[v == BAD ? MILLION : 1];
}
