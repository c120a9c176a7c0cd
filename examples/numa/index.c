/* SPDX-License-Identifier: BSD-3-Clause */
/* Files are indexed. Each thread has tables of its own, thousands of blocks, but one thread has
 * allocated all of them on its node. With FIXED each thread allocates what it alone uses. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nodes.h"

enum { THREADS = 64, ENTRIES = 256 };

static int ntables = 512, steps = 30;
static long **tables[THREADS];

static void table(int thread, int k)
{
	tables[thread][k] = malloc(ENTRIES * sizeof **tables[thread]);
	if (!tables[thread][k])
		exit(1);
	memset(tables[thread][k], 0, ENTRIES * sizeof **tables[thread]);
}

static void allocate(void)
{
	for (int t = 0; t < threads(); t++) {
		tables[t] = malloc((size_t)ntables * sizeof *tables[t]);
		if (!tables[t])
			exit(1);
	}
#ifdef FIXED
#pragma omp parallel for schedule(static)
	for (int t = 0; t < threads(); t++)
		for (int k = 0; k < ntables; k++)
			table(t, k);
#else
	for (int k = 0; k < ntables; k++)
		for (int t = 0; t < threads(); t++)
			table(t, k);
#endif
}

/* Counts words: each leads to one entry of one table. */
static void count(long **mine, int step)
{
	unsigned long word = (unsigned long)step + 1;

	for (int i = 0; i < 16 * ntables; i++) {
		word = word * 6364136223846793005u + 1442695040888963407u;
		mine[(word >> 33) % (unsigned long)ntables][(word >> 20) % ENTRIES]++;
	}
}

static void index_files(int step)
{
#pragma omp parallel for schedule(static)
	for (int t = 0; t < threads(); t++)
		count(tables[t], step);
}

int main(int argc, char **argv)
{
	long sum = 0;

	if (argc > 1)
		ntables = atoi(argv[1]);
	if (threads() > THREADS)
		return 1;
	allocate();
	for (int step = 0; step < steps; step++)
		index_files(step);
	for (int t = 0; t < threads(); t++)
		for (int k = 0; k < ntables; k++)
			sum += tables[t][k][(k + t) % ENTRIES];
	return printf("%ld\n", sum) < 0;
}
