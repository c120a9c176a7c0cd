/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines by how threads use them: whose rows they are in, also in pages of several objects, and what does not fit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "monitor/address/address_map.h"
#include "monitor/address/page_numbers.h"
#include "monitor/collect/use_rows.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"
#include "tests/simulate/blocks.h"

enum { PAGE = 4096, A = 20, SMALL, OTHER, BASE = 1 << 24, SHIFT = 1 << 20, HALF = PAGE / 2 };
struct mon_shm *pscm_shm;
static struct mon_request request;
static struct pscm_armed armed;

/* --- the neighbours: A has 64 pages, then SMALL and OTHER share one ------------------------------ */

void *pscm_experiment_memory(size_t bytes)
{
	return block_get(bytes);
}

static uint32_t object_at(uint64_t address, uint64_t *lo, uint64_t *hi)
{
	const uint64_t end = BASE + 64 * PAGE;

	*lo = address < end ? BASE : address < end + HALF ? end : end + HALF;
	*hi = address < end ? end : *lo + HALF;
	return address < end ? A : address < end + HALF ? SMALL : OTHER;
}

void pscm_address_map_find(uint64_t address, struct pscm_span *s)
{
	s->object = object_at(address, &s->lo, &s->hi);
}

static bool range(void *asker, uint64_t address, uint64_t *lo, uint64_t *hi)
{
	(void)asker;
	object_at(address, lo, hi);
	return true;
}

static const struct sim_env env = { .get = block_get, .range = range };
static struct sim sim = { .env = &env, .maps = true, .page = 12 };
static struct sim_core core;

static int begin(void **state)
{
	(void)state;
	pscm_shm = shared_memory();
	request = (struct mon_request){ .undrawn = 0 };
	armed = (struct pscm_armed){ .request = &request };
	core = (struct sim_core){ .sim = &sim };
	sim_maps_begin(&core, 1000);
	use_rows_begin();
	use_rows_maps(core.maps);
	return pscm_shm ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	blocks_free();
	shared_memory_free(pscm_shm);
	return 0;
}

/* --- tests --------------------------------------------------------------------------------------- */

/* The page of an address was translated: its normalised address is lower by SHIFT. */
static void translated(uint64_t address)
{
	struct sim_place at = { .delta = -(uint64_t)SHIFT };

	at.object = object_at(address, &at.lo, &at.hi);
	if (at.lo < (address & ~(uint64_t)(PAGE - 1)))
		at.lo = address & ~(uint64_t)(PAGE - 1);
	if (at.hi > at.lo + PAGE)
		at.hi = at.lo + PAGE;
	sim_maps_place(&core, NULL, address, &at);
}

static void use_page(uint64_t address, uint64_t touched, uint64_t many, uint64_t wrote, uint64_t writers)
{
	const struct share_use use = { address - SHIFT, 64, touched, many, wrote, writers };

	use_rows_page(NULL, &use);
}

static const struct mon_use *row_of(uint32_t object, uint32_t row)
{
	for (uint32_t i = 0; i < armed.rows.uses; i++)
		if (pscm_shm->uses[0][i].object == object && pscm_shm->uses[0][i].row == row)
			return &pscm_shm->uses[0][i];
	fail_msg("object %u has no row %u", object, row);
	return NULL;
}

static void lines_count_in_their_rows(void **state)
{
	const struct mon_use *r;

	(void)state;
	translated(BASE + PAGE);
	/* Four rows a page, of 16 lines each: of the second one, a line of each kind. */
	use_page(BASE + PAGE, 0xf0001, 0xe0000, 0xc0001, 0x80000);
	use_rows_write(&armed);
	assert_int_equal(armed.rows.uses, 2);
	assert_int_equal(row_of(A, 4)->lines[MON_USE_ONE], 1);
	r = row_of(A, 5);
	assert_int_equal(r->lo, BASE);
	assert_int_equal(r->bytes, 64 * PAGE);
	for (int k = 0; k < MON_LINE_USES; k++)
		assert_int_equal(r->lines[k], 1);
}

static void a_page_of_several_objects_has_lines_of_each(void **state)
{
	(void)state;
	translated(BASE + 64 * PAGE);
	translated(BASE + 64 * PAGE + HALF);
	use_page(BASE + 64 * PAGE, UINT64_C(0x300000003), UINT64_C(0x300000000), 0, 0);
	use_rows_write(&armed);
	assert_int_equal(row_of(SMALL, 0)->lines[MON_USE_ONE], 1);
	assert_int_equal(row_of(OTHER, 0)->lines[MON_USE_READ], 1);
	assert_int_equal(row_of(OTHER, 8)->lines[MON_USE_READ], 1);
}

static void lines_of_what_is_not_drawn_are_left_out(void **state)
{
	(void)state;
	use_page(BASE + PAGE, 0xff, 0, 0, 0);
	use_rows_write(&armed);
	assert_int_equal(armed.rows.uses, 0);
}

/* A part of the rows would be taken for all. */
static void rows_that_do_not_fit_are_none(void **state)
{
	struct sim_map_pieces pieces = { .shift = 12 };

	(void)state;
	translated(BASE);
	for (int i = 0; i < MAP_OBJECTS; i++)
		if (core.maps->object[i].hi)
			core.maps->object[i].pieces = &pieces;
	for (uint64_t i = 0; i <= MON_USES; i++) {
		const struct sim_place at = { BASE + i * PAGE, BASE + (i + 1) * PAGE, -(uint64_t)SHIFT, A, 0 };

		sim_maps_place(&core, NULL, at.lo, &at);
		use_page(at.lo, 1, 0, 0, 0);
	}
	use_rows_write(&armed);
	assert_int_equal(armed.rows.uses, 0);
	assert_int_equal(request.undrawn, MON_USES + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lines_count_in_their_rows, begin, end),
		cmocka_unit_test_setup_teardown(a_page_of_several_objects_has_lines_of_each, begin, end),
		cmocka_unit_test_setup_teardown(lines_of_what_is_not_drawn_are_left_out, begin, end),
		cmocka_unit_test_setup_teardown(rows_that_do_not_fit_are_none, begin, end),
	};

	return cmocka_run_group_tests_name("use rows", tests, NULL, NULL);
}
