/* SPDX-License-Identifier: BSD-3-Clause */
/* Tracked memory: large blocks of the program's, its large mappings and its static variables, in
 * the memory that is shared with the reader. */
#ifndef PSC_BURST_TRACKED_H
#define PSC_BURST_TRACKED_H

#include "burst/slot.h"

/* Maps the tracked memory, if the reader wants it and the file has it.  Otherwise nothing is
 * tracked.  blocks: malloc() may have blocks there; else mmap() alone. */
void burst_tracked_start(int file, struct burst_header *h, bool blocks);

/* Tracked memory: the mapping in which blocks and mappings of the program lie. */
extern struct burst_area {
	char *low;              /* NULL: nothing is tracked */
	uint64_t bytes;
	uint64_t least;         /* the smallest tracked block */
} burst_area;

/* A block for the program; its bytes are 0 if that is asked for.  alignment: a power of two.  NULL:
 * the block is too small, or there is no room: the C library's allocator
 * has to serve the request. */
void *burst_tracked_allocate_large(size_t size, size_t alignment, bool zero);
static inline void *burst_tracked_allocate(size_t size, size_t alignment, bool zero)
{
	return __builtin_expect(size < burst_area.least, 1) ? NULL :
		burst_tracked_allocate_large(size, alignment, zero);
}
static inline bool burst_tracked_has(const void *block)
{
	return (uint64_t)((const char *)block - burst_area.low) < burst_area.bytes;
}
/* Is the address in memory that is shared with the reader, as no memory of a program's own is
 * elsewhere? */
bool burst_tracked_is_shared(const void *at);
bool burst_tracked_is_shared_at_all(void);
/* The bytes that the program may use; of an address at which a block begins. */
size_t burst_tracked_size(const void *block);
/* 0; -1: no block begins there. */
int burst_tracked_free(void *block);

/* Private anonymous memory as mmap() makes it.  NULL: as above. */
void *burst_tracked_map(size_t size);
/* As munmap().  false: it is not tracked. */
bool burst_tracked_unmap(void *at, size_t size);
/* As mremap() that does not move.  false: it is no mapping that can have this size where it is. */
bool burst_tracked_resize(void *at, size_t old_size, size_t size);

/* --- for statics.c and forked.c --------------------------------------------------------------- */

/* Room for so many bytes, for good: its offset; UINT64_MAX: there is none. */
uint64_t burst_tracked_offset(uint64_t bytes);
/* Calls `block` for all that is in use of the tracked memory at `at`, where a part of it begins. */
void burst_tracked_each(char *at, void (*block)(void *with, char *at, uint64_t bytes), void *with);
/* In a child of fork(): each part becomes private memory, and nothing more is tracked.  false: one
 * could not be made. */
bool burst_tracked_leave(bool (*make_private)(char *at, uint64_t bytes));

#endif
