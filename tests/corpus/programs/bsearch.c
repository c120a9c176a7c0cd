/* SPDX-License-Identifier: BSD-3-Clause */
/* Binary searches: 4096 random keys in 65536 sorted integers, 16 or 17 probes each.
 *
 * The first probes are shared by all searches and hit; the last four share a line; in between a
 * probe misses as often as its line has been pushed out: the model's number.  The number of probes
 * is counted beforehand by the same algorithm.
 * corpus: machine=small lto */
#include "model.h"

enum { N = 65536, KEYS = 4096 };
static int sorted[N] ON_LEVEL2, keys[KEYS] ON_LEVEL2;
static int found;
static int probes;

static KERNEL int search(int key)
{
	int lo = 0, hi = N;

	while (lo < hi) {
		int mid = lo + (hi - lo) / 2;

		if (sorted[mid] < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static KERNEL void step(void)
{
	int s = 0;

	for (int i = 0; i < KEYS; i++)
		s += search(keys[i]);
	found = s;
}

static void play(void)
{
	probes = 0;
	for (int i = 0; i < KEYS; i++) {
		int lo = 0, hi = N;

		model_play(&keys[i]);
		while (lo < hi) {
			int mid = (lo + hi) / 2;

			model_play(&sorted[mid]);
			probes++;
			if (mid * 3 < keys[i])
				lo = mid + 1;
			else
				hi = mid;
		}
	}
}

int main(void)
{
	uint32_t seed = 5;
	uint64_t one, two;

	for (int i = 0; i < N; i++)
		sorted[i] = i * 3;
	for (int i = 0; i < KEYS; i++)
		keys[i] = (int)(corpus_random(&seed) % (3 * N - 2));
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%d\n", found);
	play();
	one = model_level1.misses;
	two = model_level2.misses;
	play();
	one = model_level1.misses - one;
	two = model_level2.misses - two;
	printf("expect sorted loads = %d\n", probes);
	printf("expect keys loads = %d\n", KEYS);
	printf("expect total miss 1 in %d %d\n", (int)(one * 0.995), (int)(one * 1.005) + 4);
	printf("expect total miss 2 in %d %d\n", (int)(two * 0.98), (int)(two * 1.02) + 4);
	printf("expect worst sorted search at O0 O2\n");
	return 0;
}
