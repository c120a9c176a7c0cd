/* SPDX-License-Identifier: BSD-3-Clause */
/* A program with an error of the worst kind: a thread of it writes wild values over the memory that it shares
 * with its agent.  `scribble SEED`: what and where. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { N = 20000, STEPS = 120, PAGE = 4096, MOST = 1 << 19 };

static double left[N], right[N];
static char *from, *to;
static uint64_t state;

static uint64_t any(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static void find_memory(void)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[600];
	unsigned long a, b;

	while (f && fgets(line, sizeof line, f))
		if (strstr(line, "memfd:periscope") && sscanf(line, "%lx-%lx", &a, &b) == 2) {
			if (!from)
				from = (char *)a;
			to = (char *)b;
		}
	if (f)
		fclose(f);
}

/* Pages that are in use; the first one has what is looked at most. */
static size_t used_pages(uint32_t *page)
{
	static unsigned char there[MOST];
	size_t n = 0, all = (size_t)(to - from) / PAGE;

	if (all > MOST || mincore(from, all * PAGE, there))
		return 0;
	for (size_t i = 0; i < all; i++)
		if (there[i] & 1)
			page[n++] = (uint32_t)i;
	return n;
}

__attribute__((no_instrument_function)) static void *scribbler(void *unused)
{
	static const uint64_t wild[] = { 0, 1, 2, 8, 0x7fffffff, 0xffffffff, UINT64_MAX, 0x100000001, 0x41414141 };
	static uint32_t page[MOST];
	const struct timespec nap = { 0, 300000 };

	for (;;) {
		size_t n = used_pages(page);

		for (int i = 0; n && i < 200; i++) {
			char *p = from + (any() % 4 ? page[any() % n] : 0) * (size_t)PAGE + any() % (PAGE / 8) * 8;
			uint64_t v = any() % 4 ? wild[any() % (sizeof wild / sizeof *wild)] : any();

			memcpy(p, &v, any() % 3 ? 4 : 8);
		}
		nanosleep(&nap, NULL);
	}
	return unused;
}

static void sweep(double *a, const double *b, int k)
{
	for (int i = 1; i < N - 1; i++)
		a[i] = 0.5 * b[i] + 0.25 * (b[i - 1] + b[i + 1]) + k;
}

int main(int argc, char **argv)
{
	unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	pthread_t t;

	state = seed * UINT64_C(2654435761) + 88172645463325252u;
	find_memory();
	for (int i = 0; i < STEPS; i++) {
		sweep(left, right, i);
		sweep(right, left, i);
		if (i == (int)(seed % 13) && from && pthread_create(&t, NULL, scribbler, NULL))
			return 1;
	}
	printf("done %.6g\n", right[N / 2]);
	fflush(stdout);
	_exit(0);
}
