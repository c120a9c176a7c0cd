/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps ranges of addresses in a treap: a search tree by address that is a
 * heap by random priority. */
#include "foreign/ranges.h"

#include <stdlib.h>

struct range_node {
	struct range range;
	uint32_t priority;
	struct range_node *child[2];    /* below, above */
};

static uint32_t draw(struct ranges *r)
{
	r->random = r->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(r->random >> 32);
}

/* Divides a tree into what begins below an address and the rest. */
static void split(struct range_node *t, uint64_t at, struct range_node **below,
	struct range_node **rest)
{
	while (t) {
		if (t->range.lo < at) {
			*below = t;
			below = &t->child[1];
			t = t->child[1];
		} else {
			*rest = t;
			rest = &t->child[0];
			t = t->child[0];
		}
	}
	*below = *rest = NULL;
}

/* Joins two trees, of which all of `a` lies below all of `b`. */
static struct range_node *join(struct range_node *a, struct range_node *b)
{
	struct range_node *root, **to = &root;

	while (a && b) {
		if (a->priority > b->priority) {
			*to = a;
			to = &a->child[1];
			a = a->child[1];
		} else {
			*to = b;
			to = &b->child[0];
			b = b->child[0];
		}
	}
	*to = a ? a : b;
	return root;
}

static void free_all(struct range_node *t)
{
	while (t) {
		struct range_node *next = t->child[1];

		free_all(t->child[0]);
		free(t);
		t = next;
	}
}

/* The last range that begins at or below the address; NULL: none. */
static struct range_node *at_or_below(struct range_node *t, uint64_t address)
{
	struct range_node *found = NULL;

	while (t) {
		if (t->range.lo <= address)
			found = t;
		t = t->child[t->range.lo <= address];
	}
	return found;
}

int ranges_add(struct ranges *r, const struct range *range)
{
	struct range_node *n = malloc(sizeof *n), *below, *middle, *above, *before;
	uint64_t from = range->lo;

	if (!n)
		return -1;
	*n = (struct range_node){ .range = *range, .priority = draw(r) };
	before = at_or_below(r->root, range->lo);
	if (before && before->range.hi > range->lo)
		from = before->range.lo;
	split(r->root, from, &below, &above);
	split(above, range->hi, &middle, &above);
	free_all(middle);
	r->root = join(join(below, n), above);
	return 0;
}

int ranges_remove(struct ranges *r, uint64_t lo, struct range *out)
{
	struct range_node *n = at_or_below(r->root, lo), *below, *above, *one;

	if (!n || n->range.lo != lo)
		return 0;
	if (out)
		*out = n->range;
	split(r->root, lo, &below, &above);
	split(above, lo + 1, &one, &above);
	free_all(one);
	r->root = join(below, above);
	return 1;
}

/* Tells what an interval takes out of the ranges of a tree. */
static void tell(const struct range_node *t, uint64_t lo, uint64_t hi,
	void (*out)(void *asker, uint32_t value, uint64_t bytes), void *asker)
{
	for (; t; t = t->child[1]) {
		const uint64_t from = t->range.lo > lo ? t->range.lo : lo;
		const uint64_t to = t->range.hi < hi ? t->range.hi : hi;

		tell(t->child[0], lo, hi, out, asker);
		if (from < to)
			out(asker, t->range.value, to - from);
	}
}

int ranges_cut(struct ranges *r, uint64_t lo, uint64_t hi, void (*out)(void *asker, uint32_t value,
	uint64_t bytes), void *asker)
{
	const struct range_node *first = at_or_below(r->root, lo), *last = at_or_below(r->root,
		hi - 1);
	struct range_node *below, *middle, *above;
	struct range before = { 0, 0, 0 }, behind = { 0, 0, 0 };
	uint64_t from = lo;

	if (lo >= hi)
		return 0;
	if (first && first->range.hi > lo) {
		before = (struct range){ first->range.lo, lo, first->range.value };
		from = first->range.lo;
	}
	if (last && last->range.hi > hi)
		behind = (struct range){ hi, last->range.hi, last->range.value };
	split(r->root, from, &below, &above);
	split(above, hi, &middle, &above);
	if (out)
		tell(middle, lo, hi, out, asker);
	free_all(middle);
	r->root = join(below, above);
	return (before.lo < before.hi && ranges_add(r, &before)) ||
		(behind.lo < behind.hi && ranges_add(r, &behind)) ? -1 : 0;
}

const struct range *ranges_find(const struct ranges *r, uint64_t address, uint64_t *lo,
	uint64_t *hi)
{
	*lo = 0;
	*hi = UINT64_MAX;
	for (const struct range_node *t = r->root; t; ) {
		if (address - t->range.lo < t->range.hi - t->range.lo)
			return &t->range;
		if (t->range.lo <= address) {
			*lo = t->range.hi;
			t = t->child[1];
		} else {
			*hi = t->range.lo;
			t = t->child[0];
		}
	}
	return NULL;
}

void ranges_free(struct ranges *r)
{
	free_all(r->root);
	*r = (struct ranges){ 0 };
}
