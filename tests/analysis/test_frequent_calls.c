/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the regions that are called too often for markers: which these are, and their part of the time. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "analysis/measure/frequent_calls.h"
#include "tests/analysis/fixture.h"

/* many calls often, which calls inner and, in one context, rare; team is a construct. */
static const char sir_text[] = FIXTURE_PROGRAM("C",
	FIXTURE_UNIT(1, "many", "a.c", 1, 9, FIXTURE_REGION(1, "loop", "", "a.c", 3, 8, ""))
	FIXTURE_UNIT(1, "often", "a.c", 11, 19, "")
	FIXTURE_UNIT(1, "inner", "a.c", 21, 29, "")
	FIXTURE_UNIT(1, "rare", "a.c", 31, 39, "")
	FIXTURE_UNIT(1, "team", "a.c", 41, 49, FIXTURE_REGION(1, "parallel", "", "a.c", 43, 48, "")));
enum { R_MANY, R_LOOP, R_OFTEN, R_INNER, R_RARE, R_TEAM, R_PARALLEL, NREGIONS };
enum { MANY, LOOP, OFTEN, INNER, RARE, TEAM, PARALLEL, NCONTEXTS };

static const struct fixture_context contexts[] = {
	{ NO_CONTEXT, R_MANY }, { MANY, R_LOOP }, { LOOP, R_OFTEN }, { OFTEN, R_INNER }, { OFTEN, R_RARE },
	{ LOOP, R_TEAM }, { TEAM, R_PARALLEL },
};

static const char properties[] =
	"class SeqPerf { float exec_time [s]; };\n"
	"PROPERTY None(SeqPerf s) { CONDITION: s.exec_time > 1; CONFIDENCE: 1; SEVERITY: s.exec_time; }\n";
static struct fixture fixture;
static struct sir_region regions[NREGIONS];
static struct sir_hook hooks[NREGIONS];
static struct sir named;

/* The regions get names in the code, which a structure as text has not. */
static int set_up(void **state)
{
	struct measurements *p;

	if (fixture_open(&fixture, sir_text, NREGIONS, properties))
		return -1;
	fixture_cache(&fixture);
	named = *fixture.sir;
	for (uint32_t i = 0; i < NREGIONS; i++) {
		hooks[i] = (struct sir_hook){ .hash = 7, .index = i };
		regions[i] = fixture.sir->regions[i];
		regions[i].at = &hooks[i];
		regions[i].nat = 1;
	}
	named.regions = regions;
	*state = p = fixture_measurements(&fixture, -1, 1, contexts, NCONTEXTS);
	p->sir = &named;
	p->expected_ns = 1e9;
	return 0;
}

static int tear_down(void **state)
{
	measured_free(*state);
	fixture_close(&fixture);
	return 0;
}

/* A second; 200 000 calls take 5 us each at most.  never: the context's markers must stay; MON_ANY: none. */
static void count(struct measurements *p, uint64_t often, uint64_t inner, uint64_t team, uint32_t never)
{
	struct mon_time_row calls[] = {
		{ .context = LOOP, .calls = 1 }, { .context = OFTEN, .calls = often },
		{ .context = INNER, .calls = inner }, { .context = RARE, .calls = 3 },
		{ .context = TEAM, .calls = team }, { .context = PARALLEL, .calls = team },
	};
	struct mon_count_row rows[] = {
		{ .context = LOOP, .object = MON_OBJ_FIRST, .loads = 100, .load_miss = { 100 } },
		{ .context = OFTEN, .object = MON_OBJ_FIRST, .loads = 100, .load_miss = { 200 } },
		{ .context = INNER, .object = MON_OBJ_FIRST, .loads = 100, .load_miss = { 700 } },
	};
	struct mon_result r = { .state = MON_DONE, .kind = MON_SIM, .executions = 1, .records = 300,
		.counts = rows, .ncounts = 3, .times = calls, .ntimes = 6 };

	for (int i = 0; i < 6; i++)
		if (calls[i].context == never)
			calls[i].brief = MON_BRIEF_NEVER;
	assert_int_equal(measured_add_counts(p, &r, NULL, 0, NULL), 0);
}

static bool is_brief(const struct measurements *p, uint32_t context)
{
	return p->contexts[context].brief;
}

static void regions_are_brief_by_calls_with_all_inside_them(void **state)
{
	struct measurements *p = *state;
	struct mon_hook hook[NREGIONS];

	count(p, 300000, 600000, 0, MON_ANY);
	assert_true(is_brief(p, OFTEN) && is_brief(p, INNER) && is_brief(p, RARE));
	assert_false(is_brief(p, MANY) || is_brief(p, LOOP) || is_brief(p, TEAM) || is_brief(p, PARALLEL));
	assert_int_equal(frequent_calls_regions(p), 3);
	assert_int_equal(frequent_calls_hooks(p, hook, NREGIONS), 3);
	assert_true(hook[0].hash == 7 && hook[0].index == R_OFTEN);
	assert_int_equal(frequent_calls_hooks(p, hook, 2), 2);
}

static void few_calls_keep_their_markers(void **state)
{
	struct measurements *p = *state;
	struct mon_hook hook[NREGIONS];

	count(p, 190000, 190000, 0, MON_ANY);
	assert_int_equal(frequent_calls_hooks(p, hook, NREGIONS), 0);
	for (uint32_t c = 0; c < NCONTEXTS; c++)
		assert_false(is_brief(p, c));
}

static void a_region_around_markers_that_must_stay_is_not_brief(void **state)
{
	struct measurements *p = *state;

	count(p, 300000, 600000, 300000, RARE);
	assert_true(is_brief(p, INNER));
	assert_false(is_brief(p, OFTEN) || is_brief(p, RARE) || is_brief(p, TEAM) || is_brief(p, PARALLEL));
}

static void without_a_time_of_an_earlier_run_none_is_brief(void **state)
{
	struct measurements *p = *state;

	p->expected_ns = 0;
	count(p, 300000, 600000, 0, MON_ANY);
	assert_int_equal(frequent_calls_regions(p), 0);
}

/* The loop took 900 ms; by the model a tenth is its own, 2 tenths OFTEN's, 7 INNER's. */
static void the_time_around_is_divided_by_the_model(void **state)
{
	static const struct mon_time_row times[] = {
		{ .context = MANY, .wall_ns = 1000000000, .calls = 1 },
		{ .context = LOOP, .wall_ns = 900000000, .calls = 1 },
	};
	struct measurements *p = *state;

	count(p, 300000, 600000, 0, MON_ANY);
	assert_true(isnan(measured_cpu(p, INNER)));
	assert_int_equal(fixture_times(p, 1000000000, times, 2), 0);
	assert_true(fabs(measured_cpu(p, OFTEN) - .9 * .9) < 1e-6);
	assert_true(fabs(measured_cpu(p, INNER) - .9 * .7) < 1e-6);
	assert_true(fabs(measured_cpu(p, LOOP) - .9) < 1e-6);
	assert_true(measured_calls(p, INNER) == 600000);
	assert_true(p->estimated && !p->counts_first);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(regions_are_brief_by_calls_with_all_inside_them, set_up, tear_down),
		cmocka_unit_test_setup_teardown(few_calls_keep_their_markers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_region_around_markers_that_must_stay_is_not_brief, set_up, tear_down),
		cmocka_unit_test_setup_teardown(without_a_time_of_an_earlier_run_none_is_brief, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_time_around_is_divided_by_the_model, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
