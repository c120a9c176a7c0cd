/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that GCC makes several of, or that must stay as they are: attributes. */
#include <stdio.h>

__attribute__((target_clones("avx2", "default"), noinline)) double dot(const double *a,
	const double *b, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += a[i] * b[i];
	return s;
}

__attribute__((naked, noinline)) int next(int x)
{
	__asm__("lea 1(%rdi), %eax\n\tret");
}

__attribute__((constructor)) static void early(void)
{
	static double z[100];

	for (int i = 0; i < 10; i++)
		for (int j = 0; j < 100; j++)
			z[j] += j;
}

#define SUM(name, attribute) \
	__attribute__((noinline, attribute)) int name(const int *a) \
	{ \
		int s = 0; \
		for (int i = 0; i < 50; i++) \
			s += a[i]; \
		return s; \
	}
SUM(unseen, no_instrument_function)
SUM(slow, optimize("O0"))
SUM(fast, optimize("O3"))

__attribute__((target("avx512f"), noinline)) void wide(float *a)
{
	for (int i = 0; i < 64; i++)
		a[i] *= 2;
}

__attribute__((ms_abi, noinline)) int foreign(int a, int b, int c, int d, int e, const int *f)
{
	return a + b + c + d + e + f[3];
}

int main(void)
{
	double a[300], b[300], sum = 0;
	int v[50];

	for (int i = 0; i < 300; i++) {
		a[i] = i;
		b[i] = 1.0 / (1 + i);
	}
	for (int i = 0; i < 50; i++)
		v[i] = i;
	for (int i = 0; i < 20; i++) {
		sum += dot(a, b, 300) + next(i) + unseen(v) + slow(v);  /* PHASE */
		sum += fast(v) + foreign(1, 2, 3, 4, 5, v);
	}
	printf("%.8g\n", sum);
	return 0;
}
