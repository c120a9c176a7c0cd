/* SPDX-License-Identifier: BSD-3-Clause */
/* Multiplies two matrices by Strassen's seven products of their quarters.  Each factor is the sum or the difference of two
 * quarters.  Where a quarter is a factor alone, zeros are added to it, so that all factors have one form: `zero` is one
 * row, which stands for each row of a block of zeros.  All threads read it again and again. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, HALF = N / 2, PRODUCTS = 7 };
enum { Q11, Q12, Q21, Q22, ZERO };      /* the quarters of a matrix, and the block of zeros */

static double a[N][N], b[N][N], c[N][N], part[PRODUCTS][HALF][HALF];
static double zero[HALF] __attribute__((aligned(64)));

/* first + sign * second. */
struct factor { int first, second, sign; };
static const struct product {
	struct factor left, right;
	int of[4];                      /* of the quarters of c: -1, 0, 1 times */
} products[PRODUCTS] = {
	{ { Q11, Q22, 1 }, { Q11, Q22, 1 }, { 1, 0, 0, 1 } },
	{ { Q21, Q22, 1 }, { Q11, ZERO, 1 }, { 0, 0, 1, -1 } },
	{ { Q11, ZERO, 1 }, { Q12, Q22, -1 }, { 0, 1, 0, 1 } },
	{ { Q22, ZERO, 1 }, { Q21, Q11, -1 }, { 1, 0, 1, 0 } },
	{ { Q11, Q12, 1 }, { Q22, ZERO, 1 }, { -1, 1, 0, 0 } },
	{ { Q21, Q11, -1 }, { Q11, Q12, 1 }, { 0, 0, 0, 1 } },
	{ { Q12, Q22, -1 }, { Q21, Q22, 1 }, { 1, 0, 0, 0 } },
};

/* A block whose rows are `pitch` apart. */
struct block { const double *at; int pitch; };

static struct block quarter(double (*m)[N], int which)
{
	if (which == ZERO)
		return (struct block){ zero, 0 };
	return (struct block){ &m[which / 2 * HALF][which % 2 * HALF], N };
}

static void product(const struct product *p, double (*to)[HALF])
{
	const struct block x = quarter(a, p->left.first), x2 = quarter(a, p->left.second);
	const struct block y = quarter(b, p->right.first), y2 = quarter(b, p->right.second);
	const double left = p->left.sign, right = p->right.sign;

	for (int i = 0; i < HALF; i++)
		for (int k = 0; k < HALF; k++) {
			double sum = 0;

			for (int j = 0; j < HALF; j++)
				sum += (x.at[i * x.pitch + j] + left * x2.at[i * x2.pitch + j]) *
					(y.at[j * y.pitch + k] + right * y2.at[j * y2.pitch + k]);
			to[i][k] = sum;
		}
}

/* A quarter of c is the sum of some of the products. */
static void combine(int which)
{
	for (int i = 0; i < HALF; i++)
		for (int k = 0; k < HALF; k++) {
			double sum = 0;

			for (int p = 0; p < PRODUCTS; p++)
				if (products[p].of[which])
					sum += products[p].of[which] * part[p][i][k];
			c[which / 2 * HALF + i][which % 2 * HALF + k] = sum;
		}
}

static void multiply(void)
{
#pragma omp parallel
	{
#pragma omp for schedule(dynamic)
		for (int p = 0; p < PRODUCTS; p++)
			product(&products[p], part[p]);
#pragma omp for
		for (int which = 0; which < 4; which++)
			combine(which);
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
	for (int t = 0; t < times; t++)
		multiply();
	for (int i = 0; i < N; i++)
		trace += c[i][i];
	printf("trace %.12g\n", trace);
	return 0;
}
