/* SPDX-License-Identifier: BSD-3-Clause */
/* Solves a dense system with the LAPACK that is installed.  Prints how far the solution is off. */
#include <stdio.h>
#include <stdlib.h>

extern void dgesv_(const int *n, const int *nrhs, double *a, const int *lda, int *pivot, double *b,
	const int *ldb, int *info);

int main(void)
{
	const int n = 2000, one = 1;
	double *a = malloc(sizeof *a * n * n), *b = malloc(sizeof *b * n), worst = 0;
	int *pivot = malloc(sizeof *pivot * n), info = 1;

	if (!a || !b || !pivot)
		return 1;
	for (int i = 0; i < n; i++)
		b[i] = 0;
	for (int k = 0; k < n; k++)
		for (int i = 0; i < n; i++) {
			a[k * n + i] = i == k ? n : (i * 7 + k * 3) % 11 / 11.0;
			b[i] += a[k * n + i];           /* the solution is 1 everywhere */
		}
	dgesv_(&n, &one, a, &n, pivot, b, &n, &info);
	for (int i = 0; i < n; i++)
		worst = b[i] - 1 > worst ? b[i] - 1 : 1 - b[i] > worst ? 1 - b[i] : worst;
	printf("%d %d\n", info, worst < 1e-9);
	return info;
}
