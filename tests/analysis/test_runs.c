/* SPDX-License-Identifier: BSD-3-Clause */
/* What is measured of a program that has few executions of its phase, in one run or in several. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/search/plan.h"

static const struct plan_sizes usual = { .delay = 1, .surveys = 2, .clean = 5, .warm = 1, .count = 1 };

static void expect(const struct plan_sizes *z, uint32_t delay, uint32_t surveys, uint32_t clean, uint32_t warm,
	uint32_t count)
{
	assert_int_equal(z->delay, delay);
	assert_int_equal(z->surveys, surveys);
	assert_int_equal(z->clean, clean);
	assert_int_equal(z->warm, warm);
	assert_int_equal(z->count, count);
}

static void enough_executions_leave_the_plan_as_it_is(void **state)
{
	struct plan_sizes z;

	(void)state;
	assert_int_equal(plan_executions(&usual), 10);
	assert_int_equal(plan_fit(&usual, 10, true, true, &z), PLAN_GOOD);
	expect(&z, 1, 2, 5, 1, 1);
}

static void what_only_makes_figures_better_goes_first(void **state)
{
	struct plan_sizes z;

	(void)state;
	assert_int_equal(plan_fit(&usual, 9, true, true, &z), PLAN_GOOD);
	expect(&z, 0, 2, 5, 1, 1);
	assert_int_equal(plan_fit(&usual, 8, true, true, &z), PLAN_GOOD);
	expect(&z, 0, 2, 4, 1, 1);
	assert_int_equal(plan_fit(&usual, 6, true, true, &z), PLAN_GOOD);
	expect(&z, 0, 1, 3, 1, 1);
	assert_int_equal(plan_fit(&usual, 4, true, true, &z), PLAN_POOR);
	expect(&z, 0, 1, 1, 1, 1);
	assert_int_equal(plan_fit(&usual, 2, true, true, &z), PLAN_POOR);
	expect(&z, 0, 0, 1, 0, 1);
	assert_int_equal(plan_fit(&usual, 1, true, true, &z), PLAN_NONE);
}

static void one_execution_can_be_timed_or_counted(void **state)
{
	struct plan_sizes z;

	(void)state;
	assert_int_equal(plan_fit(&usual, 1, true, false, &z), PLAN_POOR);
	expect(&z, 0, 0, 1, 0, 0);
	assert_int_equal(plan_fit(&usual, 1, false, true, &z), PLAN_POOR);
	expect(&z, 0, 0, 0, 0, 1);
}

static void times_come_in_one_run_and_counts_in_the_next(void **state)
{
	struct plan_sizes z;

	(void)state;
	plan_run(&usual, 2, 2, 0, false, &z);
	expect(&z, 0, 1, 1, 0, 0);
	plan_run(&usual, 2, 1, 1, false, &z);
	expect(&z, 0, 0, 0, 1, 1);
	plan_run(&usual, 4, 2, 0, false, &z);
	expect(&z, 0, 1, 3, 0, 0);
	plan_run(&usual, 4, 1, 3, false, &z);
	expect(&z, 1, 0, 0, 1, 1);
}

static void counts_come_first_where_no_execution_can_be_spared_for_a_survey(void **state)
{
	struct plan_sizes z;

	(void)state;
	plan_run(&usual, 1, 2, 0, false, &z);
	expect(&z, 0, 0, 0, 0, 1);
	plan_run(&usual, 1, 1, 0, true, &z);
	expect(&z, 0, 0, 1, 0, 0);
}

static void both_come_in_one_run_where_they_fit(void **state)
{
	struct plan_sizes z;

	(void)state;
	plan_run(&usual, 7, 2, 0, false, &z);
	expect(&z, 0, 2, 3, 1, 1);
	plan_run(&usual, 100, 1, 0, false, &z);
	expect(&z, 1, 2, 5, 1, 1);
}

static void the_last_run_counts_and_times_if_that_fits(void **state)
{
	struct plan_sizes z;

	(void)state;
	plan_run(&usual, 4, 1, 0, false, &z);
	expect(&z, 0, 1, 1, 1, 1);
	plan_run(&usual, 1, 1, 0, false, &z);
	expect(&z, 0, 0, 0, 0, 1);
	/* times of an earlier run are not replaced by worse ones */
	plan_run(&usual, 4, 1, 1, false, &z);
	expect(&z, 1, 0, 0, 1, 1);
}

/* Like a sparse factorisation, whose first columns take next to nothing. */
static void executions_in_the_middle_of_a_later_run_are_measured(void **state)
{
	struct plan_sizes z = usual;    /* 1, 2, 5, 1, 1 */

	(void)state;
	plan_middle(&z, 19);
	expect(&z, 1, 2, 5, 1, 1);              /* too few */
	plan_middle(&z, 20);
	expect(&z, 6, 2, 5, 1, 1);
	z = usual;
	plan_middle(&z, 1010);
	expect(&z, 501, 2, 5, 1, 1);
	plan_middle(&z, 100000);
	expect(&z, 501, 2, 5, 1, 1);            /* there is a delay already */
	z = usual;
	plan_middle(&z, UINT64_MAX / 2);
	expect(&z, 1, 2, 5, 1, 1);
}

static void a_complete_analysis_needs_no_run(void **state)
{
	struct plan_facts f = { .complete = true, .nclean = 5, .counted = true, .have = 100, .span_ns = 1, .want = usual };

	(void)state;
	assert_int_equal(plan_next(&f), PLAN_NO_RUN);
	f.better = true;
	assert_int_equal(plan_next(&f), PLAN_PHASE);    /* another phase is */
}

static void a_phase_that_tells_nothing_gives_way_to_spans_of_time(void **state)
{
	struct plan_facts f = { .complete = true, .brief = true, .nclean = 5, .counted = true, .have = 100, .want = usual };

	(void)state;
	assert_int_equal(plan_next(&f), PLAN_NO_RUN);   /* nothing ends them */
	f.span_ns = 1;
	assert_int_equal(plan_next(&f), PLAN_SPANS);
	f.better = true;
	assert_int_equal(plan_next(&f), PLAN_PHASE);
}

static void a_run_that_nobody_asked_for_completes_the_analysis(void **state)
{
	struct plan_facts f = { .unasked = true, .have = 2, .want = usual };

	(void)state;
	assert_int_equal(plan_next(&f), PLAN_PHASE);
	f.have = 1;
	assert_int_equal(plan_next(&f), PLAN_NO_RUN);   /* times or counts */
	f.nclean = 3;
	assert_int_equal(plan_next(&f), PLAN_PHASE);
	f.have = 0;
	assert_int_equal(plan_next(&f), PLAN_NO_RUN);
	f.span_ns = 1;
	assert_int_equal(plan_next(&f), PLAN_SPANS);
	f.unasked = false;
	assert_int_equal(plan_next(&f), PLAN_PHASE);    /* somebody asked for several */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(enough_executions_leave_the_plan_as_it_is),
		cmocka_unit_test(what_only_makes_figures_better_goes_first),
		cmocka_unit_test(one_execution_can_be_timed_or_counted),
		cmocka_unit_test(times_come_in_one_run_and_counts_in_the_next),
		cmocka_unit_test(counts_come_first_where_no_execution_can_be_spared_for_a_survey),
		cmocka_unit_test(both_come_in_one_run_where_they_fit),
		cmocka_unit_test(the_last_run_counts_and_times_if_that_fits),
		cmocka_unit_test(executions_in_the_middle_of_a_later_run_are_measured),
		cmocka_unit_test(a_complete_analysis_needs_no_run),
		cmocka_unit_test(a_phase_that_tells_nothing_gives_way_to_spans_of_time),
		cmocka_unit_test(a_run_that_nobody_asked_for_completes_the_analysis),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
