/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of the main thread is read by another one. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 20, ROUNDS = 300 };
static double *table;

static void *use(void *out)
{
	double sum = 0;

	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < N; i++)
			sum += table[i];
	*(double *)out = sum;
	return NULL;
}

int main(void)
{
	pthread_t t;
	double sum;

	table = malloc(N * sizeof *table);
	if (!table)
		return 1;
	for (int i = 0; i < N; i++)
		table[i] = i;
	pthread_create(&t, NULL, use, &sum);
	pthread_join(t, NULL);
	printf("%g\n", sum);
	free(table);
	return 0;
}
