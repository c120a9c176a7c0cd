/* SPDX-License-Identifier: BSD-3-Clause */
/* The sets of translation caches that pages use.  Translation caches find a set by the lowest bits
 * of the virtual page number, which normalised pages, numbered in the order of first touch, do not
 * have.  So each page has a *skew*: the set that its virtual number chooses less the one that its
 * own number would choose, modulo 256.  Private to the simulator. */
#ifndef PSC_SIMULATE_PAGE_SETS_H
#define PSC_SIMULATE_PAGE_SETS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* PAGE_SETS_SHIFT: log2 of the bytes of a page, whatever the machine's pages are. */
enum { PAGE_SETS_SHIFT = 12, PAGE_SETS_BLOCK = 1 << 16, PAGE_SETS_BLOCKS = 1 << 10 };

/* A byte for each page, in blocks made when a page has a skew.  Pages beyond have none. */
struct page_sets {
	_Atomic uint8_t *_Atomic block[PAGE_SETS_BLOCKS];
};

/* Sets a page's skew; it never changes.  get: zeroed memory; without, the page has no skew. */
void page_sets_put(struct page_sets *s, uint64_t page, uint8_t skew, void *(*get)(size_t bytes));

/* The page's set, modulo 256; NULL: no page has a skew. */
static inline uint32_t page_sets_of(const struct page_sets *s, uint32_t page)
{
	const uint32_t block = page / PAGE_SETS_BLOCK;
	const _Atomic uint8_t *b = s && block < PAGE_SETS_BLOCKS ?
		atomic_load_explicit(&s->block[block], memory_order_acquire) : NULL;

	if (b)
		page += atomic_load_explicit(&b[page % PAGE_SETS_BLOCK], memory_order_relaxed);
	return page & 0xff;
}

#endif
