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

#endif
