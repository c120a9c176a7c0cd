/* SPDX-License-Identifier: BSD-3-Clause */
/* Flows: the threads on one axis, intervals, and what follows from them; and as a property reads them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "analysis/measure/columns.h"
#include "analysis/measure/flow_counts.h"
#include "analysis/measure/use_intervals.h"
#include "analysis/measure/flow_nodes.h"
#include "analysis/measure/flow_scaling.h"
#include "analysis/measure/store.h"

enum { GRID = MON_OBJ_FIRST, TABLE, OBJECTS, COLUMNS = 512, WIDTH = 100, MOST = 8192 };

/* Context 0 holds 1; 2 is another one in 0. */
static struct measured_context contexts[] = { { .parent = NO_CONTEXT }, { .parent = 0 }, { .parent = 0 } };
static struct measured_object objects[OBJECTS] = { [GRID] = { .name = (char *)(uintptr_t)"grid" },
	[TABLE] = { .name = (char *)(uintptr_t)"table" } };
static struct machine machine = { .flat = { .nlevels = 1, .nodes = { .count = 2 } } };
static struct column_count counts[MOST];
static struct columns columns;
static struct measurements p;

/* What flows of the columns have kept of them is wrong now. */
static void forget(void)
{
	flow_counts_free(columns.flows);
	columns.flows = NULL;
}

static int end(void **state)
{
	(void)state;
	forget();
	return 0;
}

static int begin(void **state)
{
	(void)state;
	columns = (struct columns){ .executions = 1, .threads = 2, .n = COLUMNS, .width = WIDTH, .references = COLUMNS * WIDTH,
		.count = counts };
	p = (struct measurements){ .contexts = contexts, .ncontexts = 3, .objects = objects, .nobjects = OBJECTS,
		.machine = &machine, .columns = &columns };
	return 0;
}

/* The same count in the columns from..to - 1. */
static void put(uint32_t thread, uint32_t context, uint32_t object, uint16_t field, uint32_t from, uint32_t to, uint64_t value)
{
	for (uint32_t c = from; c < to; c++) {
		assert_true(columns.ncounts < MOST);
		counts[columns.ncounts++] = (struct column_count){ context, object, thread, 0, field, (uint16_t)c, value };
	}
}

static void is_interval(const struct flow *f, uint32_t i, uint32_t thread, uint32_t from, uint32_t to)
{
	assert_true(i < f->nintervals);
	assert_int_equal(f->interval[i].thread, thread);
	assert_int_equal(f->interval[i].from, from);
	assert_int_equal(f->interval[i].to, to);
}

static void one_thread_has_intervals_where_it_uses_the_structure(void **state)
{
	struct flow *f;

	(void)state;
	columns.executions = 2;
	put(0, 1, GRID, TIMELINE_WRITES, 0, 100, 40);
	put(0, 1, GRID, TIMELINE_READS, 200, 300, 80);
	put(0, 1, GRID, TIMELINE_READS, 302, 400, 80);          /* two columns later: the same interval */
	put(0, 1, GRID, TIMELINE_MISSES, 200, 300, 10);
	put(0, 1, GRID, TIMELINE_SERVED + 1, 200, 300, 10);
	put(0, 2, GRID, TIMELINE_READS, 500, 512, 80);          /* in another region */
	put(0, 1, TABLE, TIMELINE_READS, 0, 512, 80);
	f = flow_new(&p, 1, GRID);
	assert_non_null(f);
	assert_true(f->ordered && f->use == FLOW_EXCLUSIVE && f->first == 0);
	assert_int_equal(f->nintervals, 2);
	is_interval(f, 0, 0, 0, 100);
	is_interval(f, 1, 0, 200, 400);
	assert_true(fabs(f->interval[0].writes - 100 * 20) < 1e-6 && fabs(f->interval[1].reads - 198 * 40) < 1e-6);
	assert_true(fabs(f->interval[1].misses - 500) < 1e-6 && fabs(f->served[1] - 500) < 1e-6);
	assert_true(fabs(f->last_write - 100.0 / 512) < 1e-9 && fabs(f->after_write - 198 * 40) < 1e-6);
	assert_true(fabs(flow_figure(f, FLOW_BEGIN, 1, 2) - 2 * 200.0 / 512) < 1e-9);
	assert_true(isnan(flow_figure(f, FLOW_BEGIN, 2, 2)) && isnan(flow_figure(f, FLOW_BEGIN, -1, 2)));
	assert_true(isnan(flow_figure(f, FLOW_SERVED, 2, 2)) && isnan(flow_figure(f, FLOW_INTERVALS, 0, 2)));
	flow_free(f);
	f = flow_new(&p, 0, GRID);      /* with all regions inside */
	assert_int_equal(f->nintervals, 3);
	flow_free(f);
}

static struct { uint32_t thread, number, node; } team[] = { { 1, 1, 1 }, { 0, 0, 0 } };
static struct measured_locality localities[] = {
	{ .object = GRID, .users = 1, .user = 0, .bytes = 3000, .code = 7 },
	{ .object = GRID, .users = 1, .user = 1, .bytes = 4000, .code = 8 },
	{ .object = GRID, .toucher = 1, .users = 2, .user = UINT32_MAX, .node = 1, .bytes = 1000,
		.code = 9 },
	{ .object = TABLE, .toucher = UINT32_MAX, .users = 1, .user = 0, .node = UINT32_MAX,
		.bytes = 10 },
};

/* Two nodes of one CPU, on which the threads run. */
static void two_nodes(void)
{
	machine.flat.ncpus = 2;
	machine.flat.nodes = (struct machine_nodes){ .count = 2, .cpus = 1, .latency = { { 200, 400 }, { 400, 200 } } };
	columns.team = (void *)team;
	columns.nteam = 2;
	columns.locality = localities;
	columns.nlocality = 4;
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

static void nodes_of_a_flow_are_those_of_threads_and_pages(void **state)
{
	struct buf names = BUF_INIT;
	struct flow *f;

	(void)state;
	two_nodes();
	put(0, 1, GRID, TIMELINE_READS, 0, 512, 10);
	put(1, 1, GRID, TIMELINE_READS, 0, 512, 10);
	put(0, 1, GRID, TIMELINE_SERVED, 0, 512, 2);
	put(1, 1, GRID, TIMELINE_SERVED, 0, 512, 2);
	put(1, 1, TABLE, TIMELINE_SERVED + 1, 0, 512, 1);
	f = flow_new(&p, 0, GRID);
	assert_true(flow_home(f) == 0 && near(flow_home_share(f), 1) && near(flow_load(f), 2 * 4 / 5.0));
	assert_int_equal(flow_users(f), 2);
	assert_true(flow_user_nodes(f) == 2 && flow_thread_nodes(f) == 2);
	assert_true(near(flow_cycles(f, FLOW_AS_IT_IS), 512 * 2 * (200 + 400)));
	assert_true(near(flow_cycles(f, FLOW_AT_USERS), 512 * 4 * 200));
	assert_true(near(flow_cycles(f, FLOW_INTERLEAVED), 512 * 4 * 300));
	assert_true(near(flow_cycles(f, FLOW_TOGETHER), 512 * 4 * 200));
	flow_user_names(f, &names);
	assert_string_equal(buf_str(&names), "threads 0 and 1");
	buf_free(&names);
	flow_free(f);
	f = flow_new(&p, 0, TABLE);
	assert_null(f);         /* nothing reads or writes it */
	machine.flat.nodes = (struct machine_nodes){ .count = 2 };
}

static void locality_tells_first_toucher_and_users(void **state)
{
	struct locality l;

	(void)state;
	two_nodes();
	locality_of(&p, GRID, &l);
	assert_true(l.toucher == 0 && near(l.touched, 7 / 8.0) && l.code == 8);
	assert_true(near(l.one_user, 7 / 8.0) && near(l.elsewhere, 4 / 8.0) && near(l.group, 0));
	team[1].node = 1;               /* the thread has left what it touched */
	locality_of(&p, GRID, &l);
	assert_true(l.toucher == 0 && near(l.elsewhere, 7 / 8.0));
	assert_int_equal(locality_node(&p, 0), 1);
	team[1].node = 0;
	columns.threads = 3;            /* then two are a group */
	locality_of(&p, GRID, &l);
	assert_true(near(l.group, 1 / 8.0));
	locality_of(&p, TABLE, &l);
	assert_true(l.toucher == UINT32_MAX && near(l.one_user, 1) && isnan(l.elsewhere));
	columns.nlocality = 0;
	locality_of(&p, GRID, &l);
	assert_true(l.toucher == UINT32_MAX && isnan(l.one_user) && isnan(l.touched));
	machine.flat.nodes = (struct machine_nodes){ .count = 2 };
}

static void what_threads_do_without_barriers_has_no_order(void **state)
{
	struct flow *f;

	(void)state;
	put(0, 1, GRID, TIMELINE_READS, 0, 200, 80);
	put(1, 1, GRID, TIMELINE_READS, 200, 400, 80);
	f = flow_new(&p, 1, GRID);
	assert_false(f->ordered);
	assert_true(f->use == FLOW_UNKNOWN && f->first == UINT32_MAX && isnan(f->first_use));
	assert_int_equal(f->nintervals, 2);
	assert_true(isnan(flow_figure(f, FLOW_BEGIN, 0, 1)));
	assert_true(fabs(flow_figure(f, FLOW_ACCESS, 1, 1) - 16000) < 1e-6);
	flow_free(f);
}

/* Thread 1's positions 0 to 10000 are stretched to thread 0's 0 to 20000: it passes the barrier there. */
static struct column_mark barrier[] = { { 0, 0, 20000 }, { 1, 0, 10000 } };

static void threads_that_use_it_in_turn_alternate(void **state)
{
	struct flow *f;

	(void)state;
	columns.mark = barrier;
	columns.nmarks = 2;
	put(0, 1, GRID, TIMELINE_WRITES, 0, 200, 80);
	put(0, 1, TABLE, TIMELINE_WRITES, 200, 512, 80);
	put(1, 1, TABLE, TIMELINE_READS, 0, 100, 80);
	put(1, 1, GRID, TIMELINE_READS, 100, 300, 80);
	f = flow_new(&p, 1, GRID);
	assert_true(f->ordered && f->use == FLOW_ALTERNATING && f->first == 0);
	assert_int_equal(f->nintervals, 2);
	is_interval(f, 0, 0, 0, 200);
	is_interval(f, 1, 1, 200, 400);
	assert_true(fabs(f->after_write - 16000) < 1e-6);
	flow_free(f);
	f = flow_new(&p, 1, TABLE);
	assert_int_equal(f->first, 1);
	is_interval(f, 0, 1, 0, 200);
	is_interval(f, 1, 0, 200, 512);
	flow_free(f);
}

/* Two threads have met, but the one that uses the structure with them has met none. */
static void threads_that_have_met_say_nothing_of_a_third(void **state)
{
	static struct column_mark marks[] = { { 0, 0, 20000 }, { 1, 0, 10000 }, { 2, 1, 500 } };
	struct flow *f;

	(void)state;
	columns.threads = 3;
	columns.mark = marks;
	columns.nmarks = 3;
	put(0, 1, GRID, TIMELINE_READS, 0, 100, 80);
	put(2, 1, GRID, TIMELINE_READS, 0, 100, 80);
	put(0, 1, TABLE, TIMELINE_READS, 0, 100, 80);
	put(1, 1, TABLE, TIMELINE_READS, 0, 100, 80);
	f = flow_new(&p, 1, GRID);
	assert_false(f->ordered);
	flow_free(f);
	f = flow_new(&p, 1, TABLE);
	assert_true(f->ordered);
	flow_free(f);
}

/* Whoever met the one that met the other is ordered with both. */
static void threads_are_ordered_through_a_third(void **state)
{
	static struct column_mark marks[] = { { 0, 0, 20000 }, { 1, 0, 10000 }, { 1, 1, 20000 }, { 2, 1, 500 } };
	struct flow *f;

	(void)state;
	columns.threads = 3;
	columns.mark = marks;
	columns.nmarks = 4;
	put(0, 1, GRID, TIMELINE_READS, 0, 100, 80);
	put(2, 1, GRID, TIMELINE_READS, 0, 100, 80);
	f = flow_new(&p, 1, GRID);
	assert_true(f->ordered);
	flow_free(f);
}

/* A thread that makes no accesses between two marks waits there: what it does next is behind the second one. */
static void a_thread_that_waits_goes_on_behind_its_wait(void **state)
{
	static struct column_mark marks[] = { { 0, 0, 10000 }, { 0, 1, 20000 }, { 1, 0, 0 }, { 1, 1, 0 } };
	struct flow *f;

	(void)state;
	columns.mark = marks;
	columns.nmarks = 4;
	put(0, 1, GRID, TIMELINE_READS, 0, 200, 80);            /* until both pass mark 1 .. */
	put(0, 1, TABLE, TIMELINE_READS, 200, 512, 80);
	put(1, 1, GRID, TIMELINE_READS, 0, 100, 80);            /* .. and the other one behind it */
	f = flow_new(&p, 1, GRID);
	is_interval(f, 0, 0, 0, 200);
	is_interval(f, 1, 1, 200, 300);
	assert_true(f->use == FLOW_ALTERNATING);
	flow_free(f);
	forget();
	marks[2].at = marks[3].at = 5000;       /* it waits in the midst: the gap has no accesses */
	f = flow_new(&p, 1, GRID);
	is_interval(f, 1, 1, 0, 100);           /* 5000 accesses until mark 0, as long as the other one's 10000 */
	is_interval(f, 2, 1, 200, 250);
	flow_free(f);
}

static void many_marks_move_no_accesses(void **state)
{
	enum { MARKS = 20000 };
	struct column_mark *marks = calloc(2 * MARKS, sizeof *marks);
	struct flow *f;

	(void)state;
	for (uint32_t i = 0; i < MARKS; i++) {
		marks[i] = (struct column_mark){ 0, i, 2 * i };
		marks[MARKS + i] = (struct column_mark){ 1, i, i };
	}
	columns.mark = marks;
	columns.nmarks = 2 * MARKS;
	put(0, 1, GRID, TIMELINE_READS, 0, 400, 80);
	put(1, 1, GRID, TIMELINE_READS, 0, 200, 80);
	f = flow_new(&p, 1, GRID);
	is_interval(f, 0, 0, 0, 512);
	is_interval(f, 1, 1, 0, 512);
	assert_true(fabs(f->access[0] - 400 * 80) < 1e-6 && fabs(f->access[1] - 200 * 80) < 1e-6);
	flow_free(f);
	free(marks);
}

static void threads_that_use_it_at_once_are_concurrent(void **state)
{
	struct flow *f;

	(void)state;
	columns.mark = barrier;
	columns.nmarks = 2;
	put(0, 1, GRID, TIMELINE_READS, 0, 200, 80);
	put(1, 1, GRID, TIMELINE_READS, 0, 100, 160);
	f = flow_new(&p, 1, GRID);
	assert_true(f->use == FLOW_CONCURRENT);
	assert_true(fabs(flow_figure(f, FLOW_READS, 0, 1) - 16000) < 1e-6);
	flow_free(f);
}

static void a_thread_goes_from_structure_to_structure(void **state)
{
	struct flow *f;

	(void)state;
	put(0, 1, GRID, TIMELINE_READS, 0, 250, 60);
	put(0, 1, TABLE, TIMELINE_READS, 0, 250, 20);
	put(0, 2, TABLE, TIMELINE_WRITES, 250, 512, 80);
	f = flow_new(&p, 0, MON_ANY);
	assert_int_equal(f->nintervals, 2);
	is_interval(f, 0, 0, 0, 250);
	is_interval(f, 1, 0, 250, 512);
	assert_string_equal(flow_structure(f, 0), "grid");
	assert_string_equal(flow_structure(f, 1), "table");
	assert_null(flow_structure(f, 2));
	assert_true(fabs(flow_figure(f, FLOW_STRUCTURE, 1, 1) - TABLE) < 1e-9);
	assert_true(fabs(f->interval[0].reads - 250 * 80) < 1e-6);
	flow_free(f);
}

/* Both threads fetch GRID from node 0, each its part of TABLE from its own node. */
static void with_more_threads_one_node_serves_what_one_thread_touched(void **state)
{
	const struct machine before = machine;
	struct flow_scaling *s;

	(void)state;
	machine.flat.ncpus = 8;
	machine.flat.spread = 1;
	machine.flat.nodes = (struct machine_nodes){ .count = 4, .cpus = 2 };
	machine.flat.level[0] = (struct machine_level){ .line = 64, .size = 1024, .cpus = 2 };
	for (uint32_t k = 0; k < 2; k++) {
		put(k, 1, GRID, TIMELINE_CLASS, 0, 100, 1);
		put(k, 1, GRID, TIMELINE_SERVED, 0, 100, 1);
		put(k, 1, TABLE, TIMELINE_CLASS, 0, 100, 1);
		put(k, 1, TABLE, (uint16_t)(TIMELINE_SERVED + k), 0, 100, 1);
	}
	p.store = store_new();          /* no reuse distances are known */
	assert_non_null(p.store);
	s = flow_scaling_new(&p, 8);
	assert_non_null(s);
	assert_int_equal(flow_scaling_threads(s), 8);
	assert_true(near(flow_scaling_value(s, GRID, SCALED_LINES), 200));
	assert_true(near(flow_scaling_value(s, GRID, SCALED_LINES_HIGH), 800));
	assert_true(near(flow_scaling_value(s, GRID, SCALED_NODE), 0));
	assert_true(near(flow_scaling_value(s, GRID, SCALED_SHARE), 250. / 400));
	assert_true(near(flow_scaling_value(s, GRID, SCALED_LOAD), 2.5));
	assert_true(near(flow_scaling_value(s, GRID, SCALED_PART), 0.8));
	assert_true(flow_scaling_value(s, GRID, SCALED_SHARE_LOW) < 250. / 400);
	assert_true(isnan(flow_scaling_value(s, OBJECTS, SCALED_LINES)));
	flow_scaling_free(s);
	machine.flat.sockets = 2;               /* threads on nodes 0 and 2: of neither is node 1 */
	s = flow_scaling_new(&p, 8);
	assert_non_null(s);
	assert_true(near(flow_scaling_value(s, GRID, SCALED_SHARE), 1));
	flow_scaling_free(s);
	machine.flat.sockets = 1;
	assert_null(flow_scaling_new(&p, 9));   /* the model has 8 CPUs .. */
	assert_null(flow_scaling_new(&p, 1));   /* .. and the run 2 threads */
	machine.flat.spread = 0;                /* both threads on one node */
	s = flow_scaling_new(&p, 8);
	assert_non_null(s);
	assert_true(isnan(flow_scaling_value(s, GRID, SCALED_LOAD)));
	flow_scaling_free(s);
	store_free(p.store);
	p.store = NULL;
	machine = before;
}

static void without_columns_nothing_is_known(void **state)
{
	(void)state;
	assert_null(flow_new(&p, 0, GRID));     /* it is not used */
	p.columns = NULL;
	assert_null(flow_new(&p, 0, GRID));
	flow_free(NULL);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, end)
int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(one_thread_has_intervals_where_it_uses_the_structure),
		CASE(what_threads_do_without_barriers_has_no_order),
		CASE(nodes_of_a_flow_are_those_of_threads_and_pages),
		CASE(locality_tells_first_toucher_and_users),
		CASE(threads_that_use_it_in_turn_alternate),
		CASE(threads_that_have_met_say_nothing_of_a_third),
		CASE(threads_are_ordered_through_a_third),
		CASE(a_thread_that_waits_goes_on_behind_its_wait),
		CASE(many_marks_move_no_accesses),
		CASE(threads_that_use_it_at_once_are_concurrent),
		CASE(a_thread_goes_from_structure_to_structure),
		CASE(with_more_threads_one_node_serves_what_one_thread_touched),
		CASE(without_columns_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
