/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses and blocks of memory that are known: prints what a recorder should find.  A burst begins
 * at the signal. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "burst/shared/burst.h"

enum { N = 1000, ROUNDS = 3 };
static double data[N];
static long sums[ROUNDS];

/* ROUNDS times: N loads, one store. */
static void loops(void)
{
	for (int r = 0; r < ROUNDS; r++) {
		const double *at = data;
		long n = N, sum = 0;

		__asm__ volatile("1: add (%0), %2\n add $8, %0\n dec %1\n jne 1b\n mov %2, (%3)"
			: "+r"(at), "+r"(n), "+r"(sum) : "r"(&sums[r]) : "memory", "cc");
	}
}

static void blocks(void)
{
	char *a = malloc(5000), *b = calloc(10, 700), *c = NULL, *d = aligned_alloc(64, 6400);
	void *m = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int none = posix_memalign((void **)&c, 4096, 8192);

	printf("block %lx 5000\nblock %lx 7000\nblock %lx 6400\n", (long)a, (long)b, (long)d);
	if (none == 0)
		printf("block %lx 8192\n", (long)c);
	printf("map %lx %d\n", (long)m, 1 << 20);
	a = realloc(a, 100000);
	printf("block %lx 100000\n", (long)a);
	free(a);
	free(b);
	free(c);
	free(d);
	free(malloc(100));
	a = realloc(malloc(100), 9000);
	printf("block %lx 9000\n", (long)a);
	free(realloc(a, 50));
	munmap(m, 1 << 20);
}

/* A wrapper: its callers are the places. */
__attribute__((noinline)) static void *small(size_t size)
{
	char *block = malloc(size);

	if (block == NULL)
		abort();
	*block = 1;
	return block;
}

/* Each line: a small block, its size, and which place has allocated it. */
static void small_blocks(void)
{
	for (int k = 0; k < 20; k++) {
		const int first = 1 + 13 * k, second = 200 - 9 * k;

		printf("small %lx %d first\n", (long)small((size_t)first), first);
		printf("small %lx %d second\n", (long)small((size_t)second), second);
	}
}

int main(void)
{
	raise(BURST_SIGNAL);
	loops();
	printf("loads %lx %lx %d\n", (long)data, (long)(data + N), N * ROUNDS);
	printf("stores %lx %lx %d\n", (long)sums, (long)(sums + ROUNDS), ROUNDS);
	blocks();
	small_blocks();
	for (int k = 1; k < 30; k++) {
		char *gone = realloc(small((size_t)(20 * k)), 10);

		printf("gone %lx\n", (long)gone);
		free(gone);
	}
	return 0;
}
