/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of three statements on three lines: one streams through 32 KiB of m, one strides through 512 KiB of it,
 * one stays in a line.  With OpenMP each thread has its part of the iterations. */
#include <stdio.h>

enum { N = 4096 };
static _Alignas(4096) double m[17 * N + 8];

/* In a loop that is recorded iteration by iteration. */
static __attribute__((noinline)) double indexed(double s)
{
#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < N; i++) {
		s += m[i];                      /* indexed streams */
		m[N + 16 * i] = s;              /* indexed strides */
		m[17 * N + (i & 7)] = i;        /* indexed hits */
	}
	return s;
}

/* In a loop that is one record. */
static __attribute__((noinline)) double affine(double s, double *one)
{
	for (int i = 0; i < N; i++) {
		s += m[i];                      /* affine streams */
		m[N + 16 * i] = s;              /* affine strides */
		*one = s;                       /* affine hits */
	}
	return s;
}

int main(void)
{
	double s = 0;

	for (int k = 0; k < 4; k++) {           /* the phase */
		s = indexed(s);
		s = affine(s, &m[17 * N]);
	}
	printf("%g\n", s);
	return 0;
}
