/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory and random numbers for the kernels. */
#include "harness.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, PAGE = 4096, SHIFT = 21 * LINE, BLOCKS = 65536 };

/* Blocks lie one behind the other, each with SHIFT more bytes than it needs: with mmap, as by default, all large ones
 * would begin at the same distance from a page boundary.  Only where the heap cannot grow (valgrind keeps it short), mmap. */
void *bench_memory(size_t bytes)
{
	size_t size = (bytes + PAGE - 1) / PAGE * PAGE + SHIFT;
	void *p;

	mallopt(M_MMAP_MAX, 0);
	p = aligned_alloc(LINE, size);
	if (!p) {
		mallopt(M_MMAP_MAX, BLOCKS);
		p = aligned_alloc(LINE, size);
	}
	if (!p) {
		fprintf(stderr, "stall: no memory for %zu bytes\n", bytes);
		exit(2);
	}
	memset(p, 0, size);
	return p;
}

double *bench_doubles(size_t n, double value)
{
	double *a = bench_memory(n * sizeof *a);

	for (size_t i = 0; i < n; i++)
		a[i] = value;
	return a;
}

float *bench_floats(size_t n, float value)
{
	float *a = bench_memory(n * sizeof *a);

	for (size_t i = 0; i < n; i++)
		a[i] = value;
	return a;
}

static uint64_t state;

void bench_restart(void)
{
	state = 0x2545f4914f6cdd1d;
}

uint64_t bench_random(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1d;
}

uint32_t *bench_indices(size_t n, uint64_t below)
{
	uint32_t *index = bench_memory(n * sizeof *index);

	for (size_t i = 0; i < n; i++)
		index[i] = (uint32_t)((bench_random() >> 16) % below);
	return index;
}

uint32_t *bench_modulo(const uint32_t *from, size_t n, uint32_t below)
{
	uint32_t *index = bench_memory(n * sizeof *index);

	for (size_t i = 0; i < n; i++)
		index[i] = from[i] % below;
	return index;
}

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

uint32_t *bench_sorted(const uint32_t *from, size_t n)
{
	uint32_t *index = bench_memory(n * sizeof *index);

	memcpy(index, from, n * sizeof *index);
	qsort(index, n, sizeof *index, by_value);
	return index;
}

uint32_t *bench_permutation(size_t n)
{
	uint32_t *p = bench_memory(n * sizeof *p);

	for (size_t i = 0; i < n; i++)
		p[i] = (uint32_t)i;
	for (size_t i = n - 1; i > 0; i--) {
		size_t j = (size_t)((bench_random() >> 16) % (i + 1));
		uint32_t other = p[i];

		p[i] = p[j];
		p[j] = other;
	}
	return p;
}
