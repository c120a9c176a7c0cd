/* SPDX-License-Identifier: BSD-3-Clause */
/* Appends strings, objects and aliases to the tables in shared memory.  Rows are never removed; a
 * count is raised after its row is complete. */
#include "monitor/address/shared_tables.h"
#include "monitor/host/mem.h"
#include "monitor/state.h"
#include <string.h>

enum { STRING_HASH = 1 << 17, ALIAS_HASH = 1 << 16 };

pthread_mutex_t pscm_tables_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t *strings, *aliases;     /* open hash tables: string offsets; alias numbers + 1 */

int pscm_shared_tables_start(void)
{
	strings = pscm_map(STRING_HASH * sizeof *strings);
	aliases = pscm_map(ALIAS_HASH * sizeof *aliases);
	if (!strings || !aliases)
		return -1;
	atomic_store(&pscm_shm->nstrings, 1);
	atomic_store(&pscm_shm->nobjects, MON_OBJ_FIRST);
	return 0;
}

uint32_t pscm_string(const char *s)
{
	uint32_t h = 2166136261u, used = atomic_load(&pscm_shm->nstrings), slot;
	size_t len;

	if (!s || !*s)
		return 0;
	for (len = 0; s[len]; len++)
		h = (h ^ (uint8_t)s[len]) * 16777619u;
	slot = (h ^ h >> 15) & (STRING_HASH - 1);
	for (uint32_t i = 0; i < 64; i++, slot = (slot + 1) & (STRING_HASH - 1)) {
		if (!strings[slot]) {
			if (len >= MON_STRINGS - used)
				return 0;
			memcpy(pscm_shm->strings + used, s, len + 1);
			strings[slot] = used;
			atomic_store(&pscm_shm->nstrings, used + (uint32_t)len + 1);
			return used;
		}
		if (!strcmp(pscm_shm->strings + strings[slot], s))
			return strings[slot];
	}
	return 0;
}

uint32_t pscm_object_add(const struct mon_object *o)
{
	uint32_t n = atomic_load(&pscm_shm->nobjects);

	if (n >= MON_OBJECTS) {
		atomic_fetch_add(&pscm_shm->lost_objects, 1);
		return MON_ANY;
	}
	pscm_shm->objects[n] = *o;
	atomic_store(&pscm_shm->nobjects, n + 1);
	return n;
}

void pscm_aliases_forget(void)
{
	memset(aliases, 0, ALIAS_HASH * sizeof *aliases);
	atomic_store(&pscm_shm->naliases, 0);
}

void pscm_alias_add(uint32_t unit, uint32_t region, uint32_t object, const char *name,
	uint32_t context)
{
	struct mon_alias a = { unit, region, object, pscm_string(name), context };
	uint32_t n = atomic_load(&pscm_shm->naliases);
	uint32_t slot = (unit * 31 + region * 1009 + object * 9973 + a.name * 7 + context * 131) *
		2654435769u >> 16;

	for (; aliases[slot]; slot = (slot + 1) & (ALIAS_HASH - 1))
		if (!memcmp(&pscm_shm->aliases[aliases[slot] - 1], &a, sizeof a))
			return;
	if (n >= MON_ALIASES) {
		atomic_fetch_add(&pscm_shm->lost_aliases, 1);
		return;
	}
	pscm_shm->aliases[n] = a;
	atomic_store(&pscm_shm->naliases, n + 1);
	aliases[slot] = n + 1;
}
