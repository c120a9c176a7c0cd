/* SPDX-License-Identifier: BSD-3-Clause */
/* The *set* of a page is its place among the virtual pages.  Translation caches find a set by the
 * lowest bits of the virtual page number, and prefetchers see the steps of virtual addresses;
 * normalised pages, numbered in the order of first touch, have neither.  So each page has a *skew*:
 * its virtual number, counted from the beginning of its block, object or image, less its own
 * number, modulo PAGE_SETS.  Private to the simulator. */
#ifndef PSC_SIMULATE_PAGE_SETS_H
#define PSC_SIMULATE_PAGE_SETS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* PAGE_SETS_SHIFT: log2 of the bytes of a page, whatever the machine's pages are. */
enum { PAGE_SETS_LOG2 = 16, PAGE_SETS = 1 << PAGE_SETS_LOG2, PAGE_SETS_SHIFT = 12,
	PAGE_SETS_BLOCK = 1 << 16, PAGE_SETS_BLOCKS = 1 << 10 };

/* The skew of each page, in blocks made when a page has a skew.  Pages beyond have none. */
struct page_sets {
	_Atomic uint16_t *_Atomic block[PAGE_SETS_BLOCKS];
};

/* Sets a page's skew; it never changes.  get: zeroed memory; without, the page has no skew. */
void page_sets_put(struct page_sets *s, uint64_t page, uint16_t skew, void *(*get)(size_t bytes));

/* The page's set; NULL: no page has a skew. */
static inline uint32_t page_sets_of(const struct page_sets *s, uint32_t page)
{
	const uint32_t block = page / PAGE_SETS_BLOCK;
	const _Atomic uint16_t *b = s && block < PAGE_SETS_BLOCKS ?
		atomic_load_explicit(&s->block[block], memory_order_acquire) : NULL;

	if (b)
		page += atomic_load_explicit(&b[page % PAGE_SETS_BLOCK], memory_order_relaxed);
	return page % PAGE_SETS;
}

#endif
