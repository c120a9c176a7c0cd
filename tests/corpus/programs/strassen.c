/* SPDX-License-Identifier: BSD-3-Clause */
/* Strassen's product of the MODA paper, 64 x 64 doubles, with its block of zeros: factors that are
 * one block are formed as block + zero, so zero is the block that is read most.
 *
 * Above size 16 a product of size n forms ten factors, four of them with zero, of n/2 x n/2
 * elements, and seven products of half the size: zero is read Z(n) = 4 (n/2)^2 + 7 Z(n/2) times,
 * Z(16) = 0.  Of size 16 the naive product reads 16^3 elements of each factor; 7^2 of them.
 * Everything together is less than 7/8 of level 2, so that misses there nearly nothing.
 * corpus: machine=small,touched lto */
#include "corpus.h"

enum { N = 64, SMALL = 16 };
static double a[N * N] ON_PAGE, b[N * N] ON_PAGE, c[N * N] ON_PAGE, zero[N * N / 4] ON_PAGE;
static double work[9 * (32 * 32 + 16 * 16)] ON_PAGE;

static KERNEL void add(int n, double *to, const double *x, int lx, double f, const double *y, int ly)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			to[i * n + j] = x[i * lx + j] + f * y[i * ly + j];
}

static KERNEL void naive(int n, double *to, int lt, const double *x, int lx, const double *y, int ly)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++) {
			double s = 0;

			for (int k = 0; k < n; k++)
				s += x[i * lx + k] * y[k * ly + j];
			to[i * lt + j] = s;
		}
}

static KERNEL void strassen(int n, double *to, int lt, const double *x, int lx, const double *y, int ly,
	double *w)
{
	int h = n / 2, q = h * h;
	const double *x11 = x, *x12 = x + h, *x21 = x + h * lx, *x22 = x21 + h;
	const double *y11 = y, *y12 = y + h, *y21 = y + h * ly, *y22 = y21 + h;
	double *s = w, *t = w + q, *p[8];

	if (n <= SMALL) {
		naive(n, to, lt, x, lx, y, ly);
		return;
	}
	for (int i = 1; i < 8; i++)
		p[i] = w + (1 + i) * q;
	w += 9 * q;
	add(h, s, x11, lx, 1, x22, lx), add(h, t, y11, ly, 1, y22, ly), strassen(h, p[1], h, s, h, t, h, w);
	add(h, s, x21, lx, 1, x22, lx), add(h, t, y11, ly, 1, zero, h), strassen(h, p[2], h, s, h, t, h, w);
	add(h, s, x11, lx, 1, zero, h), add(h, t, y12, ly, -1, y22, ly), strassen(h, p[3], h, s, h, t, h, w);
	add(h, s, x22, lx, 1, zero, h), add(h, t, y21, ly, -1, y11, ly), strassen(h, p[4], h, s, h, t, h, w);
	add(h, s, x11, lx, 1, x12, lx), add(h, t, y22, ly, 1, zero, h), strassen(h, p[5], h, s, h, t, h, w);
	add(h, s, x21, lx, -1, x11, lx), add(h, t, y11, ly, 1, y12, ly), strassen(h, p[6], h, s, h, t, h, w);
	add(h, s, x12, lx, -1, x22, lx), add(h, t, y21, ly, 1, y22, ly), strassen(h, p[7], h, s, h, t, h, w);
	for (int i = 0; i < h; i++)
		for (int j = 0; j < h; j++) {
			int e = i * h + j, d = i * lt + j;

			to[d] = p[1][e] + p[4][e] - p[5][e] + p[7][e];
			to[d + h] = p[3][e] + p[5][e];
			to[d + h * lt] = p[2][e] + p[4][e];
			to[d + h * lt + h] = p[1][e] - p[2][e] + p[3][e] + p[6][e];
		}
}

static KERNEL void step(void)
{
	strassen(N, c, N, a, N, b, N, work);
}

static int zeros(int n)
{
	return n <= SMALL ? 0 : n * n + 7 * zeros(n / 2);
}

int main(void)
{
	static double check[N * N];
	int wrong = 0;

	for (int i = 0; i < N * N; i++)
		a[i] = i % 7, b[i] = i % 5;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	naive(N, check, N, a, N, b, N);
	for (int i = 0; i < N * N; i++)
		wrong += check[i] != c[i];
	printf("%g, %d wrong\n", c[77], wrong);
	printf("expect zero bytes = %d\n", 8 * zeros(N));
	printf("expect zero loads = %d at O0\n", zeros(N));
	printf("expect c stores = %d at O0\n", N * N);
	printf("expect zero miss 2 in 0 8\n");
	printf("expect total miss 2 in 0 16\n");
	return 0;
}
