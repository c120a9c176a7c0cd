/* SPDX-License-Identifier: BSD-3-Clause */
/* Series of the timeline: as text and back; what is refused; which timelines are kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "report/model/fields.h"
#include "tests/report/sample.h"

static void texts_come_back(void **state)
{
	static const char *const good[] = { "0 1", "7 3", "0 1 1 2 400 9223372036854775807", "1048575 1" };
	struct arena *arena = arena_new();
	(void)state;

	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		struct report_series s;
		struct buf b = BUF_INIT;

		assert_int_equal(series_parse(arena, good[i], &s), 0);
		series_text(&b, &s);
		assert_string_equal(buf_str(&b), good[i]);
		buf_free(&b);
	}
	arena_free(arena);
}

static void other_texts_are_refused(void **state)
{
	static const char *const bad[] = { "", " ", "1", "1 ", "1 2 3", "1 2 ", " 1 2", "1  2", "-1 2", "1 0", "1 -2", "0 1 0 1",
		"1048576 1", "1048575 1 1 1", "1 9223372036854775808", "18446744073709551617 1", "1 2x", "a b" };
	struct arena *arena = arena_new();
	(void)state;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct report_series s;

		if (series_parse(arena, bad[i], &s) == 0)
			fail_msg("\"%s\" was read", bad[i]);
	}
	arena_free(arena);
}

static void values_by_number(void **state)
{
	static const struct report_point p[] = { { 2, 5 }, { 3, 7 }, { 9, 1 } };
	const struct report_series s = { p, 3 }, none = { NULL, 0 };
	(void)state;

	assert_int_equal(series_sum(&s), 13);
	assert_int_equal(series_at(&s, 2), 5);
	assert_int_equal(series_at(&s, 9), 1);
	assert_int_equal(series_at(&s, 4), 0);
	assert_int_equal(series_at(&s, 10), 0);
	assert_int_equal(series_at(&none, 0), 0);
}

static void a_timeline_that_contradicts_itself_is_refused(void **state)
{
	struct report *r = report_new();
	struct report_timeline *t;
	struct report_point far = { 32, 1 };
	(void)state;

	sample_timelines(r);
	t = &r->timelines[0];
	assert_null(timeline_rows.wrong(t));
#define REFUSED(member, value) do { \
	struct report_timeline was = *t; \
	member = value; \
	assert_non_null(timeline_rows.wrong(t)); \
	*t = was; \
} while (0)
	REFUSED(t->columns, 0);
	REFUSED(t->columns, 513);
	REFUSED(t->rows, 8);
	REFUSED(t->width, 0);
	REFUSED(t->threads, 1);
	REFUSED(t->nregions, 2);
	REFUSED(t->nstructures, 1);
#undef REFUSED
	t->regions[0].parent = 1;
	assert_non_null(timeline_rows.wrong(t));
	t->regions[0].parent = 0;
	assert_null(timeline_rows.wrong(t));
	t->cells[0].reads = (struct report_series){ &far, 1 };
	assert_non_null(timeline_rows.wrong(t));
	report_free(r);
}

static void those_of_the_lowest_ranks_are_kept(void **state)
{
	struct report *r = report_new();
	(void)state;

	r->ntimelines = REPORT_TIMELINES + 3;
	r->timelines = arena_array(r->arena, (size_t)r->ntimelines, sizeof *r->timelines);
	for (int i = 0; i < r->ntimelines; i++)
		r->timelines[i].process = r->ntimelines - i;
	report_timelines_keep(r);
	assert_int_equal(r->ntimelines, REPORT_TIMELINES);
	assert_int_equal(r->timelines_left_out, 3);
	for (int i = 0; i < r->ntimelines; i++)
		assert_int_equal(r->timelines[i].process, i + 1);
	report_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_come_back),
		cmocka_unit_test(other_texts_are_refused),
		cmocka_unit_test(values_by_number),
		cmocka_unit_test(a_timeline_that_contradicts_itself_is_refused),
		cmocka_unit_test(those_of_the_lowest_ranks_are_kept),
	};

	return cmocka_run_group_tests_name("series and timelines", tests, NULL, NULL);
}
