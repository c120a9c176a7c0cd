/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that behave alike are one class. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "tests/report/sample.h"

/* Findings in the processes of a text, with these severities. */
static struct report *make(int nprocs, const char *const *where, const double *severity, int n)
{
	struct report *r = report_new();

	r->nprocs = nprocs;
	r->findings = arena_array(r->arena, (size_t)n, sizeof *r->findings);
	for (int i = 0; i < n; i++) {
		struct rank_set set = { NULL, 0, 0 };
		struct rank_run *run;

		assert_int_equal(ranks_parse(&set, where[i]), 0);
		run = arena_array(r->arena, (size_t)set.n, sizeof *run);
		memcpy(run, set.run, (size_t)set.n * sizeof *run);
		r->findings[i] = (struct report_finding){ .property = "P", .file = "", .processes = run, .nruns = set.n,
			.nprocesses = (int)ranks_count(set.run, set.n), .severity_share = severity[i] };
		ranks_free(&set);
	}
	r->nfindings = n;
	return r;
}

static void check_class(const struct report_class *c, const char *ranks, int representative, int nfindings)
{
	struct buf b = BUF_INIT;

	ranks_text(&b, c->ranks.run, c->ranks.n, 0, ", ");
	assert_string_equal(buf_str(&b), ranks);
	assert_int_equal(c->representative, representative);
	assert_int_equal(c->nfindings, nfindings);
	buf_free(&b);
}

static void findings_of_some_processes_divide_them(void **state)
{
	static const char *const where[] = { "0-9", "0-3", "2-5" };
	static const double severity[] = { 0.5, 0.3, 0.2 };
	struct report *r = make(10, where, severity, 3);
	struct report_classes c;

	(void)state;
	assert_int_equal(report_classes_find(r, &c), 0);
	assert_int_equal(c.n, 4);
	assert_int_equal(c.ignored, 0);
	check_class(&c.class[0], "6-9", 6, 0);
	check_class(&c.class[1], "0-1", 0, 1);
	check_class(&c.class[2], "2-3", 2, 2);
	check_class(&c.class[3], "4-5", 4, 1);
	report_classes_free(&c);
	report_free(r);
}

static void processes_that_are_alike_are_one_class(void **state)
{
	static const char *const where[] = { "0-9999" };
	static const double severity[] = { 0.5 };
	struct report *r = make(10000, where, severity, 1);
	struct report_classes c;

	(void)state;
	assert_int_equal(report_classes_find(r, &c), 0);
	assert_int_equal(c.n, 1);
	check_class(&c.class[0], "0-9999", 0, 0);
	report_classes_free(&c);
	report_free(r);
}

/* The ten dearest make too many classes; what is left out is counted. */
static void there_are_never_more_classes_than_fit_a_page(void **state)
{
	static const char *const where[] = { "0-99", "0-49", "0-24, 50-74", "0, 2, 4, 6, 8, 50, 60, 80, 90", "1, 11, 61",
		"3, 13, 53, 93", "7", "77", "99" };
	static const double severity[] = { 1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2 };
	struct report *r = make(100, where, severity, 9);
	struct report_classes c;
	long n = 0;

	(void)state;
	assert_int_equal(report_classes_find(r, &c), 0);
	assert_in_range(c.n, 2, REPORT_CLASSES);
	assert_true(c.ignored > 0);
	for (int i = 0; i < c.n; i++)
		n += ranks_count(c.class[i].ranks.run, c.class[i].ranks.n);
	assert_int_equal(n, 100);
	report_classes_free(&c);
	report_free(r);
}

static void processes_without_ranks_have_no_classes(void **state)
{
	static const char *const where[] = { "0" };
	static const double severity[] = { 1 };
	struct report *r = make(4, where, severity, 1);
	struct report_classes c;

	(void)state;
	r->findings[0].nprocesses = 4;  /* all of rank 0 */
	assert_int_equal(report_classes_find(r, &c), 0);
	assert_int_equal(c.n, 0);
	report_classes_free(&c);
	report_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_of_some_processes_divide_them),
		cmocka_unit_test(processes_that_are_alike_are_one_class),
		cmocka_unit_test(there_are_never_more_classes_than_fit_a_page),
		cmocka_unit_test(processes_without_ranks_have_no_classes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
