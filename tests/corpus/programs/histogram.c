/* SPDX-License-Identifier: BSD-3-Clause */
/* Two histograms of 65536 values: in 256 bins, and scattered into 65536.
 *
 * value: read in order twice, 1 byte and 4 bytes each.  bins (1 KiB): each of its 16 lines comes every
 * 16 values or so, and one line of value in 64 passes: never pushed out of level 1, but by the
 * scatter, which is 8 times level 1: 16 misses.  scattered: the values are a permutation in a
 * random order, so nearly every access misses in level 1 (32 of 256 KiB stay: 1 in 8 hits);
 * the exact number is the model's.
 * corpus: machine=small lto */
#include "model.h"

enum { N = 65536 };
static unsigned char value[N] ON_LEVEL2;
static int place[N] ON_LEVEL2, scattered[N] ON_LEVEL2, bins[256] ON_PAGE;

static KERNEL void step(void)
{
	for (int i = 0; i < N; i++)
		bins[value[i]]++;
	for (int i = 0; i < N; i++)
		scattered[place[i]]++;
}

static void play(void)
{
	for (int i = 0; i < N; i++)
		model_play(&value[i]), model_play(&bins[value[i]]);
	for (int i = 0; i < N; i++)
		model_play(&place[i]), model_play(&scattered[place[i]]);
}

int main(void)
{
	uint32_t seed = 3;
	uint64_t all;

	for (int i = 0; i < N; i++)
		value[i] = (unsigned char)corpus_random(&seed), place[i] = i;
	for (int i = N - 1; i > 0; i--) {
		int j = (int)(corpus_random(&seed) % (uint32_t)(i + 1)), t = place[i];

		place[i] = place[j];
		place[j] = t;
	}
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%d %d\n", bins[17], scattered[4711]);
	play();
	all = model_level1.misses;
	play();
	all = model_level1.misses - all;
	printf("expect value load_miss 1 = %d\n", N / LINE);
	printf("expect place load_miss 1 = %d\n", N / 16);
	printf("expect bins loads = %d\n", N);
	printf("expect bins stores = %d\n", N);
	printf("expect bins miss 1 = 16\n");
	printf("expect bins store_miss 1 = 0\n");
	printf("expect scattered loads = %d\n", N);
	printf("expect scattered load_miss 1 in %d %d\n", N * 3 / 4, N);
	printf("expect total miss 1 in %d %d\n", (int)all - 50, (int)all + 50);
	return 0;
}
