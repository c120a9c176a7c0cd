/* SPDX-License-Identifier: BSD-3-Clause */
/* The sets that pages have in translation caches: those of their virtual pages, wherever the kernel put
 * the memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "monitor/address/address_map.h"
#include "monitor/address/objects.h"
#include "monitor/address/page_numbers.h"
#include "monitor/address/memory_policy.h"
#include "monitor/address/placement.h"
#include "monitor/collect/sim_env.h"
#include "monitor/host/memory_nodes.h"
#include "monitor/host/threads.h"
#include "monitor/state.h"

enum { SHIFT = 12, SETS = 256, PAGES = 40 };

static struct machine_flat machine = { .nlevels = 1, .page_size = 1 << SHIFT };
static struct pscm_page_numbers *pages;

uint64_t pscm_address_map_unshift(uint64_t shifted)
{
	return shifted;
}

bool memory_policy_matched;

uint32_t memory_policy_node(uint32_t object, uint64_t address)
{
	return object == MON_OBJ_FIRST ? (uint32_t)(address >> SHIFT) % 3 : UINT32_MAX;
}

void pscm_address_map_find(uint64_t address, struct pscm_span *out)
{
	*out = (struct pscm_span){ .object = MON_OBJ_FIRST + (address >= 0x200000) };
}

uint32_t placement_node(uint64_t address)
{
	(void)address;
	return 0;
}

/* The kernel calls the nodes 0 and 4: pages from `moved` on are on the latter; none has page 0. */
static uint64_t moved;
static uint32_t calls, asked;

void memory_nodes_of_pages(uint32_t n, void **page, int *node)
{
	calls++;
	asked += n;
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t at = (uint64_t)(uintptr_t)page[i] >> SHIFT;

		node[i] = !at ? -2 : at >= moved ? 4 : 0;
	}
}

static void begin(uint32_t mode)
{
	machine.pages = mode;
	pscm_page_numbers_arm(&machine);
	pages = pscm_page_numbers_new();
	assert_non_null(pages);
}

/* Normalises an address of an area; *number: of its page. */
static uint32_t set_in(uint64_t area, uint64_t shift, uint64_t address, uint64_t *number)
{
	const struct pscm_span s = { .lo = area, .hi = UINT64_MAX, .shift = shift, .area = area };
	uint16_t skew;

	*number = (address + pscm_page_delta(pages, address, &s, 0, &skew)) >> SHIFT;
	return ((uint32_t)*number + skew) % SETS;
}

static uint32_t set_of(uint64_t area, uint64_t address)
{
	uint64_t number;

	return set_in(area, 0, address, &number);
}

/* The order of first touch is that of a walk through planes of `apart` pages. */
static void pages_keep_their_distance_wherever_the_area_lies(void **state)
{
	static const uint64_t areas[] = { 0x555555400010, 0x7ffff1234010, 0x20001ff010 };

	(void)state;
	for (uint32_t a = 0; a < 3; a++)
		for (uint64_t apart = 1; apart <= 4 * SETS; apart *= 2) {
			uint32_t first;

			begin(MACHINE_PAGES_FIRST_TOUCH);
			first = set_of(areas[a], areas[a] + (5 << SHIFT));
			assert_int_equal(first, 1);     /* the first number, whatever the page's own address */
			for (uint32_t i = 0; i < PAGES; i++) {
				uint64_t number, at = areas[a] + (5 << SHIFT) + i * (apart << SHIFT);

				assert_int_equal(set_in(areas[a], 0, at, &number), (first + i * apart) % SETS);
				assert_int_equal(number, 1 + i);
			}
		}
}

/* Blocks of a heap that is one piece of memory: a block may begin in a page of the one before. */
static void blocks_that_share_a_page_keep_their_distance_too(void **state)
{
	const uint64_t one = 0x10000000, other = one + (7 << SHIFT) + 0x800;
	uint32_t set;

	(void)state;
	begin(MACHINE_PAGES_FIRST_TOUCH);
	set = set_of(one, one);
	assert_int_equal(set_of(one, one + (7 << SHIFT)), set + 7);
	assert_int_equal(set_of(other, one + (7 << SHIFT) + 0x900), set + 7);   /* the same page */
	assert_int_equal(set_of(other, other + (3 << SHIFT)), set + 10);
	/* its first page is met last */
	assert_int_equal(set_of(other + (20 << SHIFT), other + (25 << SHIFT)), 4);
	assert_int_equal(set_of(other + (20 << SHIFT), other + (20 << SHIFT)), SETS - 1);
}

/* The arrays of a loop begin in as many sets as there are arrays. */
static void areas_begin_in_different_sets(void **state)
{
	(void)state;
	begin(MACHINE_PAGES_FIRST_TOUCH);
	for (uint64_t i = 0; i < PAGES; i++)
		assert_int_equal(set_of((i + 1) << 30, (i + 1) << 30), i + 1);
}

static void moved_structures_keep_the_distances_of_the_change(void **state)
{
	const uint64_t base = UINT64_C(3) << 30;
	struct pscm_whatif x = { .fix = MON_FIX_ROWS, .object = MON_ANY, .line = 64, .parameter = 64 << SHIFT };
	struct pscm_replay replay = { .whatif = &x };
	uint32_t home = 0, first = 0;

	(void)state;
	begin(MACHINE_PAGES_FIRST_TOUCH);
	for (uint32_t row = 0; row < 4 * PAGES; row++) {
		const uint64_t address = base + row * x.parameter;
		struct pscm_span s = { .lo = base, .hi = base + ((uint64_t)1 << 30), .area = base };
		uint16_t skew;
		uint64_t number;

		assert_true(pscm_whatif_move(&replay, address, &s, &home));
		number = (address + pscm_page_delta(pages, address, &s, 0, &skew)) >> SHIFT;
		first = row ? first : (uint32_t)(number + skew);
		/* 64 pages and a line: another page after 64 rows */
		assert_int_equal((number + skew) % SETS, (first + 64 * row + row / 64) % SETS);
	}
}

uint64_t pscm_object_lo(uint32_t object)
{
	(void)object;
	return UINT64_C(3) << 30;
}

static void stacks_have_the_sets_of_their_numbers(void **state)
{
	const uint64_t top = PSCM_STACKS + (UINT64_C(1) << 34);
	uint64_t number;

	(void)state;
	begin(MACHINE_PAGES_FIRST_TOUCH);
	for (uint32_t i = 1; i < 3 * SETS; i++) {
		uint32_t set = set_in(0, PSCM_STACKS, top - PSCM_STACKS - ((uint64_t)i << SHIFT), &number);

		assert_int_equal(set, number % SETS);
	}
}

static void virtual_pages_need_none(void **state)
{
	uint64_t number;

	(void)state;
	begin(MACHINE_PAGES_VIRTUAL);
	assert_int_equal(set_in(0x12345000, 0, 0x12389000, &number), 0x89);
	assert_int_equal(number, 0x12389);
}

static void a_rule_goes_before_the_first_touch(void **state)
{
	(void)state;
	begin(MACHINE_PAGES_VIRTUAL);
	memory_policy_matched = true;
	assert_int_equal(pscm_page_node(pages, 0x101000), 257 % 3);
	assert_int_equal(pscm_page_node(pages, 0x102000), 258 % 3);
	assert_int_equal(pscm_page_node(pages, 0x401000), 0);
	memory_policy_matched = false;
	assert_int_equal(pscm_page_node(pages, 0x101000), 0);
}

/* --- nodes of this host ----------------------------------------------------------------------- */

/* The normalised address of a page. */
static uint64_t touch(uint64_t page, uint32_t home)
{
	const struct pscm_span s = { .lo = 0, .hi = UINT64_MAX };
	uint16_t skew;

	return (page << SHIFT) + pscm_page_delta(pages, page << SHIFT, &s, home, &skew);
}

static void on_this_host(uint32_t real)
{
	machine.nodes = (struct machine_nodes){ .count = 2, .cpus = 1, .real = real,
		.number = { 0, 4 } };
	begin(MACHINE_PAGES_FIRST_TOUCH);
	calls = asked = 0;
	moved = 100;
}

static void the_kernel_is_asked_once_an_execution_for_many_pages(void **state)
{
	uint64_t at[3 * PSCM_PAGES_ASKED];

	(void)state;
	on_this_host(1);
	for (uint32_t i = 0; i < 3 * PSCM_PAGES_ASKED; i++)
		at[i] = touch(1 + i, 0);
	for (int times = 0; times < 3; times++)
		for (uint32_t i = 0; i < 3 * PSCM_PAGES_ASKED; i++)
			assert_int_equal(pscm_page_node(pages, at[i]), 1 + i >= 100);
	assert_true(calls == 3 && asked == 3 * PSCM_PAGES_ASKED);
	moved = 1;              /* the program moves all: it is seen in the next execution */
	assert_int_equal(pscm_page_node(pages, at[5]), 0);
	pscm_page_nodes_forget();
	assert_int_equal(pscm_page_node(pages, at[5]), 1);
	assert_int_equal(calls, 4);
}

static void a_page_that_is_nowhere_is_not_known_and_not_asked_for_again(void **state)
{
	uint64_t none, some;

	(void)state;
	on_this_host(1);
	some = touch(3, 0);
	none = touch(0, 0);
	assert_int_equal(pscm_page_node(pages, some), 0);
	assert_int_equal(calls, 1);
	for (int times = 0; times < 3; times++)
		assert_int_equal(pscm_page_node(pages, none), PLACEMENT_UNKNOWN);
	assert_int_equal(calls, 2);     /* with its neighbour it was asked for in vain */
}

static void changed_placements_and_models_ask_nothing(void **state)
{
	(void)state;
	on_this_host(1);
	assert_int_equal(pscm_page_node(pages, touch(7, 2)), 1);
	on_this_host(0);
	assert_int_equal(pscm_page_node(pages, touch(200, 0)), 0);
	machine.nodes = (struct machine_nodes){ .count = 1, .cpus = 2 };
	begin(MACHINE_PAGES_FIRST_TOUCH);
	pscm_page_node(pages, touch(200, 0));
	pscm_page_nodes_forget();
	assert_int_equal(calls, 0);
}

static void many_executions_later_the_kernel_is_asked_again(void **state)
{
	uint64_t at;

	(void)state;
	on_this_host(1);
	at = touch(3, 0);
	for (uint32_t i = 0; i < 1 << 17; i++) {
		pscm_page_nodes_forget();
		moved = i % 2 ? 1 : 100;
		assert_int_equal(pscm_page_node(pages, at), i % 2);
	}
	assert_int_equal(calls, 1 << 17);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_keep_their_distance_wherever_the_area_lies),
		cmocka_unit_test(blocks_that_share_a_page_keep_their_distance_too),
		cmocka_unit_test(areas_begin_in_different_sets),
		cmocka_unit_test(moved_structures_keep_the_distances_of_the_change),
		cmocka_unit_test(stacks_have_the_sets_of_their_numbers),
		cmocka_unit_test(virtual_pages_need_none),
		cmocka_unit_test(a_rule_goes_before_the_first_touch),
		cmocka_unit_test(the_kernel_is_asked_once_an_execution_for_many_pages),
		cmocka_unit_test(a_page_that_is_nowhere_is_not_known_and_not_asked_for_again),
		cmocka_unit_test(changed_placements_and_models_ask_nothing),
		cmocka_unit_test(many_executions_later_the_kernel_is_asked_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
