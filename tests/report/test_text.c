/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/words/page.h"
#include "tests/random_cases.h"
#include "tests/report/sample.h"

static const struct report_style plain = { .width = 80, .unicode = true }, ascii = { .width = 80 };

#define WORDS(...) (const char *const[]){ __VA_ARGS__, NULL }

/* The text has all these words. */
static void has(const struct report *r, const struct report_style *style, const char *const *words)
{
	char *text = sample_text(r, style);

	for (; *words; words++)
		if (!strstr(text, *words))
			fail_msg("not in the text: \"%s\"", *words);
	free(text);
}

/* The text has none of these words. */
static void lacks(const struct report *r, const struct report_style *style, const char *const *words)
{
	char *text = sample_text(r, style);

	for (; *words; words++)
		if (strstr(text, *words))
			fail_msg("in the text: \"%s\"", *words);
	free(text);
}

/* What stands in one long line between two words is this. */
static void says(const struct report *r, const char *before, const char *behind, const char *want)
{
	static const struct report_style wide = { .width = 300 };
	char *text = sample_text(r, &wide), *at = strstr(text, before), *end;

	assert_non_null(at);
	at += strlen(before);
	end = strstr(at, behind);
	assert_non_null(end);
	*end = '\0';
	assert_string_equal(at, want);
	free(text);
}

/* With PSC_GOLDEN=1 in the environment the expected text is written instead. */
static char *golden(const char *name, const char *now)
{
	const char *dir = getenv("srcdir");
	struct buf path = BUF_INIT, text = BUF_INIT;
	char chunk[4096];
	size_t n;
	FILE *f;

	buf_printf(&path, "%s/tests/report/%s", dir ? dir : ".", name);
	if (getenv("PSC_GOLDEN")) {
		f = fopen(buf_str(&path), "w");
		fputs(now, f);
		fclose(f);
	}
	f = fopen(buf_str(&path), "r");
	if (!f)
		fail_msg("cannot read %s", buf_str(&path));
	while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
		buf_add(&text, chunk, n);
	fclose(f);
	buf_free(&path);
	return buf_take(&text);
}

static void lu_prints_as_the_expected_file(void **state)
{
	struct report_style style = plain;
	struct report *r = sample_lu();
	char *now, *expected;

	(void)state;
	style.why_not = true;
	now = sample_text(r, &style);
	expected = golden("lu.txt", now);
	assert_string_equal(now, expected);
	free(now);
	free(expected);
	report_free(r);
}

static void order_of_arrival_changes_nothing(void **state)
{
	struct report_style style = plain;
	struct report *r = sample_lu();
	char *first;

	(void)state;
	style.why_not = true;
	first = sample_text(r, &style);
	for (int seed = 1; seed <= valgrind_cases(48); seed++) {
		char *now;

		sample_shuffle(r, (unsigned)seed);
		if (seed % 2)
			report_rank(r);
		now = sample_text(r, &style);
		assert_string_equal(now, first);
		free(now);
	}
	free(first);
	report_free(r);
}

static void equal_findings_of_other_processes_have_an_order(void **state)
{
	static const struct rank_run ranks[] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 3, 3 }, { 4, 4 }, { 5, 5 }, { 6, 6 }, { 7, 7 } };
	struct report *r = sample_lu();

	(void)state;
	for (int i = 1; i < 8; i++) {
		r->findings[i] = r->findings[0];
		r->findings[i].processes = &ranks[i];
	}
	r->nfindings = 8;
	for (unsigned seed = 1; seed < 20; seed++) {
		sample_shuffle(r, seed);
		report_rank(r);
		for (int i = 0; i < 8; i++)
			assert_int_equal(r->findings[i].processes[0].first, i);
	}
	report_free(r);
}

static void what_was_not_measured_ranks_last(void **state)
{
	struct report *r = sample_lu();

	(void)state;
	r->findings[3].severity_share = NAN;
	r->findings[3].number = 99;
	report_rank(r);
	assert_int_equal(r->findings[r->nfindings - 1].number, 99);
	report_free(r);
}

/* Every line fits, and nothing reaches the terminal that is not text. */
static void check_lines(const char *text, int width)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		char *line = strndup(text, len);

		if (page_columns(line) > width)
			fail_msg("wider than %d: %s", width, line);
		if (len && line[len - 1] == ' ')
			fail_msg("space at the end: \"%s\"", line);
		for (size_t i = 0; i < len; i++)
			assert_true((unsigned char)line[i] >= 0x20 && line[i] != 0x7f);
		free(line);
		text += len + (text[len] == '\n');
	}
}

static void no_line_is_too_wide_whatever_the_names(void **state)
{
	struct report *reports[] = { sample_lu(), sample_nasty(), sample_nasty() };
	char name[3000];
	const int step = valgrind_cases(8) < 8 ? 35 : 5;

	(void)state;
	for (size_t i = 0; i + 4 < sizeof name; i += 3)
		memcpy(name + i, i % 2 ? "\xe2\x82\xac" : "abc", 4);
	for (int i = 0; i < reports[2]->nfindings; i++) {
		struct report_finding *f = &reports[2]->findings[i];

		f->property = name;
		for (int k = 0; k < f->npath; k++) {
			struct report_node *n = (struct report_node *)&f->path[k];

			n->name = n->file = n->alias_of = name;
			n->line = 2000000000;
			n->measure = -1e300;
		}
		f->severity_share = f->time_share = f->est_stall_share = 1e308;
		f->severity_is_index = i % 2;
		f->measure = -1e-300;
	}
	for (int width = 60; width <= 140; width += step) {
		struct report_style style = { .width = width, .why_not = true, .unicode = width % 2 };

		for (int i = 0; i < 3; i++) {
			char *text = sample_text(reports[i], &style);

			check_lines(text, width);
			free(text);
		}
	}
	for (int i = 0; i < 3; i++)
		report_free(reports[i]);
}

static void only_the_worst_are_printed(void **state)
{
	struct report_style style = plain;
	struct report *r = sample_lu();

	(void)state;
	style.top = 2;
	has(r, &style, WORDS("(2 of 9; --top 0 shows all)", "\n 2 "));
	lacks(r, &style, WORDS("\n 3 ", "blts"));       /* rank 6, in table and paths */
	style.top = 100;
	lacks(r, &style, WORDS("--top"));
	report_free(r);
}

static void not_measured_is_a_dash_with_a_legend(void **state)
{
	struct report *r = sample_lu();

	(void)state;
	has(r, &plain, WORDS("12.1%     -      - stream LC3DMissRate", "\n-: not measured.\n",
		"\n-: no rate: not measured, or the property compares threads"));
	for (int i = 0; i < r->nfindings; i++)
		r->findings[i].est_stall_share = NAN;
	r->phase_time = NAN;
	has(r, &plain, WORDS("not measured: cost of memory", "its time was not"));
	report_free(r);
}

static void nothing_found_says_what_was_tested(void **state)
{
	struct report *r = sample_empty(true);

	(void)state;
	has(r, &plain, WORDS("for the rest, --why-not", "- LC2DMissRate: 2 false",
		"- LC3DReadMissRate: 1 undecided, 1 pruned"));
	r->ntested = 2;         /* the two that were decided */
	has(r, &plain, WORDS("Nothing that was tested exceeded the thresholds.", "No bottleneck"));
	r->tested[0].outcome = r->tested[1].outcome = REPORT_NOT_TESTED;
	has(r, &plain, WORDS("Undecided", "No test could be decided"));
	lacks(r, &plain, WORDS("No bottleneck"));
	r->ntested = 0;
	r->partial = "the application ended before its first phase execution";
	has(r, &plain, WORDS("before anything could be tested"));
	lacks(r, &plain, WORDS("No bottleneck"));
	report_free(r);
	r = sample_empty(false);
	has(r, &plain, WORDS("no list of tests"));
	lacks(r, &plain, WORDS("thresholds"));
	report_free(r);
}

static void a_long_name_matters_more_than_its_kind(void **state)
{
	struct report *r = sample_lu();
	struct report_node *n = (struct report_node *)&r->findings[0].path[r->findings[0].npath - 1];

	(void)state;
	n->name = "hourglass_of_all_elements";
	has(r, &plain, WORDS("  hourglass_of_all_elements "));
	report_free(r);
}

static void the_kind_of_misses_stays_where_properties_are_mixed(void **state)
{
	struct report *r = sample_lu();
	char *text;

	(void)state;
	r->nfindings = 3;
	for (int i = 0; i < 3; i++) {
		r->findings[i].property = "LastLevelMissRate";
		r->findings[i].severity_is_index = i > 0;
		r->findings[i].kind = MISS_STRIDED;
	}
	text = sample_text(r, &plain);
	assert_non_null(strstr(text, " # severity  time  rate memory kind    property           place\n"));
	assert_non_null(strstr(text, " strided LastLevelMissRate  "));
	check_lines(text, 80);
	free(text);
	report_free(r);
}

static void a_new_report_prints(void **state)
{
	struct report *r = report_new();

	(void)state;
	has(r, &plain, WORDS("No bottleneck"));
	report_free(r);
	report_free(NULL);
}

static void partial_stands_at_both_ends(void **state)
{
	static const char line[] = "\npartial analysis: the application ended after 3 executions\n";
	struct report *r = sample_lu();
	char *text, *first;

	(void)state;
	r->partial = "the application ended after 3 executions";
	text = sample_text(r, &plain);
	first = strstr(text, line);
	assert_non_null(first);
	assert_true(first < strstr(text, "Bottlenecks"));
	assert_string_equal(text + strlen(text) - strlen(line), line);
	free(text);
	report_free(r);
}

static void colour_comes_only_when_asked(void **state)
{
	struct report_style style = plain;
	struct report *r = sample_lu();

	(void)state;
	lacks(r, &style, WORDS("\033"));
	style.color = true;
	has(r, &style, WORDS("\033[1m"));
	report_free(r);
}

static void share_of_time_and_index_are_told_apart(void **state)
{
	struct report *r = sample_lu();

	(void)state;
	r->findings[0].severity_is_index = false;
	has(r, &plain, WORDS("# severity", "without % it is an index"));
	report_free(r);
}

/* The error stands beside the figures, and the head says why there is one; else there is no word of it. */
static void a_sample_has_its_errors(void **state)
{
	struct report *r = sample_lu();

	(void)state;
	r->time_spread = NAN;
	lacks(r, &ascii, WORDS("+-", "Sampled"));
	r->sampled = "1 in 8 of the cache sets was simulated";
	for (int i = 0; i < r->nfindings; i++) {
		r->findings[i].measure_error = 0.002;
		r->findings[i].severity_error = NAN;
		r->findings[i].est_stall_error = 0.015;
	}
	r->findings[0].est_stall_share = 0.1;
	r->findings[0].severity_error = 0.003;
	r->ledger[1].misses_error = 9000;
	has(r, &ascii, WORDS("\nSampled   1 in 8 of the cache sets was simulated\n", "rate    +- memory",
		"0.054 0.002 ", "+-0.30; memory 10.0% +-1.5%", "1.01 M    100%    9.00 k\n"));
	report_free(r);
}

static bool says_load(double others, double idle)
{
	struct report *r = sample_lu();
	char *text;
	bool said;

	r->cpus = 4;
	r->cpus_others = others;
	r->cpus_idle = idle;
	text = sample_text(r, &plain);
	said = strstr(text, "Load      other programs used 2.6 of 4 CPUs, and none was free") != NULL;
	assert_int_equal(said, strstr(text, "\nLoad") != NULL);
	free(text);
	report_free(r);
	return said;
}

static void phase_says(double cpu, double wall, double spread, double others, const char *unlike, const char *want)
{
	struct report *r = sample_lu();

	r->nthreads = 1;
	r->phase_time = 0.0082;
	r->cpu_time = cpu;
	r->wall_time = wall;
	r->time_spread = spread;
	r->others_share = others;
	r->unlike = unlike;
	says(r, "109 ); ", "; 9 of", want);
	report_free(r);
}

static void the_phase_has_processor_time_wall_time_and_their_spread(void **state)
{
	(void)state;
	phase_says(0.0082, 0.112, 0.04, 0.58, NULL,
		"8.2 ms CPU an execution (+-4 %; 112 ms wall: other programs had 58 % of the cores)");
	phase_says(0.0158, 0.0083, 0.123, 0.01, NULL, "8.2 ms an execution (15.8 ms CPU in all threads; +-12 %; 8.3 ms wall)");
	phase_says(0.0082, 0.112, 0.004, NAN, NULL, "8.2 ms CPU an execution (+-0.4 %; 112 ms wall)");
	phase_says(0.0041, 0.0082, NAN, NAN, NULL, "8.2 ms an execution (4.1 ms CPU in all threads; median; 8.2 ms wall)");
	phase_says(NAN, NAN, NAN, NAN, NULL, "8.2 ms an execution (median)");
	phase_says(0.0041, 0.0082, NAN, NAN, "shares are of execution 8",
		"8.2 ms an execution (4.1 ms CPU in all threads; of few executions; 8.2 ms wall)");
}

static void time_goes(double barrier, double away, double stall, double modelled, const char *want)
{
	struct report *r = sample_lu();

	r->cpu_time = 0.008;
	r->barrier_wait = barrier;
	r->mpi_wait = r->other_wait = 0;
	r->away_time = away;
	r->est_stall = r->est_stall_low = r->est_stall_high = stall;
	r->modelled_time = modelled;
	says(r, "\nTime      ", "\n", want);
	report_free(r);
}

static void the_time_of_all_threads_is_divided(void **state)
{
	(void)state;
	time_goes(0, 0, 0, NAN, "100% running");
	time_goes(0.001, 0.001, 0.002, NAN,
		"66.7% not memory, 22.2% memory, 11.1% waits of threads for each other; besides, 1 ms without a processor, or asleep");
	time_goes(0.002, 0, 0.002, 0.02, "80.0% running, 20.0% waits of threads for each other");
	time_goes(0.002, 0, NAN, NAN, "80.0% running, 20.0% waits of threads for each other");
}

static void a_loaded_machine_is_said_first(void **state)
{
	(void)state;
	assert_true(says_load(2.6, 0.2));
	assert_false(says_load(0.2, 0));        /* others hardly ran */
	assert_false(says_load(2.6, 0.5));      /* half a CPU was free */
	assert_false(says_load(NAN, NAN));
}

static void processes_are_named_when_there_are_several(void **state)
{
	static const struct rank_run ranks[] = { { 0, 2 }, { 5, 5 }, { 7, 8 } };
	struct report *r = sample_lu();

	(void)state;
	r->nprocs = 9;
	r->findings[0].processes = ranks;
	r->findings[0].nruns = 3;
	r->findings[0].nprocesses = 6;
	has(r, &plain, WORDS("in 6 of 9 processes (0-2, 5, 7-8), at most 0.43 in one"));
	r->findings[0].over_processes = true;
	has(r, &plain, WORDS("over 6 of 9 processes (0-2, 5, 7-8)"));
	lacks(r, &plain, WORDS("at most 0.43 in one"));
	r->nprocs = 6;
	has(r, &plain, WORDS("over all 6 processes"));
	report_free(r);
}

static void figures_keep_their_meaning(void **state)
{
	char t[PAGE_FIGURE];

	(void)state;
	assert_string_equal(page_rate(t, 0.029), "0.029");
	assert_string_equal(page_rate(t, 0.00042), "4.2e-4");
	assert_string_equal(page_rate(t, 0), "0");
	assert_string_equal(page_rate(t, NAN), "-");
	assert_string_equal(page_rate(t, 1234567), "1.2e6");
	assert_string_equal(page_percent(t, 0.00001), "<0.1%");
	assert_string_equal(page_percent(t, 1), "100%");
	assert_string_equal(page_percent(t, NAN), "-");
	assert_string_equal(page_index(t, 0.0001), "0.01");
	assert_string_equal(page_index(t, 0.00001), "<0.01");
	assert_string_equal(page_count(t, 26.7e6), "26.7 M");
	assert_string_equal(page_count(t, 999), "999  ");
	assert_string_equal(page_count(t, 999.6), "1.00 k");
	assert_string_equal(page_seconds(t, 0.412), "412 ms");
	assert_string_equal(page_seconds(t, 2e-6), "2 us");
}

/* What a function returns stands in the caller's text, also where it is a word. */
static void every_figure_is_in_the_text_given(void **state)
{
	static const char *(*const figures[])(char text[PAGE_FIGURE], double v) = { page_rate, page_percent, page_index,
		page_count, page_seconds };
	static const double values[] = { 0, 1e-9, -1e-9, 0.3, 1e9, INFINITY, -INFINITY, NAN };
	struct report *r = report_new();
	char text[PAGE_RUN];

	(void)state;
	for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
		for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
			const char *figure;

			memset(text, '#', sizeof text);
			figure = figures[i](text, values[k]);
			assert_ptr_equal(figure, text);
			assert_non_null(memchr(text, '\0', PAGE_FIGURE));
		}
	assert_ptr_equal(page_range(text, 0, NAN, NAN), text);
	memset(text, '#', sizeof text);
	assert_string_equal(page_run(text, r), "the run");
	assert_string_equal(text, "the run");
	report_free(r);
}

static void unwritable_stream_is_an_error(void **state)
{
	struct report *r = sample_lu();
	FILE *closed = fopen("/dev/null", "r");
	struct err err;

	(void)state;
	assert_non_null(closed);
	assert_int_equal(report_text(r, &plain, closed, &err), -1);
	assert_non_null(strstr(err.text, "report: "));
	fclose(closed);
	report_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lu_prints_as_the_expected_file),
		cmocka_unit_test(order_of_arrival_changes_nothing),
		cmocka_unit_test(equal_findings_of_other_processes_have_an_order),
		cmocka_unit_test(what_was_not_measured_ranks_last),
		cmocka_unit_test(no_line_is_too_wide_whatever_the_names),
		cmocka_unit_test(only_the_worst_are_printed),
		cmocka_unit_test(not_measured_is_a_dash_with_a_legend),
		cmocka_unit_test(nothing_found_says_what_was_tested),
		cmocka_unit_test(a_long_name_matters_more_than_its_kind),
		cmocka_unit_test(the_kind_of_misses_stays_where_properties_are_mixed),
		cmocka_unit_test(a_new_report_prints),
		cmocka_unit_test(partial_stands_at_both_ends),
		cmocka_unit_test(colour_comes_only_when_asked),
		cmocka_unit_test(share_of_time_and_index_are_told_apart),
		cmocka_unit_test(a_sample_has_its_errors),
		cmocka_unit_test(the_phase_has_processor_time_wall_time_and_their_spread),
		cmocka_unit_test(the_time_of_all_threads_is_divided),
		cmocka_unit_test(a_loaded_machine_is_said_first),
		cmocka_unit_test(processes_are_named_when_there_are_several),
		cmocka_unit_test(figures_keep_their_meaning),
		cmocka_unit_test(every_figure_is_in_the_text_given),
		cmocka_unit_test(unwritable_stream_is_an_error),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests_name("report text", tests, NULL, NULL);
}
