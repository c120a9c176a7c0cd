/* SPDX-License-Identifier: BSD-3-Clause */
#include "agents/items.h"

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
	if (t)
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

struct item *item_find(const struct items *t, uint32_t context, uint32_t object, uint32_t thread)
{
	uint32_t i = item_hash(context, object, thread);

	for (;; i++) {
		struct item *it = &t->slot[i & (t->size - 1)];

		if (!it->used || (it->context == context && it->object == object &&
				it->thread == thread))
			return it;
	}
}

static int items_grow(struct items *t)
{
	struct items bigger = { calloc((size_t)t->size * 2, sizeof *t->slot), t->size * 2,
		t->used };

	if (!bigger.slot)
		return -1;
	for (uint32_t i = 0; i < t->size; i++) {
		const struct item *it = &t->slot[i];

		if (it->used)
			*item_find(&bigger, it->context, it->object, it->thread) = *it;
	}
	free(t->slot);
	*t = bigger;
	return 0;
}

struct item *item_make(struct items *t, uint32_t context, uint32_t object, uint32_t thread)
{
	struct item *it;

	if (t->used * 2 >= t->size && items_grow(t))
		return NULL;
	it = item_find(t, context, object, thread);
	if (!it->used) {
		*it = (struct item){ .context = context, .object = object, .thread = thread,
			.used = true };
		t->used++;
	}
	return it;
}
