/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the ranges of heap blocks and of declared objects.  Small blocks: small_blocks.c.
 *
 * Each layer is a treap of disjoint ranges, and an address belongs to the highest layer that
 * contains it.  These ranges take precedence over the spans of address_map.c, which are built once
 * an execution.  While nobody names addresses (names.h), changes only wait in a queue (pending.c);
 * whoever locks the table applies them first. */
#include "monitor/address/heap.h"
#include "monitor/address/address_map.h"
#include "monitor/address/block_counts.h"
#include "monitor/address/names.h"
#include "monitor/address/small_blocks.h"
#include "monitor/host/locks.h"
#include "monitor/host/mem.h"
#include "monitor/state.h"
#include <string.h>

enum {
	BLOCKS = 1 << 20,
	LAYERS = 4              /* 0: heap blocks; above: declared objects, nested */
};

struct heap_block {
	uint64_t lo, hi;
	uint32_t object, left, right;
	bool late;
};

static struct {
	pthread_mutex_t lock;
	struct heap_block *blocks;           /* [0] is unused: 0 means none */
	uint32_t nblocks, unused;       /* slots ever used; free list, linked by `left` */
	uint32_t root[LAYERS];
	_Atomic uint32_t count;         /* ranges in all layers */
	bool late;                      /* blocks that are added from here on are late */
	uint64_t live[MON_OBJECTS];     /* bytes allocated now, by object */
} heap = { .lock = PTHREAD_MUTEX_INITIALIZER };

uint8_t *pscm_heap_filter;

int pscm_heap_start(void)
{
	heap.blocks = pscm_map(BLOCKS * sizeof *heap.blocks);
	pscm_heap_filter = pscm_map(HEAP_FILTER);
	heap.nblocks = 1;
	return heap.blocks && pscm_heap_filter && !pscm_small_start() ? 0 : -1;
}

void pscm_heap_again(void)
{
	struct pending_change w;

	pscm_lock(&heap.lock);
	while (pending_take(&w))
		;
	memset(heap.root, 0, sizeof heap.root);
	memset(heap.live, 0, sizeof heap.live);
	memset(pscm_heap_filter, 0, HEAP_FILTER);
	heap.nblocks = 1;
	heap.unused = 0;
	heap.late = false;
	atomic_store(&heap.count, 0);
	pscm_unlock(&heap.lock);
	pscm_small_again();
}

/* --- ranges --------------------------------------------------------------------------------- */

static bool treap_above(uint32_t a, uint32_t b)
{
	return heap_mix(heap.blocks[a].lo) > heap_mix(heap.blocks[b].lo);
}

/* Splits at address `at`: ranges that begin below it, and the rest. */
static void treap_split(uint32_t t, uint64_t at, uint32_t *below, uint32_t *rest)
{
	while (t) {
		struct heap_block *b = &heap.blocks[t];

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
		const struct heap_block *b = &heap.blocks[t];

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

static bool range_insert(uint32_t layer, uint64_t lo, uint64_t hi, uint32_t object)
{
	uint32_t n = heap.unused, *at = &heap.root[layer];
	struct heap_block *b;

	if (n)
		heap.unused = heap.blocks[n].left;
	else if (heap.nblocks < BLOCKS)
		n = heap.nblocks++;
	else
		return false;
	b = &heap.blocks[n];
	*b = (struct heap_block){ .lo = lo, .hi = hi, .object = object,
		.late = heap.late };
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
	struct heap_block *b = &heap.blocks[n];
	uint32_t *at = &heap.root[layer];

	while (*at != n)
		at = b->lo < heap.blocks[*at].lo ? &heap.blocks[*at].left : &heap.blocks[*at].right;
	*at = treap_join(b->left, b->right);
	if (!layer) {
		heap_filter_add(b->lo, -1);
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
	if (names_now())
		atomic_fetch_add(&pscm_translation_generation, 1);
}

/* --- changes to the table ------------------------------------------------------------------- */

static void block_add(uint64_t lo, uint64_t bytes, uint32_t object)
{
	struct mon_object *row = &pscm_shm->objects[object];

	/* Any old block here was released by code that does not report it. */
	ranges_clear(0, lo, lo + bytes);
	if (!range_insert(0, lo, lo + bytes, object)) {
		heap_filter_add(lo, -1);
		return;
	}
	if (object < MON_OBJ_FIRST || (row->kind != MON_KIND_HEAP && row->kind != MON_KIND_LOCAL))
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

static void count_release(uint64_t lo)
{
	uint64_t next;
	uint32_t n = range_before(0, lo, &next);

	if (n && heap.blocks[n].lo == lo)
		pscm_block_released(heap.blocks[n].object);
}

void pscm_heap_change(const struct pending_change *w)
{
	if (!names_now() && pending_put(w))
		return;
	heap_lock();
	if (!w->bytes && names_now())
		count_release(w->lo);
	if (range_apply(w))
		translations_void();
	heap_unlock();
}

/* --- declared objects ----------------------------------------------------------------------- */

bool pscm_heap_declare(uint64_t lo, uint64_t hi, uint32_t object)
{
	uint32_t layer = 1;
	bool ok;

	heap_lock();
	for (; layer < LAYERS; layer++) {
		uint64_t next;
		uint32_t n = range_before(layer, lo, &next);

		if (n && heap.blocks[n].lo == lo && heap.blocks[n].hi == hi)
			range_delete(layer, n);         /* declared again under another name */
		if (!range_overlapping(layer, lo, hi))
			break;
	}
	ok = layer < LAYERS && range_insert(layer, lo, hi, object);
	heap_unlock();
	translations_void();
	return ok;
}

void pscm_heap_undeclare(uint64_t lo)
{
	heap_lock();
	if (range_remove(1, LAYERS, lo))
		translations_void();
	heap_unlock();
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
			s->area = lo;
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
	return found || (s->object == MON_OBJ_HEAP && pscm_small_find(address, s));
}

uint64_t pscm_heap_begin(uint64_t address, uint32_t object)
{
	struct pscm_span s = { .hi = UINT64_MAX, .object = MON_OBJ_HEAP };

	if (!pscm_heap_find(address, &s) || s.object != object)
		return 0;
	return s.area ? s.area : pscm_small_begin(address);
}

size_t pscm_heap_spans(uint32_t object, struct pscm_span *out, size_t n, size_t max)
{
	heap_lock();
	for (uint32_t layer = 0; layer < LAYERS; layer++) {
		uint64_t at = 0, next;

		do {
			uint32_t i = range_before(layer, at, &next);
			const struct heap_block *b = &heap.blocks[i];

			if (i && b->lo == at && b->object == object && n < max)
				out[n++] = (struct pscm_span){ .lo = b->lo, .hi = b->hi,
					.object = object };
			at = next;
		} while (next != UINT64_MAX);
	}
	heap_unlock();
	return n;
}

void pscm_heap_late_from_here(void)
{
	heap_lock();
	heap.late = true;
	heap_unlock();
}

/* Objects of these kinds are ranges of the table for as long as they live. */
static bool has_ranges(uint32_t object)
{
	const uint32_t kind = pscm_shm->objects[object].kind;

	return kind == MON_KIND_HEAP || kind == MON_KIND_USER;
}

bool pscm_heap_is_late(uint64_t address, uint32_t object)
{
	bool late = has_ranges(object), block_is_late = false;

	heap_lock();
	for (uint32_t layer = 0; layer < LAYERS; layer++) {
		uint64_t next;
		const struct heap_block *b = &heap.blocks[range_before(layer, address, &next)];

		if (b == heap.blocks || b->hi <= address)
			continue;
		if (b->object == object)
			late = false;
		if (!layer)
			block_is_late = b->late;
	}
	heap_unlock();
	return late || block_is_late;
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

/* A structure's blocks may be of any size: of the larger ones only the bytes are known here. */
static void count_take(uint32_t object, uint64_t blocks, uint64_t bytes)
{
	struct mon_object *row = &pscm_shm->objects[object];
	uint64_t each = (row->elem + UINT64_C(15)) & ~UINT64_C(15);

	if (object >= atomic_load(&pscm_shm->nobjects) || row->kind != MON_KIND_HEAP)
		return;
	if (blocks * each == bytes)
		bytes = blocks * row->elem;
	bytes += heap.live[object];
	row->blocks = blocks < UINT32_MAX ? (uint32_t)blocks : UINT32_MAX;
	if (row->size < bytes)
		row->size = bytes;
}

/* Sets sizes to what lives: a vector that grew has had two blocks, of which one is released. */
static void forget_released(void)
{
	const uint32_t n = atomic_load(&pscm_shm->nobjects);

	for (uint32_t i = MON_OBJ_FIRST; i < n; i++)
		if (pscm_shm->objects[i].kind == MON_KIND_HEAP && heap.live[i])
			pscm_shm->objects[i].size = heap.live[i];
}

void pscm_heap_count(void)
{
	heap_lock();
	forget_released();
	pscm_small_count(count_take);
	heap_unlock();
}
