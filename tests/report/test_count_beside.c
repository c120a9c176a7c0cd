/* SPDX-License-Identifier: BSD-3-Clause */
/* What two collectors counted is joined by the names of structures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/text_same.h"
#include "report/compare/count_beside.h"
#include "report/words/words.h"

static struct report_cost cost(const char *structure, const char *scope, double accesses,
	double first, double last, double error, double stall)
{
	return (struct report_cost){ .region = "a.c:f", .structure = structure, .scope = scope,
		.accesses = accesses, .coherence = 0, .misses = { first, last, NAN, NAN },
		.errors = { error, error, NAN, NAN }, .est_stall = stall,
		.est_stall_low = 0.8 * stall, .est_stall_high = 1.2 * stall };
}

/* A report of 10 s whose costs are those given; the last one is of another region. */
static struct report *made(const struct report_cost *costs, int n, const char *source)
{
	struct report *r = report_new();

	assert_non_null(r);
	r->cpu_time = 10;
	r->counts_source = source;
	r->ncosts = n + 1;
	r->costs = arena_array(r->arena, (size_t)n + 1, sizeof *r->costs);
	assert_non_null(r->costs);
	memcpy(r->costs, costs, (size_t)n * sizeof *costs);
	r->costs[n] = cost("elsewhere", NULL, 1000, 1000, 1000, NAN, 9);
	r->costs[n].region = "a.c:f > a.c:g";
	return r;
}

static const struct report_counted *row(const struct report *r, const char *structure)
{
	for (int i = 0; i < r->ncounted; i++)
		if (text_same(r->counted[i].structure, structure))
			return &r->counted[i];
	return NULL;
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-12;
}

static struct report *both(void)
{
	const struct report_cost sim[] = { cost(NULL, NULL, 1000, 100, 20, NAN, 3),
		cost("alike", NULL, 400, 40, 8, NAN, 1), cost("rate", NULL, 300, 3, 3, NAN, 0.5),
		cost("price", NULL, 200, 20, 2, NAN, 1), cost("mine", NULL, 100, 10, 1, NAN, 0.2),
		cost("tiny", NULL, 1, 0, 0, NAN, 0) };
	const struct report_cost burst[] = { cost(NULL, NULL, 500, 60, 9, 5, 4),
		cost("alike", "heap of f", 100, 8, 2, 4, 0.9),
		cost("alike", "heap of g", 100, 12, 2, 4, 0.3),
		cost("rate", NULL, 150, 15, 1, 3, 0.5), cost("price", NULL, 100, 10, 1, 1, 2.5),
		cost("theirs (a.c:7)", NULL, 50, 1, 1, 1, 0.1) };
	struct report *r = made(sim, 6, "sim: all"), *other = made(burst, 6, "burst: some");

	assert_int_equal(count_beside(r, "sim", other, "burst"), 0);
	report_free(other);
	return r;
}

static void all_memory_comes_first_then_what_costs_most(void **state)
{
	struct report *r = both();

	(void)state;
	assert_int_equal(r->ncounted, 6);
	assert_null(r->counted[0].structure);
	assert_string_equal(r->counted[1].structure, "price");
	assert_string_equal(r->counted[2].structure, "alike");
	assert_true(near(r->counted[0].one.stall, 0.3) && near(r->counted[0].other.stall, 0.4));
	report_free(r);
}

static void structures_of_one_name_are_one(void **state)
{
	struct report *r = both();
	const struct report_counted *c = row(r, "alike");

	(void)state;
	assert_true(near(c->one.access_share, 0.4) && near(c->other.access_share, 0.4));
	assert_true(near(c->other.first_rate, 0.1) && near(c->other.stall, 0.12));
	assert_false(c->rates_differ || c->stalls_differ);
	report_free(r);
}

static void what_differs_beyond_the_errors_is_marked(void **state)
{
	struct report *r = both();

	(void)state;
	assert_true(row(r, "rate")->rates_differ && !row(r, "rate")->stalls_differ);
	assert_true(row(r, "price")->stalls_differ && !row(r, "price")->rates_differ);
	report_free(r);
}

static void what_one_does_not_know_has_no_figures_of_it(void **state)
{
	struct report *r = both();

	(void)state;
	assert_true(isnan(row(r, "mine")->other.access_share));
	assert_true(near(row(r, "mine")->one.access_share, 0.1));
	assert_true(isnan(row(r, "theirs (a.c:7)")->one.last_rate));
	assert_false(row(r, "mine")->rates_differ);
	assert_null(row(r, "tiny"));
	assert_null(row(r, "elsewhere"));
	report_free(r);
}

static void the_sentence_counts_those_that_agree(void **state)
{
	struct report *r = both();
	struct buf b = BUF_INIT;

	(void)state;
	words_counted(&b, r);
	assert_non_null(strstr(buf_str(&b), "sim and burst agree on 1 of 3 structures"));
	buf_free(&b);
	report_free(r);
}

static void a_report_without_counts_is_said(void **state)
{
	const struct report_cost some[] = { cost(NULL, NULL, 1000, 100, 20, NAN, 3) };
	struct report *r = report_new(), *other = made(some, 1, "burst: some");
	struct buf b = BUF_INIT;

	(void)state;
	assert_int_equal(count_beside(r, "sim", other, "burst"), 0);
	assert_int_equal(r->ncounted, 1);
	assert_true(isnan(r->counted[0].one.stall));
	words_counted(&b, r);
	assert_non_null(strstr(buf_str(&b), "sim counted nothing"));
	buf_free(&b);
	report_free(other);
	report_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_memory_comes_first_then_what_costs_most),
		cmocka_unit_test(structures_of_one_name_are_one),
		cmocka_unit_test(what_differs_beyond_the_errors_is_marked),
		cmocka_unit_test(what_one_does_not_know_has_no_figures_of_it),
		cmocka_unit_test(the_sentence_counts_those_that_agree),
		cmocka_unit_test(a_report_without_counts_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
