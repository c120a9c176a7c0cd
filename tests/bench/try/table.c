/* SPDX-License-Identifier: BSD-3-Clause */
/* table MODE MIB STEPS LOOKS: each step reads so many words at random places of a table, each place from the word
 * before, so that misses of the TLB cannot overlap.
 * MODE: small, as malloc gives the table; large, edited: the table asks for large pages before its first touch;
 * gather: small, and the places do not depend on each other; few: small, and all places are in 128 KiB, so that large
 * pages change nothing.
 * Prints a sum on standard output; on standard error the milliseconds of processor time of a step, the first left out. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static double cpu_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static uint64_t __attribute__((noinline)) chase(const uint64_t *table, size_t words, size_t looks, uint64_t at)
{
	for (size_t i = 0; i < looks; i++)
		at = table[(at * UINT64_C(6364136223846793005) + i) >> 20 & (words - 1)];
	return at;
}

static uint64_t __attribute__((noinline)) gather(const uint64_t *table, size_t words, size_t looks, uint64_t seed)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < looks; i++) {
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
		sum += table[seed >> 20 & (words - 1)];
	}
	return sum;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "small";
	const size_t mib = argc > 2 ? (size_t)atol(argv[2]) : 64;
	const int steps = argc > 3 ? atoi(argv[3]) : 100, spread = !strcmp(mode, "gather");
	const size_t looks = argc > 4 ? (size_t)atol(argv[4]) : 10000;
	const size_t words = (mib << 20) / sizeof(uint64_t), used = !strcmp(mode, "few") ? (128 << 10) / sizeof(uint64_t) : words;
	uint64_t *table = aligned_alloc(2 << 20, mib << 20), at = 1;
	double begin = 0;

	if (!table || words & (words - 1))
		return 1;
	if (!strcmp(mode, "large"))
		madvise(table, mib << 20, MADV_HUGEPAGE);
	for (size_t i = 0; i < words; i++)
		table[i] = i * UINT64_C(0x9e3779b97f4a7c15) >> 3;
	for (int i = 0; i < steps; i++) { /* the steps */
		if (i == steps / 4)
			begin = cpu_ms();
		/* The step's number keeps chains that have met from staying together. */
		at = spread ? at + gather(table, used, looks, at) : chase(table, used, looks, at ^ (uint64_t)i << 32);
	}
	printf("%llu\n", (unsigned long long)at);
	fprintf(stderr, "%.6f\n", (cpu_ms() - begin) / (steps - steps / 4));
	return 0;
}
