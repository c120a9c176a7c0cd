/* SPDX-License-Identifier: BSD-3-Clause */
/* MOCA's test: the product of two 1000 x 1000 matrices by two threads, TIMES times.  Prints its processor time. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { N = 1000 };
static double *a, *b, *result;

static void *multiply(void *argument)
{
	const long half = (long)argument;

	for (long i = half * N / 2; i < (half + 1) * N / 2; i++)
		for (long j = 0; j < N; j++) {
			double sum = 0;

			for (long k = 0; k < N; k++)
				sum += a[i * N + k] * b[k * N + j];
			result[i * N + j] += sum;
		}
	return NULL;
}

static double *matrix(int modulo)
{
	double *m = malloc(N * N * sizeof *m);

	for (long i = 0; i < N * N; i++)
		m[i] = (double)(i % modulo);
	return m;
}

int main(int argc, char **argv)
{
	const int times = argc > 1 ? atoi(argv[1]) : 1;
	struct rusage r;
	pthread_t thread[2];

	a = matrix(7);
	b = matrix(5);
	result = matrix(1);
	for (int k = 0; k < times; k++) {
		for (long t = 0; t < 2; t++)
			pthread_create(&thread[t], NULL, multiply, (void *)t);
		for (int t = 0; t < 2; t++)
			pthread_join(thread[t], NULL);
	}
	getrusage(RUSAGE_SELF, &r);
	printf("%.0f\n", result[N * N / 2 + 1]);
	printf("cpu %.3f\n", (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6);
	return 0;
}
