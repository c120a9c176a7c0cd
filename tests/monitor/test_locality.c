/* SPDX-License-Identifier: BSD-3-Clause */
/* Who touched memory first and who uses it: rows by object, toucher and set of users; what is
 * sampled and left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "monitor/address/first_touch.h"
#include "monitor/address/page_numbers.h"
#include "monitor/address/placement.h"
#include "monitor/collect/part_users.h"
#include "monitor/host/locks.h"
#include "monitor/state.h"
#include "tests/monitor/shared_memory.h"

enum { PAGE = 4096, BASE = 1 << 24, A = 20, B = 21, MANY = 1 << 17 };

/* --- the neighbours
 * ------------------------------------------------------------------------------ */

struct mon_shm *pscm_shm;
static bool known;
static uint64_t code;
static void *memory;

void *pscm_experiment_memory(size_t bytes)
{
	free(memory);
	memory = calloc(1, bytes);
	return memory;
}

/* Pages belong to thread 2, odd ones to thread 0; from the MANYth on nothing is known. */
uint32_t placement_toucher(uint64_t address)
{
	const uint64_t page = (address - BASE) / PAGE;

	return page >= MANY ? PLACEMENT_UNKNOWN : page % 2 ? 0 : 2;
}

uint64_t placement_code(uint64_t address)
{
	(void)address;
	return code;
}

/* Thread 0 is on node 0 and thread 2 on node 1, unless the latter's pages were moved. */
static uint32_t node_of_others = 1;

void pscm_nodes_of_addresses(uint32_t n, const uint64_t *address, uint32_t *node)
{
	assert_true(n <= PSCM_PAGES_ASKED);
	for (uint32_t i = 0; i < n; i++)
		node[i] = placement_toucher(address[i]) ? node_of_others : 0;
}

bool first_touch_known(uint64_t address, uint32_t object)
{
	(void)(address + object);
	return known;
}

uint32_t first_touch_of(uint64_t address)
{
	return placement_toucher(address);
}

void pscm_lock(pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
}

void pscm_unlock(pthread_mutex_t *m)
{
	pthread_mutex_unlock(m);
}

/* --- tests
 * --------------------------------------------------------------------------------------- */

static struct pscm_armed armed;

static int begin(void **state)
{
	(void)state;
	pscm_shm = shared_memory();
	armed = (struct pscm_armed){ .slot = 0 };
	known = true;
	code = 0;
	if (pscm_shm)
		pscm_shm->machine.nodes.count = 2;
	locality_begin();
	return pscm_shm ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	shared_memory_free(pscm_shm);
	free(memory);
	memory = NULL;
	return 0;
}

static void use(uint32_t object, uint64_t lo, uint64_t bytes, uint32_t thread)
{
	locality_use(lo, lo + bytes, object, thread);
}

/* The row of these; NULL: there is none. */
static const struct mon_locality *row(uint32_t object, uint32_t toucher, uint64_t users)
{
	for (uint32_t i = 0; i < armed.rows.localities; i++) {
		const struct mon_locality *r = &pscm_shm->localities[0][i];

		if (r->object == object && r->toucher == toucher && r->users == users)
			return r;
	}
	return NULL;
}

static void parts_alike_are_one_row(void **state)
{
	(void)state;
	for (uint32_t page = 0; page < 8; page++) {
		use(A, BASE + page * PAGE, PAGE, 3);
		use(A, BASE + page * PAGE, PAGE, 3);
	}
	use(A, BASE + 2 * PAGE, PAGE, 1);
	use(B, BASE + 9 * PAGE + 64, 128, 0);
	use(MON_OBJ_HEAP, BASE + 20 * PAGE, PAGE, 0);   /* it has no name */
	locality_write(&armed);
	assert_int_equal(armed.rows.localities, 4);
	assert_int_equal(row(A, 0, 1 << 3)->bytes, 4 * PAGE);
	assert_int_equal(row(A, 2, 1 << 3)->bytes, 3 * PAGE);
	assert_int_equal(row(A, 2, 1 << 3 | 1 << 1)->bytes, PAGE);
	assert_int_equal(row(B, 0, 1)->bytes, 128);
}

static void rows_have_the_node_of_their_pages(void **state)
{
	(void)state;
	use(A, BASE, PAGE, 0);
	use(A, BASE + PAGE, PAGE, 0);
	locality_write(&armed);
	assert_true(row(A, 0, 1)->node == 0 && row(A, 2, 1)->node == 1);
	armed.rows.localities = 0;
	node_of_others = 0;
	locality_write(&armed);
	node_of_others = 1;
	assert_true(row(A, 0, 1)->node == 0 && row(A, 2, 1)->node == 0);
}

static void another_block_at_the_same_place_has_users_of_its_own(void **state)
{
	(void)state;
	use(A, BASE, 256, 1);
	use(B, BASE, 512, 2);
	locality_write(&armed);
	assert_int_equal(armed.rows.localities, 1);
	assert_int_equal(row(B, 2, 1 << 2)->bytes, 512);
}

static void very_many_parts_are_a_sample(void **state)
{
	double one, two;

	(void)state;
	for (uint32_t page = 0; page < MANY; page++)
		use(page % 4 ? A : B, BASE + (uint64_t)page * PAGE, PAGE, page % 4 == 2);
	use(A, BASE + (uint64_t)MANY * PAGE, PAGE, 70); /* of the many threads that have one bit */
	locality_write(&armed);
	one = (double)row(A, 2, 1 << 1)->bytes;
	two = (double)row(A, 0, 1)->bytes;
	assert_true(two > 1.9 * one && two < 2.1 * one);
	one = (double)row(B, 2, 1)->bytes;
	assert_true(two > 1.9 * one && two < 2.1 * one);
	assert_true(one < MANY / 4 * (double)PAGE);
}

static void very_many_sets_of_users_are_not_told_apart(void **state)
{
	uint64_t all = 0;

	(void)state;
	for (uint32_t page = 0; page < 3 * MON_LOCALITIES; page++)
		for (uint32_t t = 0; t < 15; t++)
			if (page >> t & 1)
				use(A, BASE + (uint64_t)page * PAGE, PAGE, t);
	locality_write(&armed);
	assert_true(armed.rows.localities < MON_LOCALITIES);
	assert_non_null(row(A, 0, UINT64_MAX));
	for (uint32_t i = 0; i < armed.rows.localities; i++)
		all += pscm_shm->localities[0][i].bytes;
	assert_true(all > 2 * MON_LOCALITIES * (uint64_t)PAGE);
}

static void on_one_node_it_is_noted_where_first_touches_are_asked_for(void **state)
{
	(void)state;
	pscm_shm->machine.nodes.count = 1;
	locality_begin();
	use(A, BASE, PAGE, 1);
	locality_write(&armed);
	assert_int_equal(armed.rows.localities, 0);
	pscm_shm->first_touches = 1;
	locality_begin();
	use(A, BASE, PAGE, 1);
	locality_write(&armed);
	assert_non_null(row(A, 2, 1 << 1));
	armed.rows.localities = 0;
	known = false;
	locality_write(&armed);
	assert_non_null(row(A, MON_ANY, 1 << 1));
}

static void code_is_an_address_of_the_file_or_not_known(void **state)
{
	(void)state;
	code = (uint64_t)(uintptr_t)&on_one_node_it_is_noted_where_first_touches_are_asked_for;
	use(A, BASE, PAGE, 1);
	locality_write(&armed);
	assert_true(row(A, 2, 1 << 1)->code > 0 && row(A, 2, 1 << 1)->code <= code);
	assert_true((code - row(A, 2, 1 << 1)->code) % PAGE == 0);
	armed.rows.localities = 0;
	code = (uint64_t)(uintptr_t)&memcpy;    /* of another file */
	locality_write(&armed);
	assert_int_equal(row(A, 2, 1 << 1)->code, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(parts_alike_are_one_row, begin, end),
		cmocka_unit_test_setup_teardown(rows_have_the_node_of_their_pages, begin, end),
		cmocka_unit_test_setup_teardown(another_block_at_the_same_place_has_users_of_its_own, begin, end),
		cmocka_unit_test_setup_teardown(very_many_parts_are_a_sample, begin, end),
		cmocka_unit_test_setup_teardown(very_many_sets_of_users_are_not_told_apart, begin, end),
		cmocka_unit_test_setup_teardown(on_one_node_it_is_noted_where_first_touches_are_asked_for, begin, end),
		cmocka_unit_test_setup_teardown(code_is_an_address_of_the_file_or_not_known, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
