/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of large blocks of memory, for the reader. */
#ifndef PSC_BURST_EVENT_RING_H
#define PSC_BURST_EVENT_RING_H

#include <stddef.h>
#include "burst/slot.h"

/* The size from which on blocks have events. */
static inline size_t burst_event_bytes(void)
{
	const struct burst_header *h = burst_header();

	return h == NULL || h->heap_bytes == 0 ? SIZE_MAX : h->heap_bytes;
}

/* `caller`: the return address of the call; `frame`: where the search for further ones begins on
 * the stack. */
void burst_event(enum burst_heap_kind kind, const void *address, size_t size, const void *caller,
	const void *frame);

#endif
