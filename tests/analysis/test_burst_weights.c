/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of bursts: what they stand for, what first touches count as, and the estimates made of
 * them.  One level; a miss takes 100 ns more than a hit, a cycle 1 ns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/measure/burst_error.h"
#include "analysis/measure/burst_weights.h"
#include "analysis/measure/first_touches.h"
#include "base/abi.h"
#include "tests/analysis/fixture.h"

static const char sir_text[] = FIXTURE_PROGRAM("C",
	FIXTURE_UNIT(1, "main", "main.c", 4, 90,
		FIXTURE_REGION(1, "loop", "", "main.c", 9, 30, "")
		FIXTURE_REGION(1, "loop", "", "main.c", 32, 40, "")));

enum { R_MAIN, R_ONE, R_OTHER };
enum { C_MAIN, C_ONE, C_OTHER, NCONTEXTS };
enum { SMALL = MON_OBJ_FIRST, LARGE, NOBJECTS };
enum { LEVEL = 1 << 20 };

static struct fixture fixture;

static int set_up(void **state)
{
	static const struct fixture_context contexts[NCONTEXTS] = {
		{ NO_CONTEXT, R_MAIN }, { C_MAIN, R_ONE }, { C_MAIN, R_OTHER } };
	static const char *const names[NOBJECTS] = { [SMALL] = "small", [LARGE] = "large" };
	struct measurements *p;

	memset(&fixture, 0, sizeof fixture);
	if (fixture_open(&fixture, sir_text, 3, ""))
		return -1;
	fixture_cache(&fixture);
	fixture.machine.flat.level[0].size = LEVEL;
	p = fixture_measurements(&fixture, 0, 1, contexts, NCONTEXTS);
	p->modelled = false;
	p->costs.source = COST_MEASURED;
	fixture_objects(p, "main.c", names, NOBJECTS);
	p->objects[SMALL].size = LEVEL / 2;
	p->objects[LARGE].size = 4 * LEVEL;
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	measured_free(*state);
	fixture_close(&fixture);
	return 0;
}

/* Computing takes so many cycles. */
static struct mon_count_row work(uint32_t context, uint64_t cycles)
{
	return (struct mon_count_row){ .context = context, .object = MON_OBJ_WORK, .statements = cycles,
		.core_low = cycles * PSC_WORK_UNIT, .core_high = cycles * PSC_WORK_UNIT };
}

/* Misses of no order, in equal groups. */
static struct mon_count_row misses(uint32_t context, uint32_t object, uint64_t n, uint64_t unwarmed)
{
	struct mon_count_row r = { .context = context, .object = object, .loads = 2 * n, .load_miss = { n },
		.unwarmed = unwarmed };

	for (int g = 0; g < MON_GROUPS; g++)
		r.group[0][0][g] = (float)n / MON_GROUPS;
	return r;
}

static struct mon_burst_words *held;     /* NULL: no rows */
static uint32_t nheld;
enum { WORDS = 1000 };                  /* of a burst */

static void add(struct measurements *p, struct mon_time_row *times, uint32_t ntimes, struct mon_count_row *rows, uint32_t n,
	struct mon_site *sites, uint32_t nsites)
{
	struct mon_result r = { .state = MON_DONE, .kind = MON_SIM, .executions = 1, .records = 100, .counts = rows, .ncounts = n,
		.times = times, .ntimes = ntimes, .sites = sites, .nsites = nsites, .sample = { 1, 1, MON_GROUPS, 10 },
		.bursts = { .bursts = 10, .words = WORDS }, .burst_words = held,
		.nburst_words = nheld };

	for (uint32_t i = 0; i < ntimes; i++)
		times[i].calls = 1;
	assert_int_equal(fixture_times(p, times[0].cpu_ns, times, ntimes), 0);
	assert_int_equal(measured_add_counts(p, &r, NULL, 0, NULL), 0);
}

static struct tally tally_of(const struct measurements *p, uint32_t context, uint32_t object)
{
	struct tally t;

	assert_true(measured_tally(p, context, object, &t));
	return t;
}

static bool is(double a, double b)
{
	return fabs(a - b) <= 1e-6 * fabs(b);
}

static void counts_stand_for_the_time_of_their_context(void **state)
{
	struct measurements *p = *state;
	/* Both loops' bursts take 1000 ns by the model: 10 misses at 100 ns, or 500 cycles and 5
	 * misses. */
	struct mon_count_row rows[] = { work(C_ONE, 0), misses(C_ONE, LARGE, 10, 0), work(C_OTHER, 500),
		misses(C_OTHER, LARGE, 5, 0) };
	struct mon_time_row times[] = { { .context = C_MAIN, .cpu_ns = 50000 }, { .context = C_ONE, .cpu_ns = 30000 },
		{ .context = C_OTHER, .cpu_ns = 20000 } };
	struct mon_site sites[] = { { .context = C_ONE, .object = LARGE, .line = 10, .first = 10, .last = 10 } };
	const struct site_misses *s;
	size_t n;

	rows[0].statements = 1;
	add(p, times, 3, rows, 4, sites, 1);
	assert_true(is(tally_of(p, C_ONE, LARGE).load_miss[0], 300));
	assert_true(is(tally_of(p, C_OTHER, LARGE).load_miss[0], 100));
	assert_true(is(tally_of(p, C_MAIN, LARGE).loads, 2 * 400));
	s = measured_sites(p, C_ONE, LARGE, &n);
	assert_true(n == 1 && is(s->last, 300));
	/* Memory has its part of the time: all of one loop's, half of the other's. */
	assert_true(is(tally_of(p, C_ONE, MON_ANY).estimate.stall, 30000e-9));
	assert_true(is(tally_of(p, C_OTHER, MON_ANY).estimate.stall, 10000e-9));
	assert_true(is(tally_of(p, C_MAIN, MON_ANY).estimate.time, 50000e-9));
	/* 100 of 800 accesses were recorded. */
	assert_int_equal(p->sample.classes, 800);
	assert_int_equal(p->sample.chosen, 100);
}

static void what_no_sample_has_seen_is_left_out(void **state)
{
	struct measurements *p = *state;
	struct mon_count_row rows[] = { work(C_ONE, 500), misses(C_ONE, LARGE, 5, 0), work(C_OTHER, 500),
		misses(C_OTHER, LARGE, 5, 0) };
	struct mon_time_row times[] = { { .context = C_MAIN, .cpu_ns = 3000 }, { .context = C_ONE, .cpu_ns = 3000 } };
	struct tally t;

	add(p, times, 2, rows, 4, NULL, 0);
	assert_true(is(tally_of(p, C_MAIN, LARGE).load_miss[0], 15));
	assert_true(measured_tally(p, C_OTHER, LARGE, &t) && t.load_miss[0] == 0);
}

/* Both loops' bursts have 10 misses, which cost as much; the other one has taken three times the
 * time.  Returns the part of the misses that is the first one's. */
static double part_of_one(struct measurements *p, struct mon_burst_words *rows_held, uint32_t n)
{
	struct mon_count_row rows[] = { work(C_ONE, 0), misses(C_ONE, LARGE, 1000, 0),
		work(C_OTHER, 0), misses(C_OTHER, LARGE, 1000, 0) };
	struct mon_time_row times[] = { { .context = C_MAIN, .cpu_ns = 40000000 },
		{ .context = C_ONE, .cpu_ns = 10000000 },
		{ .context = C_OTHER, .cpu_ns = 30000000 } };

	rows[0].statements = rows[2].statements = 1;
	held = rows_held;
	nheld = n;
	add(p, times, 3, rows, 4, NULL, 0);
	held = NULL;
	nheld = 0;
	assert_true(is(tally_of(p, C_ONE, MON_ANY).estimate.time, 10000000e-9));
	assert_true(tally_of(p, C_MAIN, LARGE).load_miss[0] > 0);
	return tally_of(p, C_ONE, LARGE).load_miss[0] / tally_of(p, C_MAIN, LARGE).load_miss[0];
}

/* All bursts hold as much of both, wherever they begin: so does the run. */
static void contexts_of_the_same_bursts_are_divided_as_these_have_it(void **state)
{
	struct mon_burst_words rows[] = { { C_ONE, C_ONE, 125 * WORDS, 250 },
		{ C_ONE, C_OTHER, 125 * WORDS, 250 }, { C_OTHER, C_ONE, 375 * WORDS, 750 },
		{ C_OTHER, C_OTHER, 375 * WORDS, 750 } };
	struct measurements *p = *state;

	assert_true(fabs(part_of_one(p, rows, 4) - 0.5) < 0.01);
	assert_true(p->divided > 0.98);
}

/* Bursts are left for the other context twice as often as they come back: so it has twice as many
 * words, although as many bursts begin there. */
static void slow_code_has_more_bursts_than_accesses(void **state)
{
	struct mon_burst_words rows[] = { { C_ONE, C_ONE, 400 * WORDS, 500 },
		{ C_ONE, C_OTHER, 100 * WORDS, 200 }, { C_OTHER, C_ONE, 50 * WORDS, 100 },
		{ C_OTHER, C_OTHER, 450 * WORDS, 500 } };
	const double one = 1 / 450., other = 2 / 550.;  /* words of the run, of those in bursts */
	struct measurements *p = *state;

	assert_true(fabs(part_of_one(p, rows, 4) - one / (one + other)) < 0.02);
}

/* Two bursts begin in each of three contexts, and all six hold all three. */
static void contexts_of_most_bursts_share_them(void **state)
{
	struct mon_burst_words rows[3 * NCONTEXTS];
	struct measurements *p = *state;
	uint32_t n = 0;

	for (uint32_t from = 0; from < NCONTEXTS; from++) {
		rows[n++] = (struct mon_burst_words){ from, C_MAIN, WORDS / 10, 2 };
		rows[n++] = (struct mon_burst_words){ from, C_ONE, WORDS / 10 * 12, 2 };
		rows[n++] = (struct mon_burst_words){ from, C_OTHER, WORDS / 10 * 7, 2 };
	}
	assert_true(fabs(part_of_one(p, rows, n) - 0.5) < 0.1);
	assert_true(p->divided > 0.5);
}

static void code_too_small_for_a_burst_to_begin_there_has_its_part(void **state)
{
	struct mon_burst_words rows[] = { { C_ONE, C_ONE, 125 * WORDS, 250 },
		{ C_ONE, C_OTHER, 125 * WORDS, 250 } };
	struct measurements *p = *state;

	assert_true(fabs(part_of_one(p, rows, 2) - 0.5) < 0.1);
}

static void phases_that_few_bursts_hold_together_are_left_to_the_model(void **state)
{
	struct mon_burst_words rows[] = { { C_ONE, C_ONE, 249 * WORDS, 250 },
		{ C_ONE, C_OTHER, WORDS, 3 }, { C_OTHER, C_OTHER, 700 * WORDS, 750 },
		{ C_OTHER, MON_ANY, 50 * WORDS, 0 } };
	struct measurements *p = *state;

	assert_true(fabs(part_of_one(p, rows, 4) - 0.25) < 1e-6);
	assert_true(p->divided == 0);
}

/* Half of the time is in a context that no burst has seen. */
static void time_that_no_burst_has_seen_may_be_lost(void **state)
{
	struct measurements *p = *state;
	struct mon_count_row rows[] = { work(C_ONE, 500), misses(C_ONE, LARGE, 5, 0) };
	struct mon_time_row times[] = { { .context = C_MAIN, .cpu_ns = 2000 },
		{ .context = C_ONE, .cpu_ns = 1000 }, { .context = C_OTHER, .cpu_ns = 1000 } };
	struct tally t;

	add(p, times, 3, rows, 2, NULL, 0);
	t = tally_of(p, C_MAIN, MON_ANY);
	assert_true(is(t.estimate.stall, 500e-9));
	assert_true(t.estimate.high >= 1500e-9 && t.estimate.high <= 2000e-9);
}

/* Groups of bursts with the same work: their misses are equal, or of one group alone. */
static void bursts_that_differ_widen_the_range(void **state)
{
	struct mon_count_row row = misses(C_ONE, LARGE, 800, 0), one = work(C_ONE, 8000);
	double work_of[MON_GROUPS] = { 0 }, alone[MON_GROUPS] = { 8000 };

	(void)state;
	burst_error_add_work(work_of, &one, 1);
	for (int g = 0; g < MON_GROUPS; g++)
		assert_true(is(work_of[g], 1000));
	assert_true(burst_error(&row, work_of, 1) < 1e-6);
	row.group[0][0][0] = 150;
	row.group[0][0][1] = 50;
	/* t of 7 degrees of freedom x sqrt(8 / 7 x 5000) / 800 */
	assert_true(fabs(burst_error(&row, work_of, 1) - 2.365 * sqrt(8 / 7. * 5000) / 800) < 1e-6);
	assert_true(burst_error(&row, alone, 1) == 1);
	memset(row.group, 0, sizeof row.group);
	assert_true(burst_error(&row, work_of, 1) == 0);
}

/* Eight of ten misses are first touches: of a structure that fits the level they count as hits. */
static void first_touches_are_a_range(void **state)
{
	struct measurements *p = *state;
	struct mon_count_row rows[] = { work(C_ONE, 800), misses(C_ONE, SMALL, 10, 8), work(C_OTHER, 1000),
		misses(C_OTHER, LARGE, 10, 8) };
	struct mon_time_row times[] = { { .context = C_MAIN, .cpu_ns = 3000 }, { .context = C_ONE, .cpu_ns = 1000 },
		{ .context = C_OTHER, .cpu_ns = 2000 } };
	struct mon_site sites[] = { { .context = C_ONE, .object = SMALL, .line = 10, .first = 10, .last = 10 },
		{ .context = C_OTHER, .object = LARGE, .line = 33, .first = 10, .last = 10 } };
	const struct tally_estimate *e;
	struct tally t;
	size_t n;

	add(p, times, 3, rows, 4, sites, 2);
	t = tally_of(p, C_ONE, SMALL);
	e = &t.estimate;
	assert_true(is(t.load_miss[0], 2) && is(t.unwarmed, 8));
	assert_true(is(measured_sites(p, C_ONE, SMALL, &n)->last, 2));
	assert_true(is(e->stall, 200e-9));              /* of 800 + 200 */
	assert_true(e->low <= 1000e-9 * 180 / 980 + 1e-12 && e->high >= 1000e-9 * 1000 / 1800);
	t = tally_of(p, C_OTHER, LARGE);
	assert_true(is(t.load_miss[0], 10));
	assert_true(is(measured_sites(p, C_OTHER, LARGE, &n)->last, 10));
	assert_true(is(t.estimate.stall, 1000e-9));     /* half of 2000 */
	assert_true(t.estimate.low <= 2000e-9 * 200 / 1200 && t.estimate.high >= 1000e-9);
}

static void lines_of_a_structure_without_misses_have_none(void **state)
{
	struct measurements *p = *state;
	struct mon_count_row rows[] = { work(C_ONE, 1000), misses(C_ONE, SMALL, 10, 10) };
	struct mon_time_row times[] = { { .context = C_MAIN, .cpu_ns = 1000 }, { .context = C_ONE, .cpu_ns = 1000 } };
	struct tally t;

	add(p, times, 2, rows, 2, NULL, 0);
	t = tally_of(p, C_ONE, SMALL);
	assert_true(t.load_miss[0] == 0 && t.estimate.stall == 0 && t.estimate.high > 0);
	for (int g = 0; g < MON_GROUPS; g++)
		assert_true(t.group[0][0][g] == 0);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(counts_stand_for_the_time_of_their_context),
		CASE(what_no_sample_has_seen_is_left_out),
		CASE(contexts_of_the_same_bursts_are_divided_as_these_have_it),
		CASE(slow_code_has_more_bursts_than_accesses),
		CASE(contexts_of_most_bursts_share_them),
		CASE(code_too_small_for_a_burst_to_begin_there_has_its_part),
		CASE(phases_that_few_bursts_hold_together_are_left_to_the_model),
		CASE(time_that_no_burst_has_seen_may_be_lost),
		CASE(bursts_that_differ_widen_the_range),
		CASE(first_touches_are_a_range),
		CASE(lines_of_a_structure_without_misses_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
