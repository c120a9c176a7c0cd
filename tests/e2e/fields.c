/* SPDX-License-Identifier: BSD-3-Clause */
/* Forty arrays that the main thread fills and all threads then use, each its own part. Each costs
 * little. With FIXED each thread fills the part that it uses. */
#include <stdio.h>

#define FIELDS(of) ROW(of, a) ROW(of, b) ROW(of, c) ROW(of, d)
#define ROW(of, r) \
	of(r##0) of(r##1) of(r##2) of(r##3) of(r##4) of(r##5) of(r##6) of(r##7) of(r##8) of(r##9)
#define DECLARE(f) static double f[N] __attribute__((aligned(4096)));
#define FILL(f) f[i] = i;
#define STEP(f) \
	_Pragma("omp parallel for schedule(static)") \
	for (int i = 0; i < N; i++) \
		f[i] = f[i] * 0.5 + 1;
#define ADD(f) sum += f[N / 3];

enum { N = 1 << 14 };

FIELDS(DECLARE)

int main(void)
{
	double sum = 0;

#ifdef FIXED
#pragma omp parallel for schedule(static)
#endif
	for (int i = 0; i < N; i++) {
		FIELDS(FILL)
	}
	for (int step = 0; step < 20; step++) {
		FIELDS(STEP)
	}
	FIELDS(ADD)
	printf("%g\n", sum);
	return 0;
}
