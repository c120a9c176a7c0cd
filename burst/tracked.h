/* SPDX-License-Identifier: BSD-3-Clause */
/* Tracked memory: large blocks of the program's, in the memory that is shared with the reader.
 *
 * The reader asks that pages of it are armed: their page-table entries are dropped, and the next
 * access is a minor fault, which the kernel reports to the reader.  The
 * contents stay where they are. */
#ifndef PSC_BURST_TRACKED_H
#define PSC_BURST_TRACKED_H

#include "burst/slot.h"

/* Maps the tracked memory, if the reader wants it and the file has it.
 * Otherwise no block is tracked. */
void burst_tracked_start(int file, struct burst_header *h);

/* A block for the program; its bytes are 0 if that is asked for.  alignment: a power of two.  NULL:
 * the block is too small, or there is no room: the C library's allocator
 * has to serve the request. */
void *burst_tracked_allocate(size_t size, size_t alignment, bool zero);
bool burst_tracked_has(const void *block);
/* Is the address in memory that is shared with the reader, as no memory
 * of malloc's is elsewhere? */
bool burst_tracked_is_shared(const void *at);
/* The bytes that the program may use; of an address at which a block begins. */
size_t burst_tracked_size(const void *block);
/* 0; -1: no block begins there. */
int burst_tracked_free(void *block);

/* Called by the handler of a timer: arms the pages that the reader asks for. */
void burst_tracked_arm(struct burst_header *h);

#endif
