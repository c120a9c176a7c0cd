/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks that are too small for events. */
#ifndef PSC_BURST_BLOCK_SITES_H
#define PSC_BURST_BLOCK_SITES_H

#include "burst/slot.h"

/* Maps the table, if the process may have so many addresses.  `heap_bytes` of the header is
 * set. */
void burst_small_start(int file);
/* A block comes; caller and frame as of burst_event(). */
void burst_small_block(const void *block, size_t size, const void *caller, const void *frame);

/* NULL: there is no table. */
extern struct burst_small *burst_small;

/* A block with events comes. */
static inline void burst_small_large(const void *block)
{
	const uint64_t at = (uint64_t)block;

	if (burst_small != NULL)
		burst_small->granule[burst_granule_at(at)] = burst_granule(at, BURST_LARGE);
}

/* Whether the block has come as a small one: nobody asks for its end.  false: it may have. */
static inline bool burst_small_has(const void *block)
{
	const uint64_t at = (uint64_t)block;
	uint32_t entry;

	if (burst_small == NULL)
		return false;
	entry = burst_small->granule[burst_granule_at(at)];
	return entry != 0 && (entry ^ burst_granule(at, 0)) < BURST_LARGE;
}

#endif
