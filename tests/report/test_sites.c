/* SPDX-License-Identifier: BSD-3-Clause */
/* Misses by source line: sums, and what reports say of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/text/explain.h"
#include "report/words/sites.h"
#include "tests/report/sample.h"

/* --- sums -------------------------------------------------------------------------------------- */

static void lines_are_joined_the_worst_first_and_the_others_last(void **state)
{
	struct report_site s[] = { { 0, 500, 90 }, { 7, 10, 5 }, { 3, 80, 5 }, { 9, 1, 40 }, { 7, 10, 15 } };

	(void)state;
	assert_int_equal(report_sites_join(s, 5), 4);
	assert_int_equal(s[0].line, 9);
	assert_int_equal(s[1].line, 7);
	assert_true(s[1].first_misses == 20 && s[1].last_misses == 20);
	assert_int_equal(s[2].line, 3);
	assert_int_equal(s[3].line, 0);
	assert_true(fabs(report_site_share(s, 4, 0) - 40.0 / 155) < 1e-12);
	assert_string_equal(sites_level(s, 4), "last-level");
	assert_int_equal(report_sites_place(s, 4), 9);
}

static void without_last_level_misses_the_first_level_tells(void **state)
{
	struct report_site s[] = { { 7, 10, 0 }, { 3, 30, 0 } };

	(void)state;
	assert_int_equal(report_sites_join(s, 2), 2);
	assert_int_equal(report_sites_place(s, 2), 3);
	assert_true(report_site_share(s, 2, 0) == 0.75);
	assert_string_equal(sites_level(s, 2), "first-level");
}

/* The level that costs most orders them, and shares are its. */
static void few_last_level_misses_do_not_order_the_lines(void **state)
{
	struct report_site some[] = { { 1, 1000, 0 }, { 2, 30, 30 }, { 3, 30, 30 } }, few[] = { { 7, 100, 6 }, { 3, 900, 5 } };

	(void)state;
	assert_int_equal(report_sites_join(some, 3), 3);
	assert_int_equal(report_sites_place(some, 3), 2);
	assert_true(report_site_share(some, 3, 0) == 0.5);
	assert_int_equal(report_sites_join(few, 2), 2);
	assert_int_equal(report_sites_place(few, 2), 3);
	assert_true(report_site_share(few, 2, 0) == 0.9);
	assert_string_equal(sites_level(few, 2), "first-level");
}

static void no_line_is_the_place_where_none_has_a_tenth(void **state)
{
	struct report_site s[] = { { 7, 10, 9 }, { 3, 30, 2 }, { 0, 0, 89 } };

	(void)state;
	assert_int_equal(report_sites_place(s, 3), 0);
	s[0].last_misses = 11;
	assert_int_equal(report_sites_place(s, 3), 7);
	assert_int_equal(report_sites_place(NULL, 0), 0);
	assert_int_equal(report_sites_place(&(struct report_site){ 0, 5, 5 }, 1), 0);
	assert_true(isnan(report_site_share(&(struct report_site){ 4, 0, 0 }, 1, 0)));
}

static void lines_beyond_the_eighth_are_others(void **state)
{
	struct report_site s[12];

	(void)state;
	for (int i = 0; i < 11; i++)
		s[i] = (struct report_site){ i + 1, 100 - i, 100 - i };
	s[11] = (struct report_site){ 0, 7, 7 };
	assert_int_equal(report_sites_keep(s, 12), 9);
	assert_int_equal(s[7].line, 8);
	assert_int_equal(s[8].line, 0);
	assert_true(s[8].last_misses == 92 + 91 + 90 + 7);
	assert_int_equal(report_sites_keep(s, 9), 9);
	assert_true(s[8].last_misses == 280);
	assert_int_equal(report_sites_keep(s, 3), 3);
}

static void merging_sums_the_same_line(void **state)
{
	const struct report_site a[] = { { 5, 4, 3 }, { 6, 1, 1 } }, b[] = { { 6, 9, 8 }, { 0, 2, 1 } }, *out = a;
	struct arena *arena = arena_new();
	int n = 2;

	(void)state;
	assert_int_equal(report_sites_merge(arena, out, n, b, 2, &out, &n), 0);
	assert_int_equal(n, 3);
	assert_int_equal(out[0].line, 6);
	assert_true(out[0].first_misses == 10 && out[0].last_misses == 9);
	assert_int_equal(report_sites_merge(arena, NULL, 0, NULL, 0, &out, &n), 0);
	assert_int_equal(n, 0);
	arena_free(arena);
}

static void words_name_lines_shares_and_counts(void **state)
{
	const struct report_site s[] = { { 52, 1.2e6, 310e3 }, { 47, 5, 90e3 }, { 0, 0, 0 } };
	struct buf b = BUF_INIT;

	(void)state;
	sites_words(&b, s, 3);
	assert_string_equal(buf_str(&b), "52: 77.5% (1.20 M first-level, 310 k last-level misses); "
		"47: 22.5% (5 first-level, 90.0 k last-level misses); others: 0% (0 first-level, 0 last-level misses)");
	buf_free(&b);
}

/* --- a report ---------------------------------------------------------------------------------- */

static const char code[] = "void step(void)\n{\n\tfor (int i = 0; i < n; i++)\n\t\tfor (int j = 0; j < n; j++) {\n"
	"\t\t\tb[i] = a[j][i];\n\t\t\tc[i] = a[j][i + 1];\n\t\t\td[i]++;\n\t\t}\n}\nvoid far(void)\n{\n\ta[0][0] = 1;\n}\n";
static char directory[] = "/tmp/psc-sites-XXXXXX", source[64];

static struct report *begin(void)
{
	struct report *r = report_new();

	r->command = "./x";
	r->nprocs = r->nthreads = 1;
	r->phase = (struct report_node){ .type = REGION_LOOP, .name = "", .file = "x.c", .line = 1 };
	r->phase_time = r->cpu_time = 0.1;
	r->est_stall = 0.06;
	r->est_stall_low = 0.03;
	r->est_stall_high = 0.08;
	r->findings = arena_array(r->arena, 8, sizeof *r->findings);
	return r;
}

static struct report_finding *add(struct report *r, const char *structure, const char *property, double est,
	const struct report_site *sites, int n)
{
	struct report_finding *f = &r->findings[r->nfindings++];
	struct report_node *path = arena_array(r->arena, 2, sizeof *path);

	path[0] = (struct report_node){ .type = REGION_LOOP, .name = "", .file = "x.c", .line = 3, .measure = NAN,
		.measure_error = NAN, .time = NAN, .holds = true };
	path[1] = (struct report_node){ .type = REGION_DATA_STRUCTURE, .name = structure, .file = "x.c", .line = 1,
		.measure = NAN, .measure_error = NAN, .time = NAN, .holds = true };
	*f = (struct report_finding){ .property = property, .file = "memory.asl", .path = path, .npath = 2,
		.kind = MISS_STRIDED, .about = ABOUT_MEMORY, .severity_is_time = true, .severity_share = est,
		.est_stall_share = est, .own_stall_share = NAN, .est_stall_low_share = est / 2, .est_stall_high_share = est, .severity = est,
		.confidence = 1, .coverage = 1, .time_share = 0.5, .measure = NAN, .source = source, .first_line = 3,
		.last_line = 8, .sites = sites, .nsites = n, .place_line = report_sites_place(sites, n) };
	return f;
}

static char *screen(const struct report *r)
{
	const struct report_style style = { .width = 80, .part = REPORT_SHORT, .lines = REPORT_SCREEN, .links = true };

	return sample_text(r, &style);
}

static void has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("'%s' is not in\n%s", part, text);
}

static void hasnt(const char *text, const char *part)
{
	if (strstr(text, part))
		fail_msg("'%s' is in\n%s", part, text);
}

static void the_place_is_the_line_with_most_misses(void **state)
{
	static const struct report_site sites[] = { { 5, 900, 80 }, { 6, 100, 15 }, { 0, 10, 5 } };
	struct report *r = begin();
	char *text;

	(void)state;
	add(r, "a", "MemoryStall", 0.4, sites, 3);
	text = screen(r);
	has(text, "x.c#5\033\\x.c:5 (in 3-8)\033]8;;\033\\");
	has(text, "        5 | b[i] = a[j][i];\n");
	hasnt(text, "3 | ");
	hasnt(text, "c[i] =");
	free(text);
	report_free(r);
}

static void the_next_line_is_quoted_if_it_has_a_quarter(void **state)
{
	static const struct report_site sites[] = { { 6, 100, 60 }, { 5, 900, 30 }, { 7, 9, 10 } };
	struct report *r = begin();
	char *text;

	(void)state;
	add(r, "a", "MemoryStall", 0.4, sites, 3);
	text = screen(r);
	has(text, "x.c:6 (in 3-8)");
	has(text, "        5 | b[i] = a[j][i];\n        6 | c[i] = a[j][i + 1];\n");
	hasnt(text, "d[i]");
	free(text);
	report_free(r);
}

/* b's line has most misses of the problem, a's most of a's own. */
static void structures_of_one_problem_have_a_line_each(void **state)
{
	static const struct report_site of_a[] = { { 6, 20, 50 }, { 5, 10, 45 } }, of_b[] = { { 5, 30, 30 } },
		of_d[] = { { 7, 20, 20 } }, of_e[] = { { 12, 3, 3 } };
	struct report *r = begin();
	char *text;

	(void)state;
	add(r, "a", "MemoryStall", 0.3, of_a, 2);
	add(r, "a", "FetchExcess", 0.2, of_a, 2);       /* the same misses: counted once */
	add(r, "b", "MemoryStall", 0.1, of_b, 1);
	add(r, "d", "MemoryStall", 0.05, of_d, 1);
	add(r, "e", "MemoryStall", 0.04, of_e, 1);
	text = screen(r);
	has(text, "One problem");
	has(text, "x.c:5 (in 3-8)");
	has(text, "        5 | b[i] = a[j][i];\n        6 | c[i] = a[j][i + 1];\n        7 | d[i]++;\n");
	hasnt(text, "a[0][0]");
	free(text);
	report_free(r);
}

static void a_line_elsewhere_in_the_file_is_the_place_alone(void **state)
{
	static const struct report_site sites[] = { { 12, 900, 80 } };
	struct report *r = begin();
	char *text;

	(void)state;
	add(r, "a", "MemoryStall", 0.4, sites, 1);
	text = screen(r);
	has(text, "x.c:12\033]");
	has(text, "       12 | a[0][0] = 1;\n");
	free(text);
	report_free(r);
}

static void without_known_lines_the_range_is_the_place(void **state)
{
	static const struct report_site sites[] = { { 0, 900, 80 } };

	(void)state;
	for (int n = 0; n < 2; n++) {
		struct report *r = begin();
		char *text;

		add(r, "a", "MemoryStall", 0.4, sites, n);
		text = screen(r);
		has(text, "x.c#3\033\\x.c:3-8\033]8;;\033\\");
		has(text, "        3 | for (int i = 0; i < n; i++)\n");
		has(text, "        5 |                 b[i] = a[j][i];\n");
		free(text);
		report_free(r);
	}
}

static void a_narrow_line_leaves_the_range_out_before_the_routine(void **state)
{
	static const struct report_site sites[] = { { 5, 900, 80 } };
	struct report *r = begin();
	struct report_style style = { .width = 60, .part = REPORT_SHORT, .lines = REPORT_SCREEN };
	struct report_finding *f = add(r, "an_array", "MemoryStall", 0.4, sites, 1);
	struct report_node *path = arena_array(r->arena, 3, sizeof *path);
	char *text;

	(void)state;
	path[0] = path[1] = f->path[0];
	path[2] = f->path[1];
	path[0].type = REGION_SUB;
	path[0].name = "routine";
	f->path = path;
	f->npath = 3;
	text = sample_text(r, &style);
	has(text, "routine x.c:5  ");
	free(text);
	style.width = 80;
	text = sample_text(r, &style);
	has(text, "routine x.c:5 (in 3-8)  an_array");
	free(text);
	report_free(r);
}

static const struct report_problem *first(struct report *r)
{
	assert_int_equal(report_finish(r), 0);
	return r->problems.problem;
}

static void a_problem_is_explained_by_its_lines(void **state)
{
	static const struct report_site sites[] = { { 5, 900, 80 }, { 0, 100, 20 } };
	struct report *r = begin();
	struct buf b = BUF_INIT;

	(void)state;
	add(r, "a", "MemoryStall", 0.4, sites, 2);
	explain_text(r, first(r), "x.psc", &(struct report_style){ .width = 200 }, &b);
	has(buf_str(&b), "Lines     share of the last-level misses in x.c by line: 5: 80.0% (900 first-level, 80 last-level "
		"misses); others: 20.0% (100 first-level, 20 last-level misses)\n");
	buf_clear(&b);
	explain_json(r, first(r), "x.psc", &b);
	has(buf_str(&b), "\"place_line\": 5,\n   \"lines\": [{\"line\": 5, \"first_misses\": 900, \"last_misses\": 80, "
		"\"share\": 0.8}, {\"line\": 0, ");
	buf_free(&b);
	report_free(r);
}

/* The place of a finding in a region around may be in another file. */
static void the_line_of_a_finding_is_told_with_its_own_file(void **state)
{
	static const struct report_site sites[] = { { 64, 900, 80 } };
	struct report *r = begin();
	struct buf b = BUF_INIT;

	(void)state;
	add(r, "a", "MemoryStall", 0.4, sites, 1);
	r->findings[0].source = "/src/town.c";
	r->findings[0].place_line = 64;
	explain_text(r, first(r), "x.psc", &(struct report_style){ .width = 200 }, &b);
	has(buf_str(&b), "Source    town.c:64");
	buf_free(&b);
	report_free(r);
}

static void the_command_that_tests_a_change_runs_the_program_alike(void **state)
{
	struct report *r = begin();
	struct buf b = BUF_INIT;

	(void)state;
	add(r, "a", "MemoryStall", 0.4, NULL, 0);
	r->nprocs = 2;
	r->nthreads = 4;
	sample_asked(r, (const char *const[]){ "memory", "sharing", "/my own/p.asl" }, 3, 0);
	explain_text(r, first(r), "x.psc", &(struct report_style){ .width = 200 }, &b);
	has(buf_str(&b), " --mpinumprocs 2 --ompnumthreads 4 --properties 'memory,sharing,/my own/p.asl' --compare x.psc -- ");
	buf_clear(&b);
	sample_asked(r, (const char *const[]){ "memory", "sharing", "mpi" }, 3, 3);
	r->nthreads = 1;
	explain_text(r, first(r), "x.psc", &(struct report_style){ .width = 200 }, &b);
	has(buf_str(&b), " --mpinumprocs 2 --compare x.psc -- ./x\n");
	buf_clear(&b);
	r->command = "'/my own/x' 8";
	r->executable = "/my own/x";
	explain_text(r, first(r), "x.psc", &(struct report_style){ .width = 200 }, &b);
	has(buf_str(&b), " --mpinumprocs 2 --compare x.psc -- '/my own/x' 8\n");
	buf_free(&b);
	report_free(r);
}

static void a_program_with_its_own_launcher_gets_no_second_one(void **state)
{
	struct report *r = begin();
	struct buf b = BUF_INIT;

	(void)state;
	add(r, "a", "MemoryStall", 0.4, NULL, 0);
	r->nprocs = 2;
	r->command = "mpirun -np 2 ./x";
	r->executable = "/home/x";
	explain_text(r, first(r), "x.psc", &(struct report_style){ .width = 200 }, &b);
	has(buf_str(&b), "psc_frontend --phase x.c:1 --compare x.psc -- mpirun -np 2 ./x\n");
	buf_free(&b);
	report_free(r);
}

/* What memory costs at the place of a wait is no figure of the wait. */
static void a_wait_is_explained_by_its_own_figure(void **state)
{
	struct report *r = begin();
	struct buf b = BUF_INIT;

	(void)state;
	add(r, "a", "ExcessiveMpiTime", 0.03, NULL, 0);
	r->findings[0].npath--;
	r->findings[0].about = ABOUT_THREADS;
	r->findings[0].kind = MISS_STREAM;
	r->findings[0].severity_share = 0.75;
	explain_text(r, first(r), "x.psc", &(struct report_style){ .width = 200 }, &b);
	has(buf_str(&b), ": severity 75.0%");
	assert_null(strstr(buf_str(&b), "lost to memory"));
	assert_null(strstr(buf_str(&b), "kind of misses"));
	buf_free(&b);
	report_free(r);
}

/* --- files ------------------------------------------------------------------------------------- */

/* The lines are written in another order than they are read in. */
static void a_property_file_keeps_lines_and_their_order(void **state)
{
	static const struct report_site sites[] = { { 0, 100, 20 }, { 5, 900, 80 } };
	struct report *r = begin(), *got;
	struct report_cost costs[] = { { .region = "x.c:f", .file = "x.c", .line = 3 },
		{ .region = "x.c:f", .structure = "a", .file = "x.c", .line = 3, .sites = sites, .nsites = 2 } };
	char path[96];

	(void)state;
	add(r, "a", "MemoryStall", 0.4, sites, 2)->place_line = 5;
	r->costs = costs;
	r->ncosts = 2;
	snprintf(path, sizeof path, "%s/x.psc", directory);
	assert_int_equal(report_psc_write(r, path, NULL), 0);
	got = report_psc_read(path, NULL);
	assert_non_null(got);
	assert_int_equal(got->findings[0].place_line, 5);
	assert_int_equal(got->findings[0].nsites, 2);
	assert_int_equal(got->findings[0].sites[0].line, 5);
	assert_true(got->findings[0].sites[0].first_misses == 900 && got->findings[0].sites[1].last_misses == 20);
	assert_int_equal(got->ncosts, 2);
	assert_int_equal(got->costs[0].nsites, 0);
	assert_int_equal(got->costs[1].nsites, 2);
	assert_true(got->costs[1].sites[0].line == 5 && got->costs[1].sites[0].last_misses == 80);
	unlink(path);
	report_free(got);
	report_free(r);
}

static void costs_of_one_place_sum_their_lines(void **state)
{
	static const struct report_site one[] = { { 5, 9, 8 } }, two[] = { { 6, 3, 20 }, { 5, 1, 2 } };
	struct report_cost costs[] = {
		{ .region = "x.c:f", .structure = "a", .sites = one, .nsites = 1 },
		{ .region = "x.c:f", .structure = "b" },
		{ .region = "x.c:f", .structure = "a", .sites = two, .nsites = 2 } };
	struct arena *arena = arena_new();

	(void)state;
	assert_int_equal(report_costs_join(arena, costs, 3), 2);
	assert_int_equal(costs[0].nsites, 2);
	assert_true(costs[0].sites[0].line == 6 && costs[0].sites[1].last_misses == 10);
	assert_int_equal(costs[1].nsites, 0);
	arena_free(arena);
}

static int make_source(void **state)
{
	FILE *f;

	(void)state;
	if (!mkdtemp(directory))
		return -1;
	snprintf(source, sizeof source, "%s/x.c", directory);
	f = fopen(source, "w");
	if (!f)
		return -1;
	fputs(code, f);
	return fclose(f);
}

static int remove_source(void **state)
{
	(void)state;
	unlink(source);
	return rmdir(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_joined_the_worst_first_and_the_others_last),
		cmocka_unit_test(without_last_level_misses_the_first_level_tells),
		cmocka_unit_test(few_last_level_misses_do_not_order_the_lines),
		cmocka_unit_test(no_line_is_the_place_where_none_has_a_tenth),
		cmocka_unit_test(lines_beyond_the_eighth_are_others),
		cmocka_unit_test(merging_sums_the_same_line),
		cmocka_unit_test(words_name_lines_shares_and_counts),
		cmocka_unit_test(the_place_is_the_line_with_most_misses),
		cmocka_unit_test(the_next_line_is_quoted_if_it_has_a_quarter),
		cmocka_unit_test(structures_of_one_problem_have_a_line_each),
		cmocka_unit_test(a_line_elsewhere_in_the_file_is_the_place_alone),
		cmocka_unit_test(without_known_lines_the_range_is_the_place),
		cmocka_unit_test(a_narrow_line_leaves_the_range_out_before_the_routine),
		cmocka_unit_test(a_problem_is_explained_by_its_lines),
		cmocka_unit_test(the_line_of_a_finding_is_told_with_its_own_file),
		cmocka_unit_test(the_command_that_tests_a_change_runs_the_program_alike),
		cmocka_unit_test(a_program_with_its_own_launcher_gets_no_second_one),
		cmocka_unit_test(a_wait_is_explained_by_its_own_figure),
		cmocka_unit_test(a_property_file_keeps_lines_and_their_order),
		cmocka_unit_test(costs_of_one_place_sum_their_lines),
	};

	return cmocka_run_group_tests_name("misses by line", tests, make_source, remove_source);
}
