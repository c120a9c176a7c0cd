/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the first screen: where the time goes, how sure that is, and the quoted source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "report/words/problem_words.h"
#include "tests/report/made.h"

/* The text without its line ends. */
static char *one_line(struct report *r)
{
	char *text = sample_text(r, &made_screen);

	for (char *c = text; *c; c++)
		*c = *c == '\n' ? ' ' : *c;
	return text;
}

static void what_takes_the_time_that_memory_does_not_is_told(void **state)
{
	struct made m = made_begin();
	char *text;

	(void)state;
	m.r->est_stall = 0.02;
	m.r->est_stall_low = 0.005;
	m.r->est_stall_high = 0.06;
	m.r->computing_time = m.r->computing_low = 0.08;
	m.r->branch_time = 0.005;
	text = one_line(m.r);
	has(text, "is lost to memory; computing probably takes most. ");
	free(text);
	m.r->est_stall_high = 0.04;
	text = one_line(m.r);
	has(text, "is lost to memory; computing takes most. ");
	free(text);
	m.r->computing_low = 0.03;
	text = one_line(m.r);
	has(text, "is lost to memory; computing probably takes most. ");
	free(text);
	m.r->branch_time = 0.015;
	text = one_line(m.r);
	has(text, "is lost to memory; mispredicted branches on data may take up to 30.0%. ");
	free(text);
	m.r->branch_time = 0.06;
	text = one_line(m.r);
	has(text, "is lost to memory; what mispredicted branches on data take is not known. ");
	free(text);
	m.r->branch_time = 0.03;
	text = one_line(m.r);
	has(text, "is lost to memory; mispredicted branches on data may take up to 60.0%, more than memory does. ");
	free(text);
	m.r->est_stall = m.r->est_stall_high = 0.001;
	text = one_line(m.r);
	has(text, "at most 1.0% of its processor time; mispredicted branches on data may take up to 60.0%, more than memory does. ");
	free(text);
	/* Computing is known to take less than half, whatever the rest is. */
	m.r->branch_time = 0;
	m.r->computing_time = 0.045;
	m.r->est_stall = m.r->est_stall_high = 0.045;
	text = one_line(m.r);
	has(text, "is lost to memory. ");
	free(text);
	report_free(m.r);
}

static void an_estimate_that_was_measured_to_be_wrong_is_said_to_be(void **state)
{
	static struct report_verified verified[] = {
		{ "low", NULL, NULL, NULL, false, false, 0.1, 0.04, 0.1, 0.6, 0.55, 0.65, 0.3, 0.2, 0.5, false },
		{ "high", NULL, NULL, NULL, false, false, 0.1, 0.09, 0.1, 0.1, 0.05, 0.15, 0.3, 0.2, 0.5, false },
		{ "near", NULL, NULL, NULL, false, false, 0.1, 0.09, 0.1, 0.15, 0.1, 0.2, 0.3, 0.2, 0.5, false },
		{ "alone", NULL, NULL, NULL, false, false, 0.1, 0.09, 0.1, 0.1, 0.05, 0.15, NAN, NAN, NAN, false },
		{ "any", NULL, NULL, NULL, false, false, 0.1, 0.09, 0.1, 0.1, 0.05, 0.15, 0.4, 0, 0.9, false },
	};
	struct made m = made_begin();
	char *text;

	(void)state;
	m.r->verified = verified;
	m.r->nverified = 5;
	text = sample_text(m.r, &made_screen);
	has(text, "\nThe estimate for low was wrong: measured 55.0% to 65.0%, estimated 20.0% to\n  50.0%.\n");
	has(text, "\nThe estimate for high was wrong: measured 5.0% to 15.0%,");
	has_not(text, "for near was wrong");
	has_not(text, "for alone was wrong");
	has(text, "  time: measured 10.0% (5.0% to 15.0%), estimated: not known\n");
	free(text);
	report_free(m.r);
}

/* One exchange of loops makes the accesses to all arrays of the loop dense, whatever their kind. */
static void one_change_to_a_loop_is_proposed_once(void **state)
{
	static struct report_gain gains[] = {
		{ "t", NULL, NULL, TRIED_DENSE, "unit stride", NULL, NAN, NAN, 0.2, NULL, NAN },
		{ "h", NULL, NULL, TRIED_DENSE, "unit stride", NULL, NAN, NAN, 0.1, NULL, NAN },
	};
	struct made m = made_begin();
	char *text;

	(void)state;
	made_advise(made_add(&m, "MemoryStall", 20, "t", "strided", 0.3),
		"large steps", "exchange the loops");
	made_advise(made_add(&m, "MemoryStall", 20, "h", "tlb", 0.2),
		"pages", "sort or block the index");
	m.r->gains = gains;
	m.r->ngains = 2;
	text = sample_text(m.r, &made_screen);
	has(text, "    DO     exchange the loops\n");
	has(text, "    WHY    pages\n    DO     as for 1\n");
	free(text);
	/* Without a gain in the second: its own advice. */
	m.r->ngains = 1;
	text = sample_text(m.r, &made_screen);
	has(text, "    DO     sort or block the index\n");
	free(text);
	report_free(m.r);
	/* Records of one structure, of which two loops use other members. */
	m = made_begin();
	made_advise(made_add(&m, "MemoryStall", 20, "t", "record", 0.3),
		"2 of 9 members are used", "put x, y into arrays of their own");
	made_advise(made_add(&m, "MemoryStall", 30, "t", "record", 0.2),
		"1 of 9 members is used", "put z into an array of its own");
	text = sample_text(m.r, &made_screen);
	has(text, "    DO     put x, y into arrays of their own\n");
	has(text, "    DO     put z into an array of its own\n");
	free(text);
	report_free(m.r);
}

static void as_many_names_as_fit_are_printed_whole(void **state)
{
	static const char *const names[] = { "vorticity", "u", "v", "h", "momentum", "energy", "pressure" };
	struct made m = made_begin();
	char *text;

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		made_add(&m, "MemoryStall", 20, names[i], "strided", 0.1 - 0.01 * (double)i);
	text = sample_text(m.r, &made_screen);
	has(text, "heat.f90:20  vorticity, u, v, h, momentum, ..  strided\n");
	has(text, "strided\n");
	free(text);
	report_free(m.r);
}

static void misses_named_are_told_where_accesses_are_not(void **state)
{
	struct report_ledger ledger[] = {
		{ LEDGER_NAMED, 60, 10, NAN }, { LEDGER_OTHER, 40, 0, NAN },
	};
	struct made m = made_begin();
	char *text;

	(void)state;
	m.r->ledger = ledger;
	m.r->nledger = 2;
	text = sample_text(m.r, &made_screen);
	has(text, "SURE   counts exact, 60.0% of accesses and 100% of misses named");
	free(text);
	ledger[1].accesses = 0;
	text = sample_text(m.r, &made_screen);
	has(text, "SURE   counts exact, 100% of accesses named");
	free(text);
	m.r->sampled = "1 in 8 of the cache sets";
	text = sample_text(m.r, &made_screen);
	has(text, "SURE   counts of a sample, 100% of accesses named");
	free(text);
	m.r->sampled = "counted in slices";
	m.r->sample_share = 0.08;
	m.r->unseen_share = 0.57;
	text = sample_text(m.r, &made_screen);
	has(text, "SURE   counts of slices, 8.0% of an execution without 57.0% of the time (-v),\n       100% of accesses named");
	free(text);
	m.r->sampled = "counted in slices: all of it would exceed --max-slowdown";
	m.r->slowdown_limited = true;
	m.r->unseen_share = 0;
	text = sample_text(m.r, &made_screen);
	has(text, "SURE   counts of slices, 8.0% of an execution (--max-slowdown none: all), 100%\n       of accesses named");
	free(text);
	report_free(m.r);
}

static void times_of_several_processes_are_of_one(void **state)
{
	struct made m = made_begin();
	char *text;

	(void)state;
	m.r->nprocs = 2;
	sample_asked(m.r, (const char *const[]){ "memory", "sharing", "balance" }, 3, 0);
	text = sample_text(m.r, &made_screen);
	has(text, "About 60 of 100 ms of processor time in each execution of a process (60.0%;");
	has(text, "ASKED  memory, sharing (1 thread), balance. Not asked: faults, levels, numa\n");
	free(text);
	report_free(m.r);
}

static void locks_are_a_reason_to_ask_for_openmp(void **state)
{
	struct made m = made_begin();
	struct report_finding *f = made_add(&m, "MemoryStall", 20, "t", "strided", 0.4);
	const char *wanted = ". Not asked: openmp (waits for locks)";
	char *text;

	(void)state;
	m.r->locks = true;
	text = sample_text(m.r, &made_screen);
	assert_null(strstr(text, "openmp"));    /* one thread waits for nobody */
	free(text);
	m.r->nthreads = 2;
	text = sample_text(m.r, &made_screen);
	has(text, wanted);
	free(text);
	m.r->locks = false;
	text = sample_text(m.r, &made_screen);
	assert_null(strstr(text, "openmp"));
	free(text);
	f->kind = MISS_CONTENTION;      /* a lock that the source does not name */
	text = sample_text(m.r, &made_screen);
	has(text, wanted);
	free(text);
	sample_asked(m.r, (const char *const[]){ "memory", "openmp" }, 2, 0);
	text = sample_text(m.r, &made_screen);
	assert_null(strstr(text, "waits for locks"));
	free(text);
	report_free(m.r);
}

static void what_only_a_simulation_tells_is_named(void **state)
{
	struct made m = made_begin();
	char *text;

	(void)state;
	made_advise(made_add(&m, "MemoryStall", 20, "counts", "sharing", 0.3),
		"other threads write them", "pad them");
	text = sample_text(m.r, &made_screen);
	has(text, "    SAVES  not known: psc_frontend --what-if counts simulates the change\n");
	free(text);
	/* The same holds of a property with a severity of its own. */
	m.r->findings[0].property = "FalseSharing";
	m.r->findings[0].severity_share = 0.2;
	text = sample_text(m.r, &made_screen);
	has(text, "  counts                            sharing\n");
	has(text, "    SAVES  not known: psc_frontend --what-if counts simulates the change\n");
	free(text);
	m.r->findings[0].kind = MISS_FALSE_SHARING;
	text = sample_text(m.r, &made_screen);
	has(text, "  counts                      false sharing\n");
	has(text, "    SAVES  not known: psc_frontend --what-if counts simulates the change\n");
	free(text);
	/* No simulated change takes away what is written by all. */
	m.r->findings[0].kind = MISS_TRUE_SHARING;
	m.r->nthreads = 2;
	text = sample_text(m.r, &made_screen);
	has(text, "    SAVES  not known; --verify counts measures it\n");
	free(text);
	report_free(m.r);
}

static void little_memory_is_said_to_be_little(void **state)
{
	struct made m = made_begin();
	char *text;

	(void)state;
	m.r->est_stall = 0.001;
	m.r->est_stall_high = 0.002;
	m.r->phase_warning = "the phase has little of the time";
	m.r->unoptimised = "a.c, b.c and 2 more";
	text = sample_text(m.r, &made_screen);
	has(text, "\nWarning: the phase has little of the time\n");
	has(text, "\nWarning: compiled without optimisation (-O0): a.c, b.c and 2 more; with -O2");
	has(text, "Memory is not what this phase waits for: at most 2.0% of its processor time.");
	free(text);
	report_free(m.r);
}

/* It measures misses; copies cost what hits, too. */
static void verify_is_not_proposed_for_copies(void **state)
{
	static const char *const kinds[] = { "gather", "copy" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct made m = made_begin();
		struct report_finding *f = made_add(&m, "MemoryStall", 20, "t", kinds[i], 0.4);
		char *text;

		f->est_stall_low_share = 0;
		f->est_stall_high_share = 0.95;
		m.r->est_stall_low = 0;
		m.r->est_stall_high = 0.95 * report_base_time(m.r);
		text = sample_text(m.r, &made_screen);
		assert_true(!strstr(text, "--verify t measures it") == (i == 1));
		free(text);
		report_free(m.r);
	}
}

/* A range that says next to nothing is no verdict. */
static void what_is_not_known_is_said_not_to_be(void **state)
{
	struct made m = made_begin();
	struct report_finding *f = made_add(&m, "MemoryStall", 20, "t", "gather", 0);
	char *text;

	(void)state;
	f->est_stall_high_share = 0.01;
	m.r->est_stall = m.r->est_stall_low = 0;
	m.r->est_stall_high = 0.007;
	text = one_line(m.r);
	has(text, "Memory is probably not what this phase waits for: at most 7.0% of its processor time. ");
	has(text, " 1   little  up to 1%     heat.f90:20  t ");
	free(text);
	f->est_stall_high_share = 0.06;
	text = one_line(m.r);
	has(text, " 1  unknown  up to 6%     heat.f90:20  t ");
	free(text);
	m.r->est_stall = 0.05;
	m.r->est_stall_high = 0.1;
	text = one_line(m.r);
	has(text, "What memory costs in this phase is not known: by the estimate next to nothing, or nearly all of its time. ");
	free(text);
	/* From next to nothing to nearly all: the command that measures it, and no figure. */
	f->est_stall_share = f->severity_share = 0.5;
	f->est_stall_high_share = 0.9;
	text = one_line(m.r);
	has(text, "not known: by the estimate next to nothing, or nearly all of its time; --verify t measures it. ");
	has(text, " 1  not known             heat.f90:20  t ");
	has(text, "    SAVES  not known; --verify t measures it ");
	free(text);
	m.r->nthreads = 2;
	text = one_line(m.r);
	has(text, "    SAVES  not known; --compare after the change tells ");
	free(text);
	f->kind = MISS_FALSE_SHARING;
	text = one_line(m.r);
	has(text, "    SAVES  not known; --verify t measures it ");
	free(text);
	f->est_stall_high_share = 0.84;
	text = one_line(m.r);
	has(text, " 1    50 ms  50% (0-84)   heat.f90:20  t ");
	free(text);
	m.r->est_stall_low = 0.004;
	m.r->est_stall_high = 0.084;
	text = one_line(m.r);
	has(text, "About 50 of 100 ms of processor time in each execution (50.0%; 4.0% to 84.0%)");
	free(text);
	m.r->est_stall = m.r->est_stall_high = 0.00002;
	text = one_line(m.r);
	has(text, "Memory is not what this phase waits for: less than 0.1% of its processor time. ");
	free(text);
	report_free(m.r);
}

/* What computing leaves of the time limits both. */
static void an_estimate_at_its_upper_end_has_a_reason(void **state)
{
	struct made m = made_begin();
	struct report_finding *f = made_add(&m, "MemoryStall", 20, "t", "gather", 0.3);
	char *text;

	(void)state;
	text = one_line(m.r);
	has_not(text, "upper end");
	free(text);
	f->est_stall_high_share = 0.302;
	text = one_line(m.r);
	has(text, "SURE   an estimate at its upper end is all that computing leaves of the time ");
	free(text);
	/* On another machine's model there is no such limit. */
	m.r->modelled_time = 0.1;
	text = one_line(m.r);
	has_not(text, "upper end");
	free(text);
	report_free(m.r);
}

/* Lines that threads take from each other are no part of the estimate. */
static void the_verdict_agrees_with_what_is_below_it(void **state)
{
	struct made m = made_begin();
	struct report_finding *f = made_add(&m, "FalseSharing", 20, "t", "sharing", 0.012);
	char *text;

	(void)state;
	f->est_stall_share = f->est_stall_low_share = f->est_stall_high_share = 0;
	m.r->est_stall = m.r->est_stall_low = m.r->est_stall_high = 0;
	text = one_line(m.r);
	has(text, "Apart from what is listed below, memory is not what this phase waits for: less than 0.1% of its processor");
	has(text, "1.2%");
	free(text);
	f->about = ABOUT_THREADS;
	text = one_line(m.r);
	has(text, " Memory is not what this phase waits for: less than 0.1%");
	free(text);
	report_free(m.r);
}

static void wall_time_is_told_where_it_is_another(void **state)
{
	struct made m = made_begin();
	char *text;

	(void)state;
	m.r->wall_time = 0.14;
	text = sample_text(m.r, &made_screen);
	has(text, "phase: loop heat.f90:10, 100 ms\n");
	free(text);
	m.r->wall_time = 0.21;
	text = sample_text(m.r, &made_screen);
	has(text, "phase: loop heat.f90:10, 100 ms\n");       /* no line for it alone */
	free(text);
	m.r->run_share = 0.9;
	text = sample_text(m.r, &made_screen);
	has(text, "phase: loop heat.f90:10, 100 ms (210\n  ms wall), 90.0% of the run\n");
	free(text);
	m.r->run_seen = 1.25;
	text = sample_text(m.r, &made_screen);
	has(text, "(210\n  ms wall), 90.0% of 1.25 s of the run\n");
	free(text);
	m.r->run_share = m.r->run_seen = NAN;
	m.r->phase_time = m.r->cpu_time = 0.002;
	m.r->wall_time = 0.004;
	m.r->command = "h";
	text = sample_text(m.r, &made_screen);
	has(text, "phase: loop heat.f90:10, 2 ms (4 ms wall)\n");
	free(text);
	report_free(m.r);
}

/* --- source ------------------------------------------------------------------------------------- */

static char *with_source(const char *file, const char *lines, int64_t when)
{
	struct report_style style = made_screen;
	struct made m = made_begin();
	struct report_finding *f = made_add(&m, "MemoryStall", 20, "t", "strided", 0.4);
	FILE *out = fopen(file, "w");
	char cwd[512], *text;

	assert_non_null(out);
	fputs(lines, out);
	fclose(out);
	assert_non_null(getcwd(cwd, sizeof cwd));
	f->source = arena_printf(m.r->arena, "%s/%s", cwd, file);
	f->first_line = 2;
	f->last_line = 7;
	m.r->when = when;
	style.links = true;
	text = sample_text(m.r, &style);
	remove(file);
	report_free(m.r);
	return text;
}

static const char lines[] = "subroutine s\n  do i = 1, n\n! t in a comment\n    x = 1\n    u(i) = T(i) + \033[1mtot\n"
	"    t(i) = 0\n  end do\n";

static void the_loop_and_the_lines_that_name_the_structure_are_quoted(void **state)
{
	char *text = with_source("quoted.f90", lines, 0);

	(void)state;
	has(text, "        2 | do i = 1, n\n");
	has(text, "        5 |   u(i) = T(i) + ?[1mtot\n");
	has(text, "        6 |   t(i) = 0\n");
	assert_null(strstr(text, "comment"));
	has(text, "\033]8;;file://");
	has(text, "quoted.f90#2\033\\quoted.f90:2-7\033]8;;\033\\");
	free(text);
}

static void a_source_changed_since_the_run_is_not_quoted(void **state)
{
	char *text = with_source("changed.f90", lines, 1000);

	(void)state;
	assert_null(strstr(text, "do i ="));
	free(text);
}

static void times_that_vary_much_are_not_to_be_relied_on(void **state)
{
	struct made m = made_begin();
	char *text;

	(void)state;
	made_add(&m, "MemoryStall", 20, "t", "strided", 0.3);
	m.r->executions_used = 6;
	m.r->time_spread = 0.5;
	text = sample_text(m.r, &made_screen);
	has(text, "time +-50 % of 6 executions");
	has_not(text, "unsteady");
	free(text);
	m.r->time_spread = 0.51;
	text = sample_text(m.r, &made_screen);
	has(text, "unsteady: run again");
	free(text);
	report_free(m.r);
}

/* A calibration of a busy machine, and one whose costs varied. */
static void says_how_sure_measured_costs_are(void **state)
{
	static const struct { bool loaded, varied; const char *line; } costs[] = {
		{ false, false, "SURE   costs measured on vm, 2026-11-27 09:33\n" },
		{ true, false, "SURE   costs measured on vm, 2026-11-27 09:33 under load\n" },
		{ false, true, "SURE   costs measured on vm, 2026-11-27 09:33, and varied (wide ranges)\n" },
		{ true, true, "SURE   costs measured on vm, 2026-11-27 09:33 under load, and varied (wide ranges)\n" },
	};
	struct tm when = { .tm_year = 126, .tm_mon = 10, .tm_mday = 27, .tm_hour = 9, .tm_min = 33, .tm_isdst = -1 };


	struct report_style wide = made_screen;

	(void)state;
	wide.width = 300;
	for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
		struct made m = made_begin();
		char *text;

		m.r->costs_source = COSTS_MEASURED;
		m.r->costs_host = "vm";
		m.r->costs_when = mktime(&when);
		m.r->costs_loaded = costs[i].loaded;
		m.r->costs_varied = costs[i].varied;
		text = sample_text(m.r, &wide);
		has(text, costs[i].line);
		free(text);
		report_free(m.r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(says_how_sure_measured_costs_are),
		cmocka_unit_test(what_takes_the_time_that_memory_does_not_is_told),
		cmocka_unit_test(an_estimate_that_was_measured_to_be_wrong_is_said_to_be),
		cmocka_unit_test(one_change_to_a_loop_is_proposed_once),
		cmocka_unit_test(as_many_names_as_fit_are_printed_whole),
		cmocka_unit_test(misses_named_are_told_where_accesses_are_not),
		cmocka_unit_test(times_of_several_processes_are_of_one),
		cmocka_unit_test(locks_are_a_reason_to_ask_for_openmp),
		cmocka_unit_test(what_only_a_simulation_tells_is_named),
		cmocka_unit_test(little_memory_is_said_to_be_little),
		cmocka_unit_test(verify_is_not_proposed_for_copies),
		cmocka_unit_test(what_is_not_known_is_said_not_to_be),
		cmocka_unit_test(an_estimate_at_its_upper_end_has_a_reason),
		cmocka_unit_test(the_verdict_agrees_with_what_is_below_it),
		cmocka_unit_test(wall_time_is_told_where_it_is_another),
		cmocka_unit_test(the_loop_and_the_lines_that_name_the_structure_are_quoted),
		cmocka_unit_test(a_source_changed_since_the_run_is_not_quoted),
		cmocka_unit_test(times_that_vary_much_are_not_to_be_relied_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
