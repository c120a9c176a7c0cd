/* SPDX-License-Identifier: BSD-3-Clause */
/* Hash tables.  Keys are as many in all versions, in an array from front to back: the branch predictor would learn a few
 * keys that come again and again. */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

#define KEYS (MILLION / 2)

static uint64_t *keys, *keys_sorted, *keys_few;

static size_t hash(uint64_t key, size_t mask)
{
	return (size_t)(key * 0x9e3779b97f4a7c15 >> 20) & mask;
}

static size_t mask_of_order;

static int by_hash(const void *a, const void *b)
{
	size_t x = hash(*(const uint64_t *)a, mask_of_order), y = hash(*(const uint64_t *)b, mask_of_order);

	return (x > y) - (x < y);
}

/* keys_sorted: in the order of their places in a table. */
static void sort_keys(size_t mask)
{
	keys_sorted = bench_memory(KEYS * sizeof *keys_sorted);
	memcpy(keys_sorted, keys, KEYS * sizeof *keys);
	mask_of_order = mask;
	qsort(keys_sorted, KEYS, sizeof *keys_sorted, by_hash);
}

/* --- probe: open addressing, half full ------------------------------------------------------------------- */

#define SLOTS (8 * MILLION)
enum { SLOTS_FEW = 1024 };
static uint64_t *table, *table_few;

SAME_CODE static uint64_t probe(const uint64_t *slots, size_t mask, const uint64_t *key, size_t n)
{
	uint64_t found = 0;

	for (size_t i = 0; i < n; i++) {
		size_t at = hash(key[i], mask);

		while (slots[at] && slots[at] != key[i])
			at = (at + 1) & mask;
		found += slots[at] == key[i];
	}
	return found;
}

static uint64_t insert(uint64_t *slots, size_t mask)
{
	uint64_t key = bench_random() | 1;
	size_t at = hash(key, mask);

	while (slots[at])
		at = (at + 1) & mask;
	slots[at] = key;
	return key;
}

void probe_init(void)
{
	uint64_t few[SLOTS_FEW / 2];

	table = bench_memory(SLOTS * sizeof *table);
	table_few = bench_memory(SLOTS_FEW * sizeof *table_few);
	keys = bench_memory(KEYS * sizeof *keys);
	keys_few = bench_memory(KEYS * sizeof *keys_few);
	for (size_t i = 0; i < SLOTS / 2; i++) {
		uint64_t key = insert(table, SLOTS - 1);

		if (i % (SLOTS / 2 / KEYS) == 0)
			keys[i / (SLOTS / 2 / KEYS)] = key;
	}
	for (size_t i = 0; i < SLOTS_FEW / 2; i++)
		few[i] = insert(table_few, SLOTS_FEW - 1);
	for (size_t i = 0; i < KEYS; i++)
		keys_few[i] = few[(bench_random() >> 16) % (SLOTS_FEW / 2)];
	sort_keys(SLOTS - 1);
}

/* fixed: the keys in the order of their slots */
double probe_run(enum version v)
{
	if (v == CACHED)
		return (double)probe(table_few, SLOTS_FEW - 1, keys_few, KEYS);
	return (double)probe(table, SLOTS - 1, v == BAD ? keys : keys_sorted, KEYS);
}

/* --- chained: a list of entries in each bucket ------------------------------------------------------------- */

struct entry {
	struct entry *next;
	uint64_t key, value;
};

#define BUCKETS MILLION
enum { BUCKETS_FEW = 256 };
static struct entry **buckets, **buckets_in_order, **buckets_few;
static struct entry *entries, *entries_in_order, *entries_few;

SAME_CODE static uint64_t look_up(struct entry *const *bucket, size_t mask, const uint64_t *key, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		const struct entry *e = bucket[hash(key[i], mask)];

		while (e && e->key != key[i])
			e = e->next;
		sum += e ? e->value : 0;
	}
	return sum;
}

static uint64_t enter(struct entry **bucket, size_t mask, struct entry *e)
{
	struct entry **head;

	e->key = bench_random();
	e->value = e->key & 15;
	head = &bucket[hash(e->key, mask)];
	e->next = *head;
	*head = e;
	return e->key;
}

/* Copies the entries so that those of a bucket lie side by side, and buckets in their order. */
static void put_in_order(void)
{
	struct entry *to = entries_in_order;

	for (size_t b = 0; b < BUCKETS; b++) {
		struct entry **link = &buckets_in_order[b];

		for (const struct entry *e = buckets[b]; e; e = e->next) {
			*to = *e;
			to->next = NULL;
			*link = to;
			link = &to++->next;
		}
	}
}

void chained_init(void)
{
	uint32_t *order = bench_permutation(2 * BUCKETS);

	buckets = bench_memory(BUCKETS * sizeof(struct entry *));
	buckets_in_order = bench_memory(BUCKETS * sizeof(struct entry *));
	buckets_few = bench_memory(BUCKETS_FEW * sizeof(struct entry *));
	entries = bench_memory(2 * BUCKETS * sizeof *entries);
	entries_in_order = bench_memory(2 * BUCKETS * sizeof *entries_in_order);
	entries_few = bench_memory((size_t)2 * BUCKETS_FEW * sizeof *entries_few);
	keys = bench_memory(KEYS * sizeof *keys);
	keys_few = bench_memory(KEYS * sizeof *keys_few);
	for (size_t i = 0; i < 2 * BUCKETS; i++) {
		uint64_t key = enter(buckets, BUCKETS - 1, &entries[order[i]]);

		if (i % 4 == 0)
			keys[i / 4] = key;
	}
	for (size_t i = 0; i < 2 * BUCKETS_FEW; i++)
		enter(buckets_few, BUCKETS_FEW - 1, &entries_few[i]);
	for (size_t i = 0; i < KEYS; i++)
		keys_few[i] = entries_few[(bench_random() >> 16) % (2 * (uint64_t)BUCKETS_FEW)].key;
	put_in_order();
	sort_keys(BUCKETS - 1);
}

/* fixed: entries in the order of their buckets, keys in that order, too */
double chained_run(enum version v)
{
	if (v == CACHED)
		return (double)look_up(buckets_few, BUCKETS_FEW - 1, keys_few, KEYS);
	return (double)look_up(v == BAD ? buckets : buckets_in_order, BUCKETS - 1, v == BAD ? keys : keys_sorted, KEYS);
}

/* --- ballots: which of four counts grows is decided by branches on data ---------------------------------- */

enum { BALLOTS_IN_CACHE = 2048, CHOICES = 4 };

static uint64_t *ballots, votes[CHOICES];
static unsigned char *small_ballots;

/* What a ballot is for depends on the key, so that branch predictors do not learn it. */
SAME_CODE static void count_ballots(uint64_t *count, const uint64_t *ballot, size_t n, uint64_t key)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t choice = (ballot[i] ^ key) * 0x9e3779b97f4a7c15u >> 61;

		if (choice < CHOICES - 1)
			count[choice]++;
		else
			count[CHOICES - 1]++;
	}
}

SAME_CODE static void count_small_ballots(uint64_t *count, const unsigned char *ballot, size_t n, uint64_t key)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t choice = (ballot[i] ^ key) * 0x9e3779b97f4a7c15u >> 61;

		if (choice < CHOICES - 1)
			count[choice]++;
		else
			count[CHOICES - 1]++;
	}
}

void ballots_init(void)
{
	ballots = bench_memory(2 * MILLION * sizeof *ballots);
	small_ballots = bench_memory(2 * MILLION);
	for (size_t i = 0; i < 2 * MILLION; i++)
		ballots[i] = small_ballots[i] = (unsigned char)(bench_random() >> 32);
}

/* fixed: an eighth of the bytes.  In cache: a key that differs each time makes the branches as unpredictable as in the
 * bad version. */
double ballots_run(enum version v)
{
	double sum = 0;

	if (v == BAD)
		count_ballots(votes, ballots, 2 * MILLION, 0);
	else if (v == FIXED)
		count_small_ballots(votes, small_ballots, 2 * MILLION, 0);
	else
		REPEAT(2 * MILLION / BALLOTS_IN_CACHE)
			count_ballots(votes, ballots, BALLOTS_IN_CACHE, bench_random());
	for (size_t i = 0; i < CHOICES; i++) {
		sum += (double)((i + 1) * votes[i]);
		votes[i] = 0;
	}
	return sum;
}
