/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that are accessed through an index.  Fixed, mostly: the index is sorted. */
#include "harness.h"

/* Elements of 8 bytes of an array that is larger than any cache level, of one that fits in level 2, in level 1. */
#define LARGE (8 * MILLION)
enum { LEVEL2 = 40000, LEVEL1 = 1024, SHORT = 2048 };

static double *values, *result, *renumbered;
static uint32_t *counts;
static uint32_t *index_bad, *index_fixed, *index_cached;

static void make_indices(size_t n, uint64_t below, uint32_t in_cache)
{
	index_bad = bench_indices(n, below);
	index_fixed = bench_sorted(index_bad, n);
	index_cached = bench_modulo(index_bad, SHORT, in_cache);
}

/* Values whose sums are exact in any order. */
static double *numbers(size_t n)
{
	double *a = bench_memory(n * sizeof *a);

	for (size_t i = 0; i < n; i++)
		a[i] = (double)(i & 7);
	return a;
}

/* --- gather, gatL2: the sum of elements ------------------------------------------------------------- */

SAME_CODE static double gather(const double *a, const uint32_t *index, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[index[i]];
	return sum;
}

void gather_init(void)
{
	values = numbers(LARGE);
	make_indices(MILLION, LARGE, LEVEL1);
}

void gatL2_init(void)
{
	values = numbers(LEVEL2);
	make_indices(MILLION, LEVEL2, LEVEL1);
}

double gather_run(enum version v)
{
	double sum = 0;

	if (v != CACHED)
		return gather(values, v == BAD ? index_bad : index_fixed, MILLION);
	REPEAT(MILLION / SHORT)
		sum += gather(values, index_cached, SHORT);
	return sum;
}

double gatL2_run(enum version v)
{
	return gather_run(v);
}

/* --- gathdiv: six divisions with each element --------------------------------------------------------- */

/* Half a million elements of `values` by the version's index. */
static double half_a_million(enum version v, double (*visit)(const double *, const uint32_t *, size_t))
{
	double sum = 0;

	if (v != CACHED)
		return visit(values, v == BAD ? index_bad : index_fixed, MILLION / 2);
	REPEAT(MILLION / 2 / SHORT)
		sum += visit(values, index_cached, SHORT);
	return sum;
}

SAME_CODE static double gather_divide(const double *a, const uint32_t *index, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double t = a[index[i]];

		for (int k = 0; k < 6; k++)
			t = t / (1.0 + t);
		sum += t;
	}
	return sum;
}

void gathdiv_init(void)
{
	values = numbers(LARGE);
	make_indices(MILLION / 2, LARGE, LEVEL1);
}

double gathdiv_run(enum version v)
{
	return half_a_million(v, gather_divide);
}

/* --- calls: a function of some nanoseconds for each element -------------------------------------------- */

SAME_CODE static double blend(const double *a, double part)
{
	return a[0] * part + a[1] * (1.0 - part);
}

SAME_CODE static double gather_calls(const double *a, const uint32_t *index, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += blend(&a[index[i]], 0.25);
	return sum;
}

void calls_init(void)
{
	values = numbers(LARGE + 1);
	make_indices(MILLION / 2, LARGE, LEVEL1);
}

double calls_run(enum version v)
{
	return half_a_million(v, gather_calls);
}

/* --- gather2: through two indices --------------------------------------------------------------------- */

static uint32_t *middle_bad, *middle_fixed, *middle_cached;

SAME_CODE static double gather_twice(const double *a, const uint32_t *middle, const uint32_t *index, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[middle[index[i]]];
	return sum;
}

/* Fixed: elements are numbered in the order of the middle index, which is then 0, 1, 2, … */
void gather2_init(void)
{
	values = numbers(LARGE);
	renumbered = bench_doubles(LARGE, 0);
	middle_bad = bench_permutation(LARGE);
	middle_fixed = bench_memory(LARGE * sizeof *middle_fixed);
	for (size_t i = 0; i < LARGE; i++) {
		middle_fixed[i] = (uint32_t)i;
		renumbered[i] = values[middle_bad[i]];
	}
	middle_cached = bench_indices(LEVEL1 / 2, LEVEL1 / 2);
	make_indices(MILLION, LARGE, LEVEL1 / 2);
}

double gather2_run(enum version v)
{
	double sum = 0;

	if (v == BAD)
		return gather_twice(values, middle_bad, index_bad, MILLION);
	if (v == FIXED)
		return gather_twice(renumbered, middle_fixed, index_fixed, MILLION);
	REPEAT(MILLION / SHORT)
		sum += gather_twice(values, middle_cached, index_cached, SHORT);
	return sum;
}

/* --- scatter: elements are written --------------------------------------------------------------------- */

SAME_CODE static void scatter(double *out, const double *in, const uint32_t *index, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[index[i]] = in[i];
}

void scatter_init(void)
{
	result = bench_doubles(LARGE, 0);
	values = bench_doubles(MILLION, 1.0);
	make_indices(MILLION, LARGE, LEVEL1);
}

double scatter_run(enum version v)
{
	if (v != CACHED)
		scatter(result, values, v == BAD ? index_bad : index_fixed, MILLION);
	else
		REPEAT(MILLION / (SHORT / 2))
			scatter(result, values, index_cached, SHORT / 2);
	return result[index_bad[0]];
}

/* --- histo, histL2: counters are incremented ----------------------------------------------------------- */

SAME_CODE static void histogram(uint32_t *count, const uint32_t *index, size_t n)
{
	for (size_t i = 0; i < n; i++)
		count[index[i]]++;
}

void histo_init(void)
{
	counts = bench_memory(2 * LARGE * sizeof *counts);
	make_indices(MILLION, 2 * LARGE, 2 * LEVEL1);
}

void histL2_init(void)
{
	counts = bench_memory(2 * LEVEL2 * sizeof *counts);
	make_indices(MILLION, 2 * LEVEL2, 2 * LEVEL1);
}

double histo_run(enum version v)
{
	if (v != CACHED)
		histogram(counts, v == BAD ? index_bad : index_fixed, MILLION);
	else
		REPEAT(MILLION / SHORT)
			histogram(counts, index_cached, SHORT);
	return counts[index_bad[0]];
}

double histL2_run(enum version v)
{
	return histo_run(v);
}

/* --- spmv: a sparse matrix times a vector ---------------------------------------------------------------- */

enum { ROWS = 65536, IN_ROW = 16, BAND = 256, ROWS_IN_CACHE = 64 };
static uint32_t *row_start;
static double *elements;

SAME_CODE static void sparse_multiply(double *y, const uint32_t *start, const uint32_t *column, const double *element,
	const double *x, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		double sum = 0;

		for (uint32_t k = start[i]; k < start[i + 1]; k++)
			sum += element[k] * x[column[k]];
		y[i] = sum;
	}
}

/* Fixed: rows and columns are numbered so that elements lie near the diagonal. */
void spmv_init(void)
{
	values = bench_doubles(LARGE, 1.0);
	result = bench_doubles(ROWS, 0);
	elements = bench_doubles(ROWS * IN_ROW, 0.5);
	make_indices(ROWS * IN_ROW, LARGE, LEVEL1);
	row_start = bench_memory((ROWS + 1) * sizeof *row_start);
	for (size_t i = 0; i <= ROWS; i++)
		row_start[i] = (uint32_t)i * IN_ROW;
	for (size_t k = 0; k < ROWS * IN_ROW; k++)
		index_fixed[k] = (uint32_t)(k / IN_ROW + (bench_random() >> 16) % BAND);
}

double spmv_run(enum version v)
{
	if (v != CACHED)
		sparse_multiply(result, row_start, v == BAD ? index_bad : index_fixed, elements, values, ROWS);
	else
		REPEAT(ROWS / ROWS_IN_CACHE)
			sparse_multiply(result, row_start, index_cached, elements, values, ROWS_IN_CACHE);
	return result[1];
}

/* --- jump: from each start to the root of its tree -------------------------------------------------------- */

#define STARTS (MILLION / 4)
static uint32_t *parent_bad, *parent_fixed, *parent_cached;

SAME_CODE static uint64_t count_jumps(const uint32_t *parent, const uint32_t *start, size_t n)
{
	uint64_t jumps = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t at = start[i];

		while (parent[at] != at) {
			at = parent[at];
			jumps++;
		}
	}
	return jumps;
}

/* Bad: nodes have random numbers.  Fixed: they are numbered from the root on, and the starts are sorted.  In cache: the
 * tree has 2 children at each node instead of 4, so that ways to the root are as long; the starts are as many as in the
 * bad version, or the branch predictor would learn them. */
void jump_init(void)
{
	uint32_t *number = bench_permutation(LARGE);
	uint32_t *start = bench_indices(STARTS, LARGE);

	parent_bad = bench_memory(LARGE * sizeof *parent_bad);
	parent_fixed = bench_memory(LARGE * sizeof *parent_fixed);
	parent_cached = bench_memory(4 * LEVEL1 * sizeof *parent_cached);
	for (size_t i = 0; i < LARGE; i++) {
		parent_bad[number[i]] = number[i / 4];
		parent_fixed[i] = (uint32_t)i / 4;
	}
	for (size_t i = 0; i < 4 * LEVEL1; i++)
		parent_cached[i] = (uint32_t)i / 2;
	index_fixed = bench_sorted(start, STARTS);
	index_cached = bench_modulo(start, STARTS, 4 * LEVEL1);
	index_bad = start;
	for (size_t i = 0; i < STARTS; i++)
		index_bad[i] = number[start[i]];
}

double jump_run(enum version v)
{
	if (v == CACHED)
		return (double)count_jumps(parent_cached, index_cached, STARTS);
	return (double)count_jumps(v == BAD ? parent_bad : parent_fixed, v == BAD ? index_bad : index_fixed, STARTS);
}
