/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes reports of memory: compiled code reports allocations and releases, and the program declares
 * objects by psc_object_begin().
 *
 * A block gets the object of its allocation site, or of the open scope of a caller. */
#include "monitor/address/bindings.h"
#include "monitor/address/block_counts.h"
#include "monitor/address/heap.h"
#include "monitor/address/names.h"
#include "monitor/address/objects.h"
#include "monitor/address/memory_policy.h"
#include "monitor/address/placement.h"
#include "monitor/address/shared_tables.h"
#include "monitor/address/small_blocks.h"
#include "monitor/address/thread_variables.h"
#include "monitor/collect/record_buffers.h"
#include "monitor/host/locks.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"
#include <errno.h>

/* variables on stacks that get names in one experiment */
enum { LOCALS_MOST = 1 << 14 };
/* bytes of a block that are worth a look at the events of its pages */
enum { LARGE = 1 << 20 };

/* The innermost open scope: frame address << 16 | object. */
static __thread uint64_t scope __attribute__((tls_model("initial-exec")));

static uint32_t site_object(struct psc_site *site)
{
	uint32_t n = __atomic_load_n(&site->number, __ATOMIC_RELAXED);

	if (likely(n))
		return n - 1;
	pscm_lock(&pscm_tables_lock);
	n = pscm_object_of_site(site);
	pscm_unlock(&pscm_tables_lock);
	if (n == MON_ANY) {
		n = MON_OBJ_HEAP;
		if (!site->unit->registered)    /* an analysis that is beginning: attach.c */
			return n;
	}
	__atomic_store_n(&site->number, n + 1, __ATOMIC_RELAXED);
	return n;
}

/* An exception or a longjmp may leave a scope open; its frame lies below the frames that
 * continue. */
static bool scope_open(uint64_t frame)
{
	return scope && frame <= scope >> 16;
}

/* The object of the site's block; `frame` is the hook's. */
static inline uint32_t block_object(struct psc_site *site, uint64_t frame)
{
	return site->flags & PSC_SITE_HANDED_ON && scope_open(frame) ?
		(uint32_t)scope & 0xffff : site_object(site);
}

/* The first block of a site, or a block while accesses are recorded. */
static __attribute__((noinline)) void small_block(struct psc_site *site, uint64_t frame,
	uint64_t lo, uint64_t bytes)
{
	int saved = errno;
	uint32_t object;

	if (!pscm_guard())
		return;
	object = block_object(site, frame);
	pscm_unguard();
	if (object < MON_OBJ_FIRST)
		object = MON_OBJ_SMALL;
	if (names_now())
		object = pscm_small_recorded(lo, bytes, object, pscm_record_flush_parked);
	pscm_small_allocated(lo, bytes, object);
	errno = saved;
}

static __attribute__((noinline)) void large_block(struct psc_site *site, uint64_t frame,
	uint64_t lo, uint64_t bytes)
{
	int saved = errno;
	uint32_t object;

	pscm_small_released(lo);        /* if code that does not report it has released one here */
	if (!pscm_guard())
		return;
	object = block_object(site, frame);
	pscm_block_allocated(object, site);
	memory_policy_memory(object, lo, bytes);
	if (bytes >= LARGE)     /* what comes next may fill the rings of page-fault events */
		placement_drain();
	heap_filter_add(lo, 1);
	pscm_heap_change(&(struct pending_change){ lo, bytes, object });
	if (names_now())
		pscm_block_counted(object, lo, bytes, site->flags);
	pscm_unguard();
	errno = saved;
}

/* Simulates recorded accesses before the range changes its meaning, then enters the guard. */
static __attribute__((noinline)) bool flush_and_guard(void)
{
	if (names_now())
		pscm_record_flush_parked();
	return pscm_guard();
}

/* A variable on the stack: what the words recorded so far access there is another frame's.  A
 * function that is called all the time would make the simulation slow: its variable then has no
 * name in that experiment. */
static void local_variable(struct psc_site *site, uint64_t lo, uint64_t bytes)
{
	static _Atomic uint64_t begun;  /* experiment << 32 | variables begun in it */
	int saved = errno;

	if (names_now()) {
		uint64_t n = atomic_fetch_add(&begun, 1),
			experiment = atomic_load(&pscm_experiment);

		if (n >> 32 != experiment)
			atomic_store(&begun, experiment << 32);
		else if ((uint32_t)n >= LOCALS_MOST)
			return;
	}
	if (!flush_and_guard())
		return;
	heap_filter_add(lo, 1);
	pscm_heap_change(&(struct pending_change){ lo, bytes, site_object(site) });
	pscm_unguard();
	errno = saved;
}

static void thread_variable(struct psc_site *site, uint64_t lo, uint64_t bytes)
{
	int saved = errno;
	uint32_t object;

	if (!pscm_guard())
		return;
	object = site_object(site);
	if (object >= MON_OBJ_FIRST)
		pscm_thread_variable(lo, bytes, object);
	pscm_unguard();
	errno = saved;
}

/* noinline: jumped to, so that its frame is the hook's. */
static __attribute__((noinline)) void any_block(struct psc_site *site, const void *block,
	uint64_t count, uint64_t size)
{
	uint64_t bytes, lo = (uint64_t)(uintptr_t)block;
	uint64_t frame = (uint64_t)(uintptr_t)__builtin_frame_address(0);

	if (!pscm_flag_is(&__psc_heap) || !block || __builtin_mul_overflow(count, size, &bytes) ||
	    !bytes || lo + bytes < lo || !pscm_on())
		return;
	if (site->flags & PSC_SITE_LOCAL)
		local_variable(site, lo, bytes);
	else if (site->flags & PSC_SITE_THREAD)
		thread_variable(site, lo, bytes);
	else if (bytes >= PSC_SMALL_BLOCK)
		large_block(site, frame, lo, bytes);
	else if (!__atomic_load_n(&site->number, __ATOMIC_RELAXED) ||
		 names_now() ||
		 !pscm_small_write(lo, bytes, block_object(site, frame)))
		small_block(site, frame, lo, bytes);
}

void __psc_allocated(struct psc_site *site, const void *block, uint64_t count, uint64_t size)
{
	uint32_t number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);

	/* The commonest case, in few instructions: a program may allocate all the time. */
	if (likely(count == 1 && size - 1 < PSC_SMALL_BLOCK - 1 && number && block) &&
	    likely(pscm_on() && !names_now()) &&
	    !(site->flags & (PSC_SITE_HANDED_ON | PSC_SITE_THREAD)) &&
	    likely(pscm_small_write((uint64_t)(uintptr_t)block, size, number - 1)))
		return;
	any_block(site, block, count, size);
}

static __attribute__((noinline)) void large_released(uint64_t lo)
{
	int saved = errno;

	if (!flush_and_guard())
		return;
	pscm_heap_change(&(struct pending_change){ .lo = lo });
	pscm_unguard();
	errno = saved;
}

void __psc_released(const void *block)
{
	uint64_t lo = (uint64_t)(uintptr_t)block;

	if (pscm_flag_is(&__psc_heap) && block && pscm_on() && !pscm_small_released(lo) &&
	    __atomic_load_n(heap_filter_of(lo), __ATOMIC_RELAXED))
		large_released(lo);
}

uint64_t __psc_scope_begin(struct psc_site *site)
{
	uint64_t frame = (uint64_t)(uintptr_t)__builtin_frame_address(0), outer = scope;
	uint32_t number;

	if (!pscm_flag_is(&__psc_heap) || (site->flags & PSC_SITE_HANDED_ON && scope_open(frame)))
		return outer;
	number = __atomic_load_n(&site->number, __ATOMIC_RELAXED);
	if (!number) {
		int saved = errno;

		if (!pscm_on() || !pscm_guard())
			return outer;
		number = site_object(site) + 1;
		pscm_unguard();
		errno = saved;
	}
	scope = frame << 16 | (number - 1);
	return outer;
}

void __psc_scope_end(uint64_t outer)
{
	scope = outer;
}

/* --- objects that the program declares ------------------------------------------------------ */

void pscm_object_declare(const void *address, size_t size, const char *name)
{
	uint64_t lo = (uint64_t)(uintptr_t)address, hi = lo + size;
	struct mon_object row = { .address = lo, .size = size, .unit = MON_NO_UNIT,
		.region = MON_ANY, .kind = MON_KIND_USER };
	int saved = errno;
	uint32_t object;

	if (!pscm_flag_is(&__psc_heap) || !address || hi <= lo || !name || !*name || !pscm_on() ||
	    !pscm_guard())
		return;
	pscm_lock(&pscm_tables_lock);
	row.name = pscm_string(name);
	object = pscm_object_of(&row);
	pscm_unlock(&pscm_tables_lock);
	if (object != MON_ANY && !pscm_heap_declare(lo, hi, object))
		atomic_fetch_add(&pscm_shm->lost_objects, 1);
	if (object != MON_ANY)
		memory_policy_memory(object, lo, size);
	pscm_unguard();
	errno = saved;
}

void psc_object_end(const void *address)
{
	int saved = errno;

	if (!pscm_flag_is(&__psc_heap) || !address || !pscm_on() || !flush_and_guard())
		return;
	pscm_heap_undeclare((uint64_t)(uintptr_t)address);
	pscm_unguard();
	errno = saved;
}
