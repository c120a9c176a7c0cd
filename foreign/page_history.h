/* SPDX-License-Identifier: BSD-3-Clause */
/* The pages that were seen in the whole run, in columns of time: what the timeline
 * of the report is made of. */
#ifndef PSC_FOREIGN_PAGE_HISTORY_H
#define PSC_FOREIGN_PAGE_HISTORY_H

#include "monitor/shared/shm.h"

/* A part of a block that a thread was seen to access in a column. */
struct page_seen {
	uint64_t block, bytes;          /* of the block; block 0: a free entry */
	uint32_t row, rows;             /* of the timeline's map that the page covers, of
					 * MON_MAP_ROWS */
	uint32_t task, context, object, column;
	uint32_t reads, writes;
};

struct page_history {
	struct page_seen *seen;         /* open hash, until it is written; owned */
	uint32_t n, room;
	uint64_t width;                 /* us of a column */
	uint64_t length;                /* us so far */
	uint64_t lost;                  /* accesses that there was no memory for */
};

void page_history_free(struct page_history *h);
/* Adds an access to the page at `offset` in the block, `at` us after the begin.  Rows and
 * column of `what` do not count. */
void page_history_add(struct page_history *h, const struct page_seen *what, uint64_t offset,
	uint64_t at);
/* Writes the columns and maps of the slot.  The history is no hash any
 * more: nothing can be added. */
uint32_t page_history_write(struct page_history *h, struct mon_shm *shm, uint32_t slot);

#endif
