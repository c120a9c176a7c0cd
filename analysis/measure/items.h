/* SPDX-License-Identifier: BSD-3-Clause */
/* (context, object, thread) → tally: an array of items, found by an open-addressing table of their
 * numbers. */
#ifndef PSC_MEASURE_ITEMS_H
#define PSC_MEASURE_ITEMS_H

#include "analysis/measure/perf.h"

#define ITEM_ALL UINT32_MAX     /* thread: of all together */

enum { ITEMS_MOST = 1 << 19 };  /* 400 MB: no application may take more of its agent */

struct item {
	uint32_t context, object, thread;
	bool measured;          /* else only known to occur: a filtered result told of the object */
	struct tally tally;
};

struct items {
	struct item *item;      /* owned; in the order they were made */
	uint32_t used, cap;
	uint32_t *slot;         /* owned; 0 free, else an item's number + 1 */
	uint32_t size;          /* of the table, a power of two */
};

struct items *items_new(void);          /* NULL: memory */
void items_free(struct items *t);
void items_clear(struct items *t);
/* The item, valid until the next item_make(); NULL: there is none. */
struct item *item_find(const struct items *t, uint32_t context, uint32_t object, uint32_t thread);
/* The item, made where there was none.  NULL: memory, or ITEMS_MOST. */
struct item *item_make(struct items *t, uint32_t context, uint32_t object, uint32_t thread);

#endif
