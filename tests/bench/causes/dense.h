/* SPDX-License-Identifier: BSD-3-Clause */
/* A small library of linear algebra, never instrumented.  Matrices are in rows; element i of a vector
 * is at i * stride. */
#ifndef PSC_BENCH_CAUSES_DENSE_H
#define PSC_BENCH_CAUSES_DENSE_H

/* y = a x, a of n rows and columns. */
void dense_times_vector(int n, int stride, const double *a, const double *x, double *y);
/* The same for `vectors` vectors beside each other, at most 16: element i of vector v is at
 * i * vectors + v. */
void dense_times_vectors(int n, int vectors, const double *a, const double *x, double *y);

#endif
