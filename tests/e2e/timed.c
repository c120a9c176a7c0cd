/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that repeat nothing: "sort" sorts indices once, recursively, by a table of weights that it reads at random
 * places; "events" handles events of unlike kinds, of which one follows the table; "long" is one loop without any call. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 24 };

static uint32_t n;
static uint32_t *order;
static uint64_t *weight;
static double *field;

static uint64_t mix(uint64_t x)
{
	x ^= x >> 33;
	x *= UINT64_C(0xff51afd7ed558ccd);
	x ^= x >> 29;
	return x;
}

static void fill(void)
{
	for (uint32_t i = 0; i < n; i++) {
		order[i] = (uint32_t)(mix(i + 1) % n);
		weight[i] = mix(i + 7 * UINT64_C(1000003));
		field[i] = i;
	}
}

static void small_sort(uint32_t lo, uint32_t hi)
{
	for (uint32_t i = lo + 1; i < hi; i++) {
		uint32_t x = order[i], k = i;

		while (k > lo && weight[order[k - 1]] > weight[x]) {
			order[k] = order[k - 1];
			k--;
		}
		order[k] = x;
	}
}

static void sort(uint32_t lo, uint32_t hi)
{
	uint64_t pivot = weight[order[lo + (hi - lo) / 2]];
	uint32_t i = lo, k = hi - 1;

	if (hi - lo < SMALL) {
		small_sort(lo, hi);
		return;
	}
	for (;;) {
		uint32_t x;

		while (weight[order[i]] < pivot)
			i++;
		while (weight[order[k]] > pivot)
			k--;
		if (i >= k)
			break;
		x = order[i];
		order[i++] = order[k];
		order[k--] = x;
	}
	if (i > lo + 1)
		sort(lo, i);
	if (hi > i + 1)
		sort(i, hi);
}

static uint64_t follow(uint64_t seed)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < 200000; i++)
		sum += weight[mix(seed + i) % n];
	return sum;
}

static uint64_t smooth(uint64_t seed)
{
	for (uint32_t i = 1; i + 1 < 50000; i++)
		field[i] = (field[i - 1] + field[i] + field[i + 1]) / 3 + (double)(seed & 1);
	return (uint64_t)field[seed % 1000];
}

static uint64_t count(uint64_t seed)
{
	for (uint32_t i = 0; i < 300000; i++)
		seed = mix(seed + i);
	return seed;
}

static uint64_t longest(uint64_t left)
{
	uint64_t at = 1;

	while (left--)
		at = mix(at + weight[at % n]);
	return at;
}

static uint64_t (*const handler[])(uint64_t) = { follow, smooth, count, smooth };

static uint64_t events(uint64_t left)
{
	uint64_t event = 1;

	while (left--)
		event = mix(event + handler[mix(event) % 4](event));
	return event;
}

int main(int argc, char **argv)
{
	uint64_t sum = 0;

	if (argc < 3)
		return 2;
	n = (uint32_t)atoi(argv[2]);
	order = malloc(n * sizeof *order);
	weight = malloc(n * sizeof *weight);
	field = malloc(n * sizeof *field);
	fill();
	if (strcmp(argv[1], "sort") == 0)
		sort(0, n);
	else if (strcmp(argv[1], "long") == 0)
		sum = longest((uint64_t)atoi(argv[3]));
	else
		sum = events((uint64_t)atoi(argv[3]));
	for (uint32_t i = 0; i + 1 < n && strcmp(argv[1], "sort") == 0; i++)
		sum += weight[order[i]] > weight[order[i + 1]];
	printf("%llu\n", (unsigned long long)sum);
	return 0;
}
