/* SPDX-License-Identifier: BSD-3-Clause */
/* Thousands of threads, each of which lives for a moment, some detached. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { JOINED = 64, DETACHED = 16, STEPS = 12, EACH = 200 };
static double a[(JOINED + DETACHED) * EACH];
static int ended;

static void *worker(void *p)
{
	double *x = p, s = 0;

	for (int i = 0; i < EACH; i++) {
		x[i] += 1;
		s += x[i * 7 % EACH];
	}
	__atomic_fetch_add(&ended, s >= 0, __ATOMIC_SEQ_CST);
	return NULL;
}

static void step(void)
{
	pthread_t t[JOINED], detached;
	pthread_attr_t attr;

	for (int k = 0; k < 3; k++) {
		for (int i = 0; i < JOINED; i++)
			if (pthread_create(&t[i], NULL, worker, a + EACH * i))
				exit(3);
		for (int i = 0; i < JOINED; i++)
			pthread_join(t[i], NULL);
	}
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < DETACHED; i++)
		if (pthread_create(&detached, &attr, worker, a + EACH * (JOINED + i)))
			exit(3);
}

int main(void)
{
	for (int i = 0; i < STEPS; i++) {
		step();         /* PHASE */
	}
	while (__atomic_load_n(&ended, __ATOMIC_SEQ_CST) < STEPS * (3 * JOINED + DETACHED))
		sched_yield();
	printf("%d ended\n", ended);
	return 0;
}
