/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes to the table of heap blocks and declared objects (heap.c), by the hooks of
 * allocation_hooks.c. */
#ifndef PSC_MONITOR_HEAP_H
#define PSC_MONITOR_HEAP_H

#include "monitor/address/address_map.h"
#include "monitor/address/pending.h"
#include "monitor/collect/byte_exchange.h"

enum { HEAP_FILTER = 1 << 16 };

/* Counts heap blocks by address hash; 255: no longer exact.  No block begins where it is 0, so most
 * releases need no search.  The hook of an allocation adds its block, the table subtracts it. */
extern uint8_t *pscm_heap_filter __attribute__((visibility("hidden")));

static inline uint64_t heap_mix(uint64_t x)
{
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return x ^ x >> 32;
}

static inline uint8_t *heap_filter_of(uint64_t lo)
{
	return &pscm_heap_filter[heap_mix(lo >> 4) >> 20 & (HEAP_FILTER - 1)];
}

/* Adds n to the filter's count for this address.  255 never changes. */
static inline void heap_filter_add(uint64_t lo, int n)
{
	uint8_t *f = heap_filter_of(lo), is = __atomic_load_n(f, __ATOMIC_RELAXED);

	while (is < 255 && !byte_exchange(f, &is, (uint8_t)(is + n)))
		;
}

/* Applies an allocation or a release: at once while addresses are named, because the following ones
 * depend on it; else when somebody asks. */
void pscm_heap_change(const struct pending_change *what);
/* Adds a declared object above what it overlaps, in the place of one with the same range.  false:
 * there is no space. */
bool pscm_heap_declare(uint64_t lo, uint64_t hi, uint32_t object);
void pscm_heap_undeclare(uint64_t lo);  /* removes the lowest declared object that begins at lo */

#pragma GCC visibility push(hidden)

int pscm_heap_start(void);
void pscm_heap_again(void);     /* forgets all blocks and declared objects */
/* When an experiment begins: number and size of small blocks, size of structures with others. */
void pscm_heap_count(void);
/* Looks the address up.  Narrows *s to the range with the same answer; true: s->object is set. */
bool pscm_heap_find(uint64_t address, struct pscm_span *s);
/* Where the block of the object around the address begins; 0: there is none. */
uint64_t pscm_heap_begin(uint64_t address, uint32_t object);
/* The object of the heap block around the address, and where the block begins; MON_ANY: none. */
uint32_t pscm_heap_at(uint64_t address, uint64_t *lo);
/* Blocks that are allocated from here on are *late* (first_touch.h).  The second function: the
 * block around the address is, or the object, which was there, has been released. */
void pscm_heap_late_from_here(void);
bool pscm_heap_is_late(uint64_t address, uint32_t object);
void pscm_heap_rename(uint64_t lo, uint32_t object);    /* renames the block at lo */
/* Appends the ranges of heap blocks and declared objects that belong to the object to the n that
 * are there; returns the new number. */
size_t pscm_heap_spans(uint32_t object, struct pscm_span *out, size_t n, size_t max);

#pragma GCC visibility pop
#endif
