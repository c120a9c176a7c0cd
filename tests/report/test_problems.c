/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/report/made.h"

static void structures_of_one_loop_and_kind_are_one_problem(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_add(&m, "MemoryStall", 20, "t", "strided", 0.2);
	made_add(&m, "MemoryStall", 20, "tnew", "strided", 0.3);
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	assert_int_equal(p.problem[0].nstructures, 2);
	assert_string_equal(p.problem[0].structures[0]->path[2].name, "tnew");
	assert_true(fabs(p.problem[0].share - 0.5) < 1e-9);
	assert_true(fabs(p.problem[0].low - 0.25) < 1e-9);
	made_end(&m, &p);
}

static void properties_of_one_structure_count_once(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_add(&m, "MemoryStall", 20, "t", "strided", 0.2);
	made_own(made_add(&m, "FetchExcess", 20, "t", "strided", 0.2), 0)->severity_share = 0.15;
	made_own(made_add(&m, "LastLevelMissRate", 20, "t", "strided", 0.2), 0)->severity_is_index = true;
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	assert_int_equal(p.problem[0].nmembers, 3);
	assert_true(fabs(p.problem[0].share - 0.2) < 1e-9);
	assert_string_equal(p.problem[0].lead->property, "MemoryStall");
	assert_string_equal(p.problem[0].cause, "strided");
	m.r->nfindings = 0;
	made_add(&m, "MostlyStores", 20, "t", "strided", 0.2)->severity_share = 0.15;
	p = made_problems(&m);
	assert_string_equal(p.problem[0].cause, "strided");
	made_end(&m, &p);
}

static void other_kinds_and_loops_are_other_problems(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_add(&m, "MemoryStall", 20, "t", "strided", 0.2);
	made_add(&m, "MemoryStall", 20, "index", "gather", 0.1);
	made_add(&m, "MemoryStall", 30, "t", "strided", 0.15);
	p = made_problems(&m);
	assert_int_equal(p.n, 3);
	assert_true(p.problem[0].share > p.problem[1].share && p.problem[1].share > p.problem[2].share);
	made_end(&m, &p);
}

static struct report_finding *add_faults(struct made *m, int line, const char *structure, enum fault_cause cause, double share)
{
	struct report_finding *f = made_add(m, "PageFaults", line, structure, NULL, share);

	f->about = ABOUT_FAULTS;
	f->est_stall_share = f->est_stall_low_share = f->est_stall_high_share = 0;
	f->fault_cause = cause;
	f->fault_share = share;
	f->fault_low_share = share / 2;
	f->fault_high_share = share * 1.5;
	f->fault_left = 0;
	f->page_faults = 1000 * share;
	return f;
}

/* The allocator is one cause wherever its blocks are; a list that grows is one of its own. */
static void page_faults_of_one_cause_are_one_problem(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	m.r->kernel_time = 0.06;
	m.r->fault_time = 0.05;
	m.r->unexplained_time = 0.005;
	add_faults(&m, 20, "work", FAULT_ALLOCATED, 0.2);
	add_faults(&m, 30, "flux", FAULT_ALLOCATED, 0.1);
	add_faults(&m, 40, "list", FAULT_GROWN, 0.05)->fault_left = 0.2;
	add_faults(&m, 50, "rows", FAULT_GROWN, 0.04);
	made_add(&m, "MemoryStall", 20, "work", "stream", 0.06);
	p = made_problems(&m);
	assert_int_equal(p.n, 4);
	assert_string_equal(p.problem[0].cause, "page faults");
	assert_int_equal(p.problem[0].nstructures, 2);
	assert_true(fabs(p.problem[0].share - 0.3) < 1e-9 && fabs(p.problem[0].low - 0.15) < 1e-9);
	assert_true(fabs(p.problem[0].page_faults - 300) < 1e-9 && !p.problem[0].memory);
	/* The kernel's other work is 10 ms and 5 ms are unexplained, of which a problem with 30 of 50 ms of faults has at
	 * most 9. */
	assert_true(fabs(p.problem[0].saves - 0.3) < 1e-9 && fabs(p.problem[0].saves_low - 0.15) < 1e-9);
	assert_true(fabs(p.problem[0].saves_high - (0.45 + 0.09)) < 1e-9);
	assert_string_equal(p.problem[1].cause, "stream");
	assert_string_equal(p.problem[2].structures[0]->path[2].name, "list");
	assert_true(fabs(p.problem[2].saves - 0.04) < 1e-9);
	made_end(&m, &p);
}

/* Several findings together are no more than what the phase's faults take. */
static void page_faults_are_at_most_the_phases(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	m.r->kernel_time = m.r->fault_time = 0.02;
	add_faults(&m, 20, NULL, FAULT_FRESH, 0.25)->fault_left = NAN;
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	assert_true(fabs(p.problem[0].share - 0.2) < 1e-9);
	assert_true(isnan(p.problem[0].saves) && isnan(p.problem[0].saves_high));
	made_end(&m, &p);
}

/* The phase's finding of FetchExcess has the estimate of the loop's MemoryStall in it. */
static void a_region_around_what_explains_it_joins_it(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_add(&m, "MemoryStall", 20, "t", "strided", 0.2);
	made_own(made_add(&m, "FetchExcess", 0, NULL, "gather", 0.22), 0.02)->severity_share = 0.1;
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	assert_int_equal(p.problem[0].nmembers, 2);
	assert_true(fabs(p.problem[0].share - 0.2) < 1e-9);
	made_end(&m, &p);
}

static void the_rest_of_a_region_is_a_problem_of_its_own(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_add(&m, "MemoryStall", 20, "t", "strided", 0.2);
	made_own(made_add(&m, "MemoryStall", 0, NULL, "gather", 0.5), 0.3);
	p = made_problems(&m);
	assert_int_equal(p.n, 2);
	assert_true(fabs(p.problem[0].share - 0.3) < 1e-9);
	assert_int_equal(p.problem[0].nstructures, 0);
	made_end(&m, &p);
}

/* The same accesses, reported in the loop by one property, around it by another. */
static void one_structure_in_nested_regions_overlaps(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_own(made_add(&m, "MemoryStall", 0, "t", "strided", 0.25), 0.05);
	made_add(&m, "FetchExcess", 20, "t", "strided", 0.2);
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	assert_true(fabs(p.problem[0].share - 0.25) < 1e-9);
	made_end(&m, &p);
}

static struct report_finding *about_lines(struct report_finding *f, int first, int last)
{
	f->source = "/src/heat.f90";
	f->first_line = first;
	f->last_line = last;
	return f;
}

/* Most of what the outer loop costs is in the inner one, but its other accesses have the larger steps. */
static void one_structure_in_the_same_lines_is_one_problem_whatever_the_kinds(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	about_lines(made_add(&m, "MemoryStall", 20, "t", "record", 0.25), 20, 24);
	about_lines(made_own(made_add(&m, "FetchExcess", 0, "t", "strided", 0.25), 0), 20, 24)->severity_share = 0.2;
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	assert_true(fabs(p.problem[0].share - 0.25) < 1e-9);
	assert_string_equal(p.problem[0].cause, "record");
	made_own(&m.r->findings[1], 0.1);
	about_lines(&m.r->findings[1], 10, 40);
	p = made_problems(&m);
	assert_int_equal(p.n, 2);
	made_end(&m, &p);
}

/* Whatever its kind is: the inner loop has what it costs. */
static void what_others_have_is_no_problem_of_its_own(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_add(&m, "MemoryStall", 20, "t", "record", 0.25);
	made_own(made_add(&m, "FetchExcess", 0, "t", "strided", 0.26), 0.01)->severity_share = 0.2;
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	assert_true(fabs(p.problem[0].share - 0.26) < 1e-9);
	assert_string_equal(p.problem[0].cause, "record");
	made_own(&m.r->findings[1], 0.1);
	p = made_problems(&m);
	assert_int_equal(p.n, 2);
	made_end(&m, &p);
}

/* Each alone is less than what a list shows at first; fused they are fetched once. */
static void passes_over_the_same_structures_are_one_problem(void **state)
{
	struct made m = made_begin();
	struct report_problems p;
	char *text;

	(void)state;
	for (int line = 20; line <= 40; line += 10) {
		made_add(&m, "MemoryStall", line, "height", "stream", line == 30 ? 0.02 : 0.01);
		made_add(&m, "MemoryStall", line, "speed", "stream", 0.01);
		made_own(made_add(&m, "LastLevelMissRate", line, "speed", "stream", 0.01), 0)->severity_is_index = true;
	}
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	assert_true(fabs(p.problem[0].share - 0.07) < 1e-9);
	assert_int_equal(p.problem[0].npasses, 3);
	assert_int_equal(p.problem[0].passes[0].line, 20);
	assert_int_equal(p.problem[0].passes[2].line, 40);
	assert_true(fabs(p.problem[0].passes[1].share - 0.03) < 1e-9);
	assert_true(fabs(p.problem[0].saves - 0.04) < 1e-9);
	assert_true(fabs(p.problem[0].saves_low - 0.02) < 1e-9);
	assert_true(fabs(p.problem[0].saves_high - 0.084) < 1e-9);
	text = sample_text(m.r, &made_screen);
	has(text, "PATH   heat.f90:10 > 3 loops > height, speed\n");
	has(text, "WHY    3 loops (heat.f90:20, 30, 40) stream over height, speed one after the\n");
	has(text, "DO     fuse these loops, or");
	has(text, "SAVES  about 4 of 7 ms (range 2 ms to 8.4 ms): one pass fetches them once\n");
	free(text);
	made_end(&m, &p);
}

static int problems_of(const char *kind, double second, const char *other)
{
	struct made m = made_begin();
	struct report_problems p;
	int n;

	made_add(&m, "MemoryStall", 20, "a", kind, 0.1);
	made_add(&m, "MemoryStall", 30, "a", kind, second);
	if (other)
		made_add(&m, "MemoryStall", 30, other, kind, 0.1);
	p = made_problems(&m);
	n = p.n;
	made_end(&m, &p);
	return n;
}

static void loops_that_are_unlike_are_no_passes(void **state)
{
	(void)state;
	assert_int_equal(problems_of("stream", 0.1, NULL), 1);
	assert_int_equal(problems_of("capacity", 0.1, NULL), 1);
	assert_int_equal(problems_of("strided", 0.1, NULL), 2);
	assert_int_equal(problems_of("stream", 0.026, NULL), 1);
	assert_int_equal(problems_of("stream", 0.024, NULL), 2);
	assert_int_equal(problems_of("stream", 0.11, "b"), 1);
	assert_int_equal(problems_of("stream", 0.09, "b"), 2);
}

/* The upper end of what a change to `t` saves, of a problem that costs 0.2 (0.1 to 0.24) of 100 ms, of which memory takes 60. */
static double most_saved_by(enum tried_fix fix, double library_time)
{
	struct made m = made_begin();
	struct report_problems p;
	struct report_gain gain = { .structure = "t", .fix = fix, .change = "other", .time_share = 0.15 };
	double most;

	m.r->gains = &gain;
	m.r->ngains = 1;
	m.r->library_time = library_time;
	made_add(&m, "MemoryStall", 20, "t", "strided", 0.2);
	p = made_problems(&m);
	most = p.problem[0].saves_high;
	m.r->ngains = 0;
	made_end(&m, &p);
	return most;
}

static void what_a_change_saves_beside_misses_is_in_the_upper_end(void **state)
{
	(void)state;
	assert_true(fabs(most_saved_by(TRIED_PAD, 0.03) - 0.18) < 1e-9);
	/* Packed members may be in a nearer level: all that the problem costs. */
	assert_true(fabs(most_saved_by(TRIED_SPLIT, 0.03) - 0.24) < 1e-9);
	/* The block of a copy is allocated by a library: a third of 30 ms, as the problem has a third of the memory's time. */
	assert_true(fabs(most_saved_by(TRIED_NOCOPY, 0.03) - 0.28) < 1e-9);
	assert_true(fabs(most_saved_by(TRIED_NOCOPY, NAN) - 0.18) < 1e-9);
}

/* No structure is known then. */
static void what_a_library_copies_is_saved_as_a_whole(void **state)
{
	struct made m = made_begin();
	struct report_problems p;
	char *text;

	(void)state;
	m.r->unexplained_time = 0.006;
	made_add(&m, "MemoryStall", 20, NULL, "copy", 0.3);
	p = made_problems(&m);
	assert_true(fabs(p.problem[0].saves - 0.3) < 1e-9 && fabs(p.problem[0].saves_low - 0.15) < 1e-9);
	assert_true(fabs(p.problem[0].saves_high - (0.36 + 0.03)) < 1e-9);
	text = sample_text(m.r, &made_screen);
	has(text, "SAVES  about 30 of 30 ms");
	has(text, "not copied");
	free(text);
	made_end(&m, &p);
}

/* What vectors save is in no estimate. */
static void a_denser_loop_may_save_more_by_vectors(void **state)
{
	struct made m = made_begin();
	struct report_problems p;
	struct report_gain gain = { .structure = "t", .fix = TRIED_DENSE, .change = "unit stride", .time_share = 0.15 };

	(void)state;
	m.r->gains = &gain;
	m.r->ngains = 1;
	made_add(&m, "MemoryStall", 20, "t", "strided", 0.2)->scalar = true;
	for (int scalar = 1; scalar >= 0; scalar--) {
		char *text;

		m.r->findings[0].scalar = scalar;
		p = made_problems(&m);
		assert_int_equal(p.problem[0].saves_more, scalar);
		text = sample_text(m.r, &made_screen);
		has(text, "unit stride");
		assert_int_equal(strstr(text, "more if the loop then gets") != NULL, scalar);
		free(text);
	}
	m.r->ngains = 0;
	made_end(&m, &p);
}

/* No change that is tried ends it: each thread then has a copy of its own, and the updates go, too. */
static void contention_costs_what_its_cure_saves_and_more(void **state)
{
	struct made m = made_begin();
	struct report_problems p;
	char *text;

	(void)state;
	made_add(&m, "MemoryStall", 20, "t", "contention", 0.2);
	p = made_problems(&m);
	assert_true(p.problem[0].saves_more && p.problem[0].gain == 0);
	assert_true(p.problem[0].saves == p.problem[0].share && p.problem[0].saves_low == p.problem[0].low &&
		p.problem[0].saves_high == p.problem[0].high);
	text = sample_text(m.r, &made_screen);
	has(text, "results of its own for each thread");
	has(text, "more, as the updates themselves go");
	free(text);
	made_end(&m, &p);
}

/* Large pages save next to nothing; an array instead of the chain is not modelled. */
static void what_a_chain_costs_bounds_what_another_structure_saves(void **state)
{
	struct made m = made_begin();
	struct report_problems p;
	struct report_gain gain = { .structure = "node", .fix = TRIED_PAGES, .change = "large pages", .time_share = 0.04 };
	char *text;

	(void)state;
	m.r->gains = &gain;
	m.r->ngains = 1;
	made_add(&m, "MemoryStall", 20, "node", "chained", 0.5);
	p = made_problems(&m);
	assert_true(isnan(p.problem[0].saves));
	assert_int_equal(p.problem[0].gain, 0);
	assert_true(p.problem[0].saves_low == 0 && fabs(p.problem[0].saves_high - 0.6) < 1e-9);
	text = sample_text(m.r, &made_screen);
	has(text, "SAVES  not known: at most 60.0% of the time");
	free(text);
	m.r->findings[0].kind = MISS_GATHER;
	p = made_problems(&m);
	assert_true(fabs(p.problem[0].saves - 0.04) < 1e-9);
	m.r->ngains = 0;
	made_end(&m, &p);
}

/* What is done between two loops is done to the same structure: the second is no pass right after the first. */
static void what_is_between_loops_divides_them(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_add(&m, "MemoryStall", 20, "a", "stream", 0.1);
	made_add(&m, "MemoryStall", 40, "a", "stream", 0.1);
	made_add(&m, "MemoryStall", 30, "b", "strided", 0.1);
	p = made_problems(&m);
	assert_int_equal(p.n, 2);
	made_add(&m, "MemoryStall", 30, "a", "strided", 0.1);
	p = made_problems(&m);
	assert_int_equal(p.n, 3);
	made_end(&m, &p);
}

/* phase > call > sub > loop > structure, and with another call in that loop. */
static void loops_of_called_functions_are_passes(void **state)
{
	static const char *const stages[] = { "flux", "update" };
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct report_finding *f = made_add(&m, "MemoryStall", 0, NULL, "stream", 0.1);

		m.path[i][f->npath++] = made_node(REGION_CALL, stages[i], 11 + i);
		m.path[i][f->npath++] = made_node(REGION_LOOP, "", 50 + 10 * i);
		m.path[i][f->npath++] = made_node(REGION_DATA_STRUCTURE, "a", 1);
	}
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	assert_int_equal(p.problem[0].npasses, 2);
	for (int i = 0; i < 2; i++) {
		m.path[i][1].type = REGION_LOOP;
		m.path[i][2].type = REGION_CALL;
	}
	p = made_problems(&m);
	assert_int_equal(p.n, 2);
	made_end(&m, &p);
}

/* The inner loop is no pass after the outer one. */
static void nested_loops_are_no_passes(void **state)
{
	struct made m = made_begin();
	struct report_problems p;
	struct report_finding *f;

	(void)state;
	made_add(&m, "MemoryStall", 20, "a", "stream", 0.1);
	f = made_add(&m, "MemoryStall", 20, NULL, "stream", 0.1);
	m.path[1][f->npath++] = made_node(REGION_LOOP, "", 21);
	m.path[1][f->npath++] = made_node(REGION_DATA_STRUCTURE, "a", 1);
	p = made_problems(&m);
	assert_int_equal(p.problem[0].npasses, 0);
	made_end(&m, &p);
}

/* Lines that threads take from each other cost what the estimate does not know. */
static void the_kind_of_misses_names_a_problem_without_an_estimate_too(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_add(&m, "FalseSharing", 20, "counts", "sharing", 0)->severity_share = 0.2;
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	assert_string_equal(p.problem[0].cause, "sharing");
	made_end(&m, &p);
}

/* Padding cures the one and not the other; of one structure, nested regions may have more of the one or of the other. */
static void false_and_true_sharing_of_two_structures_are_two_problems(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_add(&m, "MemoryStall", 20, "counts", "false sharing", 0.2);
	made_add(&m, "MemoryStall", 20, "sum", "true sharing", 0.1);
	made_add(&m, "FalseSharing", 0, "counts", "sharing", 0.2);
	p = made_problems(&m);
	assert_int_equal(p.n, 2);
	assert_int_equal(p.problem[0].nmembers, 2);
	assert_string_equal(p.problem[1].cause, "true sharing");
	made_end(&m, &p);
}

/* As reports of earlier versions have them. */
static void a_wait_that_says_memory_is_none_of_memory(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_add(&m, "ExcessiveMpiTime", 20, NULL, "stream", 0.03)->severity_share = 0.75;
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	assert_false(p.problem[0].memory);
	assert_true(fabs(p.problem[0].share - 0.75) < 1e-9);
	assert_true(isnan(p.problem[0].high));
	assert_string_equal(p.problem[0].cause, "ExcessiveMpiTime");
	made_end(&m, &p);
}

static void a_problem_never_exceeds_the_phase(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_add(&m, "MemoryStall", 20, "t", "strided", 0.5);
	made_add(&m, "MemoryStall", 20, "tnew", "strided", 0.4);
	p = made_problems(&m);
	assert_true(fabs(p.problem[0].share - 0.6) < 1e-9);
	assert_true(fabs(p.problem[0].high - 0.8) < 1e-9);
	made_end(&m, &p);
}

static void waits_are_problems_of_their_own(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_add(&m, "MemoryStall", 20, "t", "strided", 0.2);
	made_add(&m, "LoadImbalance", 20, NULL, "strided", 0.2)->about = ABOUT_THREADS;
	made_add(&m, "AccessImbalance", 20, "t", "strided", 0.1)->about = ABOUT_THREADS;
	p = made_problems(&m);
	assert_int_equal(p.n, 2);
	assert_int_equal(p.problem[0].memory + p.problem[1].memory, 1);
	assert_int_equal(p.problem[0].nmembers + p.problem[1].nmembers, 3);
	made_end(&m, &p);
}

static void waits_at_one_place_are_summed_over_paths(void **state)
{
	struct made m = made_begin();
	struct report_problems p;
	char *text;

	(void)state;
	made_call(&m, "ExcessiveMpiTime", 20, 0.14);
	made_call(&m, "ExcessiveMpiTime", 30, 0.13);
	made_call(&m, "LateRank", 30, 0.2);
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	assert_true(fabs(p.problem[0].share - 0.27) < 1e-9);
	assert_string_equal(p.problem[0].lead->property, "ExcessiveMpiTime");
	assert_int_equal(p.problem[0].lead->path[1].line, 20);
	assert_string_equal(p.problem[0].cause, "ExcessiveMpiTime");
	text = sample_text(m.r, &made_screen);
	assert_non_null(strstr(text, "    WHY    calls of MPI take long (the costliest of 2 calling paths)\n"));
	free(text);
	/* Not more than MPI takes in the phase, where that is known of all processes. */
	made_add(&m, "ExcessiveMpiTime", 0, NULL, NULL, 0.25)->about = ABOUT_THREADS;
	m.r->findings[m.r->nfindings - 1].nprocesses = 1;
	p = made_problems(&m);
	assert_int_equal(p.n, 2);
	assert_true(fabs(p.problem[0].share - 0.25) < 1e-9 && fabs(p.problem[1].share - 0.25) < 1e-9);
	made_end(&m, &p);
}

/* The same call inside itself, and rates. */
static void what_is_inside_or_no_time_is_not_added(void **state)
{
	struct made m = made_begin();
	struct report_finding *f;
	struct report_problems p;

	(void)state;
	made_call(&m, "ExcessiveMpiTime", 0, 0.14);
	f = made_call(&m, "ExcessiveMpiTime", 0, 0.13);
	m.path[1][f->npath++] = made_node(REGION_CALL, "MPI_Waitall", 50);
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	assert_true(fabs(p.problem[0].share - 0.14) < 1e-9);
	/* Of more processes, those inside are more together. */
	m.r->findings[1].severity_share = 0.3;
	m.r->findings[0].severity_share = 0.14;
	p = made_problems(&m);
	assert_true(fabs(p.problem[0].share - 0.3) < 1e-9);
	m.r->nfindings = 0;
	made_call(&m, "Rate", 20, 3)->severity_is_index = true;
	made_call(&m, "Rate", 30, 2)->severity_is_index = true;
	p = made_problems(&m);
	assert_true(fabs(p.problem[0].share - 3) < 1e-9);
	made_end(&m, &p);
}

static void order_of_arrival_changes_no_problem(void **state)
{
	struct report_style style = { .width = 80, .part = REPORT_SHORT, .lines = REPORT_SCREEN };
	char *first = NULL;

	(void)state;
	for (unsigned seed = 0; seed < 20; seed++) {
		struct report *r = sample_lu();
		char *text;

		if (seed)
			sample_shuffle(r, seed);
		text = sample_text(r, &style);
		if (first)
			assert_string_equal(first, text);
		else
			first = strdup(text);
		free(text);
		report_free(r);
	}
	free(first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(structures_of_one_loop_and_kind_are_one_problem),
		cmocka_unit_test(properties_of_one_structure_count_once),
		cmocka_unit_test(other_kinds_and_loops_are_other_problems),
		cmocka_unit_test(page_faults_of_one_cause_are_one_problem),
		cmocka_unit_test(page_faults_are_at_most_the_phases),
		cmocka_unit_test(a_region_around_what_explains_it_joins_it),
		cmocka_unit_test(the_rest_of_a_region_is_a_problem_of_its_own),
		cmocka_unit_test(one_structure_in_nested_regions_overlaps),
		cmocka_unit_test(one_structure_in_the_same_lines_is_one_problem_whatever_the_kinds),
		cmocka_unit_test(what_others_have_is_no_problem_of_its_own),
		cmocka_unit_test(passes_over_the_same_structures_are_one_problem),
		cmocka_unit_test(loops_that_are_unlike_are_no_passes),
		cmocka_unit_test(what_a_change_saves_beside_misses_is_in_the_upper_end),
		cmocka_unit_test(what_a_library_copies_is_saved_as_a_whole),
		cmocka_unit_test(a_denser_loop_may_save_more_by_vectors),
		cmocka_unit_test(contention_costs_what_its_cure_saves_and_more),
		cmocka_unit_test(what_a_chain_costs_bounds_what_another_structure_saves),
		cmocka_unit_test(what_is_between_loops_divides_them),
		cmocka_unit_test(loops_of_called_functions_are_passes),
		cmocka_unit_test(nested_loops_are_no_passes),
		cmocka_unit_test(the_kind_of_misses_names_a_problem_without_an_estimate_too),
		cmocka_unit_test(false_and_true_sharing_of_two_structures_are_two_problems),
		cmocka_unit_test(a_wait_that_says_memory_is_none_of_memory),
		cmocka_unit_test(a_problem_never_exceeds_the_phase),
		cmocka_unit_test(waits_are_problems_of_their_own),
		cmocka_unit_test(waits_at_one_place_are_summed_over_paths),
		cmocka_unit_test(what_is_inside_or_no_time_is_not_added),
		cmocka_unit_test(order_of_arrival_changes_no_problem),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
