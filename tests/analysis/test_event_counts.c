/* SPDX-License-Identifier: BSD-3-Clause */
/* Events by context: sums, shares of time, and what is not measured. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "analysis/measure/event_counts.h"
#include "analysis/measure/metric_values.h"
#include "tests/analysis/fixture.h"

static const char program[] = FIXTURE_PROGRAM("c",
	FIXTURE_UNIT(1, "step", "a.c", 1, 50,
		FIXTURE_REGION(1, "loop", "", "a.c", 5, 20, "")
		FIXTURE_REGION(1, "loop", "", "a.c", 25, 40, "")));

/* The phase (0) with two loops. */
static const struct fixture_context contexts[] = { { NO_CONTEXT, 0 }, { 0, 1 }, { 0, 2 } };

static int set_up(void **state)
{
	static struct fixture f;

	*state = &f;
	return fixture_open(&f, program, 3,
		"class Region { string name; };\n"
		"class SeqPerf { Region region; float cpu_time [s]; float event_faults [1]; float event_cycles [1];\n"
		"	float event_switches [1]; };\n"
		"PROPERTY Both(SeqPerf s) { CONDITION: s.event_faults / s.event_cycles > 1; CONFIDENCE: 1; SEVERITY: s.cpu_time; }\n"
		"PROPERTY One(SeqPerf s) { CONDITION: s.event_cycles > 1; CONFIDENCE: 1; SEVERITY: s.cpu_time; }\n"
		"PROPERTY None(SeqPerf s) { CONDITION: s.cpu_time > 1; CONFIDENCE: 1; SEVERITY: s.cpu_time; }\n");
}

static struct measurements *counted(struct fixture *f, struct mon_event_row *rows, uint32_t n, const char *const *metrics)
{
	struct measurements *p = fixture_measurements(f, -1, 2, contexts, 3);
	struct mon_result r = { .state = MON_DONE, .kind = MON_EVENTS, .executions = 3, .events = rows, .nevents = n };

	assert_int_equal(event_counts_add(p, &r, metrics, "events"), 0);
	return p;
}

static void contexts_and_threads_are_summed_and_executions_give_a_median(void **state)
{
	const char *const metrics[MON_EVENTS_MOST] = { "faults", "cycles" };
	struct mon_event_row rows[] = {
		{ 0, 0, 0, 0, 10, 100, 100 }, { 1, 0, 0, 0, 30, 100, 100 }, { 1, 1, 0, 0, 50, 100, 100 },
		{ 0, 0, 0, 1, 10, 100, 100 }, { 1, 0, 0, 1, 31, 100, 100 }, { 1, 1, 0, 1, 50, 100, 100 },
		{ 0, 0, 0, 2, 99, 100, 100 }, { 1, 0, 0, 2, 31, 100, 100 }, { 1, 1, 0, 2, 51, 100, 100 },
		{ 0, 0, 1, 0, 7, 100, 100 }, { 1, 0, 1, 0, 0, 100, 100 }, { 1, 1, 1, 0, 1, 100, 100 },
	};
	struct measurements *p = counted(*state, rows, 12, metrics);

	assert_true(measured_metric(p, 0, MON_ANY, "faults") == 91);  /* the median of 90, 91 and 181 */
	assert_true(measured_metric(p, 1, MON_ANY, "faults") == 81);
	assert_true(measured_metric(p, 1, MON_ANY, "cycles") == 1);
	assert_true(measured_metric_share(p, "faults") == 1);
	measured_free(p);
}

static void what_was_not_measured_is_undefined(void **state)
{
	const char *const metrics[MON_EVENTS_MOST] = { "faults" };
	struct mon_event_row rows[] = { { 1, 0, 0, 0, 0, 100, 100 } };
	struct measurements *p = counted(*state, rows, 1, metrics);

	assert_true(measured_metric(p, 1, MON_ANY, "faults") == 0);           /* measured: none */
	assert_true(isnan(measured_metric(p, 2, MON_ANY, "faults")));         /* never there */
	assert_true(isnan(measured_metric(p, 1, MON_ANY, "switches")));
	assert_true(isnan(measured_metric_share(p, "switches")));
	p->contexts[1].brief = true;                                    /* its markers were left out */
	assert_true(isnan(measured_metric(p, 1, MON_ANY, "faults")));
	measured_free(p);
}

/* 10 in half of the time are 20; where it never counted, the share of the whole is taken. */
static void shared_counters_are_scaled(void **state)
{
	const char *const metrics[MON_EVENTS_MOST] = { "faults" };
	struct mon_event_row rows[] = { { 1, 0, 0, 0, 10, 100, 50 }, { 2, 0, 0, 0, 0, 100, 0 } };
	struct measurements *p = counted(*state, rows, 2, metrics);

	assert_true(measured_metric(p, 1, MON_ANY, "faults") == 20);
	assert_true(measured_metric_share(p, "faults") == 0.25);
	measured_free(p);
}

static void an_event_that_never_counted_is_undefined(void **state)
{
	const char *const metrics[MON_EVENTS_MOST] = { "faults" };
	struct mon_event_row rows[] = { { 1, 0, 0, 0, 0, 100, 0 } };
	struct measurements *p = counted(*state, rows, 1, metrics);

	assert_true(isnan(measured_metric(p, 1, MON_ANY, "faults")));
	measured_free(p);
}

static void properties_tell_which_events_they_read_together(void **state)
{
	struct fixture *f = *state;
	struct attribute_events e;

	attributes_events(f->attributes, &e);
	assert_int_equal(e.n, 2);
	assert_int_equal(e.nsets, 2);
	assert_true(e.set[0] == 3);
	assert_true(e.set[1] == UINT64_C(1) << (strcmp(e.metric[1], "cycles") == 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contexts_and_threads_are_summed_and_executions_give_a_median),
		cmocka_unit_test(what_was_not_measured_is_undefined),
		cmocka_unit_test(shared_counters_are_scaled),
		cmocka_unit_test(an_event_that_never_counted_is_undefined),
		cmocka_unit_test(properties_tell_which_events_they_read_together),
	};

	return cmocka_run_group_tests_name("event_counts", tests, set_up, fixture_tear_down);
}
