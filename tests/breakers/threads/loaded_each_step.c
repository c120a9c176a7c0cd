/* SPDX-License-Identifier: BSD-3-Clause */
/* A library of ours is loaded and unloaded in each step, while two threads use it.
 * flags: -O2 -rdynamic
 * library: parts/shared.c
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, EACH = 4000 };
static double a[THREADS * EACH];
static pthread_barrier_t begin, end;
static double (*work)(double *x, int n);
static int stop;

static void *worker(void *x)
{
	for (;;) {
		pthread_barrier_wait(&begin);
		if (stop)
			return NULL;
		work(x, 3000);
		pthread_barrier_wait(&end);
	}
}

static void step(int k)
{
	void *library = dlopen("./part.so", RTLD_NOW);

	if (!library) {
		puts(dlerror());
		exit(1);
	}
	work = (double (*)(double *, int))dlsym(library, "library_work");
	pthread_barrier_wait(&begin);
	pthread_barrier_wait(&end);
	a[k] += work(a, 2000 + k);
	dlclose(library);
	for (int i = 0; i < THREADS * EACH; i++)
		a[i] = a[i] / 2 + 1;
}

int main(void)
{
	pthread_t t[THREADS];

	pthread_barrier_init(&begin, NULL, THREADS + 1);
	pthread_barrier_init(&end, NULL, THREADS + 1);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&t[i], NULL, worker, a + EACH * i))
			exit(3);
	for (int i = 0; i < 20; i++) {
		step(i);        /* PHASE */
	}
	stop = 1;
	pthread_barrier_wait(&begin);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	printf("%.12g\n", a[7]);
	return 0;
}
