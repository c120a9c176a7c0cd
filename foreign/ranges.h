/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges of addresses that do not overlap, each with a value: a treap. */
#ifndef PSC_FOREIGN_RANGES_H
#define PSC_FOREIGN_RANGES_H

#include <stdint.h>

struct range {
	uint64_t lo, hi;        /* [lo, hi) */
	uint32_t value;
};

struct ranges {
	struct range_node *root;        /* owned */
	uint64_t random;
};

/* Adds a range; what overlaps with it is removed.  0 / -1: no memory. */
int ranges_add(struct ranges *r, const struct range *range);
/* Removes the range that begins at this address.  Returns whether there was
 * one; *out: it, NULL is fine. */
int ranges_remove(struct ranges *r, uint64_t lo, struct range *out);
/* Takes an interval out of all ranges; what they have beside it stays.  Returns the bytes that were
 * taken out of ranges of each value by `out`, NULL is fine.  0 / -1: no memory, a range that was
 * cut has gone as a whole. */
int ranges_cut(struct ranges *r, uint64_t lo, uint64_t hi, void (*out)(void *asker, uint32_t value,
	uint64_t bytes), void *asker);
/* The range with the address; else NULL, and [*lo, *hi) is the gap around it.  Borrowed until the
 * next change. */
const struct range *ranges_find(const struct ranges *r, uint64_t address, uint64_t *lo,
	uint64_t *hi);
void ranges_free(struct ranges *r);

#endif
