/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills the tables that the agent reads. */
#include "config.h"
#include "foreign/shm_tables.h"

#include <stdlib.h>
#include <string.h>

/* Powers of two, twice the most entries of a table. */
enum { STRING_HASH = 1 << 17, UNIT_HASH = 2 * MON_UNITS, CONTEXT_HASH = 2 * MON_CONTEXTS };

int shm_tables_begin(struct shm_tables *t, struct mon_shm *shm)
{
	*t = (struct shm_tables){ .shm = shm };
	t->strings = calloc(STRING_HASH, sizeof *t->strings);
	t->units = calloc(UNIT_HASH, sizeof *t->units);
	t->contexts = calloc(CONTEXT_HASH, sizeof *t->contexts);
	return t->strings && t->units && t->contexts ? 0 : -1;
}

void shm_tables_end(struct shm_tables *t)
{
	free(t->strings);
	free(t->units);
	free(t->contexts);
	*t = (struct shm_tables){ 0 };
}

static uint32_t string_add(struct shm_tables *t, const char *s, size_t length)
{
	const uint32_t at = atomic_load(&t->shm->nstrings);

	if (length >= MON_STRINGS - at)
		return 0;
	memcpy(t->shm->strings + at, s, length + 1);
	atomic_store(&t->shm->nstrings, at + (uint32_t)length + 1);
	return at;
}

uint32_t shm_string(struct shm_tables *t, const char *s)
{
	uint32_t hash = 2166136261u, slot;
	size_t length = 0;

	if (!s || !*s)
		return 0;
	for (; s[length]; length++)
		hash = (hash ^ (uint8_t)s[length]) * 16777619u;
	slot = (hash ^ hash >> 15) % STRING_HASH;
	for (int i = 0; i < 64; i++, slot = (slot + 1) % STRING_HASH) {
		if (!t->strings[slot])
			return t->strings[slot] = string_add(t, s, length);
		if (strcmp(t->shm->strings + t->strings[slot], s) == 0)
			return t->strings[slot];
	}
	return string_add(t, s, length);
}

uint32_t shm_unit(struct shm_tables *t, uint64_t hash, const char *source, uint32_t nregions)
{
	const uint32_t n = atomic_load(&t->shm->nunits);
	uint32_t slot = (uint32_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 32) % UNIT_HASH;

	for (; t->units[slot]; slot = (slot + 1) % UNIT_HASH) {
		struct mon_unit *u = &t->shm->units[t->units[slot] - 1];

		if (u->hash != hash)
			continue;
		if (u->nregions < nregions)     /* the phase's unit, before its function was looked
						 * at */
			*u = (struct mon_unit){ hash, nregions, shm_string(t, source) };
		return t->units[slot] - 1;
	}
	if (n == MON_UNITS) {
		atomic_fetch_add(&t->shm->lost_units, 1);
		return MON_NO_UNIT;
	}
	t->shm->units[n] = (struct mon_unit){ hash, nregions, shm_string(t, source) };
	atomic_store(&t->shm->nunits, n + 1);
	t->units[slot] = n + 1;
	return n;
}

int shm_code(struct shm_tables *t, const char *path)
{
	const uint32_t n = atomic_load(&t->shm->ncode), string = shm_string(t, path);

	if (n >= MON_CODE || !string)
		return -1;
	t->shm->code[n] = string;
	atomic_store(&t->shm->ncode, n + 1);
	return 0;
}

uint32_t shm_context(struct shm_tables *t, uint32_t parent, uint32_t unit, uint32_t region)
{
	const uint32_t n = atomic_load(&t->shm->ncontexts);
	uint32_t slot = (parent * 2654435761u ^ unit * 40503u ^ region *
		2246822519u) % CONTEXT_HASH;

	for (; t->contexts[slot]; slot = (slot + 1) % CONTEXT_HASH) {
		const struct mon_context *c = &t->shm->contexts[t->contexts[slot] - 1];

		if (c->parent == parent && c->unit == unit && c->region == region)
			return t->contexts[slot] - 1;
	}
	if (n == MON_CONTEXTS) {
		atomic_fetch_add(&t->shm->lost_contexts, 1);
		return MON_ANY;
	}
	t->shm->contexts[n] = (struct mon_context){ parent, unit, region,
		parent == MON_ANY ? 0 : t->shm->contexts[parent].depth + 1 };
	atomic_store(&t->shm->ncontexts, n + 1);
	t->contexts[slot] = n + 1;
	return n;
}

uint32_t shm_object(struct shm_tables *t, const struct mon_object *o)
{
	const uint32_t n = atomic_load(&t->shm->nobjects);

	if (n == MON_OBJECTS) {
		atomic_fetch_add(&t->shm->lost_objects, 1);
		return MON_ANY;
	}
	t->shm->objects[n] = *o;
	atomic_store(&t->shm->nobjects, n + 1);
	return n;
}
