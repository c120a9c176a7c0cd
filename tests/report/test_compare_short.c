/* SPDX-License-Identifier: BSD-3-Clause */
/* The short form of a comparison, word for word, for reports that are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/compare/compare.h"
#include "tests/report/sample.h"

#define PHASE "a.c:main/loop 1"
#define HEAD "Before    a.psc\nAfter     b.psc\n\n"
#define NEXT "NEXT  psc_report -v --compare a.psc b.psc: every finding\n"
#define COLUMNS "\n           before    after    what an execution loses there\n"

enum { MOST = 24 };

/* A report of one thread whose phase takes `cpu` s, `memory` of them (low to high) for memory; its executions differ by
 * 1 % each way. */
static struct report *begin(double cpu, double memory, double low, double high)
{
	struct report *r = report_new();

	r->command = "./a";
	r->nprocs = r->nthreads = 1;
	r->machine = "small: L1, L2";
	r->phase_time = r->cpu_time = cpu;
	r->time_least = 0.99 * cpu;
	r->time_most = 1.01 * cpu;
	r->time_spread = 0.005;
	r->est_stall = memory;
	r->est_stall_low = low;
	r->est_stall_high = high;
	r->phase = (struct report_node){ .type = REGION_LOOP, .name = "", .file = "a.c", .line = 30, .name_path = PHASE,
		.measure = NAN, .measure_error = NAN, .time = NAN };
	r->findings = arena_array(r->arena, MOST, sizeof *r->findings);
	r->gains = arena_array(r->arena, MOST, sizeof *r->gains);
	r->costs = arena_array(r->arena, MOST, sizeof *r->costs);
	r->costs[r->ncosts++] = (struct report_cost){ .region = PHASE, .file = "a.c", .line = 30, .type = REGION_LOOP,
		.time = cpu, .accesses = 1e6, .misses = { 1e5, 1e4, NAN, NAN }, .errors = { NAN, NAN, NAN, NAN },
		.est_stall = memory, .est_stall_low = low, .est_stall_high = high };
	return r;
}

static const char *loop_key(struct report *r, int loop)
{
	return arena_printf(r->arena, PHASE " > a.c:f%d/loop 1", loop);
}

/* Adds the cost of a structure in the loop of function `loop`: `est` s (low to high), and misses of level 1. */
static void cost(struct report *r, int loop, const char *structure, double est, double low, double high, double misses)
{
	r->costs[r->ncosts++] = (struct report_cost){ .region = loop_key(r, loop), .structure = structure, .file = "a.c",
		.line = 10 * loop, .type = REGION_LOOP, .time = NAN, .accesses = 8 * misses,
		.misses = { misses, misses / 2, NAN, NAN }, .errors = { NAN, NAN, NAN, NAN }, .est_stall = est,
		.est_stall_low = low, .est_stall_high = high };
}

/* The same, and a finding of two properties about it, in the line 10 x loop; `by` lines further down. */
static void problem_moved(struct report *r, int loop, const char *structure, const char *kind, double est, double low,
	double high, double misses, int by)
{
	static const char *const properties[] = { "MemoryStall", "LastLevelMissRate" };

	cost(r, loop, structure, est, low, high, misses);
	for (int i = 0; i < 2; i++) {
		struct report_node *path = arena_array(r->arena, 4, sizeof *path);
		struct report_node step = r->phase;

		path[0] = r->phase;
		path[0].phase = true;
		step.type = REGION_SUB;
		step.line = 10 * loop + by;
		step.name = arena_printf(r->arena, "f%d", loop);
		step.name_path = arena_printf(r->arena, "a.c:f%d", loop);
		path[1] = step;
		step.type = REGION_LOOP;
		step.name = "";
		step.name_path = arena_printf(r->arena, "a.c:f%d/loop 1", loop);
		path[2] = step;
		step.type = REGION_DATA_STRUCTURE;
		step.name = structure;
		step.name_path = NULL;
		path[3] = step;
		r->findings[r->nfindings++] = (struct report_finding){ .property = properties[i], .file = "memory.asl",
			.path = path, .npath = 4, .kind = kind ? miss_kind_from_name(kind) : MISS_UNKNOWN, .about = ABOUT_MEMORY, .severity_is_index = i == 1,
			.severity_is_time = i == 0, .severity = est, .severity_share = est / r->cpu_time,
			.severity_max_share = NAN, .measure = 0.3, .measure_error = NAN, .severity_error = NAN,
			.est_stall_error = NAN, .est_stall_share = est / r->cpu_time, .own_stall_share = i ? 0 : NAN,
			.est_stall_low_share = low / r->cpu_time, .est_stall_high_share = high / r->cpu_time,
			.confidence = 1, .coverage = 1, .nruns = 0, .nprocesses = 1 };
	}
}

static void problem(struct report *r, int loop, const char *structure, const char *kind, double est, double low,
	double high, double misses)
{
	problem_moved(r, loop, structure, kind, est, low, high, misses, 0);
}

/* The cost of a structure in the whole phase, and a finding about it there whose lines are those of loop `loop`: `own` s
 * are what those inside do not have. */
static void around(struct report *r, int loop, const char *structure, const char *kind, double est, double own, double misses)
{
	struct report_node *path = arena_array(r->arena, 2, sizeof *path);
	struct report_finding f;

	cost(r, loop, structure, est, 0.9 * est, 1.1 * est, misses);
	r->costs[r->ncosts - 1].region = PHASE;
	for (int i = 0; i < r->nfindings; i++)
		if (r->findings[i].path[2].line == 10 * loop) {
			r->findings[i].source = "/src/a.c";
			r->findings[i].first_line = r->findings[i].last_line = 10 * loop;
			f = r->findings[i];
		}
	path[0] = r->phase;
	path[1] = f.path[3];
	f.path = path;
	f.npath = 2;
	f.property = "FetchExcess";
	f.kind = kind ? miss_kind_from_name(kind) : MISS_UNKNOWN;
	f.severity_is_index = false;
	f.est_stall_share = own / r->cpu_time;
	f.own_stall_share = 0;
	f.severity_share = 0.9 * f.est_stall_share;
	r->findings[r->nfindings++] = f;
}

static void gain(struct report *r, const char *structure, enum tried_fix fix, double share)
{
	r->gains[r->ngains++] = (struct report_gain){ .structure = structure, .fix = fix, .change = "a change",
		.least = NAN, .most = NAN, .time_share = share };
}

/* The comparison; frees both.  To be freed. */
static char *text_of(struct report *a, struct report *b, struct report_style style)
{
	struct buf out = BUF_INIT;
	struct compare c;
	struct err err;
	char *text;

	a->ncosts = report_costs_join(a->arena, a->costs, a->ncosts);
	b->ncosts = report_costs_join(b->arena, b->costs, b->ncosts);
	assert_int_equal(report_finish(a) || report_finish(b), 0);
	if (compare_reports(&c, a, "a.psc", b, "b.psc", &err))
		fail_msg("%s", err.text);
	compare_text(&c, &style, &out);
	assert_false(out.failed);
	text = strdup(buf_str(&out));
	buf_free(&out);
	compare_free(&c);
	report_free(a);
	report_free(b);
	return text;
}

static const struct report_style screen = { .width = 80, .part = REPORT_SHORT, .lines = REPORT_SCREEN, .top = 10 };

static void says(struct report *a, struct report *b, const char *want)
{
	char *text = text_of(a, b, screen);

	assert_non_null(text);
	if (strcmp(text, want) != 0)
		fail_msg("\n%s\ninstead of\n%s", text, want);
	free(text);
}

static void a_problem_that_is_much_less_has_what_was_promised(void **state)
{
	struct report *a = begin(2.03e-3, 1.17e-3, 0.9e-3, 1.4e-3), *b = begin(1.01e-3, 0.27e-3, 0.2e-3, 0.4e-3);

	(void)state;
	problem(a, 1, "w", "strided", 1e-3, 0.9e-3, 1.2e-3, 1e6);
	gain(a, "w", TRIED_DENSE, 0.36);
	problem_moved(b, 1, "w", "stream", 0.1e-3, 0.08e-3, 0.15e-3, 1e5, 3);
	says(a, b, HEAD
		"The phase is 2.01x faster: 2.03 ms -> 1.01 ms (processor time of an execution,\n"
		"measured by the tool).\n"
		"Memory's part of it, estimated: 1.17 ms (0.90-1.40) -> 270 us (200-400).\n"
		COLUMNS
		"much less    1 ms -> 100 us   f1 a.c:13  w                   strided, now stream\n"
		"SAVES said 731 us (range 658 us to 877 us); the phase's processor time fell by\n"
		"      1.02 ms\n" NEXT);
}

/* The range before reaches from nothing to nearly all, so only the time measured shows the change. */
static void what_was_not_known_before_is_said_not_to_be(void **state)
{
	struct report *a = begin(4.37e-3, 3.55e-3, 0, 4.25e-3), *b = begin(0.96e-3, 73e-6, 0, 140e-6);

	(void)state;
	problem(a, 1, "tally", "sharing", 3.44e-3, 0, 4.13e-3, 28700);
	gain(a, "tally", TRIED_PAD, 0.79);
	problem(a, 2, "e", "stream", 113e-6, 0, 131e-6, 50000);
	cost(b, 1, "tally", 0, 0, 0, 0);
	problem(b, 2, "e", "stream", 73e-6, 0, 140e-6, 50000);
	says(a, b, HEAD
		"The phase is 4.55x faster: 4.37 ms -> 960 us (processor time of an execution,\n"
		"measured by the tool).\n"
		"Memory's part of it, estimated: not known -> 73.0 us (0-140). The time is\n"
		"measured; the estimate was not known well before, so its ranges say little.\n"
		"\n"
		"             before    after      what an execution loses there\n"
		"gone      not known -> 0          f1 a.c:10  tally                       sharing\n"
		"As before: 1 problem.\n"
		"SAVES was not known; the phase's processor time fell by 3.41 ms\n" NEXT);
}

static void promises_are_added_up(void **state)
{
	struct report *a = begin(1.43e-3, 1.04e-3, 0.9e-3, 1.2e-3), *b = begin(0.24e-3, 0, 0, 35e-6);

	(void)state;
	problem(a, 1, "s", "record", 0.66e-3, 0.6e-3, 0.7e-3, 450e3);
	problem(a, 2, "s", "record", 0.33e-3, 0.3e-3, 0.35e-3, 300e3);
	problem(a, 3, "t", "stream", 0.05e-3, 0.04e-3, 0.06e-3, 100e3);
	gain(a, "s", TRIED_SPLIT, 0.6);
	says(a, b, HEAD
		"The phase is 5.96x faster: 1.43 ms -> 240 us (processor time of an execution,\n"
		"measured by the tool).\n"
		"Memory's part of it, estimated: 1.04 ms (0.90-1.20) -> at most 35 us.\n"
		COLUMNS
		"gone       660 us -> 0        f1 a.c:10  s                                record\n"
		"gone       330 us -> 0        f2 a.c:20  s                                record\n"
		"gone        50 us -> 0        f3 a.c:30  t                                stream\n"
		"SAVES said 858 us (range 780 us to 1.05 ms) for 2 of the 3 problems that are\n"
		"      gone or much less; the phase's processor time fell by 1.19 ms\n" NEXT);
}

static void the_one_of_two_that_was_promised_is_named(void **state)
{
	struct report *a = begin(1e-3, 0.8e-3, 0.7e-3, 0.9e-3), *b = begin(1e-3, 0.1e-3, 0.09e-3, 0.11e-3);
	char *text;

	(void)state;
	problem(a, 1, "s", "record", 0.5e-3, 0.45e-3, 0.55e-3, 450e3);
	problem(a, 2, "t", "strided", 0.3e-3, 0.28e-3, 0.32e-3, 300e3);
	gain(a, "t", TRIED_DENSE, 0.2);
	text = text_of(a, b, screen);
	assert_non_null(strstr(text, "\nThe phase takes as long as before, within the spread of its executions: 1 ms ->"));
	assert_non_null(strstr(text, "\nSAVES said 200 us (range 187 us to 213 us) for t in a.c:20; the phase's\n"
		"      processor time did not change clearly\n"));
	free(text);
}

static void without_savings_nothing_was_promised(void **state)
{
	struct report *a = begin(2e-3, 1e-3, 0.9e-3, 1.1e-3), *b = begin(1e-3, 0, 0, 1e-6);
	char *text;

	(void)state;
	problem(a, 1, "s", "capacity", 1e-3, 0.9e-3, 1.1e-3, 1e6);
	gain(a, "s", TRIED_DENSE, 0.005);           /* too little to be proposed */
	text = text_of(a, b, screen);
	assert_non_null(strstr(text, "\ngone         1 ms -> 0        "));
	assert_null(strstr(text, "SAVES"));
	free(text);
}

/* The other way round: what is new, what costs more, and no promise. */
static void what_got_worse_is_new_or_more(void **state)
{
	struct report *a = begin(1e-3, 0.1e-3, 0.08e-3, 0.12e-3), *b = begin(2e-3, 1.2e-3, 1e-3, 1.4e-3);

	(void)state;
	problem(a, 1, "t", "stream", 0.1e-3, 0.08e-3, 0.12e-3, 1e5);
	problem(b, 1, "t", "strided", 0.3e-3, 0.25e-3, 0.35e-3, 2e5);
	problem(b, 2, "u", "gather", 0.9e-3, 0.8e-3, 1e-3, 1e6);
	gain(a, "t", TRIED_DENSE, 0.05);
	says(a, b, HEAD
		"The phase is 2.00x slower: 1 ms -> 2 ms (processor time of an execution,\n"
		"measured by the tool).\n"
		"Memory's part of it, estimated: 100 us (80.0-120) -> 1.20 ms (1.00-1.40).\n"
		COLUMNS
		"new             0 -> 900 us   f2 a.c:20  u                                gather\n"
		"more       100 us -> 300 us   f1 a.c:10  t                   stream, now strided\n" NEXT);
}

static struct report *same_report(int by)
{
	struct report *r = begin(1e-3, 0.2e-3, 0.1e-3, 0.3e-3);

	problem_moved(r, 1, "t", "stream", 0.15e-3, 0.08e-3, 0.2e-3, 1e5, by);
	problem_moved(r, 2, "u", "stream", 0.005e-3, 0.002e-3, 0.01e-3, 1e4, by);
	return r;
}

static void two_reports_that_are_alike_say_so_with_moved_lines_too(void **state)
{
	(void)state;
	for (int by = 0; by <= 10; by += 10)
		says(same_report(0), same_report(by), HEAD
			"The phase takes as long as before, within the spread of its executions: 1 ms ->\n"
			"1 ms (processor time of an execution, measured by the tool).\n"
			"Memory's part of it, estimated: 200 us (100-300) -> 200 us (100-300).\n\n"
			"No problem is gone, new or changed. As before: 1 problem. Less than 1% of the\n"
			"time, before and after: 1 problem.\n" NEXT);
}

static void a_change_that_the_estimate_does_not_show_has_its_count(void **state)
{
	struct report *a = begin(1e-3, 0.5e-3, 0.2e-3, 0.6e-3), *b = begin(1e-3, 0.5e-3, 0.2e-3, 0.6e-3);

	(void)state;
	problem(a, 1, "t", "gather", 0.4e-3, 0.2e-3, 0.5e-3, 5000);
	problem(b, 1, "t", "gather", 0.4e-3, 0.2e-3, 0.5e-3, 6000);
	says(a, b, HEAD
		"The phase takes as long as before, within the spread of its executions: 1 ms ->\n"
		"1 ms (processor time of an execution, measured by the tool).\n"
		"Memory's part of it, estimated: 500 us (200-600) -> 500 us (200-600).\n"
		COLUMNS
		"more       400 us -> 400 us   f1 a.c:10  t                                gather\n"
		"                              level-1 misses 5.00 k -> 6.00 k (+20.0%)\n" NEXT);
}

/* One execution of the run before was held up, so the ranges meet. */
static void a_run_that_was_disturbed_tells_nothing(void **state)
{
	static const char *const want[] = {
		"\nWhether the phase's time changed cannot be told: 60 ms -> 13 ms (processor time\nof an execution, measured by "
			"the tool); its executions took 10 ms to 176 ms\nbefore. The run before was disturbed: repeat both on a quiet "
			"machine.\n",
		"\nWhether the phase's time changed cannot be told: 60 ms -> 13 ms (processor time\nof an execution, measured by "
			"the tool); its executions took 10 ms to 176 ms\nbefore and 12.9 ms to 23 ms after. Both runs were disturbed: "
			"repeat both on a\nquiet machine.\n",
	};

	(void)state;
	for (int both = 0; both < 2; both++) {
		struct report *a = begin(60e-3, 0.5e-3, 0.2e-3, 0.8e-3), *b = begin(13e-3, 0.4e-3, 0.2e-3, 0.5e-3);
		char *text;

		a->time_spread = NAN;
		a->time_least = 10e-3;
		a->time_most = 176e-3;
		if (both)
			b->time_most = 23e-3;
		text = text_of(a, b, screen);
		if (!strstr(text, want[both]))
			fail_msg("%s", text);
		free(text);
	}
}

static void a_time_that_changed_alone_is_said_to_be_measured(void **state)
{
	struct report *a = begin(2e-3, 0.5e-3, 0.2e-3, 0.8e-3), *b = begin(1e-3, 0.4e-3, 0.2e-3, 0.5e-3);
	char *text = text_of(a, b, screen);

	(void)state;
	assert_non_null(strstr(text, "\nMemory's part of it, estimated: 500 us (200-800) -> 400 us (200-500). The time\n"
		"is measured; the estimate alone does not show a change.\n"));
	assert_non_null(strstr(text, "\nNeither report has a problem.\n"));
	free(text);
	a = begin(2e-3, 0.5e-3, 0.2e-3, 0.8e-3);
	b = begin(1e-3, 0.4e-3, 0, 0.9e-3);
	text = text_of(a, b, screen);
	assert_non_null(strstr(text, " The time is\nmeasured; the estimate is not known well now, so its ranges say little.\n"));
	free(text);
}

/* Times of another machine are the model's; they are no promise for this one. */
static void promises_for_a_modelled_machine_are_held_against_its_times(void **state)
{
	(void)state;
	for (int both = 1; both >= 0; both--) {
		struct report *a = begin(2e-3, 1e-3, 0.9e-3, 1.1e-3), *b = begin(1e-3, 0, 0, 1e-6);
		char *text;

		a->modelled_time = 4e-3;
		b->modelled_time = both ? 1e-3 : NAN;
		problem(a, 1, "s", "strided", 1e-3, 0.9e-3, 1.1e-3, 1e6);
		gain(a, "s", TRIED_DENSE, 0.2);
		text = text_of(a, b, screen);
		assert_non_null(strstr(text, "\nMemory's part on the modelled machine, estimated: 1.00 ms (0.90-1.10) -> at most"));
		assert_int_equal(strstr(text, "\nSAVES said 800 us (range 720 us to 880 us); the phase's processor time, modelled\n"
			"      for that machine, fell by 3 ms\n") != NULL, both);
		assert_int_equal(strstr(text, "SAVES") != NULL, both);
		free(text);
	}
}

/* A report without the problem still has what the structure costs there. */
static void what_is_not_listed_any_more_is_gone_only_if_it_is_cheap(void **state)
{
	struct report *a = begin(1e-3, 0.5e-3, 0.4e-3, 0.6e-3), *b = begin(0.7e-3, 0.2e-3, 0.1e-3, 0.3e-3);
	char *text;

	(void)state;
	problem(a, 1, "t", "gather", 0.4e-3, 0.35e-3, 0.45e-3, 5000);
	problem(a, 2, "u", "gather", 0.1e-3, 0.09e-3, 0.11e-3, 5000);
	cost(b, 1, "t", 0.15e-3, 0.1e-3, 0.2e-3, 2000);
	cost(b, 2, "u", 0.1e-3, 0.09e-3, 0.11e-3, 5000);
	text = text_of(a, b, screen);
	assert_non_null(strstr(text, "\nmuch less  400 us -> 150 us   f1 a.c:10  t "));
	assert_non_null(strstr(text, "\nAs before: 1 problem.\n"));
	free(text);
}

/* A finding about the structure in the whole phase has what the others do not have; before it is about the loop that was
 * changed, after about another: what is left of the phase's own part stays with the problem that it was of. */
static void what_was_changed_has_one_row_and_what_was_not_another(void **state)
{
	struct report *a = begin(55e-3, 25e-3, 20e-3, 30e-3), *b = begin(16e-3, 0.9e-3, 0.8e-3, 1e-3);
	char *text;

	(void)state;
	problem(a, 1, "people", "record", 21e-3, 19e-3, 23e-3, 7e6);
	problem(a, 2, "people", "stream", 0.7e-3, 0.5e-3, 0.9e-3, 6e5);
	around(a, 1, "people", "strided", 24e-3, 21e-3, 8e6);
	problem(b, 2, "people", "gather", 0.65e-3, 0.5e-3, 0.8e-3, 5e5);
	around(b, 2, "people", "gather", 0.9e-3, 0.65e-3, 6e5);
	text = text_of(a, b, screen);
	assert_non_null(strstr(text, "\nmuch less   21 ms -> 250 us   f1 a.c:10  people "));
	assert_non_null(strstr(text, "\nless       700 us -> 650 us   f2 a.c:20  people               stream, now gather\n"));
	assert_null(strstr(strstr(text, "21 ms") + 1, "21 ms"));
	assert_null(strstr(strstr(text, "650 us") + 1, "650 us"));
	free(text);
}

/* A tenth of the estimate is left, which is not little after the change. */
static void what_is_still_worth_a_problem_is_not_gone(void **state)
{
	struct report *a = begin(50e-3, 21e-3, 19e-3, 23e-3), *b = begin(16e-3, 0.9e-3, 0.8e-3, 1e-3);
	char *text;

	(void)state;
	problem(a, 1, "t", "record", 20e-3, 19e-3, 21e-3, 7e6);
	cost(b, 1, "t", 0.6e-3, 0.5e-3, 0.7e-3, 2e5);
	text = text_of(a, b, screen);
	assert_non_null(strstr(text, "\nmuch less   20 ms -> 600 us   f1 a.c:10  t "));
	free(text);
}

/* Two arrays of one loop, of two kinds before and one after. */
static void no_problem_is_in_two_rows(void **state)
{
	struct report *a = begin(2e-3, 1e-3, 0.9e-3, 1.1e-3), *b = begin(2e-3, 0.8e-3, 0.7e-3, 0.9e-3);
	char *text;

	(void)state;
	problem(a, 1, "t", "strided", 0.6e-3, 0.5e-3, 0.7e-3, 1e6);
	problem(a, 1, "u", "gather", 0.4e-3, 0.3e-3, 0.5e-3, 1e6);
	problem(b, 1, "t", "stream", 0.2e-3, 0.1e-3, 0.3e-3, 2e5);
	problem(b, 1, "u", "stream", 0.15e-3, 0.1e-3, 0.2e-3, 2e5);
	text = text_of(a, b, screen);
	assert_non_null(strstr(text, "\nmuch less  600 us -> 200 us   f1 a.c:10  t                   strided, now stream\n"));
	assert_non_null(strstr(text, "\nmuch less  400 us -> 150 us   f1 a.c:10  u                                gather\n"));
	free(text);
}

/* Inside the loop that the problem before was of, another one is of a part of it. */
static void what_is_inside_a_row_has_none_of_its_own(void **state)
{
	struct report *a = begin(2e-3, 1e-3, 0.9e-3, 1.1e-3), *b = begin(2e-3, 0.8e-3, 0.7e-3, 0.9e-3);
	char *text;

	(void)state;
	problem(a, 1, "t", "strided", 0.6e-3, 0.5e-3, 0.7e-3, 1e6);
	a->nfindings--;
	around(a, 1, "t", "strided", 0.6e-3, 0.6e-3, 1e6);
	a->findings[0] = a->findings[1];
	a->findings[0].own_stall_share = NAN;
	a->nfindings = 1;
	a->ncosts--;
	a->costs[1].region = PHASE;
	problem(b, 1, "t", "stream", 0.2e-3, 0.1e-3, 0.3e-3, 2e5);
	problem(b, 2, "t", "gather", 0.1e-3, 0.1e-3, 0.2e-3, 2e5);
	cost(b, 1, "t", 0.3e-3, 0.2e-3, 0.5e-3, 4e5);
	b->costs[b->ncosts - 1].region = PHASE;
	text = text_of(a, b, screen);
	assert_non_null(strstr(text, "\nmuch less  600 us -> 300 us "));
	assert_null(strstr(text, "\nnew "));
	free(text);
}

static void many_problems_are_counted(void **state)
{
	static const char *const names[] = { "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8" };
	struct report_style all = screen;
	char *text;

	(void)state;
	all.lines = all.top = 0;
	for (int every = 0; every < 2; every++) {
		struct report *a = begin(1e-3, 0.9e-3, 0.8e-3, 0.95e-3), *b = begin(0.1e-3, 0, 0, 1e-6);
		int lines = 0;

		for (int i = 0; i < 9; i++)
			problem(a, i + 1, names[i], "strided", 0.09e-3, 0.08e-3, 0.1e-3, 1e4);
		text = text_of(a, b, every ? all : screen);
		for (const char *c = text; *c; c++)
			lines += *c == '\n';
		assert_true(every || lines <= 20);
		assert_int_equal(strstr(text, "\nand 3 more: --top 0\n") != NULL, !every);
		free(text);
	}
}

/* By the middle of the estimate it costs nothing, by its upper end most of the time: that end tells, if the time changed. */
static void what_was_only_possible_may_be_gone(void **state)
{
	(void)state;
	for (int faster = 0; faster < 2; faster++) {
		const double cpu = faster ? 0.4e-3 : 2e-3;
		struct report *a = begin(2e-3, 0, 0, 1.6e-3), *b = begin(cpu, 0, 0, 1e-6);
		char *text;

		problem(a, 1, "t", "sharing", 0, 0, 1.6e-3, 1e4);
		cost(b, 1, "t", 0, 0, 1e-6, 10);
		text = text_of(a, b, screen);
		assert_int_equal(strstr(text, "\ngone      unknown -> little") != NULL, faster);
		assert_int_equal(strstr(text, "As before: 1 problem.") != NULL, !faster);
		free(text);
	}
}

/* Fewer misses that cost more, since what hid them is gone. */
static void what_grew_is_never_much_less(void **state)
{
	struct report *a = begin(2e-3, 0, 0, 60e-6), *b = begin(0.25e-3, 41.5e-6, 30e-6, 60e-6);
	char *text;

	(void)state;
	problem(a, 1, "t", "capacity", 0, 0, 60e-6, 1e5);
	problem(b, 1, "t", "capacity", 41.5e-6, 30e-6, 60e-6, 1e4);
	text = text_of(a, b, screen);
	assert_null(strstr(text, "much less"));
	assert_non_null(strstr(text, "\nchanged    little -> 41.5 us  f1 a.c:10  t "));
	assert_non_null(strstr(text, "level-1 misses"));
	free(text);
}

/* Files of earlier versions have findings and estimates alone. */
static void without_costs_the_estimates_are_compared(void **state)
{
	struct report *a = begin(2e-3, 1e-3, 0.9e-3, 1.1e-3), *b = begin(1e-3, 0.3e-3, 0.2e-3, 0.4e-3);
	char *text;

	(void)state;
	problem(a, 1, "t", "strided", 1e-3, 0.9e-3, 1.1e-3, 1e6);
	problem(b, 1, "t", "strided", 0.3e-3, 0.2e-3, 0.4e-3, 1e6);
	a->ncosts = b->ncosts = 0;
	text = text_of(a, b, screen);
	assert_non_null(strstr(text, "\nmuch less    1 ms -> 300 us   f1 a.c:10  t "));
	assert_null(strstr(text, "Memory's part"));
	free(text);
}

static void waits_are_compared_by_their_time(void **state)
{
	struct report *a = begin(2e-3, 0.1e-3, 0, 0.2e-3), *b = begin(2e-3, 0.1e-3, 0, 0.2e-3);
	char *text;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct report *r = i ? b : a;
		struct report_finding *f = r->findings;

		problem(r, 1, "t", NULL, 0.1e-3, 0, 0.2e-3, 1e3);
		r->nfindings = 1;
		f->property = "UnevenRegion";
		f->about = ABOUT_THREADS;
		f->npath = 3;
		f->severity_share = i ? 0.1 : 0.5;
	}
	text = text_of(a, b, screen);
	assert_non_null(strstr(text, "\nmuch less    1 ms -> 200 us   f1 a.c:10                             UnevenRegion\n"));
	free(text);
}

/* Memory in the loop around is another problem. */
static void a_wait_is_no_part_of_a_problem_of_memory(void **state)
{
	struct report *a = begin(2e-3, 1e-3, 0.5e-3, 1.2e-3), *b = begin(2e-3, 1e-3, 0.5e-3, 1.2e-3);
	struct report_finding *f = b->findings;
	char *text;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct report *r = i ? b : a;

		problem(r, 1, "t", "stream", 0.9e-3, 0.5e-3, 1e-3, 1e5);
		r->nfindings = 1;
		r->findings[0].npath = 3;
	}
	f[1] = f[0];
	f[1].property = "UnevenRegion";
	f[1].about = ABOUT_THREADS;
	f[1].severity_share = 0.3;
	b->nfindings = 2;
	text = text_of(a, b, screen);
	assert_non_null(strstr(text, "\nnew "));
	free(text);
}

/* No name of a property of memory is in it, nor what only -v explains. */
static void property_names_are_left_to_the_long_form(void **state)
{
	struct report_style whole = screen;

	(void)state;
	whole.part = REPORT_WHOLE;
	for (int i = 0; i < 2; i++) {
		struct report *a = begin(2e-3, 1e-3, 0.9e-3, 1.1e-3), *b = begin(1e-3, 0, 0, 1e-6);
		char *text;

		problem(a, 1, "t", "strided", 1e-3, 0.9e-3, 1.1e-3, 1e6);
		text = text_of(a, b, i ? whole : screen);
		assert_int_equal(strstr(text, "MemoryStall") != NULL, i);
		assert_int_equal(strstr(text, "level-1 misses") != NULL, i);
		assert_int_equal(strstr(text, "\nFindings: 2 gone, 0 new, 0 changed, 0 changed by less than 1%, 0 unchanged. "
			"With\none thread, two runs of one program have the same counts:") != NULL, i);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_problem_that_is_much_less_has_what_was_promised),
		cmocka_unit_test(what_was_not_known_before_is_said_not_to_be),
		cmocka_unit_test(promises_are_added_up),
		cmocka_unit_test(the_one_of_two_that_was_promised_is_named),
		cmocka_unit_test(without_savings_nothing_was_promised),
		cmocka_unit_test(what_got_worse_is_new_or_more),
		cmocka_unit_test(two_reports_that_are_alike_say_so_with_moved_lines_too),
		cmocka_unit_test(a_change_that_the_estimate_does_not_show_has_its_count),
		cmocka_unit_test(a_run_that_was_disturbed_tells_nothing),
		cmocka_unit_test(a_time_that_changed_alone_is_said_to_be_measured),
		cmocka_unit_test(promises_for_a_modelled_machine_are_held_against_its_times),
		cmocka_unit_test(what_is_not_listed_any_more_is_gone_only_if_it_is_cheap),
		cmocka_unit_test(what_was_changed_has_one_row_and_what_was_not_another),
		cmocka_unit_test(what_is_still_worth_a_problem_is_not_gone),
		cmocka_unit_test(no_problem_is_in_two_rows),
		cmocka_unit_test(what_is_inside_a_row_has_none_of_its_own),
		cmocka_unit_test(many_problems_are_counted),
		cmocka_unit_test(what_was_only_possible_may_be_gone),
		cmocka_unit_test(what_grew_is_never_much_less),
		cmocka_unit_test(without_costs_the_estimates_are_compared),
		cmocka_unit_test(waits_are_compared_by_their_time),
		cmocka_unit_test(a_wait_is_no_part_of_a_problem_of_memory),
		cmocka_unit_test(property_names_are_left_to_the_long_form),
	};

	return cmocka_run_group_tests_name("the short form of a comparison", tests, NULL, NULL);
}
