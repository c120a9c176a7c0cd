/* SPDX-License-Identifier: BSD-3-Clause */
/* A server has pools of workers, as another one has processes. The workers of a pool read and
 * write a cache that only they use, at the same time; but they run on different nodes. With FIXED
 * the workers of a pool run on one node. With POOLS=1 each process is a pool. */
#include <stdio.h>
#include <stdlib.h>
#include "nodes.h"

#ifndef POOLS
#define POOLS 2
#endif
enum { WORDS = 8 };

struct page {
	long key, hits;
	double body[WORDS - 2];
};

static size_t npages = 1 << 15;
static int steps = 30;
static struct page *cache[POOLS];

static int pool_of(int thread)
{
#ifdef FIXED
	return node_of(thread) == node_of(0) ? 0 : 1;
#else
	return thread * POOLS / threads();
#endif
}

/* The number of a worker in its pool, and how many workers the pool has. */
static int worker_of(int thread, int *workers)
{
	int number = 0;

	*workers = 0;
	for (int t = 0; t < threads(); t++)
		if (pool_of(t) == pool_of(thread)) {
			number += t < thread;
			++*workers;
		}
	return number;
}

/* The first worker of a pool makes its cache. */
static void start(void)
{
#pragma omp parallel
	{
		const int me = omp_get_thread_num(), pool = pool_of(me);
		int workers;

		if (worker_of(me, &workers) == 0) {
			cache[pool] = malloc(npages * sizeof *cache[pool]);
			if (!cache[pool])
				exit(1);
			for (size_t i = 0; i < npages; i++)
				cache[pool][i] = (struct page){ .key = (long)i };
		}
	}
}

/* Each request finds a page and changes it.  The workers of a pool take turns at its pages. */
static double serve(int thread, int step)
{
	int workers, me = worker_of(thread, &workers);
	struct page *pages = cache[pool_of(thread)];
	double sum = 0;

	for (size_t i = (size_t)((me + step) % workers); i < npages; i += (size_t)workers) {
		struct page *p = &pages[i];

		p->hits++;
		p->body[step % (WORDS - 2)] += (double)p->key;
		sum += p->body[0];
	}
	return sum;
}

static double requests(int step)
{
	double sum = 0;

#pragma omp parallel for schedule(static) reduction(+:sum)
	for (int t = 0; t < threads(); t++)
		sum += serve(t, step);
	return sum;
}

int main(int argc, char **argv)
{
	double sum = 0;

	if (argc > 1)
		npages = (size_t)atol(argv[1]);
	start();
	for (int step = 0; step < steps; step++)
		sum += requests(step);
	return printf("%g\n", sum) < 0;
}
