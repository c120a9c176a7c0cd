/* SPDX-License-Identifier: BSD-3-Clause */
/* Searching and merging: branches and addresses depend on what was loaded.  Keys are as many in all versions, in an array
 * from front to back: the branch predictor would learn a few keys that come again and again. */
#include "harness.h"

#define KEYS ((size_t)65536)

static uint32_t *keys, *keys_sorted, *keys_few;

/* --- bsearch: binary search in a sorted array --------------------------------------------------------- */

/* Numbers: every search takes 24 steps in the large array, 12 in the small one. */
enum { LARGE = (1 << 24) - 1, SMALL = (1 << 12) - 1, APART = 100 };
static uint32_t *sorted;

SAME_CODE static uint64_t search(const uint32_t *a, size_t n, const uint32_t *key, size_t nkeys)
{
	uint64_t found = 0;

	for (size_t k = 0; k < nkeys; k++) {
		size_t low = 0, high = n;

		while (low < high) {
			size_t middle = (low + high) / 2;

			if (a[middle] < key[k])
				low = middle + 1;
			else
				high = middle;
		}
		found += low;
	}
	return found;
}

void bsearch_init(void)
{
	sorted = bench_memory(LARGE * sizeof *sorted);
	for (size_t i = 0; i < LARGE; i++)
		sorted[i] = (uint32_t)i * APART;
	keys = bench_indices(KEYS, (uint64_t)LARGE * APART);
	keys_sorted = bench_sorted(keys, KEYS);
	keys_few = bench_indices(2 * KEYS, (uint64_t)SMALL * APART);
}

/* fixed: the keys are sorted */
double bsearch_run(enum version v)
{
	if (v == CACHED)
		return (double)search(sorted, SMALL, keys_few, 2 * KEYS);
	return (double)search(sorted, LARGE, v == BAD ? keys : keys_sorted, KEYS);
}

/* --- tree: search in a binary tree --------------------------------------------------------------------- */

struct branch {
	struct branch *child[2];
	uint64_t key;
};

/* Complete trees of 20 and 10 levels. */
enum { DEPTH = 20, DEPTH_SMALL = 10 };
static struct branch *branches, *branches_in_order, *branches_few;
static struct branch *root;

SAME_CODE static uint64_t walk(const struct branch *from, const uint32_t *key, size_t nkeys)
{
	uint64_t found = 0;

	for (size_t k = 0; k < nkeys; k++)
		for (const struct branch *p = from; p; p = p->child[p->key < key[k]])
			found += p->key == key[k];
	return found;
}

/* Links a complete tree of `depth` levels.  Its branches are numbered by levels from 1 on (2i and 2i + 1 are below i);
 * number i lies at at[place[i - 1]] (NULL: at[i - 1]).  Keys are the odd numbers, from left to right.  The root. */
static struct branch *link_branches(struct branch *at, const uint32_t *place, int depth)
{
	size_t n = ((size_t)1 << depth) - 1;

	for (size_t level = 0, i = 1; i <= n; level++)
		for (size_t first = i, span = (size_t)2 << ((size_t)depth - level); i < 2 * first; i++) {
			struct branch *p = &at[place ? place[i - 1] : i - 1];

			p->key = (i - first) * span + span / 2 - 1;
			for (size_t side = 0; side < 2; side++) {
				size_t below = 2 * i + side;

				p->child[side] = below > n ? NULL : &at[place ? place[below - 1] : below - 1];
			}
		}
	return &at[place ? place[0] : 0];
}

void tree_init(void)
{
	size_t n = ((size_t)1 << DEPTH) - 1;

	branches = bench_memory(n * sizeof *branches);
	branches_in_order = bench_memory(n * sizeof *branches_in_order);
	branches_few = bench_memory((((size_t)1 << DEPTH_SMALL) - 1) * sizeof *branches_few);
	root = link_branches(branches, bench_permutation(n), DEPTH);
	link_branches(branches_in_order, NULL, DEPTH);
	link_branches(branches_few, NULL, DEPTH_SMALL);
	keys = bench_indices(KEYS, (uint64_t)2 << DEPTH);
	keys_few = bench_indices(2 * KEYS, (uint64_t)2 << DEPTH_SMALL);
}

/* fixed: the branches lie in the order of their levels */
double tree_run(enum version v)
{
	if (v == CACHED)
		return (double)walk(branches_few, keys_few, 2 * KEYS);
	return (double)walk(v == BAD ? root : branches_in_order, keys, KEYS);
}

/* --- merge: two sorted arrays into one ------------------------------------------------------------------ */

enum { RUN = 512, GAP = 4096 };
static uint64_t *left, *right, *merged;
static uint32_t *left4, *right4, *merged4;

/* The right ones count as `shift` more than they are. */
SAME_CODE static uint64_t merge(uint64_t *out, const uint64_t *l, const uint64_t *r, size_t n, uint64_t shift)
{
	size_t i = 0, j = 0, k = 0;

	while (i < n && j < n)
		if (l[i] <= r[j] + shift)
			out[k++] = l[i++];
		else
			out[k++] = r[j++];
	return k;
}

SAME_CODE static uint64_t merge_short(uint32_t *out, const uint32_t *l, const uint32_t *r, size_t n, uint32_t shift)
{
	size_t i = 0, j = 0, k = 0;

	while (i < n && j < n)
		if (l[i] <= r[j] + shift)
			out[k++] = l[i++];
		else
			out[k++] = r[j++];
	return k;
}

/* Random distances of GAP on average; the last ones end both arrays together. */
static uint64_t *ascending(size_t n)
{
	uint64_t *a = bench_memory(n * sizeof *a), last = 0;

	for (size_t i = 0; i < n; i++)
		a[i] = last += (bench_random() >> 16) % (2 * GAP);
	return a;
}

static uint32_t *ascending4(const uint64_t *from, size_t n)
{
	uint32_t *a = bench_memory(n * sizeof *a);

	for (size_t i = 0; i < n; i++)
		a[i] = (uint32_t)(from[i] / 4);
	return a;
}

void merge_init(void)
{
	left = ascending(2 * MILLION);
	right = ascending(2 * MILLION);
	merged = bench_memory(4 * MILLION * sizeof *merged);
	left4 = ascending4(left, 2 * MILLION);
	right4 = ascending4(right, 2 * MILLION);
	merged4 = bench_memory(4 * MILLION * sizeof *merged4);
}

/* fixed: half the bytes.  In cache: a short run; a shift that differs each time makes the branches as unpredictable as in
 * the bad version. */
double merge_run(enum version v)
{
	uint64_t done = 0;

	if (v == BAD)
		return (double)merge(merged, left, right, 2 * MILLION, 0);
	if (v == FIXED)
		return (double)merge_short(merged4, left4, right4, 2 * MILLION, 0);
	while (done < 4 * MILLION)
		done += merge(merged, left, right, RUN, (bench_random() >> 16) % (64 * GAP));
	return (double)done;
}
