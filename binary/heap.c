/* SPDX-License-Identifier: BSD-3-Clause */
/* Names a heap block by the frames that allocate it. */
#include "binary/internal.h"

#include <string.h>

/* The instruction of the call is before the return address. */
static bool call_place(const struct binary_frame *f, struct binary_place *place)
{
	return f->binary && binary_place_at(f->binary, f->address - 1, place);
}

static bool of_system(const struct binary_place *p)
{
	return !p->line || source_is_system(p->file);
}

void binary_heap_name(const struct binary_frame *frames, uint32_t n, struct binary_heap *heap)
{
	struct binary_place place;

	*heap = (struct binary_heap){ .by = BINARY_HEAP_SITE };
	for (uint32_t i = 0; i < n; i++) {
		if (!call_place(&frames[i], &place))
			continue;
		if (!heap->place.function || (of_system(&heap->place) && !of_system(&place))) {
			heap->place = place;
			heap->frame = i;
		}
	}
}
