/* SPDX-License-Identifier: BSD-3-Clause */
/* Constructs of OpenMP, nested and mixed.
 * flags: -O2 -fopenmp
 * flags: -O0 -fopenmp
 */
#include <omp.h>
#include <stdio.h>

enum { N = 2000 };
static double a[N], b[N], c[N];
static int own;
#pragma omp threadprivate(own)

static long fib(int n)
{
	long x, y;

	if (n < 2)
		return n;
#pragma omp task shared(x) if(n > 8)
	x = fib(n - 1);
#pragma omp task shared(y) if(n > 8)
	y = fib(n - 2);
#pragma omp taskwait
	return x + y;
}

static double loops(int k)
{
	double s = 0;
	int last = -1;

#pragma omp parallel for schedule(dynamic, 16) reduction(+:s) lastprivate(last)
	for (int i = 0; i < N; i++) {
		a[i] = i + k;
		s += a[i];
		last = i;
	}
#pragma omp parallel for reduction(inscan, +:s)
	for (int i = 0; i < N; i++) {
		s += a[i];
#pragma omp scan inclusive(s)
		c[i] = s;
	}
#pragma omp parallel for collapse(2)
	for (int i = 0; i < 10; i++)
		for (int j = 0; j < i; j++)
			b[i * 10 + j] = i * j;
	return s + last;
}

static double team(void)
{
	double s = 0;
	long f = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp single
		f = fib(14);
#pragma omp for ordered schedule(static, 1)
		for (int i = 0; i < 40; i++) {
			b[i] = a[i];
#pragma omp ordered
			s += b[i] * (i + 1);
		}
#pragma omp sections
		{
#pragma omp section
			c[0] = 1;
#pragma omp section
			c[1] = 2;
		}
#pragma omp parallel for num_threads(2)
		for (int i = 0; i < 50; i++)
			c[i + omp_get_ancestor_thread_num(1) * 100] = i;
#pragma omp master
		own = 7;
#pragma omp barrier
#pragma omp for simd
		for (int i = 0; i < N; i++)
			b[i] = a[i] * 2;
	}
	return s + (double)f;
}

static double tasks(void)
{
	double s = 0;

#pragma omp parallel
#pragma omp single
	{
#pragma omp taskloop grainsize(100)
		for (int i = 0; i < N; i++)
			c[i] = b[i] + 1;
		for (int i = 1; i < 50; i++)
#pragma omp task depend(in: c[i - 1]) depend(out: c[i])
			c[i] = c[i - 1] + 1;
	}
#pragma omp teams num_teams(2)
#pragma omp distribute parallel for simd
	for (int i = 0; i < N; i++)
		c[i] = c[i] * 0.5;
#pragma omp target teams distribute parallel for map(tofrom: c)
	for (int i = 0; i < N; i++)
		c[i] = c[i] + 0.5;
	for (int i = 0; i < N; i++) {
#pragma omp atomic
		s += c[i];
	}
#pragma omp parallel
#pragma omp loop
	for (int i = 0; i < N; i++)
		a[i] = i;
	return s;
}

int main(void)
{
	double sum = 0;

	for (int i = 0; i < 12; i++) {
		sum += loops(i) + team() + tasks();     /* PHASE */
	}
	printf("%.6f\n", sum);
	return 0;
}
