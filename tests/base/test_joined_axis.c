/* SPDX-License-Identifier: BSD-3-Clause */
/* The axis that threads have in common: where they meet, wait and go on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "base/joined_axis.h"

enum { THREADS = 4, FEW = 8 };

static struct joined_axis axis(struct arena *arena, const struct axis_mark *marks, size_t n)
{
	struct axis_mark copy[FEW];
	struct joined_axis x;

	for (size_t i = 0; i < n; i++)
		copy[i] = marks[i];
	assert_int_equal(joined_axis_make(&x, arena, THREADS, copy, n), 0);
	return x;
}

static void what_lies_between_two_marks_is_as_long_as_that_of_the_busiest(void **state)
{
	const struct axis_mark marks[] = { { 1, 0, 40 }, { 0, 0, 100 }, { 0, 1, 150 }, { 1, 1, 140 } };
	struct arena *arena = arena_new();
	const struct joined_axis x = axis(arena, marks, 4);

	(void)state;
	assert_true(x.joined);
	assert_true(joined_axis_at(&x, 1, 20, false) == 50);    /* half of what it has before the mark */
	assert_true(joined_axis_at(&x, 0, 125, false) == 150);
	assert_true(joined_axis_at(&x, 1, 140, false) == 200);
	assert_true(joined_axis_at(&x, 0, 170, false) == 220);  /* behind the last mark at its own pace */
	assert_true(joined_axis_next(&x, 1, 0) == 40);
	assert_true(joined_axis_next(&x, 1, 40) == 140);
	assert_true(joined_axis_next(&x, 1, 140) == HUGE_VAL);
	arena_free(arena);
}

static void a_thread_that_waits_goes_on_where_the_others_have_come_to(void **state)
{
	const struct axis_mark marks[] = { { 0, 0, 100 }, { 1, 0, 30 }, { 0, 1, 200 }, { 1, 1, 30 } };
	struct arena *arena = arena_new();
	const struct joined_axis x = axis(arena, marks, 4);

	(void)state;
	assert_true(joined_axis_at(&x, 1, 30, true) == 100);
	assert_true(joined_axis_at(&x, 1, 30, false) == 200);
	assert_true(joined_axis_at(&x, 1, 31, false) == 201);
	arena_free(arena);
}

static void threads_that_never_meet_have_no_order(void **state)
{
	const struct axis_mark marks[] = { { 0, 0, 10 }, { 1, 0, 10 }, { 2, 1, 5 }, { 1, 2, 20 }, { 2, 2, 30 } };
	struct arena *arena = arena_new();
	const struct joined_axis x = axis(arena, marks, 5);

	(void)state;
	assert_true(joined_axis_met(&x, 0, 1));
	assert_true(joined_axis_met(&x, 0, 2));         /* by thread 1 */
	assert_false(joined_axis_met(&x, 0, 3));
	assert_true(joined_axis_met(&x, 3, 3));
	assert_true(joined_axis_at(&x, 3, 7, false) == 7);
	arena_free(arena);
}

static void without_marks_each_thread_has_its_own_positions(void **state)
{
	struct arena *arena = arena_new();
	const struct joined_axis x = axis(arena, NULL, 0);

	(void)state;
	assert_false(x.joined);
	assert_true(joined_axis_at(&x, 2, 12, true) == 12);
	assert_true(joined_axis_next(&x, 2, 0) == HUGE_VAL);
	arena_free(arena);
}

static void a_mark_behind_a_later_position_is_left_out(void **state)
{
	const struct axis_mark marks[] = { { 0, 0, 50 }, { 1, 0, 50 }, { 0, 1, 20 }, { 1, 1, 60 } };
	struct arena *arena = arena_new();
	const struct joined_axis x = axis(arena, marks, 4);

	(void)state;
	assert_true(joined_axis_at(&x, 0, 50, false) == 50);
	assert_true(joined_axis_at(&x, 0, 60, false) == 60);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_lies_between_two_marks_is_as_long_as_that_of_the_busiest),
		cmocka_unit_test(a_thread_that_waits_goes_on_where_the_others_have_come_to),
		cmocka_unit_test(threads_that_never_meet_have_no_order),
		cmocka_unit_test(without_marks_each_thread_has_its_own_positions),
		cmocka_unit_test(a_mark_behind_a_later_position_is_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
