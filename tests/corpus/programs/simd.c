/* SPDX-License-Identifier: BSD-3-Clause */
/* Vector intrinsics, where the processor has them: loads of 32 bytes, aligned and not.
 *
 * aligned: 65536 doubles in 16384 loads.  shifted: the same, 8 bytes on: every second load straddles
 * two lines; still one miss a line, and one line more.  Without AVX the plain loop is expected.
 * corpus: machine=small */
#include "corpus.h"
#if defined __x86_64__
#include <immintrin.h>
#endif

enum { N = 65536 };
static double aligned[N] ON_LEVEL2, shifted[N + 8] ON_LEVEL2;
static double sum;

#if defined __x86_64__
static KERNEL __attribute__((target("avx"))) double add(const double *p)
{
	__m256d s = _mm256_setzero_pd();
	double part[4];

	for (int i = 0; i < N; i += 4)
		s = _mm256_add_pd(s, _mm256_loadu_pd(p + i));
	_mm256_storeu_pd(part, s);
	return part[0] + part[1] + part[2] + part[3];
}
#endif

static KERNEL double add_plainly(const double *p)
{
	double s = 0;

	for (int i = 0; i < N; i++)
		s += p[i];
	return s;
}

static int vectors(void)
{
#if defined __x86_64__
	return __builtin_cpu_supports("avx");
#else
	return 0;
#endif
}

static KERNEL void step(int wide)
{
#if defined __x86_64__
	if (wide) {
		sum += add(aligned) + add(shifted + 1);
		return;
	}
#endif
	sum += add_plainly(aligned) + add_plainly(shifted + 1);
}

int main(void)
{
	int wide = vectors();

	for (int i = 0; i < N; i++)
		aligned[i] = shifted[i + 1] = i % 7;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step(wide);
	printf("%g\n", sum);
	printf("expect aligned loads = %d at O2 O3\n", wide ? N / 4 : N);
	printf("expect aligned bytes = %d\n", N * 8);
	printf("expect shifted bytes = %d\n", N * 8);
	printf("expect aligned load_miss 1 = %d\n", N / 8);
	printf("expect shifted load_miss 1 in %d %d\n", N / 8, N / 8 + 1);
	printf("expect shifted fetched 1 = %d\n", N / 8 + 1);
	return 0;
}
