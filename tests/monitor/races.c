/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that come, stay and go, allocate and release; with OpenMP a team beside them.  It has no race of
 * its own. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 2000, THREADS = 3, STEPS = 10, BLOCK = 1000 };
static double a[THREADS][N], b[N];
static pthread_barrier_t both;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double total;

__attribute__((noinline)) static double sum(const double *x, int n)
{
	double s = 0;

	for (int i = 0; i < n; i++)
		s += x[i];
	return s;
}

__attribute__((noinline)) static void work(double *x)
{
	double *block = malloc(BLOCK * sizeof *block);

	for (int k = 0; k < 3; k++)
		for (int i = 1; i < N; i++)
			x[i] = 0.5 * x[i - 1] + x[i];
	for (int i = 0; i < BLOCK; i++)
		block[i] = x[i];
	x[0] = 1e-9 * sum(block, BLOCK);
	free(block);
}

static void *once(void *x)
{
	work(x);
	pthread_mutex_lock(&lock);
	total += sum(x, N);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *stays(void *x)
{
	for (int i = 0; i < STEPS; i++) {
		pthread_barrier_wait(&both);
		work(x);
		pthread_barrier_wait(&both);
	}
	return NULL;
}

static void step(int k)
{
	pthread_t t;

	(void)k;
	pthread_barrier_wait(&both);
	pthread_create(&t, NULL, once, a[1]);
#ifdef _OPENMP
#pragma omp parallel num_threads(2)
	{
#pragma omp for
		for (int i = 0; i < N; i++)
			b[i] = 0.5 * b[i] + k;
#pragma omp for schedule(dynamic, 100)
		for (int i = 0; i < N; i++)
			b[i] += 1;
	}
#else
	work(a[0]);
#endif
	pthread_join(t, NULL);
	pthread_barrier_wait(&both);
}

int main(void)
{
	pthread_t t;

	for (int i = 0; i < THREADS; i++)
		for (int k = 0; k < N; k++)
			a[i][k] = 1;
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&t, NULL, stays, a[2]);
	for (int i = 0; i < STEPS; i++) /* PHASE */
		step(i);
	pthread_join(t, NULL);
	printf("%d\n", total > 0);
	return 0;
}
