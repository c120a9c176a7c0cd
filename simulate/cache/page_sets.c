/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers the skews of pages. */
#include "simulate/cache/page_sets.h"

void page_sets_put(struct page_sets *s, uint64_t page, uint16_t skew, void *(*get)(size_t bytes))
{
	_Atomic uint16_t *_Atomic *at, *b;

	if (!skew || page / PAGE_SETS_BLOCK >= PAGE_SETS_BLOCKS)
		return;
	at = &s->block[page / PAGE_SETS_BLOCK];
	b = atomic_load_explicit(at, memory_order_acquire);
	if (!b) {
		_Atomic uint16_t *made = get(PAGE_SETS_BLOCK * sizeof *made);

		/* Another thread's block is kept; this one is the experiment's until its end. */
		if (!made || atomic_compare_exchange_strong(at, &b, made))
			b = made;
	}
	if (b)
		atomic_store_explicit(&b[page % PAGE_SETS_BLOCK], skew, memory_order_relaxed);
}
