/* SPDX-License-Identifier: BSD-3-Clause */
/* More threads live at once than we have room for: 1500. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 1500, EACH = 50 };
static pthread_barrier_t begin, end;
static int stop;

static void *worker(void *p)
{
	double *x = p;

	for (;;) {
		pthread_barrier_wait(&begin);
		if (stop)
			return NULL;
		for (int i = 0; i < EACH; i++)
			x[i] += 1;
		pthread_barrier_wait(&end);
	}
}

static void step(void)
{
	pthread_barrier_wait(&begin);
	pthread_barrier_wait(&end);
}

int main(void)
{
	static double a[THREADS * EACH];
	static pthread_t t[THREADS];
	pthread_attr_t attr;
	double sum = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	pthread_barrier_init(&begin, NULL, THREADS + 1);
	pthread_barrier_init(&end, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], &attr, worker, a + EACH * i))
			exit(3);
	for (int i = 0; i < 10; i++) {
		step();         /* PHASE */
	}
	stop = 1;
	pthread_barrier_wait(&begin);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	for (int i = 0; i < THREADS * EACH; i++)
		sum += a[i];
	printf("%g\n", sum);
	return 0;
}
