/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that compute are cancelled asynchronously, wherever they are. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 20000 };
static volatile int started;

__attribute__((noinline)) static void compute(double *x, int times)
{
	for (int k = 0; k < times; k++)
		for (int i = 1; i < N - 1; i++)
			x[i] = 0.5 * x[i] + 0.25 * (x[i * 7 % N] + x[i + 1]);
}

static void *victim(void *x)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	started = 1;
	for (;;)
		compute(x, 4);
	return NULL;
}

static long step(double *a)
{
	pthread_t t;
	void *result;

	started = 0;
	if (pthread_create(&t, NULL, victim, a))
		exit(3);
	while (!started)
		sched_yield();
	compute(a + N, 2);
	pthread_cancel(t);
	pthread_join(t, &result);
	compute(a + N, 1);
	return result == PTHREAD_CANCELED;
}

int main(void)
{
	double *a = calloc(2 * N, sizeof *a);
	long cancelled = 0;

	for (int i = 0; i < 40; i++) {
		cancelled += step(a);           /* PHASE */
	}
	printf("%ld cancelled\n", cancelled);
	free(a);
	return 0;
}
