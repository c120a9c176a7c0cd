/* SPDX-License-Identifier: BSD-3-Clause */
/* Dense matrices, row by row in memory, as C has them. */
#include "harness.h"

/* --- colwalk, padld: the sum of a matrix, column by column ----------------------------------------- */

static double *matrix, *padded, *small;

SAME_CODE static double sum_by_columns(const double *m, size_t rows, size_t cols, size_t ld)
{
	double sum = 0;

	for (size_t j = 0; j < cols; j++)
		for (size_t i = 0; i < rows; i++)
			sum += m[i * ld + j];
	return sum;
}

SAME_CODE static double sum_by_rows(const double *m, size_t rows, size_t cols, size_t ld)
{
	double sum = 0;

	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < cols; j++)
			sum += m[i * ld + j];
	return sum;
}

enum { SIDE = 2048, THIN_ROWS = 1024 };

void colwalk_init(void)
{
	matrix = bench_doubles((size_t)SIDE * SIDE, 1.0);
	small = bench_doubles(THIN_ROWS * 2, 1.0);
}

/* fixed: row by row */
double colwalk_run(enum version v)
{
	double sum = 0;

	if (v == BAD)
		return sum_by_columns(matrix, SIDE, SIDE, SIDE);
	if (v == FIXED)
		return sum_by_rows(matrix, SIDE, SIDE, SIDE);
	REPEAT(SIDE * SIDE / (THIN_ROWS * 2))
		sum += sum_by_columns(small, THIN_ROWS, 2, 2);
	return sum;
}

/* A column of 512 rows has 512 lines, which would fit in level 1 or 2; 8 KiB apart they share a few sets. */
enum { PAD_ROWS = 512, PAD_COLS = 1024, PAD_LD = PAD_COLS + 8, PAD_FEW = 4 };

void padld_init(void)
{
	matrix = bench_doubles((size_t)PAD_ROWS * PAD_COLS, 1.0);
	padded = bench_doubles((size_t)PAD_ROWS * PAD_LD, 1.0);
	small = bench_doubles(PAD_ROWS * PAD_FEW, 1.0);
}

/* fixed: rows are a line longer */
double padld_run(enum version v)
{
	double sum = 0;

	if (v == BAD)
		REPEAT(4)
			sum += sum_by_columns(matrix, PAD_ROWS, PAD_COLS, PAD_COLS);
	else if (v == FIXED)
		REPEAT(4)
			sum += sum_by_columns(padded, PAD_ROWS, PAD_COLS, PAD_LD);
	else
		REPEAT(4 * PAD_COLS / PAD_FEW)
			sum += sum_by_columns(small, PAD_ROWS, PAD_FEW, PAD_FEW);
	return sum;
}

/* --- gemv: y = Ax, the matrix transposed in memory ------------------------------------------------- */

static double *a, *b, *c, *x, *y;

SAME_CODE static void dots(double *out, const double *m, const double *in, size_t rows, size_t cols, size_t ld)
{
	for (size_t i = 0; i < rows; i++) {
		double sum = 0;

		for (size_t j = 0; j < cols; j++)
			sum += m[j * ld + i] * in[j];
		out[i] = sum;
	}
}

SAME_CODE static void axpys(double *out, const double *m, const double *in, size_t rows, size_t cols, size_t ld)
{
	for (size_t i = 0; i < rows; i++)
		out[i] = 0;
	for (size_t j = 0; j < cols; j++)
		for (size_t i = 0; i < rows; i++)
			out[i] += m[j * ld + i] * in[j];
}

void gemv_init(void)
{
	matrix = bench_doubles((size_t)SIDE * SIDE, 0.5);
	x = bench_doubles(SIDE, 2.0);
	y = bench_doubles(SIDE, 0);
	small = bench_doubles(THIN_ROWS * 2, 0.5);
}

/* fixed: the loops the other way round */
double gemv_run(enum version v)
{
	if (v == BAD)
		dots(y, matrix, x, SIDE, SIDE, SIDE);
	else if (v == FIXED)
		axpys(y, matrix, x, SIDE, SIDE, SIDE);
	else
		REPEAT(SIDE * SIDE / (2 * THIN_ROWS))
			dots(y, small, x, 2, THIN_ROWS, 2);
	return y[SIDE / 2];
}

/* --- transp: b = transposed a ---------------------------------------------------------------------- */

SAME_CODE static void transpose(double *out, size_t ldout, const double *in, size_t ldin, size_t rows, size_t cols)
{
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < cols; j++)
			out[j * ldout + i] = in[i * ldin + j];
}

void transp_init(void)
{
	a = bench_doubles((size_t)SIDE * SIDE, 1.0);
	b = bench_doubles((size_t)SIDE * SIDE, 0);
	a[3] = 5.0;
}

/* fixed: in blocks of 8 by 8, a line each way */
double transp_run(enum version v)
{
	if (v == BAD)
		transpose(b, SIDE, a, SIDE, SIDE, SIDE);
	else if (v == FIXED)
		for (size_t i = 0; i < SIDE; i += 8)
			for (size_t j = 0; j < SIDE; j += 8)
				transpose(b + j * SIDE + i, SIDE, a + i * SIDE + j, SIDE, 8, 8);
	else
		REPEAT(SIDE * SIDE / 1024)
			transpose(b, 2, a, 512, 2, 512);
	return b[3 * SIDE];
}

/* --- matmul, mm400: a strip of 64 rows of C += A B ------------------------------------------------- */

enum { STRIP = 64, POWER = 512, ODD = 400, PANEL = 40 };

SAME_CODE static void multiply_ijk(double *out, const double *l, const double *r, size_t m, size_t n, size_t depth)
{
	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++) {
			double sum = out[i * n + j];

			for (size_t k = 0; k < depth; k++)
				sum += l[i * depth + k] * r[k * n + j];
			out[i * n + j] = sum;
		}
}

/* Of the left matrix and the right one only `depth` columns and rows; ld: the left one's. */
SAME_CODE static void multiply_ikj(double *out, const double *l, size_t ld, const double *r, size_t m, size_t n,
	size_t depth)
{
	for (size_t i = 0; i < m; i++)
		for (size_t k = 0; k < depth; k++) {
			double factor = l[i * ld + k];

			for (size_t j = 0; j < n; j++)
				out[i * n + j] += factor * r[k * n + j];
		}
}

static void factors(size_t n)
{
	a = bench_doubles(STRIP * n, 0.5);
	b = bench_doubles(n * n, 2.0);
	c = bench_doubles(STRIP * n, 0);
}

void matmul_init(void)
{
	factors(POWER);
}

/* fixed: the inner loop along the rows */
double matmul_run(enum version v)
{
	if (v == BAD)
		multiply_ijk(c, a, b, STRIP, POWER, POWER);
	else if (v == FIXED)
		multiply_ikj(c, a, POWER, b, STRIP, POWER, POWER);
	else
		REPEAT(STRIP * POWER * 2 / 8)
			multiply_ijk(c, a, b, 2, 4, POWER / 2);
	return c[STRIP * POWER - 1];
}

void mm400_init(void)
{
	factors(ODD);
}

/* fixed: B in panels that stay in level 2 */
double mm400_run(enum version v)
{
	if (v == BAD)
		multiply_ikj(c, a, ODD, b, STRIP, ODD, ODD);
	else if (v == FIXED)
		for (size_t k = 0; k < ODD; k += PANEL)
			multiply_ikj(c, a + k, ODD, b + k * ODD, STRIP, ODD, PANEL);
	else
		REPEAT(STRIP * ODD / 4)
			multiply_ikj(c, a, ODD, b, 1, ODD, 4);
	return c[STRIP * ODD - 1];
}
