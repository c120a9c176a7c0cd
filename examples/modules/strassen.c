/* SPDX-License-Identifier: BSD-3-Clause */
/* Multiplies two matrices by Strassen's seven products of blocks.  Each factor is the sum or the
 * difference of two blocks; where one block is a factor alone, the block `zero` is added to it, so
 * that all factors have one form.  All threads read that block again and again. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, LEAF = 16, PRODUCTS = 7 };
enum { B11, B12, B21, B22, ZERO };      /* the quarters of a matrix, and the block of zeros */

static double a[N][N], b[N][N], c[N][N], zero[N / 2][N / 2];

/* first + sign * second. */
struct factor { int first, second, sign; };
static const struct product {
	struct factor left, right;
	int part[4];                    /* of the quarters of c: -1, 0, 1 times */
} products[PRODUCTS] = {
	{ { B11, B22, 1 }, { B11, B22, 1 }, { 1, 0, 0, 1 } },
	{ { B21, B22, 1 }, { B11, ZERO, 1 }, { 0, 0, 1, -1 } },
	{ { B11, ZERO, 1 }, { B12, B22, -1 }, { 0, 1, 0, 1 } },
	{ { B22, ZERO, 1 }, { B21, B11, -1 }, { 1, 0, 1, 0 } },
	{ { B11, B12, 1 }, { B22, ZERO, 1 }, { -1, 1, 0, 0 } },
	{ { B21, B11, -1 }, { B11, B12, 1 }, { 0, 0, 0, 1 } },
	{ { B12, B22, -1 }, { B21, B22, 1 }, { 1, 0, 0, 0 } },
};

/* A square of a matrix whose rows are `pitch` apart. */
struct square { double *at; int pitch; };

static struct square quarter(struct square m, int size, int which)
{
	if (which == ZERO)
		return (struct square){ zero[0], N / 2 };
	m.at += which / 2 * (size / 2) * m.pitch + which % 2 * (size / 2);
	return m;
}

static void add_blocks(double *to, struct square m, int size, const struct factor *f)
{
	const struct square x = quarter(m, size, f->first), y = quarter(m, size, f->second);
	const int half = size / 2;

	for (int i = 0; i < half; i++)
		for (int k = 0; k < half; k++)
			to[i * half + k] = x.at[i * x.pitch + k] + f->sign * y.at[i * y.pitch + k];
}

static void multiply_leaf(struct square x, struct square y, struct square to, int size)
{
	for (int i = 0; i < size; i++)
		for (int k = 0; k < size; k++) {
			double sum = 0;

			for (int j = 0; j < size; j++)
				sum += x.at[i * x.pitch + j] * y.at[j * y.pitch + k];
			to.at[i * to.pitch + k] = sum;
		}
}

static void multiply(struct square x, struct square y, struct square to, int size);

static void product(struct square x, struct square y, double *to, int size, const struct product *p)
{
	const int half = size / 2;
	double left[N * N / 4], right[N * N / 4];

	add_blocks(left, x, size, &p->left);
	add_blocks(right, y, size, &p->right);
	multiply((struct square){ left, half }, (struct square){ right, half }, (struct square){ to, half }, half);
}

static void multiply(struct square x, struct square y, struct square to, int size)
{
	static const int quarters[] = { B11, B12, B21, B22 };
	double part[PRODUCTS][N * N / 4];
	const int half = size / 2;

	if (size <= LEAF) {
		multiply_leaf(x, y, to, size);
		return;
	}
	for (int p = 0; p < PRODUCTS; p++) {
#pragma omp task shared(part)
		product(x, y, part[p], size, &products[p]);
	}
#pragma omp taskwait
	for (int q = 0; q < 4; q++) {
		const struct square block = quarter(to, size, quarters[q]);

		for (int i = 0; i < half; i++)
			for (int k = 0; k < half; k++) {
				double sum = 0;

				for (int p = 0; p < PRODUCTS; p++)
					sum += products[p].part[q] * part[p][i * half + k];
				block.at[i * block.pitch + k] = sum;
			}
	}
}

static void fill(void)
{
	for (int i = 0; i < N; i++)
		for (int k = 0; k < N; k++) {
			a[i][k] = 1.0 / (1 + i + k);
			b[i][k] = i == k ? 2 : 1e-3 * (i - k);
		}
}

int main(int argc, char **argv)
{
	const int times = argc > 1 ? atoi(argv[1]) : 200;
	double trace = 0;

	fill();
	for (int t = 0; t < times; t++) {
#pragma omp parallel
#pragma omp single
		multiply((struct square){ a[0], N }, (struct square){ b[0], N }, (struct square){ c[0], N }, N);
	}
	for (int i = 0; i < N; i++)
		trace += c[i][i];
	printf("trace %.12g\n", trace);
	return 0;
}
