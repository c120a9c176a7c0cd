/* SPDX-License-Identifier: BSD-3-Clause */
/* Look-ups in a hash table with open addressing: 32768 slots of 16 bytes (512 KiB), half full.
 *
 * A look-up compares the keys of a run of slots: the number of probes is counted beforehand by the same
 * rule.  Four slots share a line; which lines are still there is the model's question.
 * corpus: machine=small */
#include "model.h"

enum { SLOTS = 32768, KEYS = SLOTS / 2, LOOKUPS = 16384 };
struct slot {
	uint64_t key, value;
};
static struct slot table[SLOTS] ON_LEVEL2;
static uint32_t wanted[LOOKUPS] ON_LEVEL2;
static uint64_t total;

static uint32_t place_of(uint64_t key)
{
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 49);
}

static KERNEL uint64_t look_up(uint64_t key)
{
	uint32_t i = place_of(key);

	while (table[i].key != key)
		i = (i + 1) % SLOTS;
	return table[i].value;
}

static KERNEL void step(void)
{
	for (int i = 0; i < LOOKUPS; i++)
		total += look_up(wanted[i]);
}

static int play(void)
{
	int probes = 0;

	for (int i = 0; i < LOOKUPS; i++) {
		uint32_t p = place_of(wanted[i]);

		model_play(&wanted[i]);
		for (;; p = (p + 1) % SLOTS) {
			probes++;
			model_play(&table[p].key);
			if (table[p].key == wanted[i])
				break;
		}
	}
	return probes;
}

int main(void)
{
	uint32_t seed = 7;
	uint64_t one, two;
	int probes;

	for (uint64_t k = 1; k <= KEYS; k++) {
		uint32_t i = place_of(k * 977);

		while (table[i].key)
			i = (i + 1) % SLOTS;
		table[i].key = k * 977;
		table[i].value = k;
	}
	for (int i = 0; i < LOOKUPS; i++)
		wanted[i] = (1 + corpus_random(&seed) % KEYS) * 977;
	for (int i = 0; i < EXECUTIONS; i++)    /* the phase */
		step();
	printf("%llu\n", (unsigned long long)total);
	play();
	one = model_level1.misses;
	two = model_level2.misses;
	probes = play();
	one = model_level1.misses - one;
	two = model_level2.misses - two;
	printf("expect table loads = %d\n", probes + LOOKUPS);
	printf("expect wanted load_miss 1 = %d\n", LOOKUPS / 16);
	printf("expect total miss 1 in %d %d\n", (int)(one * 0.995), (int)(one * 1.005) + 4);
	printf("expect total miss 2 in %d %d\n", (int)(two * 0.98), (int)(two * 1.02) + 4);
	return 0;
}
