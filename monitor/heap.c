/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the ranges of heap blocks and of declared objects.
 *
 * Compiled code reports allocations and releases; the program declares objects by
 * psc_object_begin().  Each layer is a treap of disjoint ranges, and an address belongs to the
 * highest layer that contains it.  These ranges take precedence over the spans of address_map.c,
 * which are built once an execution.  While nothing is recorded, hooks only put changes into a
 * queue (pending.c); whoever locks the table applies them first. */
#include "monitor/pending.h"
#include <errno.h>
#include <string.h>

enum {
	SMALL = 256,            /* bytes; of smaller blocks only the page is known */
	BLOCKS = 1 << 20,
	LAYERS = 4,             /* 0: heap blocks; above: declared objects, nested */
	FILTER = 1 << 16,
	PAGES = 1 << 20,
	PROBES = 16
};

struct block {
	uint64_t lo, hi;
	uint32_t object, left, right, pad;
};

static struct {
	pthread_mutex_t lock;
	struct block *blocks;           /* [0] is unused: 0 means none */
	uint32_t nblocks, unused;       /* slots ever used; free list, linked by `left` */
	uint32_t root[LAYERS];
	_Atomic uint32_t count;         /* ranges in all layers */
	uint64_t live[MON_OBJECTS];     /* bytes allocated now, by object */
	/* counts layer 0's blocks by address hash; 255: no longer exact */
	uint8_t *filter;
	_Atomic uint64_t *pages;        /* hash set of page + 1: pages with small blocks */
} heap = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The innermost open scope: frame address << 16 | object. */
static __thread uint64_t scope __attribute__((tls_model("initial-exec")));
static __thread uint64_t last_page __attribute__((tls_model("initial-exec")));

int pscm_heap_start(void)
{
	heap.blocks = pscm_map(BLOCKS * sizeof *heap.blocks);
	heap.filter = pscm_map(FILTER);
	heap.pages = pscm_map(PAGES * sizeof *heap.pages);
	heap.nblocks = 1;
	return heap.blocks && heap.filter && heap.pages ? 0 : -1;
}

static uint64_t mix(uint64_t x)
{
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return x ^ x >> 32;
}

/* --- ranges --------------------------------------------------------------------------------- */

static bool treap_above(uint32_t a, uint32_t b)
{
	return mix(heap.blocks[a].lo) > mix(heap.blocks[b].lo);
}

/* Splits at address `at`: ranges that begin below it, and the rest. */
static void treap_split(uint32_t t, uint64_t at, uint32_t *below, uint32_t *rest)
{
	while (t) {
		struct block *b = &heap.blocks[t];

		if (b->lo < at) {
			*below = t;
			below = &b->right;
			t = b->right;
		} else {
			*rest = t;
			rest = &b->left;
			t = b->left;
		}
	}
	*below = *rest = 0;
}

static uint32_t treap_join(uint32_t l, uint32_t r)
{
	uint32_t root, *at = &root;

	while (l && r)
		if (treap_above(l, r)) {
			*at = l;
			at = &heap.blocks[l].right;
			l = *at;
		} else {
			*at = r;
			at = &heap.blocks[r].left;
			r = *at;
		}
	*at = l ? l : r;
	return root;
}

/* Returns the last range that begins at or before the address; *next: begin of the range after
 * it. */
static uint32_t range_before(uint32_t layer, uint64_t address, uint64_t *next)
{
	uint32_t found = 0;

	*next = UINT64_MAX;
	for (uint32_t t = heap.root[layer]; t; ) {
		const struct block *b = &heap.blocks[t];

		if (b->lo <= address) {
			found = t;
			t = b->right;
		} else {
			*next = b->lo;
			t = b->left;
		}
	}
	return found;
}

/* Returns the lowest range that overlaps [lo, hi); 0: none. */
static uint32_t range_overlapping(uint32_t layer, uint64_t lo, uint64_t hi)
{
	uint64_t next;
	uint32_t n = range_before(layer, lo, &next);

	if (n && heap.blocks[n].hi > lo)
		return n;
	return next < hi ? range_before(layer, next, &next) : 0;
}

static uint8_t *filter_of(uint64_t lo)
{
	return &heap.filter[mix(lo >> 4) >> 20 & (FILTER - 1)];
}

/* Adds n to the filter's count for this address.  255 never changes. */
static void filter_add(uint64_t lo, int n)
{
	uint8_t *f = filter_of(lo), is = __atomic_load_n(f, __ATOMIC_RELAXED);

	while (is < 255 && !__atomic_compare_exchange_n(f, &is, (uint8_t)(is + n), true,
	    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
}

static bool range_insert(uint32_t layer, uint64_t lo, uint64_t hi, uint32_t object)
{
	uint32_t n = heap.unused, *at = &heap.root[layer];
	struct block *b;

	if (n)
		heap.unused = heap.blocks[n].left;
	else if (heap.nblocks < BLOCKS)
		n = heap.nblocks++;
	else
		return false;
	b = &heap.blocks[n];
	*b = (struct block){ .lo = lo, .hi = hi, .object = object };
	while (*at && !treap_above(n, *at))
		at = lo < heap.blocks[*at].lo ? &heap.blocks[*at].left : &heap.blocks[*at].right;
	treap_split(*at, lo, &b->left, &b->right);
	*at = n;
	atomic_fetch_add_explicit(&heap.count, 1, memory_order_relaxed);
	if (!layer)
		heap.live[object] += hi - lo;
	return true;
}

static void range_delete(uint32_t layer, uint32_t n)
{
	struct block *b = &heap.blocks[n];
	uint32_t *at = &heap.root[layer];

	while (*at != n)
		at = b->lo < heap.blocks[*at].lo ? &heap.blocks[*at].left : &heap.blocks[*at].right;
	*at = treap_join(b->left, b->right);
	if (!layer) {
		filter_add(b->lo, -1);
		heap.live[b->object] -= b->hi - b->lo;
	}
	b->left = heap.unused;
	heap.unused = n;
	atomic_fetch_sub_explicit(&heap.count, 1, memory_order_relaxed);
}

/* Removes what overlaps [lo, hi) in layer `first` and above: objects declared in released memory
 * end with it. */
static void ranges_clear(uint32_t first, uint64_t lo, uint64_t hi)
{
	uint32_t n;

	for (uint32_t layer = first; layer < LAYERS; layer++)
		while ((n = range_overlapping(layer, lo, hi)))
			range_delete(layer, n);
}

/* Translations that threads remember are void. */
static void translations_void(void)
{
	if (pscm_mode() & PSCM_MODE_SIM)
		atomic_fetch_add(&pscm_translation_generation, 1);
}

/* --- changes to the table ------------------------------------------------------------------- */

static void block_add(uint64_t lo, uint64_t bytes, uint32_t object)
{
	struct mon_object *row = &pscm_shm->objects[object];

	/* Any old block here was released by code that does not report it. */
	ranges_clear(0, lo, lo + bytes);
	if (!range_insert(0, lo, lo + bytes, object)) {
		filter_add(lo, -1);
		return;
	}
	if (object < MON_OBJ_FIRST || row->kind != MON_KIND_HEAP)
		return;
	row->address = lo;
	if (row->size < heap.live[object])
		row->size = heap.live[object];
}

/* Removes the range that begins at lo from the lowest of these layers that has one. */
static bool range_remove(uint32_t first, uint32_t end, uint64_t lo)
{
	uint64_t next;

	for (uint32_t layer = first; layer < end; layer++) {
		uint32_t n = range_before(layer, lo, &next);

		if (n && heap.blocks[n].lo == lo) {
			ranges_clear(layer, lo, heap.blocks[n].hi);
			return true;
		}
	}
	return false;
}

/* True when the meaning of some address changed. */
static bool range_apply(const struct pending_change *w)
{
	if (!w->bytes)
		return range_remove(0, 1, w->lo);
	block_add(w->lo, w->bytes, w->object);
	return true;
}

static void heap_lock(void)
{
	struct pending_change w;
	bool any = false;

	pscm_lock(&heap.lock);
	while (pending_take(&w))
		any |= range_apply(&w);
	if (any)
		translations_void();
}

static void heap_unlock(void)
{
	pscm_unlock(&heap.lock);
}

/* While accesses are recorded, the following ones depend on this change: apply it at once. */
static void range_change(const struct pending_change *w)
{
	if (!(pscm_mode() & PSCM_MODE_SIM) && pending_put(w))
		return;
	heap_lock();
	if (range_apply(w))
		translations_void();
	heap_unlock();
}

/* --- pages with small blocks ---------------------------------------------------------------- */

static _Atomic uint64_t *small_page_slot(uint64_t page, bool make)
{
	uint64_t at = mix(page);

	for (uint32_t i = 0; i < PROBES; i++, at++) {
		_Atomic uint64_t *p = &heap.pages[at & (PAGES - 1)];
		uint64_t is = atomic_load_explicit(p, memory_order_relaxed);

		if (is == page + 1)
			return p;
		if (is)
			continue;
		if (!make)
			return NULL;
		if (atomic_compare_exchange_strong(p, &is, page + 1)) {
			translations_void();
			return p;
		}
		if (is == page + 1)
			return p;
	}
	return NULL;
}

static void small_block(uint64_t lo, uint64_t bytes)
{
	uint64_t page = lo >> 12, end = (lo + bytes - 1) >> 12;

	if (page == last_page && end == page)
		return;
	last_page = page;
	if (!pscm_on())
		return;
	small_page_slot(page, true);
	if (end != page)
		small_page_slot(end, true);
}

/* --- addresses ------------------------------------------------------------------------------ */

bool pscm_heap_find(uint64_t address, struct pscm_span *s)
{
	bool found = false;

	if (!atomic_load_explicit(&heap.count, memory_order_relaxed) && !pending_any())
		goto out;
	heap_lock();
	for (uint32_t layer = LAYERS; layer-- > 0 && !found; ) {
		uint64_t next, lo = 0;
		uint32_t n = range_before(layer, address, &next);

		if (n && heap.blocks[n].hi > address) {
			lo = heap.blocks[n].lo;
			next = heap.blocks[n].hi;
			s->object = heap.blocks[n].object;
			found = true;
		} else if (n) {
			lo = heap.blocks[n].hi;
		}
		if (s->lo < lo)
			s->lo = lo;
		if (s->hi > next)
			s->hi = next;
	}
	heap_unlock();
out:
	if (!found && s->object == MON_OBJ_HEAP) {
		uint64_t page = address >> 12;

		if (s->lo < page << 12)
			s->lo = page << 12;
		if (s->hi > (page + 1) << 12)
			s->hi = (page + 1) << 12;
		if (small_page_slot(page, false))
			s->object = MON_OBJ_SMALL;
	}
	return found;
}

uint32_t pscm_heap_at(uint64_t address, uint64_t *lo)
{
	uint32_t n, object = MON_ANY;
	uint64_t next;

	heap_lock();
	n = range_before(0, address, &next);
	if (n && heap.blocks[n].hi > address) {
		*lo = heap.blocks[n].lo;
		object = heap.blocks[n].object;
	}
	heap_unlock();
	return object;
}

void pscm_heap_rename(uint64_t lo, uint32_t object)
{
	uint64_t next;
	uint32_t n;

	heap_lock();
	n = range_before(0, lo, &next);
	if (n && heap.blocks[n].lo == lo) {
		uint64_t bytes = heap.blocks[n].hi - lo;

		heap.live[heap.blocks[n].object] -= bytes;
		heap.live[object] += bytes;
		heap.blocks[n].object = object;
	}
	heap_unlock();
}

/* --- hooks ---------------------------------------------------------------------------------- */

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
	filter_add(lo, 1);
	range_change(&(struct pending_change){ lo, bytes, object });
	pscm_unguard();
	errno = saved;
}

/* Simulates recorded accesses before the range changes its meaning, then enters the guard. */
static bool flush_and_guard(void)
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
	    !__atomic_load_n(filter_of(lo), __ATOMIC_RELAXED) || !flush_and_guard())
		return;
	range_change(&(struct pending_change){ .lo = lo });
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
	uint64_t lo = (uint64_t)(uintptr_t)address, hi = lo + size, next;
	struct mon_object row = { .address = lo, .size = size, .unit = MON_NO_UNIT,
		.region = MON_ANY, .kind = MON_KIND_USER };
	int saved = errno;
	uint32_t object, layer = 1, n;

	if (!pscm_flag_is(&__psc_heap) || !address || hi <= lo || !name || !*name || !pscm_on() ||
	    !pscm_guard())
		return;
	pscm_lock(&pscm_tables_lock);
	row.name = pscm_string(name);
	object = pscm_object_of(&row);
	pscm_unlock(&pscm_tables_lock);
	if (object == MON_ANY)
		goto out;
	heap_lock();
	for (; layer < LAYERS; layer++) {
		n = range_before(layer, lo, &next);
		if (n && heap.blocks[n].lo == lo && heap.blocks[n].hi == hi)
			range_delete(layer, n);         /* declared again under another name */
		if (!range_overlapping(layer, lo, hi))
			break;
	}
	if (layer == LAYERS || !range_insert(layer, lo, hi, object))
		atomic_fetch_add(&pscm_shm->lost_objects, 1);
	heap_unlock();
	translations_void();
out:
	pscm_unguard();
	errno = saved;
}

void psc_object_end(const void *address)
{
	int saved = errno;

	if (!pscm_flag_is(&__psc_heap) || !address || !pscm_on() || !flush_and_guard())
		return;
	heap_lock();
	if (range_remove(1, LAYERS, (uint64_t)(uintptr_t)address))
		translations_void();
	heap_unlock();
	pscm_unguard();
	errno = saved;
}
