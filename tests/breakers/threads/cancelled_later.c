/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread under deferred cancellation computes, which has no cancellation point, and saves before it asks. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { N = 20000 };
static volatile int started;
static int saved;

__attribute__((noinline)) static void compute(double *x, int times)
{
	double *m = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int k = 0; k < times; k++)
		for (int i = 1; i < N - 1; i++) {
			x[i] = 0.5 * x[i] + 0.25 * (x[i - 1] + x[i + 1]);
			m[i & 4095] = x[i];
		}
	munmap(m, 1 << 20);
}

static void *worker(void *x)
{
	started = 1;
	compute(x, 10);
	saved++;
	pthread_testcancel();
	return NULL;
}

static void step(double *a)
{
	pthread_t t;

	started = 0;
	if (pthread_create(&t, NULL, worker, a))
		exit(3);
	while (!started)
		sched_yield();
	pthread_cancel(t);
	compute(a + N, 3);
	pthread_join(t, NULL);
}

int main(void)
{
	double *a = calloc(2 * N, sizeof *a);

	for (int i = 0; i < 30; i++) {
		step(a);        /* PHASE */
	}
	printf("saved %d\n", saved);
	free(a);
	return saved != 30;
}
