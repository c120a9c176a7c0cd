/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the tally of a (context, object, thread). */
#include "analysis/measure/items.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 1024 };

struct items *items_new(void)
{
	struct items *t = calloc(1, sizeof *t);

	if (t)
		t->slot = calloc(FIRST_SIZE, sizeof *t->slot);
	if (!t || !t->slot) {
		free(t);
		return NULL;
	}
	t->size = FIRST_SIZE;
	return t;
}

void items_free(struct items *t)
{
	if (!t)
		return;
	free(t->item);
	free(t->slot);
	free(t);
}

void items_clear(struct items *t)
{
	memset(t->slot, 0, t->size * sizeof *t->slot);
	t->used = 0;
}

static uint32_t item_hash(uint32_t context, uint32_t object, uint32_t thread)
{
	uint64_t h = ((uint64_t)context << 32 | object) * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)((h + thread * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 32);
}

/* The place where its number is, or would be. */
static uint32_t *slot_of(const struct items *t, uint32_t context, uint32_t object, uint32_t thread)
{
	uint32_t i = item_hash(context, object, thread);

	for (;; i++) {
		uint32_t *slot = &t->slot[i & (t->size - 1)];
		const struct item *it = *slot ? &t->item[*slot - 1] : NULL;

		if (!it || (it->context == context && it->object == object && it->thread == thread))
			return slot;
	}
}

struct item *item_find(const struct items *t, uint32_t context, uint32_t object, uint32_t thread)
{
	uint32_t n = *slot_of(t, context, object, thread);

	return n ? &t->item[n - 1] : NULL;
}

static int table_grow(struct items *t)
{
	uint32_t *slot = calloc((size_t)t->size * 2, sizeof *slot);

	if (!slot)
		return -1;
	free(t->slot);
	t->slot = slot;
	t->size *= 2;
	for (uint32_t i = 0; i < t->used; i++)
		*slot_of(t, t->item[i].context, t->item[i].object, t->item[i].thread) = i + 1;
	return 0;
}

static int items_grow(struct items *t)
{
	uint32_t cap = t->cap ? t->cap * 2 : FIRST_SIZE / 4;
	struct item *item;

	if (t->used == ITEMS_MOST)
		return -1;
	item = realloc(t->item, cap * sizeof *item);
	if (!item)
		return -1;
	t->item = item;
	t->cap = cap;
	return 0;
}

struct item *item_make(struct items *t, uint32_t context, uint32_t object, uint32_t thread)
{
	struct item *it = item_find(t, context, object, thread);

	if (it)
		return it;
	if ((t->used == t->cap && items_grow(t)) || (t->used * 2 >= t->size && table_grow(t)))
		return NULL;
	it = &t->item[t->used++];
	*it = (struct item){ .context = context, .object = object, .thread = thread };
	*slot_of(t, context, object, thread) = t->used;
	return it;
}
