/* SPDX-License-Identifier: BSD-3-Clause */
/* First touches of structures by row: which pages count, what more than half of them says, and what is left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "monitor/address/first_touch.h"
#include "monitor/address/heap.h"
#include "monitor/address/placement.h"
#include "monitor/collect/touch_rows.h"
#include "monitor/host/syscall_filter.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"

enum { PAGE = 4096, PAGES = 1 << 12, BASE = 1 << 24, A = 20 };

/* --- the neighbours ------------------------------------------------------------------------------ */

struct mon_shm *pscm_shm;
static uint32_t toucher[PAGES];         /* of the pages from BASE on: 1 + thread; 0: unknown */
static bool late, events, filtered;

uint32_t placement_toucher(uint64_t address)
{
	const uint64_t page = (address - BASE) / PAGE;

	assert_true(address >= BASE && page < PAGES);
	return toucher[page] ? toucher[page] - 1 : PLACEMENT_UNKNOWN;
}

int placement_start(const struct machine_flat *m)
{
	(void)m;
	events = true;
	return 0;
}

bool sandbox_around(void)
{
	return filtered;
}

void placement_end(void)
{
	assert_true(late);      /* blocks of other threads are late before their pages can be missed */
	events = false;
}

void pscm_heap_late_from_here(void)
{
	late = true;
}

bool pscm_heap_is_late(uint64_t address, uint32_t object)
{
	assert_int_equal(object, A);
	(void)address;
	return late;
}

/* --- tests --------------------------------------------------------------------------------------- */

static struct sim_maps maps;
static struct pscm_armed armed;

static int begin(void **state)
{
	(void)state;
	pscm_shm = shared_memory();
	memset(toucher, 0, sizeof toucher);
	memset(&maps, 0, sizeof maps);
	armed = (struct pscm_armed){ .slot = 0 };
	late = events = filtered = false;
	touch_rows_begin();
	return pscm_shm ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	shared_memory_free(pscm_shm);
	return 0;
}

static void draw(uint64_t lo, uint64_t bytes)
{
	const struct sim_core core = { .maps = &maps };

	maps.object[7] = (struct sim_map_object){ .lo = lo, .hi = lo + bytes, .object = A };
	touch_rows_write(&armed, &core);
}

static void is_row(uint32_t i, uint32_t thread, uint32_t from, uint32_t to)
{
	const struct mon_touch *t = &pscm_shm->touches[0][i];

	assert_true(i < armed.rows.touches);
	assert_int_equal(t->object, A);
	assert_int_equal(t->thread, thread);
	assert_int_equal(t->from, from);
	assert_int_equal(t->to, to);
}

static void rows_of_one_thread_are_one_row(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 1024; i++)
		toucher[i] = i < 512 ? 1 : 4;
	draw(BASE, 1024 * PAGE);
	assert_int_equal(armed.rows.touches, 2);
	is_row(0, 0, 0, 128);
	is_row(1, 3, 128, 256);
	assert_int_equal(pscm_shm->touches[0][0].bytes, 1024 * PAGE);
}

/* Of the four pages of a row, two are not more than half. */
static void more_than_half_of_the_pages_decide(void **state)
{
	static const uint32_t four[][4] = { { 1, 2, 1, 1 }, { 1, 2, 2, 1 }, { 0, 0, 1, 1 }, { 0, 2, 2, 2 } };

	(void)state;
	memcpy(toucher, four, sizeof four);
	draw(BASE, 1024 * PAGE);
	assert_int_equal(armed.rows.touches, 2);
	is_row(0, 0, 0, 1);
	is_row(1, 1, 3, 4);
}

/* The first and the last page have something else in them, too. */
static void pages_that_are_shared_with_others_do_not_count(void **state)
{
	(void)state;
	toucher[0] = toucher[4] = 2;
	toucher[1] = toucher[2] = toucher[3] = 1;
	draw(BASE + PAGE / 2, 4 * PAGE);        /* 64 rows a page */
	assert_int_equal(armed.rows.touches, 1);
	is_row(0, 0, 32, 224);
	draw(BASE + 1, PAGE - 2);
	assert_int_equal(armed.rows.touches, 1);
}

static void a_structure_is_written_once(void **state)
{
	(void)state;
	toucher[0] = 1;
	draw(BASE, PAGE);
	draw(BASE, PAGE);
	assert_int_equal(armed.rows.touches, 1);
	touch_rows_begin();
	draw(BASE, PAGE);
	assert_int_equal(armed.rows.touches, 2);
}

static void what_does_not_fit_is_unknown(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 256; i++)
		toucher[i] = 1 + i % 2;
	armed.rows.touches = MON_TOUCHES - 10;
	draw(BASE, 256 * PAGE);
	assert_int_equal(armed.rows.touches, MON_TOUCHES);
}

static void several_blocks_have_no_rows(void **state)
{
	const struct sim_core core = { .maps = &maps }, without = { .maps = NULL };

	(void)state;
	toucher[0] = 1;
	maps.object[7] = (struct sim_map_object){ .lo = BASE, .hi = BASE + PAGE, .object = A, .lost = true };
	touch_rows_write(&armed, &core);
	touch_rows_write(&armed, &without);
	assert_int_equal(armed.rows.touches, 0);
}

/* Events cost time, so they end before clean executions; what is allocated behind them is unknown. */
static void events_end_before_clean_executions(void **state)
{
	(void)state;
	toucher[0] = 1;
	first_touch_start();
	assert_false(events);           /* nobody asks */
	pscm_shm->first_touches = 1;
	filtered = true;
	first_touch_start();
	assert_false(events);           /* a filter of system calls may kill for them */
	filtered = false;
	first_touch_start();
	assert_true(events);
	first_touch_end();
	assert_false(events);
	draw(BASE, PAGE);
	assert_int_equal(armed.rows.touches, 0);
}

/* A machine with several nodes needs the events until the end. */
static void events_for_placement_go_on(void **state)
{
	(void)state;
	pscm_shm->first_touches = 1;
	pscm_shm->machine.nodes.count = 2;
	first_touch_start();
	assert_false(events);           /* start.c has begun them */
	first_touch_end();
	assert_false(late);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(rows_of_one_thread_are_one_row, begin, end),
		cmocka_unit_test_setup_teardown(more_than_half_of_the_pages_decide, begin, end),
		cmocka_unit_test_setup_teardown(pages_that_are_shared_with_others_do_not_count, begin, end),
		cmocka_unit_test_setup_teardown(a_structure_is_written_once, begin, end),
		cmocka_unit_test_setup_teardown(what_does_not_fit_is_unknown, begin, end),
		cmocka_unit_test_setup_teardown(several_blocks_have_no_rows, begin, end),
		cmocka_unit_test_setup_teardown(events_end_before_clean_executions, begin, end),
		cmocka_unit_test_setup_teardown(events_for_placement_go_on, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
