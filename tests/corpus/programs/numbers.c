/* SPDX-License-Identifier: BSD-3-Clause */
/* Complex numbers and long doubles: 8192 products of 16 bytes, 4096 sums of 16.
 *
 * z, w: 128 KiB each, a miss a line; bytes are those of the elements, however they are loaded.
 * precise: 64 KiB of long doubles, 16 bytes apart, read and stored.
 * corpus: machine=small lto */
#include <complex.h>
#include "corpus.h"

enum { N = 8192, M = 4096 };
static double complex z[N] ON_LEVEL2, w[N] ON_LEVEL2;
static long double precise[M] ON_LEVEL2;

static KERNEL void step(void)
{
	for (int i = 0; i < N; i++)
		z[i] = w[i] * (0.5 + 0.5 * I) + 1;
	for (int i = 0; i < M; i++)
		precise[i] = precise[i] / 2 + 1;
}

int main(void)
{
	for (int i = 0; i < N; i++)
		z[i] = 0, w[i] = i % 7 + i % 3 * I;
	for (int i = 0; i < M; i++)
		precise[i] = i;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%g %g %Lg\n", creal(z[77]), cimag(z[78]), precise[100]);
	printf("expect w bytes = %d\n", N * 16);
	printf("expect z bytes = %d\n", N * 16);
	printf("expect w load_miss 1 = %d\n", N / 4);
	printf("expect z store_miss 1 = %d\n", N / 4);
	printf("expect precise loads = %d at O0 O2\n", M);
	printf("expect precise stores = %d at O0 O2\n", M);
	printf("expect precise load_miss 1 = %d\n", M / 4);
	return 0;
}
