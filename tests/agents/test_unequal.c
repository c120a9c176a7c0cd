/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that execute the phase unequally often are told from those that are a step ahead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "agents/unequal.h"
#include "base/arena.h"

static void ranks_a_step_apart_are_equal(void **state)
{
	struct unequal u = { 0 };

	(void)state;
	unequal_add(&u, 0, 1);
	unequal_add(&u, 1, 3);
	unequal_add(&u, 2, 4);
	assert_false(u.are);
	assert_null(unequal_text(&u, NULL));
	u = (struct unequal){ 0 };
	unequal_add(&u, 0, 1000);
	unequal_add(&u, 1, 1100);
	assert_false(u.are);
}

static void what_does_not_execute_the_phase_is_not_compared(void **state)
{
	struct unequal u = { 0 };

	(void)state;
	unequal_add(&u, 0, 20);
	unequal_add(&u, 1, 0);
	unequal_add(&u, -1, 3);         /* no rank */
	assert_false(u.are);
}

static void two_for_each_of_another_are_unequal(void **state)
{
	struct arena *arena = arena_new();
	struct unequal u = { 0 };

	(void)state;
	unequal_add(&u, 2, 12);
	unequal_add(&u, 5, 6);
	unequal_add(&u, 7, 9);
	assert_true(u.are);
	assert_non_null(strstr(unequal_text(&u, arena), "(rank 2 12 times, rank 5 6 times meanwhile)"));
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_a_step_apart_are_equal),
		cmocka_unit_test(what_does_not_execute_the_phase_is_not_compared),
		cmocka_unit_test(two_for_each_of_another_are_unequal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
