/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the first screen: problems, their advice and what it saves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/text/explain.h"
#include "report/words/problem_words.h"
#include "tests/report/made.h"

static int lines_in(const char *text, int *widest)
{
	int n = 0, at = 0;

	*widest = 0;
	for (; *text; text++) {
		at = *text == '\n' ? 0 : at + 1;
		n += *text == '\n';
		*widest = at > *widest ? at : *widest;
	}
	return n;
}

static void fits_the_screen_however_much_there_is(void **state)
{
	(void)state;
	for (int n = 1; n < 30; n++) {
		struct made m = made_begin();
		char names[30][64], *text;
		int widest, lines;

		for (int i = 0; i < n; i++) {
			snprintf(names[i], sizeof names[i], "a_structure_with_a_name_that_is_far_too_long_%d", i);
			made_advise(made_add(&m, "MemoryStall", 20 + i / 3, names[i], "strided", 0.01 * i),
				"the accesses go in large steps, each of which is longer than a line of the cache",
				"let the innermost loop run over the index that is contiguous in memory, and read on");
		}
		text = sample_text(m.r, &made_screen);
		lines = lines_in(text, &widest);
		if (lines > REPORT_SCREEN || widest > 80)
			fail_msg("%d lines of %d columns:\n%s", lines, widest, text);
		free(text);
		report_free(m.r);
	}
}

static void says_what_costs_what_and_what_to_do(void **state)
{
	struct made m = made_begin();
	struct report_finding *f = made_add(&m, "MemoryStall", 20, "t", "strided", 0.4);
	char *text;

	(void)state;
	made_advise(f, "the accesses go in large steps", "exchange the loops");
	made_advise(made_add(&m, "MemoryStall", 30, "tnew", "strided", 0.1), f->why, f->advice);
	text = sample_text(m.r, &made_screen);
	has(text, "Periscope/C: ./heat, 1 process, 1 thread; phase: loop heat.f90:10, 100 ms\n");
	has(text, "About 60 of 100 ms of processor time in each execution (60.0%; 30.0% to 80.0%)\nis lost to memory. "
		"2 problems, one cause:\n");
	has(text, " 1    40 ms  40% (20-48)  heat.f90:20  t                                 strided\n");
	has(text, "    PATH   heat.f90:10 > do 20 > t\n");
	has(text, "    WHY    the accesses go in large steps\n    DO     exchange the loops\n");
	has(text, " 2    10 ms  10% (5-12)   heat.f90:30  tnew                              strided\n"
		"    PATH   heat.f90:10 > do 30 > tnew\n    DO     as for 1\n");
	has(text, "ASKED  memory, sharing (1 thread). Not asked: faults, levels, balance, numa\n");
	has(text, "NEXT   psc_report -v heat.psc: every finding");
	free(text);
	report_free(m.r);
}

static char *path_of(const struct report_problem *p, int width)
{
	const struct report any = { .bursts = false };
	struct buf b = BUF_INIT;
	char *text;

	problem_path(&b, &any, p, width);
	assert_false(b.failed);
	text = strdup(buf_str(&b));
	buf_free(&b);
	return text;
}

/* A path that is too long loses structures, then steps in the middle, and no part of a name. */
static void structures_are(const struct report_problem *p, const char *want)
{
	struct buf b = BUF_INIT;

	problem_structures(&b, p, 9);
	assert_string_equal(buf_str(&b), want);
	buf_free(&b);
}

/* A title's names become their last members where no name fits whole; others keep all. */
static void long_names_become_their_last_members(void **state)
{
	static const struct { const char *name; int room; const char *want; } cases[] = {
		{ "chunk%tiles%field%density", 40, "chunk%tiles%field%density, velocity" },
		{ "chunk%tiles%field%density", 30, "chunk%tiles%field%density, .." },
		{ "chunk%tiles%field%density", 20, "density, velocity" },
		{ "chunk%tiles%field%density", 12, "density, .." },
		{ "domain->m_delv", 11, "m_delv, .." },
		{ "block of 64 KiB at sort.c:17", 16, "block of 64 KiB at sort.c:17, .." },
		{ "data in libblas.so", 16, "data in libblas.so, .." },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct made m = made_begin();
		struct report_problems p;
		struct buf b = BUF_INIT;

		made_add(&m, "MemoryStall", 20, cases[i].name, "strided", 0.3);
		made_add(&m, "MemoryStall", 20, "velocity", "strided", 0.1);
		p = made_problems(&m);
		problem_structures_in(&b, &p.problem[0], 9, cases[i].room);
		assert_string_equal(buf_str(&b), cases[i].want);
		buf_free(&b);
		made_end(&m, &p);
	}
}

static void the_search_path_is_one_line_of_whole_names(void **state)
{
	static const struct { int width; const char *path; } cases[] = {
		{ 0, "heat.f90:10 > parallel 20 > sweep > do 30 > solve > loop solve.c:40 > for 42 > v (= rsd), velocity" },
		{ 92, "heat.f90:10 > parallel 20 > sweep > do 30 > solve > loop solve.c:40 > for 42 > v (= rsd), .." },
		{ 84, "heat.f90:10 > .. > sweep > do 30 > solve > loop solve.c:40 > for 42 > v (= rsd), .." },
		{ 60, "heat.f90:10 > .. > loop solve.c:40 > for 42 > v (= rsd), .." },
		{ 41, "heat.f90:10 > .. > for 42 > v (= rsd), .." },
		{ 22, ".. > v (= rsd), .." },
	};
	struct report_node path[] = { made_node(REGION_LOOP, "", 10), made_node(REGION_PARALLEL, "", 20),
		made_node(REGION_CALL, "sweep", 21), made_node(REGION_SUB, "sweep", 25), made_node(REGION_LOOP, "", 30),
		made_node(REGION_CALL, "solve", 31), made_node(REGION_LOOP, "", 40), made_node(REGION_WORKSHARE_DO, "", 42),
		made_node(REGION_DATA_STRUCTURE, "v", 1) };
	struct made m = made_begin();
	struct report_finding *f = made_add(&m, "MemoryStall", 20, "v", "strided", 0.3);
	struct report_problems p;

	(void)state;
	path[6].file = path[7].file = "solve.c";
	path[8].alias_of = "rsd";
	f->path = path;
	f->npath = 9;
	f = made_add(&m, "MemoryStall", 20, "velocity", "strided", 0.1);
	m.path[1][1] = path[7];
	p = made_problems(&m);
	assert_int_equal(p.n, 1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *text = path_of(&p.problem[0], cases[i].width);

		assert_string_equal(text, cases[i].path);
		free(text);
	}
	structures_are(&p.problem[0], "rsd, velocity");         /* as --verify calls them */
	path[8].argument = true;
	structures_are(&p.problem[0], "v, velocity");
	made_end(&m, &p);
}

/* Only their author knows what they mean: no problem has them, and each is named. */
static void properties_of_the_user_are_named_with_value_place_and_advice(void **state)
{
	struct made m = made_begin();
	struct report_style all = { .width = 80, .part = REPORT_SHORT };
	struct report_finding *f;
	int widest;
	char *text;

	(void)state;
	made_advise(made_add(&m, "MemoryStall", 20, "t", "strided", 0.3),
		"large steps", "exchange the loops");
	f = made_add(&m, "ManyStoresOfData", 20, "t", "strided", 0.2);
	f->about = ABOUT_OWN;
	f->measure = 0.8214;
	f->advice = "82% of the accesses to t are stores: write it less often";
	for (int i = 0; i < 20; i++) {
		f = made_add(&m, "AnotherPropertyWithAVeryLongName", 20 + i, "a_structure_with_a_long_name_too", NULL, 0.1);
		f->about = ABOUT_OWN;
		f->severity_is_index = true;
	}
	text = sample_text(m.r, &made_screen);
	has(text, "is lost to memory. One problem:\n\n 1    30 ms ");
	has(text, "\nYour own properties: value of the condition, place, severity\n"
		" ManyStoresOfData  0.821  heat.f90:20  t                                   20.0%\n"
		"           82% of the accesses to t are stores: write it less often\n"
		" AnotherPropertyWithAVeryLongName  0                                       10.00\n"
		"           heat.f90:20 a_structure_with_a_long_name_too\n");
	has(text, "    and 19 more: psc_report -v\n");
	assert_true(lines_in(text, &widest) <= REPORT_SCREEN && widest <= 80);
	free(text);
	text = sample_text(m.r, &all);
	has(text, "           heat.f90:39 a_structure_with_a_long_name_too\n\nASKED");
	free(text);
	/* Alone they are no bottleneck, and yet something. */
	m.r->findings++;
	m.r->nfindings--;
	text = sample_text(m.r, &made_screen);
	has(text, "is lost to memory.\n\nYour own properties: ");
	has_not(text, "Nothing that was tested");
	has_not(text, "no list of tests");
	free(text);
	m.r->findings--;
	report_free(m.r);
}

static void what_costs_next_to_nothing_has_one_line(void **state)
{
	static const struct report_style all = { .part = REPORT_SHORT };
	struct made m = made_begin();
	char *text;

	(void)state;
	made_advise(made_add(&m, "MemoryStall", 20, "t", "strided", 0.3),
		"large steps", "exchange the loops");
	made_add(&m, "LastLevelMissRate", 30, "u", "gather", 0)->est_stall_high_share = 0.2;
	text = sample_text(m.r, &made_screen);
	has(text, "is lost to memory. One problem:\n");
	has(text, "\n    and 1 that probably costs less than 1%, but may cost up to 20%: --top 0\n");
	has_not(text, "heat.f90:30");
	free(text);
	m.r->findings[1].est_stall_high_share = 0.3;
	text = sample_text(m.r, &made_screen);
	has(text, "2 problems, worst first:\n");
	has(text, " 2  unknown  up to 30%    heat.f90:30  u ");
	free(text);
	m.r->findings[1].est_stall_high_share = 0.04;
	made_add(&m, "LastLevelMissRate", 40, "v", "gather", 0.004);
	text = sample_text(m.r, &made_screen);
	has(text, "\n    and 2 that cost less than 1% each, 0.4% together: --top 0\n");
	free(text);
	m.r->findings[1].est_stall_high_share = m.r->findings[2].est_stall_high_share = 0.19;
	report_rank(m.r);
	text = sample_text(m.r, &made_screen);
	has(text, "\n    and 2 that probably cost less than 1% each, 0.4% together, but 2 may cost up\n    to 19%: --top 0\n");
	free(text);
	for (int i = 1; i < 3; i++)
		if (!(m.r->findings[i].est_stall_share > 0))
			m.r->findings[i].est_stall_high_share = 0.04;
	text = sample_text(m.r, &all);
	has(text, "3 problems, worst first:\n");
	has(text, "heat.f90:30  u");
	free(text);
	report_free(m.r);
}

/* The count of the first sentence is that of the lines below it. */
static void problems_without_a_line_are_counted_by_their_size(void **state)
{
	struct report_style two = made_screen;
	struct made m = made_begin();
	struct report_finding *f;
	char *text;

	(void)state;
	two.top = 2;
	for (int i = 0; i < 3; i++) {
		f = made_add(&m, "MemoryStall", 20 + 10 * i, "t", "strided", 0.3 - 0.1 * i);
		f->est_stall_high_share = 0.3;
	}
	for (int i = 0; i < 2; i++) {
		f = made_add(&m, "LastLevelMissRate", 60 + 10 * i, "u", "gather", 0.004);
		f->est_stall_high_share = 0.005;
	}
	text = sample_text(m.r, &two);
	has(text, "3 problems, one cause:\n");
	has(text, "\n    and 1 more, and 2 that cost less than 1% each, 10.8% together: --top 0\n");
	free(text);
	report_free(m.r);
}

/* Of a program that is recorded in bursts there are no executions, and calling contexts are not told apart. */
static void whole_run_has_no_executions(void **state)
{
	struct made m = made_begin();
	char *text;

	(void)state;
	made_advise(made_add(&m, "MemoryStall", 20, "t", "strided", 0.4), "the accesses go in large steps", "exchange the loops");
	m.r->bursts = true;
	m.r->children_time = 0.07;
	text = sample_text(m.r, &made_screen);
	has(text, "; the whole run, 100 ms\n");
	has(text, "of processor time in the run (60.0%");
	has(text, "PATH   all callers > ");
	has(text, "Warning: processes that it started used 70 ms of processor time");
	has_not(text, "execution");
	free(text);
	m.r->children_time = 0.0001;
	text = sample_text(m.r, &made_screen);
	has_not(text, "Warning");
	free(text);
	report_free(m.r);
}

/* A problem that costs little is shown where there is no larger one. */
static void the_first_problem_is_always_shown(void **state)
{
	struct made m = made_begin();
	char *text;

	(void)state;
	made_add(&m, "MemoryStall", 20, "t", "strided", 0.002);
	made_add(&m, "MemoryStall", 30, "u", "gather", 0.001);
	m.r->est_stall = 0.003 * m.r->cpu_time;
	m.r->est_stall_low = 0;
	m.r->est_stall_high = 0.6 * m.r->cpu_time;
	text = sample_text(m.r, &made_screen);
	has(text, "What memory costs in this phase is uncertain: by the estimate");
	free(text);
	m.r->est_stall_high = 0.4 * m.r->cpu_time;
	text = sample_text(m.r, &made_screen);
	has(text, "Memory is probably not what this phase waits for: about 0.3%");
	has(text, " 1   200 us  0.2%");
	has_not(text, "One problem");
	has(text, "What costs most:\n");
	has(text, "\n    and 1 that costs less than 1%: --top 0\n");
	free(text);
	report_free(m.r);
}

static void an_index_is_told_by_the_kind_of_misses(void **state)
{
	struct made m = made_begin();
	struct report_problems p;

	(void)state;
	made_add(&m, "LastLevelMissRate", 20, "t", "capacity", 0.2)->severity_is_index = true;
	m.r->findings[0].severity_share = 4;
	p = made_problems(&m);
	assert_string_equal(p.problem[0].cause, "capacity");
	made_end(&m, &p);
}

static void tells_what_the_best_change_saves(void **state)
{
	static struct report_gain gains[] = {
		{ "t", NULL, NULL, TRIED_DENSE, "unit stride", NULL, NAN, NAN, 0.2, NULL, NAN },
		{ "tnew", NULL, NULL, TRIED_DENSE, "unit stride", NULL, NAN, NAN, 0.1, NULL, NAN },
		{ "t", NULL, NULL, TRIED_PAGES, "on large pages", NULL, NAN, NAN, 0.25, NULL, NAN },
		{ "t", NULL, NULL, TRIED_HIT, "it always hits", NULL, NAN, NAN, 0.4, NULL, NAN },
	};
	struct made m = made_begin();
	struct report_finding *other;
	char *text;

	(void)state;
	made_advise(made_add(&m, "MemoryStall", 20, "t", "strided", 0.3),
		"large steps", "exchange the loops");
	made_add(&m, "MemoryStall", 20, "tnew", "strided", 0.2);
	m.r->gains = gains;
	m.r->ngains = 4;
	text = sample_text(m.r, &made_screen);
	has(text, "    SAVES  about 30 of 50 ms: unit stride\n");
	free(text);
	/* Half of what t costs is elsewhere: so is half of the gain. */
	other = made_add(&m, "MemoryStall", 30, "t", "strided", 0.3);
	text = sample_text(m.r, &made_screen);
	has(text, "    SAVES  about 20 of 50 ms: unit stride\n");
	free(text);
	/* A stream is dense already: nothing of the gain is there. */
	other->kind = MISS_STREAM;
	text = sample_text(m.r, &made_screen);
	has(text, "    SAVES  about 30 of 50 ms: unit stride\n");
	has_not(strstr(text, " 2    30 ms"), "unit stride");
	free(text);
	report_free(m.r);
}

static char *explained(const struct report *r, int number)
{
	struct report *complete = sample_complete(r);
	struct buf b = BUF_INIT;
	char *text;

	explain_text(complete, &complete->problems.problem[number - 1], "x.psc", &(struct report_style){ .width = 200 }, &b);
	text = strdup(buf_str(&b));
	buf_free(&b);
	report_free(complete);
	return text;
}

/* The change saves 30 % of the phase at both places together, of which one costs 4 %. */
static void every_form_says_the_same_of_what_a_change_saves(void **state)
{
	static struct report_gain gains[] = {
		{ "t", NULL, NULL, TRIED_SPLIT, "members packed", NULL, NAN, NAN, 0.3, NULL, NAN },
		{ "t", "of another", NULL, TRIED_SPLIT, "members packed", NULL, NAN, NAN, 0.2, NULL, NAN },
	};
	struct made m = made_begin();
	struct report_style whole = { .width = 200, .part = REPORT_WHOLE };
	struct report_finding *f;
	char *text;

	(void)state;
	made_advise(made_add(&m, "MemoryStall", 20, "t", "record", 0.36),
		"many members", "split it");
	f = made_add(&m, "MemoryStall", 30, "t", "record", 0.04);
	f->est_stall_low_share = 0.01;
	f->est_stall_high_share = 0.06;
	/* Has the name alone in common. */
	f = made_add(&m, "MemoryStall", 40, "t", "record", 0.2);
	m.path[2][2].scope = "of another";
	m.r->gains = gains;
	m.r->ngains = 2;
	m.r->stall_cycles = 1e6;
	report_rank(m.r);
	text = sample_text(m.r, &(struct report_style){ .width = 80, .part = REPORT_SHORT });
	has(text, "    SAVES  about 27 of 36 ms (range 13.5 ms to 43.2 ms): members packed\n");
	has(text, "    SAVES  about 3 of 4 ms (range 750 us to 6 ms): members packed\n");
	has(text, "    SAVES  about 20 of 20 ms: members packed\n");
	free(text);
	text = explained(m.r, 1);
	has(text, "Saves     about 27 of 36 ms (range 13.5 ms to 43.2 ms): members packed\n");
	free(text);
	text = explained(m.r, 3);
	has(text, "Saves     about 3 of 4 ms (range 750 us to 6 ms): members packed\n");
	free(text);
	text = sample_text(m.r, &whole);
	has(text, "Worth trying first: t: members packed; saves about 30.0% (14.3% to 36.9%) of the phase's processor time, in 2 "
		"problems together.");
	free(text);
	report_free(m.r);
}

/* From 10 to 90 % of the phase: the middle is not printed as if it were known. */
static void a_wide_range_is_unsure_and_so_is_what_a_change_saves(void **state)
{
	static struct report_gain gains[] = {
		{ "t", NULL, NULL, TRIED_DENSE, "unit stride", NULL, NAN, NAN, 0.3, NULL, NAN },
	};
	struct made m = made_begin();
	struct report_finding *f = made_add(&m, "MemoryStall", 20, "t", "strided", 0.5);
	char *text;

	(void)state;
	made_advise(f, "large steps", "exchange the loops");
	f->est_stall_low_share = 0.1;
	f->est_stall_high_share = 0.9;
	m.r->gains = gains;
	m.r->ngains = 1;
	text = sample_text(m.r, &made_screen);
	has(text, " 1    50 ms  50% (10-80)");    /* at most the phase's */
	has(text, "    SAVES  6.0% to 48.0% of the time: unit stride; --verify t measures it\n");
	has_not(text, "unsure");
	free(text);
	m.r->est_stall_low = 0.01;
	m.r->est_stall_high = 0.09;
	text = sample_text(m.r, &made_screen);
	has(text, "    SAVES  6.0% to 54.0% of the time: unit stride; --verify t measures it\n");
	has(text, "SURE   unsure (a wide range; --compare after a change tells)\n");
	free(text);
	/* A problem's own range is wide where that of the phase is not. */
	f->severity_share = f->est_stall_share = 0.18;
	f->est_stall_low_share = 0;
	f->est_stall_high_share = 0.34;
	m.r->est_stall_low = 0.04;
	m.r->est_stall_high = 0.08;
	text = sample_text(m.r, &made_screen);
	has(text, "    SAVES  0% to 34.0% of the time: unit stride; --verify t measures it\n");
	has_not(text, "unsure");
	free(text);
	m.r->stall_cycles = 1e6;
	text = sample_text(m.r, &(struct report_style){ .width = 200, .part = REPORT_WHOLE });
	has(text, "Worth trying first: t: unit stride; saves 0% to 34.0% of the phase's processor time.");
	free(text);
	f->est_stall_high_share = m.r->est_stall_high = 0.9;
	text = sample_text(m.r, &(struct report_style){ .width = 200, .part = REPORT_WHOLE });
	has(text, "Worth trying first: t: unit stride; saves an amount that is not known.");
	has(text, "  not known  strided  MemoryStall");
	free(text);
	text = explained(m.r, 1);
	has(text, "how much of the phase's processor time is lost to memory here is not known;");
	has(text, "Saves     not known (unit stride); --verify t measures it\n");
	free(text);
	report_free(m.r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fits_the_screen_however_much_there_is),
		cmocka_unit_test(says_what_costs_what_and_what_to_do),
		cmocka_unit_test(long_names_become_their_last_members),
		cmocka_unit_test(the_search_path_is_one_line_of_whole_names),
		cmocka_unit_test(properties_of_the_user_are_named_with_value_place_and_advice),
		cmocka_unit_test(what_costs_next_to_nothing_has_one_line),
		cmocka_unit_test(problems_without_a_line_are_counted_by_their_size),
		cmocka_unit_test(whole_run_has_no_executions),
		cmocka_unit_test(the_first_problem_is_always_shown),
		cmocka_unit_test(an_index_is_told_by_the_kind_of_misses),
		cmocka_unit_test(tells_what_the_best_change_saves),
		cmocka_unit_test(every_form_says_the_same_of_what_a_change_saves),
		cmocka_unit_test(a_wide_range_is_unsure_and_so_is_what_a_change_saves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
