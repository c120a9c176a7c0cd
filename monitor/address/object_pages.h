/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the pages that belong to one data structure alone. */
#ifndef PSC_MONITOR_OBJECT_PAGES_H
#define PSC_MONITOR_OBJECT_PAGES_H

#include "monitor/address/address_map.h"

#pragma GCC visibility push(hidden)

enum { OBJECT_RANGES = 1 << 17 };

struct object_pages {
	struct pscm_span *range;        /* whole pages, ascending in each of its blocks */
	size_t n;
	uint64_t pages;                 /* in the ranges */
	uint64_t bytes;                 /* of the structure, those that share a page included */
};

/* Finds the whole pages of `page` bytes.  false: there is no memory for the ranges. */
bool object_pages_find(uint32_t object, uint64_t page, struct object_pages *out);
void object_pages_free(struct object_pages *p);

#pragma GCC visibility pop
#endif
