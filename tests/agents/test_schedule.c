/* SPDX-License-Identifier: BSD-3-Clause */
/* Clean executions of the phase are kept apart from those that are recorded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "agents/schedule.h"

static bool add(struct schedule *s, enum schedule_class class, uint64_t first, uint64_t last)
{
	return schedule_add(s, (struct schedule_window){ class, first, last });
}

/* As the first experiments of all ranks are planned: nothing is moved, however many ranks there are. */
static void the_rule_of_equal_numbers_fits(void **state)
{
	struct schedule s = { 0 };

	(void)state;
	for (int rank = 0; rank < 100; rank++) {
		assert_int_equal(schedule_place(&s, SCHEDULE_CLEAN, 2, 7), 2);
		assert_int_equal(add(&s, SCHEDULE_CLEAN, 2, 8), rank == 0);
		assert_int_equal(schedule_place(&s, SCHEDULE_DISTORTED, 9, 2), 9);
		assert_int_equal(add(&s, SCHEDULE_DISTORTED, 9, 10), rank == 0);
	}
	assert_int_equal(s.n, 2);
}

/* A rank has missed its first request for times: it must not measure while the others are recorded. */
static void times_go_behind_what_is_recorded(void **state)
{
	struct schedule s = { 0 };

	(void)state;
	add(&s, SCHEDULE_CLEAN, 2, 8);
	add(&s, SCHEDULE_DISTORTED, 9, 10);
	assert_int_equal(schedule_place(&s, SCHEDULE_CLEAN, 4, 7), 11);
	assert_int_equal(schedule_place(&s, SCHEDULE_CLEAN, 2, 7), 2);          /* 2-8 */
	assert_int_equal(schedule_place(&s, SCHEDULE_CLEAN, 3, 7), 11);         /* would touch 9 */
	add(&s, SCHEDULE_CLEAN, 11, 17);
	assert_int_equal(schedule_place(&s, SCHEDULE_DISTORTED, 11, 2), 18);    /* and what others record next, behind it */
	assert_int_equal(schedule_place(&s, SCHEDULE_DISTORTED, 9, 2), 9);
	assert_int_equal(schedule_place(&s, SCHEDULE_DISTORTED, 9, 3), 18);
}

static void a_gap_is_used_if_it_is_long_enough(void **state)
{
	struct schedule s = { 0 };

	(void)state;
	add(&s, SCHEDULE_DISTORTED, 20, 21);
	add(&s, SCHEDULE_DISTORTED, 10, 11);
	assert_int_equal(schedule_place(&s, SCHEDULE_CLEAN, 10, 8), 12);
	assert_int_equal(schedule_place(&s, SCHEDULE_CLEAN, 10, 9), 22);
}

static void an_execution_is_left_between_the_classes(void **state)
{
	struct schedule s;

	(void)state;
	schedule_begin(&s, 1);
	add(&s, SCHEDULE_DISTORTED, 9, 10);
	assert_int_equal(schedule_place(&s, SCHEDULE_CLEAN, 9, 3), 12);
	assert_int_equal(schedule_place(&s, SCHEDULE_CLEAN, 5, 3), 5);          /* 5-7, and 8 is left */
	assert_int_equal(schedule_place(&s, SCHEDULE_CLEAN, 6, 3), 12);
	schedule_begin(&s, 0);
	assert_int_equal(schedule_place(&s, SCHEDULE_CLEAN, 9, 3), 9);
}

static void windows_are_joined(void **state)
{
	struct schedule s = { 0 };

	(void)state;
	assert_true(add(&s, SCHEDULE_CLEAN, 2, 4));
	assert_true(add(&s, SCHEDULE_CLEAN, 8, 9));
	assert_true(add(&s, SCHEDULE_DISTORTED, 6, 6));
	assert_int_equal(s.n, 3);
	assert_true(add(&s, SCHEDULE_CLEAN, 5, 7));             /* they met another class: both are known */
	assert_int_equal(s.n, 2);
	assert_false(add(&s, SCHEDULE_CLEAN, 2, 9));
	assert_false(add(&s, SCHEDULE_CLEAN, 3, 3));
}

static void the_oldest_window_goes(void **state)
{
	struct schedule s = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 3 * SCHEDULE_WINDOWS; i++)
		add(&s, SCHEDULE_DISTORTED, 10 * i, 10 * i + 1);
	assert_int_equal(s.n, SCHEDULE_WINDOWS);
	for (uint64_t i = 2 * SCHEDULE_WINDOWS; i < 3 * SCHEDULE_WINDOWS; i++)
		assert_int_equal(schedule_place(&s, SCHEDULE_CLEAN, 10 * i, 1), 10 * i + 2);
}

static void malformed_windows_are_refused(void **state)
{
	struct schedule_news w = { 7, 2, { SCHEDULE_DISTORTED, 5, 9 } }, got;
	struct buf b = BUF_INIT;

	(void)state;
	schedule_news_encode(&w, &b);
	assert_int_equal(schedule_news_decode(&got, &b), 0);
	assert_int_equal(got.region, 7);
	assert_int_equal(got.run, 2);
	assert_int_equal(got.window.class, SCHEDULE_DISTORTED);
	assert_int_equal(got.window.first, 5);
	assert_int_equal(got.window.last, 9);
	b.len--;
	assert_int_equal(schedule_news_decode(&got, &b), -1);
	b.len = 0;
	w.window.first = 10;    /* behind its end */
	schedule_news_encode(&w, &b);
	assert_int_equal(schedule_news_decode(&got, &b), -1);
	b.len = 0;
	w.window.last = UINT64_MAX;
	schedule_news_encode(&w, &b);
	assert_int_equal(schedule_news_decode(&got, &b), -1);
	b.len = 0;
	w.window = (struct schedule_window){ 2, 5, 9 };
	schedule_news_encode(&w, &b);
	assert_int_equal(schedule_news_decode(&got, &b), -1);
	buf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_rule_of_equal_numbers_fits),
		cmocka_unit_test(times_go_behind_what_is_recorded),
		cmocka_unit_test(a_gap_is_used_if_it_is_long_enough),
		cmocka_unit_test(an_execution_is_left_between_the_classes),
		cmocka_unit_test(windows_are_joined),
		cmocka_unit_test(the_oldest_window_goes),
		cmocka_unit_test(malformed_windows_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
