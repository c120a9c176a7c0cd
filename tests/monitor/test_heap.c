/* SPDX-License-Identifier: BSD-3-Clause */
/* heap.c against a plain list of the blocks that are there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "monitor/address/address_map.h"
#include "monitor/address/bindings.h"
#include "monitor/address/block_counts.h"
#include "monitor/address/heap.h"
#include "monitor/address/objects.h"
#include "monitor/address/memory_policy.h"
#include "monitor/address/placement.h"
#include "monitor/address/shared_tables.h"
#include "monitor/address/thread_variables.h"
#include "monitor/collect/record_buffers.h"
#include "monitor/host/locks.h"
#include "monitor/host/mem.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"

/* --- the neighbours ------------------------------------------------------------------------------ */

pthread_mutex_t pscm_tables_lock = PTHREAD_MUTEX_INITIALIZER;
static int unloads;             /* recorded words were played */
static const char *last_name;
static void allocate_elsewhere(void);

void *pscm_map(size_t bytes)
{
	return calloc(1, bytes);
}

void pscm_unmap(void *p, size_t bytes)
{
	(void)bytes;
	free(p);
}

void pscm_lock(pthread_mutex_t *lock)
{
	pthread_mutex_lock(lock);
}

void pscm_unlock(pthread_mutex_t *lock)
{
	pthread_mutex_unlock(lock);
}

bool pscm_guard_left(uintptr_t here)
{
	(void)here;
	return false;
}

void placement_drain(void) { }

void memory_policy_memory(uint32_t object, uint64_t lo, uint64_t bytes)
{
	(void)object;
	(void)lo;
	(void)bytes;
}

void pscm_record_flush_parked(void)
{
	unloads++;
}

void pscm_thread_variable(uint64_t address, uint64_t bytes, uint32_t object)
{
	(void)address;
	(void)bytes;
	(void)object;
}

uint32_t pscm_string(const char *s)
{
	last_name = s;
	allocate_elsewhere();
	return (uint32_t)(unsigned char)*s;
}

/* A declared object's number is its name's first letter, a site's its line. */
uint32_t pscm_object_of(const struct mon_object *row)
{
	return row->name;
}

uint32_t pscm_object_of_site(const struct psc_site *site)
{
	return site->line;
}

/* --- the plain list -------------------------------------------------------------------------------- */

enum { BASE = 1 << 20, SPAN = 1 << 16, MOST = 4096, TOP = 4, KINDS = 50 };
static struct plain { uint64_t lo, hi; uint32_t object, layer; } list[MOST];
static uint32_t nlist;
static uint64_t seed;

static uint64_t rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static void list_remove(uint32_t layer, uint64_t lo, uint64_t hi)
{
	for (uint32_t i = nlist; i-- > 0; )
		if (list[i].layer >= layer && list[i].lo < hi && list[i].hi > lo)
			list[i] = list[--nlist];
}

static void list_add(uint32_t layer, uint64_t lo, uint64_t hi, uint32_t object)
{
	assert_true(nlist < MOST);
	list[nlist++] = (struct plain){ lo, hi, object, layer };
}

static const struct plain *list_at(uint64_t address)
{
	const struct plain *found = NULL;

	for (uint32_t i = 0; i < nlist; i++)
		if (list[i].lo <= address && address < list[i].hi &&
		    (!found || list[i].layer > found->layer))
			found = &list[i];
	return found;
}

static bool list_starts(uint64_t lo, uint32_t layer)
{
	for (uint32_t i = 0; i < nlist; i++)
		if (list[i].lo == lo && list[i].layer == layer)
			return true;
	return false;
}

/* --- what is done to both ---------------------------------------------------------------------------- */

static struct psc_unit unit = { .source = "u.f90" };
static struct psc_site sites[KINDS + 1];          /* the last one: in no random test */

static void *pointer(uint64_t lo)
{
	return (void *)(uintptr_t)lo;
}

static void allocate(uint64_t lo, uint64_t bytes, uint32_t kind)
{
	__psc_allocated(&sites[kind], pointer(lo), bytes / 8, 8);
	list_remove(0, lo, lo + bytes);
	list_add(0, lo, lo + bytes, sites[kind].line);
}

static void release(uint64_t lo)
{
	__psc_released(pointer(lo));
	for (uint32_t i = 0; i < nlist; i++)
		if (!list[i].layer && list[i].lo == lo) {
			list_remove(0, lo, list[i].hi);
			return;
		}
}

static void find(uint64_t address, struct pscm_span *s)
{
	*s = (struct pscm_span){ .lo = 0, .hi = UINT64_MAX, .object = MON_OBJ_OTHER };
	pscm_heap_find(address, s);
}

/* The object is the list's, and is the same in all of the span that is said. */
static void compare(uint64_t address)
{
	const struct plain *p = list_at(address);
	struct pscm_span s;

	find(address, &s);
	assert_int_equal(s.object, p ? p->object : MON_OBJ_OTHER);
	assert_true(s.lo <= address && address < s.hi);
	for (int i = 0; i < 8; i++) {
		uint64_t lo = s.lo < BASE ? BASE : s.lo;
		uint64_t hi = s.hi > BASE + SPAN ? BASE + SPAN : s.hi;

		assert_ptr_equal(list_at(lo + rnd() % (hi - lo)), p);
	}
	assert_ptr_equal(list_at(s.lo), p);
	if (s.hi < BASE + SPAN)
		assert_ptr_equal(list_at(s.hi - 1), p);
}

static int setup(void **state)
{
	(void)state;
	seed = 88172645463325252ull;
	if (!pscm_shm) {
		pscm_shm = shared_memory();
		assert_int_equal(pscm_heap_start(), 0);
		for (uint32_t i = 0; i <= KINDS; i++)
			sites[i] = (struct psc_site){ .line = MON_OBJ_FIRST + 200 + i, .unit = &unit };
	}
	atomic_store(&pscm_live.on, 1);
	atomic_store(&pscm_live.mode, 0);
	__psc_heap = 1;
	while (nlist)
		if (list[0].layer)
			list_remove(0, list[0].lo, list[0].hi);
		else
			release(list[0].lo);
	/* A block over all of it takes with it what was declared there. */
	allocate(BASE, SPAN, 0);
	release(BASE);
	unloads = 0;
	pscm_shm->lost_objects = 0;
	return 0;
}

/* --- cases ------------------------------------------------------------------------------------------ */

static void every_address_belongs_to_the_block_that_is_there(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t lo = BASE + rnd() % (SPAN / 2) / 16 * 16;

		switch (rnd() % 8) {
		case 0: case 1: case 2: case 3:
			allocate(lo, 256 + rnd() % 100 * 8, (uint32_t)(rnd() % KINDS));
			break;
		case 4: case 5:
			if (nlist)
				release(list[rnd() % nlist].lo);
			break;
		case 6:
			release(lo);            /* most likely the begin of none */
			break;
		}
		for (int k = 0; k < 4; k++)
			compare(BASE + rnd() % (SPAN / 2));
	}
}

/* While nothing is recorded nobody asks: more is told than the queue holds. */
static void what_is_told_while_nobody_asks_is_known_in_the_end(void **state)
{
	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t lo = BASE + rnd() % (SPAN / 2) / 16 * 16;

		if (rnd() % 3)
			allocate(lo, 256 + rnd() % 100 * 8, (uint32_t)(rnd() % KINDS));
		else if (nlist)
			release(list[rnd() % nlist].lo);
	}
	for (int i = 0; i < 2000; i++)
		compare(BASE + rnd() % (SPAN / 2));
}

static void declared_objects_lie_above_blocks_and_nest(void **state)
{
	struct pscm_span s;

	(void)state;
	allocate(BASE, 4096, 1);
	pscm_object_declare(pointer(BASE + 1024), 1024, "outer");
	list_add(1, BASE + 1024, BASE + 2048, 'o');
	pscm_object_declare(pointer(BASE + 1100), 100, "inner");
	list_add(2, BASE + 1100, BASE + 1200, 'i');
	for (uint64_t at = BASE; at < BASE + 5000; at++)
		compare(at);
	psc_object_end(pointer(BASE + 1100));
	list_remove(2, BASE + 1100, BASE + 1101);
	for (uint64_t at = BASE; at < BASE + 5000; at += 7)
		compare(at);
	release(BASE);
	find(BASE + 1500, &s);
	assert_int_equal(s.object, MON_OBJ_OTHER);
	assert_false(list_starts(BASE + 1024, 1));
}

static void all_ranges_of_an_object_are_found(void **state)
{
	struct pscm_span s[8];
	size_t n;

	(void)state;
	allocate(BASE, 4096, 1);
	allocate(BASE + 8192, 4096, 2);
	allocate(BASE + 16384, 8192, 1);
	pscm_object_declare(pointer(BASE + 8192), 100, "inner");
	find(BASE, &s[0]);
	n = pscm_heap_spans(s[0].object, s, 0, 8);
	assert_int_equal(n, 2);
	assert_true(s[0].lo == BASE && s[0].hi == BASE + 4096);
	assert_true(s[1].lo == BASE + 16384 && s[1].hi == BASE + 16384 + 8192);
	n = pscm_heap_spans('i', s, n, 8);
	assert_int_equal(n, 3);
	assert_true(s[2].lo == BASE + 8192 && s[2].hi == BASE + 8292);
	assert_int_equal(pscm_heap_spans(s[0].object, s, 3, 4), 4);    /* no more fit */
}

static void a_piece_that_is_declared_again_has_the_new_name(void **state)
{
	struct pscm_span s;

	(void)state;
	pscm_object_declare(pointer(BASE), 512, "red");
	pscm_object_declare(pointer(BASE), 512, "blue");
	find(BASE + 100, &s);
	assert_int_equal(s.object, 'b');
	psc_object_end(pointer(BASE));
	find(BASE + 100, &s);
	assert_int_equal(s.object, MON_OBJ_OTHER);
	assert_int_equal(pscm_shm->lost_objects, 0);
}

static void what_nests_too_deep_is_counted(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < TOP; i++)
		pscm_object_declare(pointer(BASE + 8 * i), 512 - 16 * i, "deeper");
	assert_int_equal(pscm_shm->lost_objects, 1);
	for (uint64_t i = 0; i < TOP; i++)
		psc_object_end(pointer(BASE + 8 * i));
}

/* --- small blocks --------------------------------------------------------------------------------- */

enum { GRANULES = 4096 };
static const uint64_t PILE = UINT64_C(5) << 30;

static void find_heap(uint64_t address, struct pscm_span *s)
{
	*s = (struct pscm_span){ .lo = 0, .hi = UINT64_MAX, .object = MON_OBJ_HEAP };
	pscm_heap_find(address, s);
}

static void small_blocks_belong_to_the_structure_of_their_site(void **state)
{
	struct pscm_span s;

	(void)state;
	__psc_allocated(&sites[0], pointer(PILE + 64), 1, 100);
	__psc_allocated(&sites[0], pointer(PILE + 176), 10, 10);
	__psc_allocated(&sites[1], pointer(PILE + 288), 1, 16);
	find_heap(PILE + 64 + 50, &s);
	assert_int_equal(s.object, sites[0].line);
	assert_int_equal(s.lo, PILE + 64);
	assert_int_equal(s.hi, PILE + 288);     /* neighbours of one structure are one range */
	find_heap(PILE + 288 + 15, &s);
	assert_int_equal(s.object, sites[1].line);
	assert_int_equal(s.hi, PILE + 304);
	find_heap(PILE, &s);                    /* the allocator's own, between small blocks */
	assert_int_equal(s.object, MON_OBJ_SMALL);
	assert_int_equal(s.lo, PILE);
	assert_int_equal(s.hi, PILE + 64);
	find_heap(UINT64_C(6) << 30, &s);
	assert_int_equal(s.object, MON_OBJ_HEAP);
}

/* Tables of entries are of 32 MiB each. */
static void a_small_block_may_lie_in_two_tables(void **state)
{
	const uint64_t border = UINT64_C(12) << 30, lo = border - 80;
	struct pscm_span s;

	(void)state;
	for (int known = 0; known < 2; known++) {
		__psc_allocated(&sites[known], pointer(lo), 1, 216);
		for (uint64_t at = 0; at < 216; at += 8) {
			find_heap(lo + at, &s);
			assert_int_equal(s.object, sites[known].line);
			assert_int_equal(pscm_heap_begin(lo + at, sites[known].line), lo);
		}
		find_heap(lo + 224, &s);
		assert_int_equal(s.object, MON_OBJ_SMALL);
		__psc_released(pointer(lo));
	}
}

static void a_large_block_lies_above_small_ones_that_were_there(void **state)
{
	struct pscm_span s;

	(void)state;
	__psc_allocated(&sites[0], pointer(PILE), 1, 64);
	__psc_released(pointer(PILE));
	__psc_allocated(&sites[2], pointer(PILE), 1, 256);
	find_heap(PILE + 8, &s);
	assert_int_equal(s.object, sites[2].line);
	__psc_released(pointer(PILE));
}

static void an_address_lies_in_a_block_that_begins_somewhere(void **state)
{
	(void)state;
	__psc_allocated(&sites[0], pointer(PILE + 8192), 1, 100);
	__psc_allocated(&sites[0], pointer(PILE + 8192 + 112), 1, 32);
	__psc_allocated(&sites[2], pointer(PILE + 16384), 1, 4096);
	assert_int_equal(pscm_heap_begin(PILE + 8192 + 99, sites[0].line), PILE + 8192);
	assert_int_equal(pscm_heap_begin(PILE + 8192 + 112, sites[0].line), PILE + 8192 + 112);
	assert_int_equal(pscm_heap_begin(PILE + 8192 + 112 + 17, sites[0].line), PILE + 8192 + 112);
	assert_int_equal(pscm_heap_begin(PILE + 16384 + 4000, sites[2].line), PILE + 16384);
	assert_int_equal(pscm_heap_begin(PILE + 8192, sites[1].line), 0);       /* another's */
	assert_int_equal(pscm_heap_begin(PILE + 8192 + 150, sites[0].line), 0); /* behind them */
	__psc_released(pointer(PILE + 8192));
	assert_int_equal(pscm_heap_begin(PILE + 8192 + 99, sites[0].line), PILE + 8192);
	__psc_released(pointer(PILE + 16384));
}

/* Against a plain list of what each granule belongs to. */
static void every_address_belongs_to_the_small_block_that_was_there_last(void **state)
{
	static uint32_t plain[GRANULES];
	const uint64_t base = UINT64_C(9) << 30;
	struct pscm_span s;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint32_t at = (uint32_t)(rnd() % (GRANULES - 16)), kind = (uint32_t)(rnd() % KINDS);
		uint64_t bytes = 1 + rnd() % 255;

		__psc_allocated(&sites[kind], pointer(base + 16 * at), bytes, 1);
		for (uint32_t k = 0; k < (bytes + 15) / 16; k++)
			plain[at + k] = sites[kind].line;
		at = (uint32_t)(rnd() % GRANULES);
		find_heap(base + 16 * at + rnd() % 16, &s);
		assert_int_equal(s.object, plain[at] ? plain[at] :
			s.hi - s.lo < 4096 ? MON_OBJ_SMALL : MON_OBJ_HEAP);
		for (uint64_t k = (s.lo - base) / 16; k < (s.hi - base) / 16; k++)
			assert_int_equal(plain[k], plain[at]);
	}
}

static void small_blocks_are_counted_without_those_released(void **state)
{
	const uint64_t base = UINT64_C(7) << 30;
	struct mon_object *row = &pscm_shm->objects[sites[KINDS].line];

	(void)state;
	row->kind = MON_KIND_HEAP;
	row->elem = 40;
	row->size = 0;
	atomic_store(&pscm_shm->nobjects, sites[KINDS].line + 1);
	for (uint64_t i = 0; i < 1000; i++)
		__psc_allocated(&sites[KINDS], pointer(base + 48 * i), 1, 40);
	for (uint64_t i = 0; i < 1000; i += 4)
		__psc_released(pointer(base + 48 * i));
	__psc_released(pointer(base + 16));     /* no block begins there */
	__psc_allocated(&sites[KINDS], pointer(base), 1, 40);
	pscm_heap_count();
	assert_int_equal(row->blocks, 751);
	assert_int_equal(row->size, 751 * 40);
}

static void a_vector_that_grew_is_as_large_as_its_last_block(void **state)
{
	const uint64_t base = UINT64_C(11) << 30;
	struct mon_object *row = &pscm_shm->objects[sites[KINDS].line];
	uint64_t small;

	(void)state;
	row->kind = MON_KIND_HEAP;
	row->elem = 8;
	row->size = 0;
	atomic_store(&pscm_shm->nobjects, sites[KINDS].line + 1);
	pscm_heap_count();
	small = row->size;              /* of other tests */
	__psc_allocated(&sites[KINDS], pointer(base), 1000, 8);
	__psc_allocated(&sites[KINDS], pointer(base + (1 << 20)), 2000, 8);
	__psc_released(pointer(base));
	pscm_heap_count();
	assert_int_equal(row->size, small + 2000 * 8);
	__psc_released(pointer(base + (1 << 20)));
	pscm_heap_count();
	assert_int_equal(row->size, small + 2000 * 8);
}

/* The words recorded so far are of the block that was there. */
static void recorded_words_are_played_before_a_small_block_is_another_s(void **state)
{
	const uint64_t base = UINT64_C(8) << 30;
	struct pscm_span s;
	uint32_t generation;

	(void)state;
	__psc_allocated(&sites[1], pointer(base), 1, 40);
	atomic_store(&pscm_live.mode, PSCM_MODE_NAMES);
	generation = pscm_translation_generation;
	__psc_released(pointer(base));
	__psc_allocated(&sites[1], pointer(base), 1, 40);
	assert_int_equal(unloads, 0);
	assert_int_equal(pscm_translation_generation, generation);
	__psc_released(pointer(base));
	__psc_allocated(&sites[2], pointer(base), 1, 40);
	assert_int_equal(unloads, 1);
	assert_int_not_equal(pscm_translation_generation, generation);
	for (int i = 0; i < 1 << 15; i++)
		__psc_allocated(&sites[i % 2], pointer(base), 1, 40);
	assert_in_range(unloads, 1 << 13, (1 << 14) + 1);
	find_heap(base, &s);                    /* they take turns too often */
	assert_int_equal(s.object, MON_OBJ_SMALL);
	atomic_store(&pscm_live.mode, 0);
	__psc_allocated(&sites[3], pointer(base), 1, 40);
	find_heap(base, &s);
	assert_int_equal(s.object, sites[3].line);
}

/* The routine that allocates only hands the block on: it is its caller's. */
static __attribute__((noinline)) void hand_on(uint64_t lo)
{
	static struct psc_site own = { .line = MON_OBJ_FIRST + 99, .flags = PSC_SITE_HANDED_ON, .unit = &unit };

	__psc_allocated(&own, pointer(lo), 512, 1);
	list_add(0, lo, lo + 512, 0);
}

static void a_block_that_is_handed_on_is_the_scope_s(void **state)
{
	struct pscm_span s;
	uint64_t outer = __psc_scope_begin(&sites[3]), inner = __psc_scope_begin(&sites[4]);

	(void)state;
	hand_on(BASE);
	__psc_scope_end(inner);
	hand_on(BASE + 1024);
	__psc_scope_end(outer);
	hand_on(BASE + 2048);
	find(BASE, &s);
	assert_int_equal(s.object, sites[4].line);
	find(BASE + 1024, &s);
	assert_int_equal(s.object, sites[3].line);
	find(BASE + 2048, &s);
	assert_int_equal(s.object, MON_OBJ_FIRST + 99);
}

static __attribute__((noinline)) void leave_a_scope_open(void)
{
	volatile char frame[4096];

	frame[0] = 0;
	__psc_scope_begin(&sites[5]);
	frame[4095] = frame[0];
}

/* As longjmp() and exceptions do: who goes on higher in the stack is in no scope. */
static void a_scope_that_was_left_is_closed(void **state)
{
	struct pscm_span s;

	(void)state;
	leave_a_scope_open();
	hand_on(BASE);
	__psc_scope_end(0);
	find(BASE, &s);
	assert_int_equal(s.object, MON_OBJ_FIRST + 99);
}

static void recorded_words_are_played_before_a_block_goes(void **state)
{
	uint32_t generation;

	(void)state;
	allocate(BASE, 512, 1);
	release(BASE);
	assert_int_equal(unloads, 0);
	atomic_store(&pscm_live.mode, PSCM_MODE_NAMES);
	allocate(BASE, 512, 1);
	generation = pscm_translation_generation;
	release(BASE);
	assert_int_equal(unloads, 1);
	assert_int_not_equal(pscm_translation_generation, generation);
	__psc_released(pointer(BASE));            /* it is no block any more */
	__psc_released(NULL);
	assert_int_equal(unloads, 1);
}

static void no_block_is_no_block(void **state)
{
	struct pscm_span s;

	(void)state;
	__psc_allocated(&sites[1], NULL, 1, 4096);
	__psc_allocated(&sites[1], pointer(BASE), 0, 4096);
	__psc_allocated(&sites[1], pointer(BASE), UINT64_MAX, 4096);
	__psc_allocated(&sites[1], pointer(UINT64_MAX - 100), 1, 4096);
	pscm_busy = 1;                          /* a signal handler inside the monitor */
	__psc_allocated(&sites[1], pointer(BASE), 1, 4096);
	pscm_busy = 0;
	find(BASE, &s);
	assert_int_equal(s.object, MON_OBJ_OTHER);
}

static void a_renamed_block_counts_to_its_new_object(void **state)
{
	uint64_t lo;

	(void)state;
	allocate(BASE, 512, 1);
	assert_int_equal(pscm_heap_at(BASE + 511, &lo), sites[1].line);
	assert_int_equal(lo, BASE);
	pscm_heap_rename(BASE + 8, sites[2].line);      /* no block begins there */
	assert_int_equal(pscm_heap_at(BASE, &lo), sites[1].line);
	pscm_heap_rename(BASE, sites[2].line);
	assert_int_equal(pscm_heap_at(BASE, &lo), sites[2].line);
	assert_int_equal(pscm_heap_at(BASE + 512, &lo), MON_ANY);
}

/* In memory of one's own: what stands before a block that malloc has mapped is read. */
static void blocks_are_counted_while_accesses_are_recorded(void **state)
{
	enum { PAGE = 4096, BLOCK = 3 * PAGE };
	static _Alignas(PAGE) char memory[2 * BLOCK];
	enum { OBJECT = MON_OBJ_FIRST + 9 };
	struct psc_site site = { .line = OBJECT, .flags = PSC_SITE_REALLOC, .unit = &unit };
	const struct mon_object *o = &pscm_shm->objects[OBJECT];
	const uint64_t header = (BLOCK + PAGE) | 2;

	(void)state;
	memset(&pscm_shm->objects[OBJECT], 0, sizeof *o);
	__psc_allocated(&site, memory + 64, 1, 1000);
	assert_int_equal(o->allocations, 0);
	atomic_store(&pscm_live.mode, PSCM_MODE_NAMES);
	__psc_allocated(&site, memory + 64, 1, 1000);
	assert_int_equal(o->executions, 1);
	pscm_block_execution();
	__psc_allocated(&site, memory + 128, 1, 3000);
	memcpy(memory + 8, &header, sizeof header);
	__psc_allocated(&site, memory + 16, 1, BLOCK);
	__psc_allocated(&site, memory + 16, 1, 500);    /* the header is of a larger block */
	atomic_store(&pscm_live.mode, 0);
	assert_int_equal(o->allocations, 4);
	assert_int_equal(o->allocated, 1000 + 3000 + BLOCK + 500);
	assert_int_equal(o->largest, BLOCK);
	assert_int_equal(o->grown, 2);
	assert_int_equal(o->mapped, 1);
	assert_int_equal(o->executions, 2);
	assert_int_equal(o->made, PSC_SITE_REALLOC);
	assert_int_equal(o->releases, 0);
	__psc_released(memory + 16);            /* not recorded */
	assert_int_equal(o->releases, 0);
	atomic_store(&pscm_live.mode, PSCM_MODE_NAMES);
	__psc_released(memory + 16);            /* it is no block any more */
	__psc_released(memory + 3);
	assert_int_equal(o->releases, 0);
	__psc_allocated(&site, memory + 64, 1, 1000);
	__psc_released(memory + 64);
	atomic_store(&pscm_live.mode, 0);
	assert_int_equal(o->releases, 1);
}

static void a_structure_knows_where_and_by_whom_it_is_allocated(void **state)
{
	enum { OBJECT = MON_OBJ_FIRST + 11 };
	struct psc_site first = { .line = OBJECT, .file = "f.f90", .unit = &unit }, second = { .line = OBJECT, .unit = &unit };
	struct pscm_thread threads[] = { { .index = 3 }, { .index = 4 } };
	struct mon_object *o = &pscm_shm->objects[OBJECT];

	(void)state;
	memset(o, 0, sizeof *o);
	pscm_blocks_forget();
	pscm_self = &threads[0];
	__psc_allocated(&first, (void *)(uintptr_t)BASE, 1, 1000);
	__psc_allocated(&first, (void *)(uintptr_t)(BASE + 1024), 1, 1000);
	assert_int_equal(o->allocated_line, OBJECT);
	assert_int_equal(o->allocated_file, 'f');
	assert_int_equal(o->allocated_by, 1 + 3);
	pscm_self = &threads[1];
	__psc_allocated(&first, (void *)(uintptr_t)(BASE + 2048), 1, 1000);
	assert_int_equal(o->allocated_line, OBJECT);
	assert_int_equal(o->allocated_by, MON_ANY);
	__psc_allocated(&second, (void *)(uintptr_t)(BASE + 4096), 1, 1000);
	assert_int_equal(o->allocated_line, MON_ANY);
	pscm_self = NULL;
}

/* The thread with the number of one that has ended did not allocate what that one did. */
static void blocks_of_a_thread_that_has_ended_are_nobodys(void **state)
{
	enum { OBJECT = MON_OBJ_FIRST + 12 };
	struct psc_site site = { .line = OBJECT, .file = "f.f90", .unit = &unit };
	struct pscm_thread thread = { .index = 70 };
	struct mon_object *o = &pscm_shm->objects[OBJECT];

	(void)state;
	memset(o, 0, sizeof *o);
	atomic_store(&pscm_shm->nobjects, OBJECT + 1);
	pscm_blocks_forget();
	pscm_self = &thread;
	pscm_block_thread_begins(&thread);
	__psc_allocated(&site, (void *)(uintptr_t)BASE, 1, 1000);
	assert_int_equal(o->allocated_by, 1 + 70);
	thread.index = 6;
	pscm_block_thread_begins(&thread);
	assert_int_equal(o->allocated_by, 1 + 70);
	thread.index = 70;
	pscm_block_thread_begins(&thread);
	assert_int_equal(o->allocated_by, MON_ANY);
	__psc_allocated(&site, (void *)(uintptr_t)(BASE + 1024), 1, 1000);
	assert_int_equal(o->allocated_by, MON_ANY);
	pscm_self = NULL;
}

static struct mon_object *other_place_object;
static const struct psc_site *other_place;
/* While one thread notes the first place of an object, another one allocates for it elsewhere. */
static void allocate_elsewhere(void)
{
	const struct psc_site *site = other_place;

	other_place = NULL;
	if (site)
		pscm_block_allocated((uint32_t)(other_place_object - pscm_shm->objects), site);
}

static void a_second_place_is_not_forgotten_while_the_first_is_noted(void **state)
{
	enum { OBJECT = MON_OBJ_FIRST + 13 };
	struct psc_site first = { .line = OBJECT, .file = "f.f90", .unit = &unit }, second = { .line = 1, .unit = &unit };

	(void)state;
	other_place_object = &pscm_shm->objects[OBJECT];
	memset(other_place_object, 0, sizeof *other_place_object);
	pscm_blocks_forget();
	other_place = &second;
	pscm_block_allocated(OBJECT, &first);
	assert_int_equal(other_place_object->allocated_line, MON_ANY);
}

static void blocks_are_late_from_a_point_on(void **state)
{
	const uint32_t a = MON_OBJ_FIRST + 200 + 1;

	(void)state;
	pscm_shm->objects[a].kind = MON_KIND_HEAP;
	allocate(BASE, 512, 1);
	assert_false(pscm_heap_is_late(BASE, a));
	allocate(BASE + 1024, 512, 1);
	pscm_heap_late_from_here();
	allocate(BASE + 2048, 512, 1);
	assert_false(pscm_heap_is_late(BASE + 1024 + 511, a));
	assert_true(pscm_heap_is_late(BASE + 2048, a));
	assert_false(pscm_heap_is_late(BASE + 2048 + 512, a + 1));      /* no block, but static memory */
	allocate(BASE, 512, 1);         /* in the place of the first one */
	assert_true(pscm_heap_is_late(BASE, a));
	pscm_heap_again();
	allocate(BASE, 512, 1);
	assert_false(pscm_heap_is_late(BASE, a));
}

/* In the place of a block that was released there may be memory that was mapped anew. */
static void a_released_block_is_late(void **state)
{
	const uint32_t a = MON_OBJ_FIRST + 200 + 1, declared = 'x';

	(void)state;
	pscm_shm->objects[a].kind = MON_KIND_HEAP;
	pscm_shm->objects[declared].kind = MON_KIND_USER;
	pscm_heap_again();
	allocate(BASE, 512, 1);
	allocate(BASE + 1024, 512, 1);
	assert_true(pscm_heap_declare(BASE + 1024, BASE + 1124, declared));
	assert_false(pscm_heap_is_late(BASE + 1024, declared));
	pscm_heap_late_from_here();
	release(BASE);
	release(BASE + 1024);
	assert_true(pscm_heap_is_late(BASE, a));
	assert_true(pscm_heap_is_late(BASE + 1024, declared));
	pscm_heap_again();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(every_address_belongs_to_the_block_that_is_there, setup),
		cmocka_unit_test_setup(what_is_told_while_nobody_asks_is_known_in_the_end, setup),
		cmocka_unit_test_setup(declared_objects_lie_above_blocks_and_nest, setup),
		cmocka_unit_test_setup(all_ranges_of_an_object_are_found, setup),
		cmocka_unit_test_setup(a_piece_that_is_declared_again_has_the_new_name, setup),
		cmocka_unit_test_setup(what_nests_too_deep_is_counted, setup),
		cmocka_unit_test_setup(small_blocks_belong_to_the_structure_of_their_site, setup),
		cmocka_unit_test_setup(a_small_block_may_lie_in_two_tables, setup),
		cmocka_unit_test_setup(a_large_block_lies_above_small_ones_that_were_there, setup),
		cmocka_unit_test_setup(an_address_lies_in_a_block_that_begins_somewhere, setup),
		cmocka_unit_test_setup(every_address_belongs_to_the_small_block_that_was_there_last, setup),
		cmocka_unit_test_setup(small_blocks_are_counted_without_those_released, setup),
		cmocka_unit_test_setup(a_vector_that_grew_is_as_large_as_its_last_block, setup),
		cmocka_unit_test_setup(recorded_words_are_played_before_a_small_block_is_another_s, setup),
		cmocka_unit_test_setup(a_block_that_is_handed_on_is_the_scope_s, setup),
		cmocka_unit_test_setup(a_scope_that_was_left_is_closed, setup),
		cmocka_unit_test_setup(recorded_words_are_played_before_a_block_goes, setup),
		cmocka_unit_test_setup(no_block_is_no_block, setup),
		cmocka_unit_test_setup(a_renamed_block_counts_to_its_new_object, setup),
		cmocka_unit_test_setup(blocks_are_counted_while_accesses_are_recorded, setup),
		cmocka_unit_test_setup(a_structure_knows_where_and_by_whom_it_is_allocated, setup),
		cmocka_unit_test_setup(blocks_of_a_thread_that_has_ended_are_nobodys, setup),
		cmocka_unit_test_setup(a_second_place_is_not_forgotten_while_the_first_is_noted, setup),
		cmocka_unit_test_setup(blocks_are_late_from_a_point_on, setup),
		cmocka_unit_test_setup(a_released_block_is_late, setup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
