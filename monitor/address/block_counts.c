/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts heap blocks by structure, and notes where they are allocated. */
#include "monitor/address/block_counts.h"
#include "base/abi.h"
#include "monitor/address/shared_tables.h"
#include "monitor/host/locks.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

enum { PAGE = 4096, HEADER = 2 * sizeof(size_t), IS_MAPPED = 2, IN_ARENA = 4, FLAGS = 7 };

/* Bytes of the structure's block before, and the execution that it was allocated in. */
static uint64_t last[MON_OBJECTS];
static uint32_t last_execution[MON_OBJECTS];
static _Atomic uint32_t execution = 1;
static const struct psc_site *first_site[MON_OBJECTS];  /* to be compared alone: its library may be
							 * unloaded */
static _Atomic uint64_t allocates[(PSCM_THREADS + 63) / 64];    /* by thread's number: it may be an
								 * object's `allocated_by` */

void pscm_block_execution(void)
{
	atomic_fetch_add_explicit(&execution, 1, memory_order_relaxed);
}

void pscm_blocks_forget(void)
{
	for (uint32_t i = 0; i < MON_OBJECTS; i++) {
		__atomic_store_n(&last[i], 0, __ATOMIC_RELAXED);
		__atomic_store_n(&last_execution[i], 0, __ATOMIC_RELAXED);
		__atomic_store_n(&first_site[i], NULL, __ATOMIC_RELAXED);
	}
}

/* Notes the first place where the object's blocks are allocated; a further one makes it unknown.
 * Another thread may find a further place while this one writes the first: so the line is written
 * last, and only if it is not unknown yet. */
static void note_place(struct mon_object *o, const struct psc_site **known,
	const struct psc_site *site)
{
	const struct psc_site *is = NULL;
	uint32_t none = 0;

	if (__atomic_compare_exchange_n(known, &is, site, false, __ATOMIC_RELAXED,
	    __ATOMIC_RELAXED)) {
		pscm_lock(&pscm_tables_lock);
		o->allocated_file = pscm_string(site->file ? site->file : site->unit->source);
		pscm_unlock(&pscm_tables_lock);
		__atomic_compare_exchange_n(&o->allocated_line, &none, site->line, false,
			__ATOMIC_RELEASE, __ATOMIC_RELAXED);
	} else if (is != site) {
		__atomic_store_n(&o->allocated_line, MON_ANY, __ATOMIC_RELAXED);
	}
}

/* Notes the first thread that allocates for an object; another one makes it unknown. */
static void note_thread(struct mon_object *o, const struct pscm_thread *t)
{
	const uint32_t thread = t ? 1 + t->index : MON_ANY;
	uint32_t is = __atomic_load_n(&o->allocated_by, __ATOMIC_RELAXED);

	if (is == thread || is == MON_ANY)
		return;
	if (t)
		atomic_fetch_or(&allocates[t->index / 64], UINT64_C(1) << t->index % 64);
	is = 0;
	if (!__atomic_compare_exchange_n(&o->allocated_by, &is, thread, false, __ATOMIC_RELAXED,
	    __ATOMIC_RELAXED))
		__atomic_store_n(&o->allocated_by, MON_ANY, __ATOMIC_RELAXED);
}

void pscm_block_thread_begins(const struct pscm_thread *t)
{
	const uint64_t bit = UINT64_C(1) << t->index % 64;

	/* The load spares most threads the exchange, which would take the line from others. */
	if (!(atomic_load(&allocates[t->index / 64]) & bit))
		return;
	atomic_fetch_and(&allocates[t->index / 64], ~bit);
	for (uint32_t i = MON_OBJ_FIRST; i < atomic_load(&pscm_shm->nobjects); i++) {
		uint32_t is = 1 + t->index;

		__atomic_compare_exchange_n(&pscm_shm->objects[i].allocated_by, &is, MON_ANY, false,
			__ATOMIC_RELAXED, __ATOMIC_RELAXED);
	}
}

void pscm_block_allocated(uint32_t object, const struct psc_site *site)
{
	struct mon_object *o = &pscm_shm->objects[object];

	if (object < MON_OBJ_FIRST)
		return;
	if (__atomic_load_n(&first_site[object], __ATOMIC_RELAXED) != site)
		note_place(o, &first_site[object], site);
	note_thread(o, pscm_self);
}

/* glibc's malloc begins a mapping of its own with a header, whose second word is the mapping's size
 * and flags.  In another allocator's memory that word is anything, and lies in the block's page. */
static bool is_mapped(uint64_t lo, uint64_t bytes)
{
	uint64_t word, size;

	if (lo % PAGE != HEADER)
		return false;
	memcpy(&word, (const void *)(uintptr_t)(lo - sizeof word), sizeof word);
	size = word & ~(uint64_t)FLAGS;
	return (word & (IS_MAPPED | IN_ARENA)) == IS_MAPPED && size % PAGE == 0 && size >= bytes &&
		size - bytes < 2 * PAGE;
}

static void largest(uint64_t *p, uint64_t bytes)
{
	uint64_t is = __atomic_load_n(p, __ATOMIC_RELAXED);

	while (is < bytes && !__atomic_compare_exchange_n(p, &is, bytes, true, __ATOMIC_RELAXED,
	       __ATOMIC_RELAXED))
		;
}

void pscm_block_released(uint32_t object)
{
	__atomic_fetch_add(&pscm_shm->objects[object].releases, 1, __ATOMIC_RELAXED);
}

void pscm_block_counted(uint32_t object, uint64_t lo, uint64_t bytes, uint32_t flags)
{
	struct mon_object *o = &pscm_shm->objects[object];
	uint64_t before = __atomic_exchange_n(&last[object], bytes, __ATOMIC_RELAXED);
	uint32_t now = atomic_load_explicit(&execution, memory_order_relaxed);

	__atomic_fetch_add(&o->allocated, bytes, __ATOMIC_RELAXED);
	__atomic_fetch_add(&o->allocations, 1, __ATOMIC_RELAXED);
	if (__atomic_exchange_n(&last_execution[object], now, __ATOMIC_RELAXED) != now)
		__atomic_fetch_add(&o->executions, 1, __ATOMIC_RELAXED);
	if (before && bytes > before)
		__atomic_fetch_add(&o->grown, 1, __ATOMIC_RELAXED);
	if (is_mapped(lo, bytes))
		__atomic_fetch_add(&o->mapped, 1, __ATOMIC_RELAXED);
	largest(&o->largest, bytes);
	__atomic_fetch_or(&o->made,
		flags & (PSC_SITE_REALLOC | PSC_SITE_AUTOMATIC | PSC_SITE_TEMPORARY),
		__ATOMIC_RELAXED);
}
