/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps (context, object, thread) to a tally. */
#include "analysis/measure/tally_map.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 1024, CONTEXTS_MOST = 1 << 24 };

struct tally_map *tally_map_new(void)
{
	struct tally_map *t = calloc(1, sizeof *t);

	if (t)
		t->slot = calloc(FIRST_SIZE, sizeof *t->slot);
	if (!t || !t->slot) {
		free(t);
		return NULL;
	}
	t->size = FIRST_SIZE;
	return t;
}

void tally_map_free(struct tally_map *t)
{
	if (!t)
		return;
	free(t->entry);
	free(t->slot);
	free(t->last);
	free(t);
}

void tally_map_clear(struct tally_map *t)
{
	memset(t->slot, 0, t->size * sizeof *t->slot);
	if (t->contexts)
		memset(t->last, 0, t->contexts * sizeof *t->last);
	t->used = 0;
}

static uint32_t tally_hash(uint32_t context, uint32_t object, uint32_t thread)
{
	uint64_t h = ((uint64_t)context << 32 | object) * UINT64_C(0x9e3779b97f4a7c15);

	return (uint32_t)((h + thread * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 32);
}

/* The slot that holds the entry's number, or the free slot for it. */
static uint32_t *slot_of(const struct tally_map *t, uint32_t context, uint32_t object,
	uint32_t thread)
{
	uint32_t i = tally_hash(context, object, thread);

	for (;; i++) {
		uint32_t *slot = &t->slot[i & (t->size - 1)];
		const struct tally_entry *it = *slot ? &t->entry[*slot - 1] : NULL;

		if (!it || (it->context == context && it->object == object && it->thread == thread))
			return slot;
	}
}

struct tally_entry *tally_map_find(const struct tally_map *t, uint32_t context, uint32_t object,
	uint32_t thread)
{
	uint32_t n = *slot_of(t, context, object, thread);

	return n ? &t->entry[n - 1] : NULL;
}

static int table_grow(struct tally_map *t)
{
	uint32_t *slot = calloc((size_t)t->size * 2, sizeof *slot);

	if (!slot)
		return -1;
	free(t->slot);
	t->slot = slot;
	t->size *= 2;
	for (uint32_t i = 0; i < t->used; i++)
		*slot_of(t, t->entry[i].context, t->entry[i].object, t->entry[i].thread) = i + 1;
	return 0;
}

static int tally_map_grow(struct tally_map *t)
{
	uint32_t cap = t->cap ? t->cap * 2 : FIRST_SIZE / 4;
	struct tally_entry *entry;

	if (t->used == TALLY_MAP_MOST)
		return -1;
	entry = realloc(t->entry, cap * sizeof *entry);
	if (!entry)
		return -1;
	t->entry = entry;
	t->cap = cap;
	return 0;
}

static const struct tally_entry *numbered(const struct tally_map *t, uint32_t n)
{
	return n ? &t->entry[n - 1] : NULL;
}

const struct tally_entry *tally_map_last(const struct tally_map *t, uint32_t context)
{
	return context < t->contexts ? numbered(t, t->last[context]) : NULL;
}

const struct tally_entry *tally_map_before(const struct tally_map *t, const struct tally_entry *it)
{
	return numbered(t, it->before);
}

/* Makes room for the context in `last`.  0 / -1. */
static int know_context(struct tally_map *t, uint32_t context)
{
	uint32_t n = context + 1 > 2 * t->contexts ? context + 1 : 2 * t->contexts, *last;

	if (context < t->contexts)
		return 0;
	if (context >= CONTEXTS_MOST)
		return -1;
	last = realloc(t->last, n * sizeof *last);
	if (!last)
		return -1;
	memset(last + t->contexts, 0, (n - t->contexts) * sizeof *last);
	t->last = last;
	t->contexts = n;
	return 0;
}

struct tally_entry *tally_map_insert(struct tally_map *t, uint32_t context, uint32_t object,
	uint32_t thread)
{
	struct tally_entry *it = tally_map_find(t, context, object, thread);

	if (it)
		return it;
	if ((t->used == t->cap && tally_map_grow(t)) || (t->used * 2 >= t->size && table_grow(t)) || know_context(t, context))
		return NULL;
	it = &t->entry[t->used++];
	*it = (struct tally_entry){ .context = context, .object = object, .thread = thread, .before = t->last[context] };
	*slot_of(t, context, object, thread) = t->last[context] = t->used;
	return it;
}
