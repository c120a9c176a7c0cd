/* SPDX-License-Identifier: BSD-3-Clause */
/* Quicksort in place, by recursion, of 32768 random integers (128 KiB), copied anew each time.
 *
 * Partitions above 32 KiB pass through level 1 wholly, once a depth; smaller ones stay.  The number of
 * misses is the model's, which sorts the same numbers; misses in level 2 are none: both arrays take
 * 256 KiB less a little, and the copy comes first.
 * corpus: machine=small lto */
#include "model.h"

enum { N = 28672 };
static int given[N] ON_LEVEL2, data[N] ON_LEVEL2;
static int modelled;

static inline int *at(int i)
{
	if (modelled)
		model_play(&data[i]);
	return &data[i];
}

#define SORT(name, AT) \
	static KERNEL void name(int lo, int hi) \
	{ \
		while (hi - lo > 1) { \
			int pivot = *AT((lo + hi) / 2), i = lo, j = hi - 1; \
			for (;;) { \
				while (*AT(i) < pivot) \
					i++; \
				while (*AT(j) > pivot) \
					j--; \
				if (i >= j) \
					break; \
				int t = *AT(i); \
				*AT(i) = *AT(j); \
				*AT(j) = t; \
				i++, j--; \
			} \
			name(lo, j + 1 > lo && j + 1 < hi ? j + 1 : lo + 1); \
			lo = j + 1 > lo && j + 1 < hi ? j + 1 : lo + 1; \
		} \
	}
#define DIRECT(i) (&data[i])
SORT(sort, DIRECT)
SORT(sort_modelled, at)

static KERNEL void step(void)
{
	memcpy(data, given, sizeof data);
	sort(0, N);
}

static uint64_t play(void)
{
	uint64_t before = model_level1.misses;

	for (int i = 0; i < N; i += 2)
		model_play(&given[i]), model_play(&data[i]);
	memcpy(data, given, sizeof data);
	modelled = 1;
	sort_modelled(0, N);
	return model_level1.misses - before;
}

int main(void)
{
	uint32_t seed = 9;
	int wrong = 0;
	uint64_t m;

	for (int i = 0; i < N; i++)
		given[i] = (int)corpus_random(&seed);
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	for (int i = 1; i < N; i++)
		wrong += data[i - 1] > data[i];
	printf("%d wrong, %d\n", wrong, data[N / 2]);
	play();
	m = play();
	printf("expect given bytes = %d\n", N * 4);
	printf("expect given load_miss 1 = %d\n", N / 16);
	printf("expect total miss 1 in %d %d\n", (int)(m * 0.98), (int)(m * 1.02));
	printf("expect data miss 2 = 0\n");
	return 0;
}
