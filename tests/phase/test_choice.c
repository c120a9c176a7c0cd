/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "phase/choice.h"

#define MS UINT64_C(1000000)
enum { NEEDED = 11 };

/* Like a benchmark: trials around time steps around a solver, after an initialisation. */
static const struct phase_time usual[] = {
	/* initialisation */
	{ .region = 1, .ns = 900 * MS, .runs = 500, .entries = 1 },
	{ .region = 2, .ns = 2000 * MS, .runs = 0, .entries = 1, .open = true },        /* trials */
	{ .region = 3, .ns = 1900 * MS, .runs = 40, .entries = 1, .open = true },       /* time steps */
	{ .region = 4, .ns = 1800 * MS, .runs = 800, .entries = 40, .open = true },     /* solver */
};
enum { N = sizeof usual / sizeof *usual };

static void the_outermost_one_that_repeats_is_chosen(void **state)
{
	(void)state;
	assert_int_equal(phase_choose(usual, N, 3000 * MS, NEEDED, 0, true), 2);
	assert_int_equal(phase_choose(usual, 2, 3000 * MS, NEEDED, 0, true), -1);
}

static void a_region_with_less_than_half_of_the_time_is_not(void **state)
{
	(void)state;
	assert_int_equal(phase_choose(usual, N, 3700 * MS, NEEDED, 0, true), 2);
	assert_int_equal(phase_choose(usual, N, 3900 * MS, NEEDED, 0, true), -1);
}

static void long_executions_are_waited_for(void **state)
{
	struct phase_time t[N] = { usual[0], usual[1], usual[2], usual[3] };

	(void)state;
	t[1].runs = 2;          /* one takes 1 s */
	assert_int_equal(phase_choose(t, N, 3000 * MS, NEEDED, NEEDED * 999 * MS, true), 2);
	assert_int_equal(phase_choose(t, N, 3000 * MS, NEEDED, NEEDED * 1000 * MS, true), 1);
	t[1].open = false;      /* none will follow */
	assert_int_equal(phase_choose(t, N, 3000 * MS, NEEDED, NEEDED * 1000 * MS, true), 2);
}

static void what_has_ended_does_not_come_again(void **state)
{
	struct phase_time t[1] = { { .region = 1, .ns = 900 * MS, .runs = 500, .entries = 1 } };

	(void)state;
	assert_int_equal(phase_choose(t, 1, 1000 * MS, NEEDED, 0, true), -1);
	assert_int_equal(phase_choose(t, 1, 1000 * MS, NEEDED, 0, false), 0);
	t[0].entries = NEEDED;
	assert_int_equal(phase_choose(t, 1, 1000 * MS, NEEDED, 0, true), 0);
}

static void a_loop_that_has_ended_comes_again_if_it_was_entered_often(void **state)
{
	struct phase_time t = { .ns = 900 * MS, .runs = 500, .entries = 1,
		.since_first = 1000 * MS };

	(void)state;
	assert_true(phase_runs(&t, NEEDED, 0));         /* it was the program so far, ... */
	assert_false(phase_comes_again(&t, NEEDED));    /* like an initialisation */
	t.open = true;
	assert_true(phase_comes_again(&t, NEEDED));
	t.open = false;
	t.entries = NEEDED;
	assert_true(phase_comes_again(&t, NEEDED));
}

/* Like NAS IS: keys are made in a loop of brief iterations, then ranked ten times. */
static void of_small_shares_the_largest_is_proposed(void **state)
{
	struct phase_time t[] = {
		{ .region = 1, .ns = 600 * MS, .runs = 8000000, .entries = 1, .brief = true },
		{ .region = 2, .ns = 300 * MS, .runs = 10, .entries = 1 },
		{ .region = 3, .ns = 250 * MS, .runs = 1, .entries = 1 },
		{ .region = 4, .ns = 500 * MS, .runs = 20, .entries = 1, .shared = true },
	};

	(void)state;
	assert_int_equal(phase_choose(t, 4, 1000 * MS, 1, 0, false), -1);
	assert_int_equal(phase_choose_again(t, 4, 1000 * MS, NEEDED, 5), 1);
	assert_int_equal(phase_choose_again(t, 4, 3001 * MS, NEEDED, 5), -1);
	t[1].brief = true;      /* then the parallel region around it, which is executed once */
	assert_int_equal(phase_choose_again(t, 4, 1000 * MS, NEEDED, 5), 2);
}

/* Like NAS FT: an initialisation of many executions, and six time steps. */
static void few_long_executions_are_preferred_to_many_that_take_less(void **state)
{
	struct phase_time t[] = {
		{ .region = 1, .ns = 275 * MS, .runs = 256, .entries = 2 },
		{ .region = 2, .ns = 352 * MS, .runs = 6, .entries = 1 },
	};

	(void)state;
	assert_int_equal(phase_choose_again(t, 2, 1000 * MS, NEEDED, 5), 1);
	t[0].ns = 330 * MS;     /* nearly as much: it is a loop inside */
	assert_int_equal(phase_choose_again(t, 2, 1000 * MS, NEEDED, 5), 0);
}

static void what_several_threads_execute_at_once_is_none(void **state)
{
	struct phase_time t[1] = { usual[2] };

	(void)state;
	t[0].shared = true;
	assert_int_equal(phase_choose(t, 1, 2000 * MS, NEEDED, 0, true), -1);
}

static void a_phase_runs_while_it_has_half_of_the_time_since_it_began(void **state)
{
	struct phase_time t = { .ns = 500 * MS, .runs = NEEDED, .since_first = 1000 * MS };

	(void)state;
	assert_true(phase_runs(&t, NEEDED, 0));
	t.since_first = 1100 * MS;
	assert_false(phase_runs(&t, NEEDED, 0));
	t.since_first = 0;      /* not begun */
	assert_false(phase_runs(&t, NEEDED, 0));
}

static void what_runs_now_may_have_less_than_half_of_all_time(void **state)
{
	struct phase_time t[1] = { { .ns = 2000 * MS, .runs = 20, .entries = 1,
		.since_first = 2000 * MS, .open = true } };

	(void)state;
	assert_int_equal(phase_choose(t, 1, 19000 * MS, NEEDED, 0, true), 0);
	assert_int_equal(phase_choose(t, 1, 21000 * MS, NEEDED, 0, true), -1);
	t[0].since_first = 4100 * MS;
	assert_int_equal(phase_choose(t, 1, 19000 * MS, NEEDED, 0, true), -1);
}

static void brief_executions_are_no_phase(void **state)
{
	struct phase_time t[1] = { usual[2] };

	(void)state;
	t[0].brief = true;
	t[0].since_first = t[0].ns;
	assert_int_equal(phase_choose(t, 1, 2000 * MS, NEEDED, 0, true), -1);
	assert_false(phase_runs(t, NEEDED, 0));
}

static void a_phase_that_hardly_repeats_does_not_run(void **state)
{
	struct phase_time t = { .ns = 900 * MS, .since_first = 900 * MS, .open = true };

	(void)state;
	assert_true(phase_runs(&t, NEEDED, NEEDED * 900 * MS));
	assert_false(phase_runs(&t, NEEDED, NEEDED * 899 * MS));
	t.runs = 2;             /* with that which is open, one takes 300 ms at least */
	assert_true(phase_runs(&t, NEEDED, NEEDED * 300 * MS));
	assert_false(phase_runs(&t, NEEDED, NEEDED * 299 * MS));
	t.open = false;         /* 450 ms */
	assert_true(phase_runs(&t, NEEDED, NEEDED * 450 * MS));
	assert_false(phase_runs(&t, NEEDED, NEEDED * 449 * MS));
}

/* Like NAS MG: of four time steps one was recorded before the program ended. */
static void recorded_executions_do_not_make_a_phase_small(void **state)
{
	struct phase_time t = { .ns = 300 * MS, .runs = 4, .entries = 1 };

	(void)state;
	assert_int_equal(phase_add_recorded(&t, 1), 100 * MS);
	assert_int_equal(t.ns, 400 * MS);
	assert_int_equal(phase_add_recorded(&t, 4), 0);         /* nothing tells what they took */
	assert_int_equal(t.ns, 400 * MS);
}

static void recorded_executions_count_with_the_time_of_the_others(void **state)
{
	struct phase_time t = { .ns = 800 * MS, .runs = 10 };

	(void)state;
	assert_true(fabs(phase_share(&t, 1000 * MS, 0) - 0.8) < 1e-9);
	/* 8 of 10 took 800 ms: the two others 200 ms, of the program, too */
	assert_true(fabs(phase_share(&t, 1000 * MS, 2) - 1000.0 / 1200) < 1e-9);
	assert_true(isnan(phase_share(&t, 1000 * MS, 10)));
	assert_true(isnan(phase_share(&t, 0, 0)));
}

/* Like NAS MG beside other programs: what is done before the time steps seemed to be
 * all that the program does. */
static void a_phase_with_less_time_than_another_loop_is_outweighed(void **state)
{
	struct phase_time phase = { .region = 1, .ns = 200 * MS, .runs = 10 };
	struct phase_time other = { .region = 2, .ns = 500 * MS, .runs = 4 };

	(void)state;
	assert_true(phase_outweighed(&phase, &other, 1000 * MS, 0, 5));
	/* 2 of 10 took 200 ms: all of them 1000 of 1800 ms */
	assert_false(phase_outweighed(&phase, &other, 1000 * MS, 8, 5));
	/* nothing tells what they took */
	assert_false(phase_outweighed(&phase, &other, 1000 * MS, 10, 5));
	other.ns = 219 * MS;
	assert_false(phase_outweighed(&phase, &other, 1000 * MS, 0, 5));
	other.ns = 500 * MS;
	other.runs = 1;         /* it does not repeat */
	assert_false(phase_outweighed(&phase, &other, 1000 * MS, 0, 5));
}

/* Like miniMD: the time steps are in a parallel region, which calls force() and communicates. */
static void a_subroutine_that_a_team_calls_is_chosen_if_there_is_no_loop(void **state)
{
	struct phase_time t[] = {
		/* the parallel region */
		{ .region = 1, .ns = 990 * MS, .runs = 0, .entries = 1, .open = true },
		{ .region = 2, .ns = 3 * MS, .runs = 600, .entries = 100, .brief = true },      /* a loop inside */
		{ .region = 3, .ns = 60 * MS, .runs = 100, .entries = 100, .team = true },
		{ .region = 4, .ns = 800 * MS, .runs = 100, .entries = 100, .team = true },
	};

	(void)state;
	assert_int_equal(phase_choose(t, 4, 1000 * MS, NEEDED, 0, true), 3);
	/* it may be a loop's first step */
	assert_int_equal(phase_choose(t, 4, 1000 * MS, NEEDED, NEEDED * 1000 * MS, true), -1);
	assert_false(phase_holds(&t[0], &t[3]));
	t[0].runs = 1;
	assert_int_equal(phase_choose_again(t, 4, 1000 * MS, NEEDED, 5), 3);
	t[0].runs = 1;          /* of two cycles, the second of which is surveyed */
	t[0].since_first = 1000 * MS;
	assert_true(phase_holds(&t[0], &t[3]));
	t[1] = (struct phase_time){ .region = 2, .ns = 700 * MS, .runs = 100, .entries = 1,
		.open = true };
	assert_int_equal(phase_choose(t, 4, 1000 * MS, NEEDED, 0, true), 1);
	assert_int_equal(phase_choose_again(t, 4, 1000 * MS, NEEDED, 5), 1);
}

/* A kernel of 8000 executions, and output in four. */
static void what_hardly_repeats_is_not_better_than_a_kernel(void **state)
{
	struct phase_time t[] = {
		{ .region = 1, .ns = 400 * MS, .runs = 8000, .entries = 1 },
		{ .region = 2, .ns = 600 * MS, .runs = 4, .entries = 1 },
	};

	(void)state;
	assert_int_equal(phase_choose_again(t, 2, 1000 * MS, NEEDED, 5), 0);
	assert_false(phase_outweighed(&t[0], &t[1], 1000 * MS, 0, 5));
	t[1].runs = 5;          /* a small analysis needs no more */
	assert_int_equal(phase_choose_again(t, 2, 1000 * MS, NEEDED, 5), 1);
	assert_true(phase_outweighed(&t[0], &t[1], 1000 * MS, 0, 5));
	t[1].runs = 4;
	t[0].ns = 290 * MS;     /* less than half as much */
	assert_int_equal(phase_choose_again(t, 2, 1000 * MS, NEEDED, 5), 1);
	assert_true(phase_outweighed(&t[0], &t[1], 1000 * MS, 0, 5));
}

/* Like PolyBench with its arrays printed: the kernel is measured, then the output runs, and is. */
static void a_later_phase_that_is_worse_is_not_reported(void **state)
{
	struct phase_worth kernel = { 0.45, 5e6 }, output = { 0.25, 2460 };

	(void)state;
	assert_true(phase_is_worse(&output, &kernel));
	output = (struct phase_worth){ 0.25, 5e6 };
	assert_true(phase_is_worse(&output, &kernel));          /* by its share alone */
	output = (struct phase_worth){ 0.5, 2460 };
	assert_true(phase_is_worse(&output, &kernel));          /* by its accesses alone */
	kernel.share = 0.09;
	assert_false(phase_is_worse(&output, &kernel));         /* an initialisation */
	output = (struct phase_worth){ 0.42, 5e6 };
	kernel.share = 0.45;
	assert_false(phase_is_worse(&output, &kernel));         /* nearly as much */
	output.share = NAN;
	assert_false(phase_is_worse(&output, &kernel));
}

/* 60 time steps of 3 ms, after a parser that is no loop here. */
static void twenty_milliseconds_decide_if_one_loop_has_most_of_them(void **state)
{
	struct phase_time t[] = {
		{ .region = 1, .ns = 19 * MS, .runs = 6, .entries = 1, .open = true,
			.since_first = 19 * MS },
		{ .region = 2, .ns = 30 * MS, .runs = 0, .entries = 1, .open = true,
			.since_first = 30 * MS },
	};

	(void)state;
	assert_true(phase_is_clear(t, 1, 0, 21 * MS, 1));
	assert_false(phase_is_clear(t, 1, 0, 20 * MS, 1));
	assert_false(phase_is_clear(t, 1, 0, 21 * MS, 2));      /* of two processes */
	assert_false(phase_is_clear(t, 1, 0, 39 * MS, 1));      /* it has less than half of all */
	t[0].since_first = 24 * MS;
	assert_false(phase_is_clear(t, 1, 0, 30 * MS, 1));      /* and less than most since it
								 * began */
	assert_true(phase_is_clear(t, 1, 0, 301 * MS, 1));
	t[0].since_first = 19 * MS;
	assert_false(phase_is_clear(t, 2, 0, 31 * MS, 1));      /* the loop around it has not told
								 * whether it repeats */
	assert_true(phase_is_clear(t, 2, 0, 301 * MS, 1));
	t[1].runs = 1;
	assert_true(phase_is_clear(t, 2, 0, 31 * MS, 1));
}

/* Three time steps, and a loop inside that has 6/10 of each. */
static void few_steps_are_better_than_a_loop_inside_that_has_much_less(void **state)
{
	struct phase_time t[] = {
		{ .region = 1, .ns = 600 * MS, .runs = 9000, .entries = 9 },
		{ .region = 2, .ns = 950 * MS, .runs = 3, .entries = 1 },
	};

	(void)state;
	assert_int_equal(phase_choose_again(t, 2, 1000 * MS, NEEDED, 5), 1);
	assert_true(phase_is_wider(&t[1], &t[0], 1000 * MS));
	t[1].runs = 2;          /* no times and counts after a survey */
	assert_int_equal(phase_choose_again(t, 2, 1000 * MS, NEEDED, 5), 0);
	t[1].runs = 3;
	t[0].ns = 800 * MS;     /* it has most of each step */
	assert_int_equal(phase_choose_again(t, 2, 1000 * MS, NEEDED, 5), 0);
	t[0].ns = 600 * MS;     /* it is elsewhere */
	assert_int_equal(phase_choose_again(t, 2, 1600 * MS, NEEDED, 5), 0);
	t[0].ns = 400 * MS;     /* executions are too few for a large one: the smaller one has no
				 * half */
	assert_int_equal(phase_choose_again(t, 2, 1000 * MS, NEEDED, 5), 1);
}

/* As in LULESH: a loop in a step was executed as often as is needed
 * before the second step ended. */
static void a_loop_inside_a_step_gives_way_to_the_steps(void **state)
{
	const struct phase_time inner = { .region = 1, .ns = 560 * MS, .runs = 4000, .entries = 40,
		.open = true };
	struct phase_time steps = { .region = 2, .ns = 1000 * MS, .runs = 3, .entries = 1,
		.open = true };

	(void)state;
	assert_true(phase_gives_way(&inner, &steps, 1000 * MS, NEEDED, true));
	assert_false(phase_gives_way(&inner, &steps, 1000 * MS, NEEDED, false));
	steps.runs = NEEDED;
	assert_true(phase_gives_way(&inner, &steps, 1000 * MS, NEEDED, false));
	steps.runs = 2;         /* they may be all */
	assert_false(phase_gives_way(&inner, &steps, 1000 * MS, NEEDED, true));
	steps.runs = NEEDED;
	steps.open = false;     /* they are over */
	assert_false(phase_gives_way(&inner, &steps, 1000 * MS, NEEDED, true));
	steps.open = true;
	/* the loop is elsewhere */
	assert_false(phase_gives_way(&inner, &steps, 1600 * MS, NEEDED, true));
}

static void a_loop_with_most_of_a_step_gives_way_to_many_steps(void **state)
{
	const struct phase_time inner = { .region = 1, .ns = 820 * MS, .runs = 4000, .entries = 40,
		.open = true };
	struct phase_time steps = { .region = 2, .ns = 1000 * MS, .runs = NEEDED, .entries = 1,
		.open = true };

	(void)state;
	assert_true(phase_gives_way(&inner, &steps, 1000 * MS, NEEDED, false));
	steps.runs = 3;
	assert_false(phase_gives_way(&inner, &steps, 1000 * MS, NEEDED, true));
	steps.runs = NEEDED;
	steps.ns = 890 * MS;    /* nearly the same */
	assert_false(phase_gives_way(&inner, &steps, 1000 * MS, NEEDED, true));
	assert_false(phase_gives_way(&steps, &steps, 1000 * MS, NEEDED, true));
}

/* A sparse factorisation: a loop of 831 ns that is executed in 40 columns. */
static void what_the_clock_cannot_measure_is_no_phase(void **state)
{
	struct phase_time t[] = {
		{ .region = 1, .ns = 33 * MS / 1000, .runs = 40, .entries = 40,
			.since_first = 40 * MS / 1000 },
		{ .region = 2, .ns = 9999 * 40, .runs = 40, .entries = 1, .since_first = 9999 * 40,
			.open = true },
	};

	(void)state;
	assert_true(phase_is_brief(&t[0]));
	assert_int_equal(phase_choose_again(t, 2, 40 * 9999, NEEDED, 5), -1);
	assert_int_equal(phase_choose(t, 2, 40 * 9999, NEEDED, 0, true), -1);
	assert_false(phase_holds(&t[1], &t[0]));
	t[1].ns = 40 * PHASE_BRIEF_NS;
	assert_false(phase_is_brief(&t[1]));
	assert_int_equal(phase_choose_again(t, 2, 40 * PHASE_BRIEF_NS, NEEDED, 5), 1);
	t[1].runs = 0;
	assert_false(phase_is_brief(&t[1]));    /* its first execution goes on */
}

static void spans_of_time_are_three_times_as_many_as_are_needed(void **state)
{
	struct phase_time t = { .ns = 600 * MS, .runs = 10, .entries = 12 };

	(void)state;
	assert_int_equal(phase_span(&t, 1, 329 * MS, NEEDED), 0);
	assert_int_equal(phase_span(&t, 1, 330 * MS, NEEDED), 10 * MS);
	assert_int_equal(phase_span(&t, 1, 659 * MS, NEEDED), 10 * MS);
	assert_int_equal(phase_span(&t, 1, 660 * MS, NEEDED), 20 * MS);
	assert_int_equal(phase_span(&t, 1, 1650 * MS, NEEDED), 50 * MS);
	assert_int_equal(phase_span(&t, 1, 4999 * MS, NEEDED), 100 * MS);
	/* it has less than a tenth of the time */
	assert_int_equal(phase_span(&t, 1, 6001 * MS, NEEDED), 0);
	t.ns = 6600 * MS;
	assert_int_equal(phase_span(&t, 1, 66000 * MS, NEEDED), 2000 * MS);
	t.runs = 9;             /* one long loop has nothing that ends a span */
	assert_int_equal(phase_span(&t, 1, 66000 * MS, NEEDED), 0);
	t.more = true;
	assert_int_equal(phase_span(&t, 1, 66000 * MS, NEEDED), 2000 * MS);
}

/* A program that calls one function, whose loop is brief, behind a short loop that repeats. */
static const struct phase_time once[] = {
	{ .region = 1, .ns = 100 * MS, .runs = 500, .entries = 1 },
	{ .region = 2, .ns = 800 * MS, .runs = 1, .entries = 1 },
	{ .region = 3, .ns = 700 * MS, .runs = 6, .entries = 1 },
	{ .region = 4, .ns = 690 * MS, .runs = 5000, .entries = 6, .brief = true },
};

static void another_run_takes_the_outermost_region_that_repeats_enough(void **state)
{
	(void)state;
	assert_int_equal(phase_choose_again(once, 4, 1000 * MS, 11, 6), 2);
	assert_int_equal(phase_choose_again(once, 4, 1000 * MS, 11, 7), 1);
	assert_int_equal(phase_choose_again(once, 1, 1001 * MS, 11, 6), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_outermost_one_that_repeats_is_chosen),
		cmocka_unit_test(a_region_with_less_than_half_of_the_time_is_not),
		cmocka_unit_test(long_executions_are_waited_for),
		cmocka_unit_test(what_has_ended_does_not_come_again),
		cmocka_unit_test(a_loop_that_has_ended_comes_again_if_it_was_entered_often),
		cmocka_unit_test(of_small_shares_the_largest_is_proposed),
		cmocka_unit_test(few_long_executions_are_preferred_to_many_that_take_less),
		cmocka_unit_test(what_several_threads_execute_at_once_is_none),
		cmocka_unit_test(a_phase_runs_while_it_has_half_of_the_time_since_it_began),
		cmocka_unit_test(a_phase_that_hardly_repeats_does_not_run),
		cmocka_unit_test(what_runs_now_may_have_less_than_half_of_all_time),
		cmocka_unit_test(brief_executions_are_no_phase),
		cmocka_unit_test(recorded_executions_do_not_make_a_phase_small),
		cmocka_unit_test(recorded_executions_count_with_the_time_of_the_others),
		cmocka_unit_test(a_phase_with_less_time_than_another_loop_is_outweighed),
		cmocka_unit_test(a_subroutine_that_a_team_calls_is_chosen_if_there_is_no_loop),
		cmocka_unit_test(what_hardly_repeats_is_not_better_than_a_kernel),
		cmocka_unit_test(a_later_phase_that_is_worse_is_not_reported),
		cmocka_unit_test(twenty_milliseconds_decide_if_one_loop_has_most_of_them),
		cmocka_unit_test(few_steps_are_better_than_a_loop_inside_that_has_much_less),
		cmocka_unit_test(a_loop_inside_a_step_gives_way_to_the_steps),
		cmocka_unit_test(a_loop_with_most_of_a_step_gives_way_to_many_steps),
		cmocka_unit_test(what_the_clock_cannot_measure_is_no_phase),
		cmocka_unit_test(spans_of_time_are_three_times_as_many_as_are_needed),
		cmocka_unit_test(another_run_takes_the_outermost_region_that_repeats_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
