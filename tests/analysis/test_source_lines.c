/* SPDX-License-Identifier: BSD-3-Clause */
/* The source lines of a finding about a structure: sums over the contexts that it covers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analysis/findings/finding_lines.h"
#include "analysis/findings/vectors.h"
#include "analysis/measure/site_misses.h"
#include "tests/analysis/fixture.h"

/* main (a.c) has a loop (10-29) with two loops inside, and calls other(), in another file. */
static const char sir_text[] = FIXTURE_PROGRAM("C",
	FIXTURE_UNIT(1, "main", "a.c", 1, 40,
		FIXTURE_REGION(1, "loop", "", "a.c", 10, 29,
			FIXTURE_REGION(1, "loop", "", "a.c", 12, 14, "")
			FIXTURE_REGION(1, "loop", "", "a.c", 20, 24, "")))
	FIXTURE_UNIT(2, "other", "b.c", 1, 9, ""));
enum { MAIN, LOOP, FIRST, SECOND, OTHER, NREGIONS };
enum { C_LOOP, C_FIRST, C_SECOND, C_OTHER };
enum { A = MON_OBJ_FIRST, B, NOBJECTS };

static struct fixture fix;
static struct measurements *p;
static struct arena *arena;

static int set_up(void **state)
{
	static const char *const names[NOBJECTS] = { [A] = "a", [B] = "b" };
	static const struct fixture_context contexts[] = { { NO_CONTEXT, LOOP }, { C_LOOP, FIRST }, { C_LOOP, SECOND },
		{ C_SECOND, OTHER } };

	(void)state;
	if (fixture_open(&fix, sir_text, NREGIONS, "class Region { string name; };\n"))
		return -1;
	fixture_cache(&fix);
	p = fixture_measurements(&fix, 0, 1, contexts, 4);
	fixture_objects(p, "a.c", names, NOBJECTS);
	arena = arena_new();
	return arena ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	measured_free(p);
	fixture_close(&fix);
	return 0;
}

static void measure(struct mon_site *sites, uint32_t n)
{
	struct mon_result r = { .state = MON_DONE, .kind = MON_SIM, .executions = 1, .sites = sites, .nsites = n };

	assert_int_equal(site_misses_add(p, &r, NULL, 0), 0);
}

static struct report_finding finding(uint32_t context, uint32_t object, const uint32_t *less, uint32_t nless)
{
	struct subject subject = { .measured = p, .context = context, .object = object, .less = less, .nless = nless };
	struct report_finding f = { 0 };

	assert_int_equal(source_lines(&subject, arena, &f), 0);
	return f;
}

static bool may_get_vectors(uint32_t context, double bytes)
{
	struct subject subject = { .measured = p, .context = context, .object = A };

	subject.tally.loads = 90;
	subject.tally.stores = 10;
	subject.tally.bytes = bytes;
	return findings_vectors(p, &subject);
}

/* Only where the compiler makes vectors wherever it can, in loops without calls. */
static void a_loop_of_single_elements_may_get_vectors(void **state)
{
	struct sir_source *source = (struct sir_source *)&p->sir->sources[0];

	(void)state;
	assert_false(may_get_vectors(C_FIRST, 800));
	source->vectors = true;
	assert_true(may_get_vectors(C_FIRST, 800));
	assert_false(may_get_vectors(C_FIRST, 3200));
	assert_false(may_get_vectors(C_SECOND, 800));
	assert_false(may_get_vectors(C_OTHER, 800));
	source->vectors = false;
}

static void lines_of_all_contexts_inside_are_summed(void **state)
{
	struct mon_site sites[] = { { C_LOOP, A, 11, 0, 5, 1 }, { C_FIRST, A, 13, 0, 70, 40 }, { C_SECOND, A, 13, 0, 5, 3 },
		{ C_SECOND, A, 22, 0, 90, 20 }, { C_SECOND, A, 0, 0, 2, 1 }, { C_OTHER, A, 13, 0, 8, 8 },
		{ C_FIRST, B, 14, 0, 99, 99 } };
	struct report_finding f;

	(void)state;
	measure(sites, 7);
	f = finding(C_LOOP, A, NULL, 0);
	assert_int_equal(f.nsites, 4);
	assert_int_equal(f.place_line, 13);
	assert_int_equal(f.sites[0].line, 13);
	assert_true(f.sites[0].first_misses == 75 && f.sites[0].last_misses == 43);
	assert_int_equal(f.sites[1].line, 22);
	assert_int_equal(f.sites[2].line, 11);
	assert_int_equal(f.sites[3].line, 0);           /* b.c's line 13 is none of a.c's */
	assert_true(f.sites[3].first_misses == 10 && f.sites[3].last_misses == 9);
	f = finding(C_SECOND, A, NULL, 0);
	assert_int_equal(f.place_line, 22);
}

static void contexts_that_are_taken_off_are_left_out(void **state)
{
	struct mon_site sites[] = { { C_LOOP, A, 11, 0, 5, 1 }, { C_SECOND, A, 22, 0, 90, 20 }, { C_OTHER, A, 3, 0, 8, 8 },
		{ C_FIRST, A, 13, 0, 7, 4 } };
	const uint32_t less[] = { C_SECOND };
	struct report_finding f;

	(void)state;
	measure(sites, 4);
	f = finding(C_LOOP, A, less, 1);
	assert_int_equal(f.nsites, 2);
	assert_int_equal(f.sites[0].line, 13);
	assert_int_equal(f.sites[1].line, 11);
}

/* Most misses are in what the loop calls, in another file: that is the place. */
static void a_place_may_be_in_another_file(void **state)
{
	struct mon_site sites[] = { { C_LOOP, A, 11, 0, 50, 30 }, { C_SECOND, A, 22, 0, 90, 20 }, { C_OTHER, A, 3, 0, 80, 60 },
		{ C_OTHER, A, 0, 0, 10, 10 } };
	struct report_finding f;

	(void)state;
	measure(sites, 4);
	f = finding(C_LOOP, A, NULL, 0);
	assert_int_equal(f.place_line, 3);
	assert_string_equal(f.place_routine, "other");
	assert_int_equal(f.first_line, 1);
	assert_int_equal(f.last_line, 9);
	assert_int_equal(f.nsites, 2);
	assert_true(f.sites[1].line == 0 && f.sites[1].last_misses == 60);      /* a.c's lines, and b.c's without one */
	sites[2].last = 50;     /* as many as in a.c */
	sites[2].first = 140;
	measure(sites, 4);
	f = finding(C_LOOP, A, NULL, 0);
	assert_int_equal(f.first_line, 10);
	assert_null(f.place_routine);
}

static void a_region_has_no_lines_of_its_own(void **state)
{
	struct mon_site sites[] = { { C_LOOP, A, 11, 0, 5, 1 } };
	struct report_finding f;

	(void)state;
	measure(sites, 1);
	f = finding(C_LOOP, MON_ANY, NULL, 0);
	assert_int_equal(f.first_line, 10);
	assert_int_equal(f.nsites, 0);
	assert_int_equal(f.place_line, 0);
}

static void where_nothing_is_known_nothing_is_said(void **state)
{
	struct report_finding f;

	(void)state;
	measure(NULL, 0);
	f = finding(C_LOOP, A, NULL, 0);
	assert_int_equal(f.first_line, 10);
	assert_int_equal(f.nsites, 0);
	assert_int_equal(f.place_line, 0);
}

/* A comparison function that qsort() calls is in another file, and its accesses are in the caller's context. */
static void a_line_outside_of_all_functions_is_of_another_file(void **state)
{
	struct mon_site sites[] = { { C_LOOP, A, 41, 0, 50, 40 }, { C_LOOP, A, 5, 0, 30, 20 } };
	struct report_finding f;

	(void)state;
	measure(sites, 2);
	f = finding(C_LOOP, A, NULL, 0);
	assert_int_equal(f.nsites, 2);
	assert_int_equal(f.place_line, 5);
	assert_int_equal(f.sites[1].line, 0);
	assert_true(f.sites[1].first_misses == 50);
}

static void a_cost_has_the_lines_of_its_own_code(void **state)
{
	struct mon_site sites[] = { { C_LOOP, A, 11, 0, 5, 1 }, { C_SECOND, A, 22, 0, 90, 20 } };
	const struct report_site *own;
	int n;

	(void)state;
	measure(sites, 2);
	assert_int_equal(source_sites(p, C_LOOP, A, arena, &own, &n), 0);
	assert_int_equal(n, 1);
	assert_true(own[0].line == 11 && own[0].first_misses == 5 && own[0].last_misses == 1);
	assert_int_equal(source_sites(p, C_LOOP, B, arena, &own, &n), 0);
	assert_int_equal(n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_loop_of_single_elements_may_get_vectors),
		cmocka_unit_test(lines_of_all_contexts_inside_are_summed),
		cmocka_unit_test(contexts_that_are_taken_off_are_left_out),
		cmocka_unit_test(a_place_may_be_in_another_file),
		cmocka_unit_test(a_region_has_no_lines_of_its_own),
		cmocka_unit_test(where_nothing_is_known_nothing_is_said),
		cmocka_unit_test(a_line_outside_of_all_functions_is_of_another_file),
		cmocka_unit_test(a_cost_has_the_lines_of_its_own_code),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
