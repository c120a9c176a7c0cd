/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory from many threads, a forked child, and through longjmp: the sum must be the native one. */
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, SLOTS = 50 };

static int rounds = 3000;

static uint32_t next(uint32_t *seed)
{
	return *seed = *seed * 1664525u + 1013904223u;
}

static unsigned char *get(uint32_t size)
{
	unsigned char *p = malloc(size);

	if (!p)
		abort();
	memset(p, (int)(size & 255), size);
	return p;
}

static uint64_t churn(uint32_t seed, int n)
{
	unsigned char *slot[SLOTS] = { 0 };
	uint32_t size[SLOTS] = { 0 };
	uint64_t sum = 0;

	for (int i = 0; i < n; i++) {
		uint32_t k = next(&seed) >> 8, s = k % SLOTS, want = 1 + (k >> 8) % 3000;

		if (slot[s] && k & 1) {
			for (uint32_t j = 0; j < size[s]; j += 61)
				sum += slot[s][j];
			free(slot[s]);
			slot[s] = NULL;
		} else if (slot[s]) {
			slot[s] = realloc(slot[s], want);
			memset(slot[s], (int)(want & 255), want);
			size[s] = want;
		} else {
			slot[s] = get(want);
			size[s] = want;
		}
	}
	for (int s = 0; s < SLOTS; s++)
		free(slot[s]);
	return sum;
}

static void *work(void *arg)
{
	uint64_t *sum = arg;

	*sum = churn((uint32_t)*sum, rounds);
	return NULL;
}

static jmp_buf out;

static char *leaving(int n)
{
	char *p = malloc(1000);

	p[0] = (char)n;
	if (n & 1)
		longjmp(out, p[0]);
	return p;
}

static uint64_t step(int n)
{
	pthread_t t[THREADS];
	uint64_t part[THREADS], sum = 0;
	int status;
	pid_t pid;

	for (int i = 0; i < THREADS; i++) {
		part[i] = (uint64_t)(n * THREADS + i);
		pthread_create(&t[i], NULL, work, &part[i]);
	}
	pid = fork();
	if (!pid)
		_exit((int)(churn((uint32_t)n, 500) & 63));
	waitpid(pid, &status, 0);
	sum += (uint64_t)WEXITSTATUS(status);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(t[i], NULL);
		sum += part[i];
	}
	if (!setjmp(out)) {
		char *kept = leaving(n);

		free(kept);
	}
	return sum;
}

/* storm [STEPS [ROUNDS]] */
int main(int argc, char **argv)
{
	int steps = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 8;
	uint64_t sum = 0;

	if (argc > 2)
		rounds = atoi(argv[2]);
	for (int i = 0; i < steps; i++)     /* the phase */
		sum += step(i);
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
