/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes reports of memory: compiled code reports allocations and releases, and the program declares
 * objects by psc_object_begin().
 *
 * A block gets the object of its allocation site, or of the open scope of a caller. */
#include "monitor/heap.h"
#include <errno.h>

enum { SMALL = 256 };           /* bytes; of smaller blocks only the page is known */

/* The innermost open scope: frame address << 16 | object. */
static __thread uint64_t scope __attribute__((tls_model("initial-exec")));
static __thread uint64_t last_page __attribute__((tls_model("initial-exec")));

static uint32_t site_object(struct psc_site *site)
{
	uint32_t n = __atomic_load_n(&site->number, __ATOMIC_RELAXED);

	if (likely(n))
		return n - 1;
	pscm_lock(&pscm_tables_lock);
	n = pscm_object_of_site(site);
	pscm_unlock(&pscm_tables_lock);
	if (n == MON_ANY)
		n = MON_OBJ_HEAP;
	__atomic_store_n(&site->number, n + 1, __ATOMIC_RELAXED);
	return n;
}

/* An exception or a longjmp may leave a scope open; its frame lies below the frames that
 * continue. */
static bool scope_open(uint64_t frame)
{
	return scope && frame <= scope >> 16;
}

static void small_block(uint64_t lo, uint64_t bytes)
{
	uint64_t page = lo >> 12, end = (lo + bytes - 1) >> 12;

	if (page == last_page && end == page)
		return;
	last_page = page;
	if (!pscm_on())
		return;
	pscm_heap_small_page(page);
	if (end != page)
		pscm_heap_small_page(end);
}

void __psc_allocated(struct psc_site *site, const void *block, uint64_t count, uint64_t size)
{
	uint64_t bytes, lo = (uint64_t)(uintptr_t)block;
	uint64_t frame = (uint64_t)(uintptr_t)__builtin_frame_address(0);
	int saved = errno;
	uint32_t object;

	if (!pscm_flag_is(&__psc_heap) || !block || __builtin_mul_overflow(count, size, &bytes) ||
	    !bytes || lo + bytes < lo)
		return;
	if (bytes < SMALL) {
		small_block(lo, bytes);
		return;
	}
	if (!pscm_on() || !pscm_guard())
		return;
	object = site->flags & PSC_SITE_HANDED_ON && scope_open(frame) ?
		(uint32_t)scope & 0xffff : site_object(site);
	heap_filter_add(lo, 1);
	pscm_heap_change(&(struct pending_change){ lo, bytes, object });
	pscm_unguard();
	errno = saved;
}

/* Simulates recorded accesses before the range changes its meaning, then enters the guard. */
static __attribute__((noinline)) bool flush_and_guard(void)
{
	if (pscm_mode() & PSCM_MODE_SIM)
		pscm_record_flush_parked();
	return pscm_guard();
}

void __psc_released(const void *block)
{
	uint64_t lo = (uint64_t)(uintptr_t)block;
	int saved = errno;

	if (!pscm_flag_is(&__psc_heap) || !block || !pscm_on() ||
	    !__atomic_load_n(heap_filter_of(lo), __ATOMIC_RELAXED) || !flush_and_guard())
		return;
	pscm_heap_change(&(struct pending_change){ .lo = lo });
	pscm_unguard();
	errno = saved;
}

uint64_t __psc_scope_begin(struct psc_site *site)
{
	uint64_t frame = (uint64_t)(uintptr_t)__builtin_frame_address(0), outer = scope;

	if (!pscm_flag_is(&__psc_heap) || (site->flags & PSC_SITE_HANDED_ON && scope_open(frame)))
		return outer;
	if (!__atomic_load_n(&site->number, __ATOMIC_RELAXED)) {
		int saved = errno;

		if (!pscm_on() || !pscm_guard())
			return outer;
		site_object(site);
		pscm_unguard();
		errno = saved;
	}
	scope = frame << 16 | (site->number - 1);
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
