/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays from the first element to the last: what matters is bytes, or arithmetic. */
#include "harness.h"

static double *in, *other, *out;
static float *in4, *other4, *out4;

enum { FEW = 512 };

/* --- triad: z = x + sy ----------------------------------------------------------------------------- */

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

void triad_init(void)
{
	in = bench_doubles(4 * MILLION, 0.5);
	other = bench_doubles(4 * MILLION, 0.25);
	out = bench_doubles(4 * MILLION, 0);
	in4 = bench_floats(4 * MILLION, 0.5F);
	other4 = bench_floats(4 * MILLION, 0.25F);
	out4 = bench_floats(4 * MILLION, 0);
}

/* fixed: half the bytes */
double triad_run(enum version v)
{
	if (v == FIXED) {
		triad_single(out4, in4, other4, 4 * MILLION, 2.0F);
		return out4[MILLION];
	}
	if (v == BAD)
		triad(out, in, other, 4 * MILLION, 2.0);
	else
		REPEAT(4 * MILLION / FEW)
			triad(out, in, other, FEW, 2.0);
	return out[v == BAD ? MILLION : 1];
}

/* --- together: triads of two threads, which share the bandwidth of memory; each in arrays of its own - */

enum { THREADS = 2 };
#define ELEMENTS (2 * MILLION)

static struct {
	double *in, *other, *out;
	float *in4, *other4, *out4;
} own[THREADS];

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

/* --- sweeps: four times through an array ----------------------------------------------------------- */

enum { SWEEPS = 4, BLOCK = 32768 };

SAME_CODE static void sweep(double *x, size_t n, double factor)
{
	for (size_t i = 0; i < n; i++)
		x[i] = x[i] * factor + 1.0;
}

void sweeps_init(void)
{
	out = bench_doubles(8 * MILLION, 0);
}

/* fixed: all sweeps through a block of 256 KiB, then the next block */
double sweeps_run(enum version v)
{
	if (v == BAD)
		for (int s = 0; s < SWEEPS; s++)
			sweep(out, 8 * MILLION, 0.5);
	else if (v == FIXED)
		for (size_t block = 0; block < 8 * MILLION; block += BLOCK)
			for (int s = 0; s < SWEEPS; s++)
				sweep(out + block, BLOCK, 0.5);
	else
		REPEAT(8 * MILLION / (4 * FEW) * SWEEPS)
			sweep(out, 4 * FEW, 0.5);
	return out[MILLION];
}

/* --- prefix: running sums of running sums ---------------------------------------------------------- */

static double *middle;
enum { PAIR = 512 };       /* elements of a block; 12 KiB in three arrays */

SAME_CODE static double running_sum(double *y, const double *x, size_t n, double sum)
{
	for (size_t i = 0; i < n; i++)
		y[i] = sum += x[i];
	return sum;
}

static void make_three(size_t n)
{
	in = bench_doubles(n, 0.5);
	middle = bench_doubles(n, 0);
	out = bench_doubles(n, 0);
}

void prefix_init(void)
{
	make_three(2 * MILLION);
}

/* fixed: both sums of a block, then the next block */
double prefix_run(enum version v)
{
	double once = 0, twice = 0;

	if (v == BAD) {
		running_sum(middle, in, 2 * MILLION, 0);
		return running_sum(out, middle, 2 * MILLION, 0);
	}
	for (size_t k = 0; k < 2 * MILLION; k += PAIR) {
		size_t at = v == FIXED ? k : 0;

		once = running_sum(middle, in + at, PAIR, once);
		twice = running_sum(out + at, middle, PAIR, twice);
	}
	return twice;
}

/* --- count: how many bytes are above each of two limits -------------------------------------------- */

enum { BYTES_IN_CACHE = 16384 };
static unsigned char *bytes;

SAME_CODE static size_t count_above(const unsigned char *p, size_t n, unsigned char limit)
{
	size_t above = 0;

	for (size_t i = 0; i < n; i++)
		above += p[i] > limit;
	return above;
}

void count_init(void)
{
	bytes = bench_memory(32 * MILLION);
	for (size_t i = 0; i < 32 * MILLION; i++)
		bytes[i] = (unsigned char)(bench_random() >> 32);
}

/* fixed: both counts of a block, then the next block */
double count_run(enum version v)
{
	size_t above = 0;

	if (v == BAD)
		above = count_above(bytes, 32 * MILLION, 100) + count_above(bytes, 32 * MILLION, 200);
	else if (v == FIXED)
		for (size_t k = 0; k < 32 * MILLION; k += BYTES_IN_CACHE)
			above += count_above(bytes + k, BYTES_IN_CACHE, 100) +
				count_above(bytes + k, BYTES_IN_CACHE, 200);
	else
		REPEAT(64 * MILLION / BYTES_IN_CACHE)
			above += count_above(bytes, BYTES_IN_CACHE, 100);
	return (double)above;
}

/* --- poly, poly8: polynomials of 24 and 8 terms, of polynomials ---------------------------------------- */

SAME_CODE static void poly24(double *y, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double sum = 1.0;

		for (int k = 0; k < 24; k++)
			sum = sum * x[i] + 0.25;
		y[i] = sum;
	}
}

SAME_CODE static void poly8(double *y, const double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double t = x[i];

		y[i] = (((((((0.01 * t + 0.02) * t + 0.03) * t + 0.04) * t + 0.05) * t + 0.06) * t + 0.07) * t + 0.08) * t;
	}
}

/* Two passes over n elements; fixed: both passes over a block, then the next block. */
static double two_passes(void (*pass)(double *y, const double *x, size_t n), size_t n, enum version v)
{
	if (v == BAD) {
		pass(middle, in, n);
		pass(out, middle, n);
		return out[n - 1];
	}
	for (size_t k = 0; k < n; k += PAIR) {
		size_t at = v == FIXED ? k : 0;

		pass(middle, in + at, PAIR);
		pass(out + at, middle, PAIR);
	}
	return out[v == FIXED ? n - 1 : 0];
}

void poly_init(void)
{
	make_three(MILLION / 2);
}

double poly_run(enum version v)
{
	return two_passes(poly24, MILLION / 2, v);
}

void poly8_init(void)
{
	make_three(2 * MILLION);
}

double poly8_run(enum version v)
{
	return two_passes(poly8, 2 * MILLION, v);
}

/* --- colsum3: three columns of sixteen ------------------------------------------------------------- */

enum { COLUMNS = 16, ROWS_IN_CACHE = 128 };

/* The numbers of a row are `step` apart from those of the next. */
SAME_CODE static double sum_of_quotients(const double *x, const double *y, const double *z, size_t n, size_t step)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += x[i * step] / (1.0 + y[i * step] * z[i * step]);
	return sum;
}

void colsum3_init(void)
{
	in = bench_doubles(MILLION * COLUMNS, 1.0);
	out = bench_doubles(MILLION * 3, 1.0);
}

/* fixed: each column by itself */
double colsum3_run(enum version v)
{
	double sum = 0;

	if (v == BAD)
		return sum_of_quotients(in, in + 1, in + 2, MILLION, COLUMNS);
	if (v == FIXED)
		return sum_of_quotients(out, out + MILLION + 24, out + 2 * MILLION - 40, MILLION, 1);
	REPEAT(MILLION / ROWS_IN_CACHE)
		sum += sum_of_quotients(in, in + 1, in + 2, ROWS_IN_CACHE, COLUMNS);
	return sum;
}
