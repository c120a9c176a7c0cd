/* SPDX-License-Identifier: BSD-3-Clause */
/* All columns of a timeline sum to the table's figures, or it is said where they do not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "tests/report/sample.h"

#define STEP "gather.c:step/loop 1"
#define ROW(key, name, at, n, misses1) { .region = key, .structure = name, .declared = at, .accesses = n, .coherence = 0, \
	.misses = { misses1, misses1, misses1, NAN } }
/* Of two processes: each has 2 threads that fill the table, a half each (8 columns of 1000 accesses, an eighth of them
 * misses), then 24 columns of 500 accesses to the table, 400 of them misses, and 500 to out, 62 of them misses. */
static const struct report_cost right[] = {
	ROW(STEP, NULL, NULL, 4 * 32000, 4 * (1000 + 9600 + 1488)),
	ROW(STEP, "table", "gather.c:5", 4 * 20000, 4 * (1000 + 9600)),
	ROW(STEP, "out", "gather.c:6", 4 * 12000, 4 * 1488),
	ROW(STEP "/loop 1", NULL, NULL, 4 * 8000, 4 * 1000),
	ROW(STEP "/loop 2", "out", "gather.c:6", 4 * 12000, 4 * 1488),
	ROW(STEP "/loop 9", NULL, NULL, 7, 7),  /* too small: a part of the step in the timeline */
};
enum { ROWS = sizeof right / sizeof *right, CELLS = 2 * 6 };

static struct report *made(struct report_cost costs[ROWS])
{
	struct report *r = report_new();

	assert_non_null(r);
	memcpy(costs, right, sizeof right);
	sample_timelines(r);
	r->costs = costs;
	r->ncosts = ROWS;
	r->nprocs = 2;
	return r;
}

static void columns_sum_to_the_table(void **state)
{
	struct report_cost costs[ROWS];
	struct report *r = made(costs);
	struct err err;

	(void)state;
	assert_int_equal(report_timelines_check(r, &err), ROWS * 5 + CELLS * 3);
	report_free(r);
}

static void sums_of_executions_are_divided_by_their_number(void **state)
{
	struct report_cost costs[ROWS];
	struct report *r = made(costs);
	struct err err;

	(void)state;
	for (int i = 0; i < r->ntimelines; i++)
		r->timelines[i].executions = 2;
	for (int i = 0; i < ROWS; i++) {
		costs[i].accesses /= 2;
		for (int k = 0; k < 3; k++)
			costs[i].misses[k] /= 2;
	}
	assert_int_equal(report_timelines_check(r, &err), ROWS * 5 + CELLS * 3);
	report_free(r);
}

static void differ(struct report *r, const char *what)
{
	struct err err = { "" };

	assert_int_equal(report_timelines_check(r, &err), -1);
	if (!strstr(err.text, what))
		fail_msg("\"%s\" does not have \"%s\"", err.text, what);
}

static void a_miss_more_or_less_is_found(void **state)
{
	struct report_cost costs[ROWS];
	struct report *r = made(costs);

	(void)state;
	costs[1].misses[2] += 1;
	differ(r, STEP ", table: the table has 42401 level 3 misses an execution, the columns have 42400");
	costs[1].misses[2] -= 2;
	differ(r, "the table has 42399");
	costs[1].misses[2] += 1;
	costs[0].accesses += 1;
	differ(r, STEP ": the table has 128001 accesses");
	costs[0].accesses -= 1;
	costs[0].coherence = 3;
	differ(r, "coherence misses");
	report_free(r);
}

/* A part of it may be in a small region; more it cannot have. */
static void misses_of_a_cell_that_no_node_or_channel_has_are_found(void **state)
{
	struct report_cost costs[ROWS];
	struct report *r = made(costs);
	struct report_time_cell *c = &r->timelines[1].cells[3];
	static const struct report_point one[] = { { 0, 9601 } };
	const struct report_series more = { one, 1 }, kinds = c->kinds;

	(void)state;
	c->channels.n--;
	differ(r, "gather.c:step/loop 1/loop 2, table, thread 1: 9200 misses of the last level by channel, 9600 in all");
	c->kinds = more;
	differ(r, "9601 misses of the last level by class, 9600 in all");
	c->kinds = kinds;
	c->served = more;
	differ(r, "9601 misses of the last level by node, 9600 in all");
	report_free(r);
}

static void a_region_has_no_more_than_in_the_table(void **state)
{
	struct report_cost costs[ROWS];
	struct report *r = made(costs);
	struct err err;

	(void)state;
	costs[3].accesses += 100;
	assert_true(report_timelines_check(r, &err) > 0);
	costs[3].accesses -= 101;
	differ(r, STEP "/loop 1: the table has 31999");
	report_free(r);
}

static void regions_take_no_longer_than_the_phase(void **state)
{
	struct report_cost costs[ROWS];
	struct report *r = made(costs);
	struct report_timeline *t = &r->timelines[1];
	struct err err;

	(void)state;
	t->time = 0.5;
	for (int i = 0; i < t->nregions; i++)
		t->regions[i].time = i == 1 ? NAN : 0.5 / (t->nregions - 1);
	assert_true(report_timelines_check(r, &err) > 0);
	t->regions[1].time = 0.125;
	differ(r, "regions take 0.625 s of a phase of 0.5 s");
	report_free(r);
}

static void what_small_structures_have_together_may_be_missing(void **state)
{
	struct report_cost costs[ROWS];
	struct report *r = made(costs);
	struct err err;

	(void)state;
	for (int i = 0; i < r->ntimelines; i++) {
		r->timelines[i].structures[1].joined = true;
		r->timelines[i].structures[1].name = "";
	}
	assert_true(report_timelines_check(r, &err) > 0);
	costs[2].accesses += 1;
	differ(r, STEP ", out: the table has 48001");
	report_free(r);
}

static void what_is_not_complete_is_not_compared(void **state)
{
	struct report_cost costs[ROWS];
	struct report *r = made(costs);
	struct err err;

	(void)state;
	costs[0].misses[0] += 1;
	r->timelines[1].sample_share = 0.125;   /* accesses alone */
	assert_int_equal(report_timelines_check(r, &err), ROWS);
	r->timelines[0].left_out = 1;
	assert_int_equal(report_timelines_check(r, &err), 0);
	r->timelines[0].left_out = 0;
	r->nprocs = 3;
	assert_int_equal(report_timelines_check(r, &err), 0);
	r->ntimelines = 0;
	assert_int_equal(report_timelines_check(r, &err), 0);
	report_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_sum_to_the_table),
		cmocka_unit_test(sums_of_executions_are_divided_by_their_number),
		cmocka_unit_test(a_miss_more_or_less_is_found),
		cmocka_unit_test(misses_of_a_cell_that_no_node_or_channel_has_are_found),
		cmocka_unit_test(a_region_has_no_more_than_in_the_table),
		cmocka_unit_test(regions_take_no_longer_than_the_phase),
		cmocka_unit_test(what_small_structures_have_together_may_be_missing),
		cmocka_unit_test(what_is_not_complete_is_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
