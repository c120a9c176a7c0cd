/* SPDX-License-Identifier: BSD-3-Clause */
/* (context, object, thread) → tally: an open-addressing table. */
#ifndef PSC_AGENTS_ITEMS_H
#define PSC_AGENTS_ITEMS_H

#include "agents/perf.h"

#define ITEM_ALL UINT32_MAX     /* thread: of all together */

struct item {
	uint32_t context, object, thread;
	bool used;
	bool measured;          /* else only known to occur: a filtered result told of the object */
	struct tally tally;
};

struct items {
	struct item *slot;      /* owned */
	uint32_t size, used;    /* size is a power of two */
};

struct items *items_new(void);          /* NULL: memory */
void items_free(struct items *t);
void items_clear(struct items *t);
/* The item, or a slot that is not used; valid until the next item_make(). */
struct item *item_find(const struct items *t, uint32_t context, uint32_t object, uint32_t thread);
/* The item, made where there was none.  NULL: memory. */
struct item *item_make(struct items *t, uint32_t context, uint32_t object, uint32_t thread);

#endif
