/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicts branches by the branches before them. */
#include "foreign/branch_predictor.h"

#include <stddef.h>

/* Branches before this one that a table knows. */
static const uint8_t length[BRANCH_TABLES] = { 4, 10, 24, 60 };
enum { COUNTER_MOST = 3, BASE_MOST = 1, USEFUL_MOST = 3 };

static uint64_t mixed(uint64_t ip, uint64_t history)
{
	const uint64_t x = (ip + history * UINT64_C(0x9e3779b97f4a7c15)) *
		UINT64_C(0xd6e8feb86659fd93);

	return (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
}

static int8_t moved(int8_t counter, bool up, int most)
{
	if (up)
		return counter < most ? (int8_t)(counter + 1) : counter;
	return counter > -most - 1 ? (int8_t)(counter - 1) : counter;
}

static uint64_t key_of(const struct branch_predictor *p, uint64_t ip, int table)
{
	return mixed(ip, (p->history & ((UINT64_C(1) << length[table]) - 1)) + (uint64_t)table + 1);
}

static struct branch_entry *entry_of(struct branch_predictor *p, uint64_t key, int table)
{
	return &p->table[table][key % BRANCH_ENTRIES];
}

static uint16_t tag_of(uint64_t key)
{
	return (uint16_t)(key >> 48 | 1);
}

/* A longer history might have foreseen it: one entry that is of no use learns the outcome. */
static void allocate(struct branch_predictor *p, const uint64_t key[BRANCH_TABLES], int from,
	bool taken)
{
	for (int i = from; i < BRANCH_TABLES; i++) {
		struct branch_entry *e = entry_of(p, key[i], i);

		if (!e->useful) {
			*e = (struct branch_entry){ tag_of(key[i]), taken ? 0 : -1, 0 };
			return;
		}
		e->useful--;
	}
}

/* The entry of the longest known history decides; the next longest says whether it was of use. */
bool branch_conditional(struct branch_predictor *p, uint64_t ip, bool taken)
{
	int8_t *base = &p->base[mixed(ip, 0) % BRANCH_BASE];
	uint64_t key[BRANCH_TABLES];
	bool predicted = *base >= 0, other = predicted;
	struct branch_entry *best = NULL;
	int provider = -1;

	for (int i = 0; i < BRANCH_TABLES; i++) {
		struct branch_entry *e = entry_of(p, key[i] = key_of(p, ip, i), i);

		if (e->tag != tag_of(key[i]))
			continue;
		other = predicted;
		predicted = e->counter >= 0;
		best = e;
		provider = i;
	}
	if (best) {
		best->counter = moved(best->counter, taken, COUNTER_MOST);
		if (predicted == taken && other != taken && best->useful < USEFUL_MOST)
			best->useful++;
	} else {
		*base = moved(*base, taken, BASE_MOST);
	}
	if (predicted != taken)
		allocate(p, key, provider + 1, taken);
	p->history = p->history << 1 | taken;
	return predicted != taken;
}

bool branch_indirect(struct branch_predictor *p, uint64_t ip, uint64_t target)
{
	enum { KNOWN = 16 };    /* branches before it */
	const uint64_t history = p->history & ((UINT64_C(1) << KNOWN) - 1);
	uint64_t *guess = &p->target[mixed(ip, history) % BRANCH_BASE];
	const bool missed = *guess != target;

	*guess = target;
	p->history = p->history << 3 | (mixed(target, 0) & 7);
	return missed;
}
