/* SPDX-License-Identifier: BSD-3-Clause */
/* setjmp inside constructs of OpenMP, and longjmp out of many frames.
 * flags: -O0 -fopenmp
 * flags: -O2 -fopenmp
 */
#include <setjmp.h>
#include <stdio.h>

static int a[1000];
static jmp_buf out;

__attribute__((noinline)) static void maybe(jmp_buf *j, int i)
{
	a[i]++;
	if (i % 7 == 3)
		longjmp(*j, i + 1);
	a[i]++;
}

static int loop(void)
{
	int s = 0;

#pragma omp parallel for reduction(+:s)
	for (int i = 0; i < 1000; i++) {
		jmp_buf j;
		int r = setjmp(j);

		if (r == 0)
			maybe(&j, i);
		else
			s += r;
		s += a[i];
	}
	return s;
}

static int team(void)
{
	int s = 0;

#pragma omp parallel num_threads(2) reduction(+:s)
	{
		jmp_buf j;

		if (setjmp(j) == 0)
			longjmp(j, 1);
		s++;
#pragma omp single
#pragma omp task
		{
			jmp_buf k;

			if (setjmp(k) == 0)
				longjmp(k, 1);
		}
	}
	return s;
}

__attribute__((noinline)) static void down(int n)
{
	int v[n + 1];

	v[n] = n;
	a[n] += v[n];
	if (n == 0)
		longjmp(out, 1);
	down(n - 1);
	a[n]--;
}

int main(void)
{
	volatile long sum = 0;

	for (int i = 0; i < 12; i++) {
		sum += loop() + team();         /* PHASE */
	}
	for (volatile int i = 0; i < 50; i++) {
		if (setjmp(out) == 0)
			down(50);
		else
			sum += a[i];
	}
	printf("%ld\n", sum);
	return 0;
}
