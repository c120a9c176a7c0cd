/* SPDX-License-Identifier: BSD-3-Clause */
/* Misses by source line: which rows of a result are kept, and what replaces them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "analysis/measure/measurements.h"
#include "analysis/measure/site_misses.h"

enum { A = MON_OBJ_FIRST, B };

/* Context 0 holds 1, which holds 2. */
static struct measured_context contexts[] = { { .parent = NO_CONTEXT }, { .parent = 0 }, { .parent = 1 } };

static struct measurements three_contexts(void)
{
	return (struct measurements){ .contexts = contexts, .ncontexts = 3 };
}

static struct mon_result result_of(struct mon_site *sites, uint32_t n)
{
	return (struct mon_result){ .state = MON_DONE, .kind = MON_SIM, .executions = 2, .sites = sites, .nsites = n };
}

static void rows_are_sorted_by_line_and_per_execution(void **state)
{
	struct mon_site sites[] = { { 1, B, 9, 0, 8, 2 }, { 1, A, 12, 0, 6, 4 }, { 2, A, 12, 0, 2, 2 },
		{ 1, A, 0, 0, 10, 0 }, { 7, A, 3, 0, 1, 1 } };
	struct measurements p = three_contexts();
	struct mon_result r = result_of(sites, 5);
	const struct site_misses *s;
	size_t n;

	(void)state;
	assert_int_equal(site_misses_add(&p, &r, NULL, 0), 0);
	s = measured_sites(&p, 1, A, &n);
	assert_int_equal(n, 2);
	assert_true(s[0].line == 0 && s[0].first == 5 && s[0].last == 0);
	assert_true(s[1].line == 12 && s[1].first == 3 && s[1].last == 2);
	s = measured_sites(&p, 2, A, &n);
	assert_true(n == 1 && s[0].first == 1);
	assert_null(measured_sites(&p, 0, A, &n));
	assert_int_equal(n, 0);
	assert_null(measured_sites(&p, 7, A, &n));      /* no such context */
	site_misses_free(&p);
}

static void objects_that_are_one_are_summed(void **state)
{
	struct mon_site sites[] = { { 1, A, 12, 0, 6, 4 }, { 1, A, 13, 0, 2, 0 }, { 1, A, 12, 0, 2, 2 } };
	struct measurements p = three_contexts();
	struct mon_result r = result_of(sites, 3);
	const struct site_misses *s;
	size_t n;

	(void)state;
	assert_int_equal(site_misses_add(&p, &r, NULL, 0), 0);
	s = measured_sites(&p, 1, A, &n);
	assert_true(n == 2 && s[0].line == 12 && s[0].first == 4 && s[0].last == 3);
	site_misses_free(&p);
}

static void a_result_replaces_what_its_filters_name(void **state)
{
	struct mon_site all[] = { { 0, A, 5, 0, 2, 2 }, { 1, A, 12, 0, 6, 4 }, { 2, A, 14, 0, 2, 0 }, { 2, B, 15, 0, 2, 2 } };
	struct mon_site some[] = { { 2, A, 16, 0, 4, 0 }, { 2, B, 99, 0, 4, 0 } };
	const struct mon_filter below_1 = { 1, A };
	struct measurements p = three_contexts();
	struct mon_result r = result_of(all, 4);
	const struct site_misses *s;
	size_t n;

	(void)state;
	assert_int_equal(site_misses_add(&p, &r, NULL, 0), 0);
	r = result_of(some, 2);
	assert_int_equal(site_misses_add(&p, &r, &below_1, 1), 0);
	s = measured_sites(&p, 0, A, &n);
	assert_true(n == 1 && s[0].line == 5);
	assert_null(measured_sites(&p, 1, A, &n));
	s = measured_sites(&p, 2, A, &n);
	assert_true(n == 1 && s[0].line == 16 && s[0].first == 2);
	s = measured_sites(&p, 2, B, &n);
	assert_true(n == 1 && s[0].line == 15);         /* the filter does not name it */
	r = result_of(NULL, 0);
	assert_int_equal(site_misses_add(&p, &r, NULL, 0), 0);
	assert_int_equal(p.nsites, 0);
	site_misses_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_sorted_by_line_and_per_execution),
		cmocka_unit_test(objects_that_are_one_are_summed),
		cmocka_unit_test(a_result_replaces_what_its_filters_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
