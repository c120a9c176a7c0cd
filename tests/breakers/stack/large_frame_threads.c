/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of 3 MiB of stack, which nobody can raise, in which one function takes 2 MiB: alone, as caller of one of 0.25 MiB in
 * last place, and around a parallel region whose body has 0.25 MiB of its own.
 * flags: -O0 -fopenmp
 * flags: -O2 -fopenmp
 * flags: -O3 -fopenmp -flto
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { STACK = 3 << 20, LARGE = (2 << 20) / 8, PART = (1 << 18) / 8 };

__attribute__((noinline)) static double part(int k, const double *from)
{
	double a[PART], sum = 0;

	for (int i = 0; i < PART; i++)
		a[i] = from[i & 7] + k;
	for (int i = 0; i < PART; i += 3)
		sum += a[i * 7L % PART];
	return sum;
}

__attribute__((noinline)) static double total(const double *a)
{
	double sum = 0;

	for (int i = 0; i < LARGE; i += 5)
		sum += a[i * 7L % LARGE];
	return sum;
}

__attribute__((noinline)) static double alone(int k)
{
	double a[LARGE];

	for (int i = 0; i < LARGE; i++)
		a[i] = i + k;
	return total(a);
}

__attribute__((noinline)) static double caller(int k, const double *from)
{
	double a[LARGE], sum = 0;

	for (int i = 0; i < LARGE; i++)
		a[i] = i ^ k;
	for (int i = 0; i < LARGE; i += 9)
		sum += a[i * 5L % LARGE];
	return part(k + (int)sum % 8, from);
}

__attribute__((noinline)) static double around(int k)
{
	double a[LARGE], sum = 0;

	for (int i = 0; i < LARGE; i++)
		a[i] = i - k;
#pragma omp parallel num_threads(2) reduction(+: sum)
	{
		double own[PART];

		for (int i = 0; i < PART; i++)
			own[i] = a[i * 4];
#pragma omp for
		for (int i = 0; i < PART; i++)
			sum += own[i * 3L % PART];
	}
	return sum;
}

struct work {
	int k;
	double sum;
};

static void *thread(void *p)
{
	struct work *w = p;
	static const double from[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };

	w->sum = alone(w->k) + caller(w->k, from) + around(w->k);
	return NULL;
}

static double step(int k)
{
	struct work w = { .k = k };
	pthread_attr_t attr;
	pthread_t t;

	pthread_attr_init(&attr);
	if (pthread_attr_setstacksize(&attr, STACK) || pthread_create(&t, &attr, thread, &w))
		exit(3);
	pthread_join(t, NULL);
	pthread_attr_destroy(&attr);
	return w.sum;
}

int main(void)
{
	double sum = 0;

	for (int i = 0; i < 8; i++) {
		sum += step(i);         /* PHASE */
	}
	printf("%.17g\n", sum);
	return 0;
}
