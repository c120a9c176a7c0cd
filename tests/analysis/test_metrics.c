/* SPDX-License-Identifier: BSD-3-Clause */
/* What properties see of TLBs, write-backs and prefetchers: figures where the machine model has
 * them, undefined where not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "analysis/findings/findings.h"
#include "analysis/search/search.h"
#include "tests/analysis/fixture.h"

static const char sir_text[] = FIXTURE_PROGRAM("C",
	FIXTURE_UNIT(1, "main", "a.c", 4, 90, ""));

#define METRIC(name, attribute) "PROPERTY " name "(SeqPerf s) { CONDITION: s." attribute " > 0; " \
	"CONFIDENCE: 1; SEVERITY: s.exec_time; }\n"
static const char properties[] =
"class Region { String name; };\n"
"class SeqPerf { Region region; float exec_time [s]; float tlb_data_miss; float tlb_data_read_miss;\n"
"  float tlb_data_write_miss; float writeback_bytes; float prefetched_lines;\n"
"  float prefetch_hits; float stall_cycles; float reuse_distance; };\n"
METRIC("P0", "tlb_data_miss") METRIC("P1", "tlb_data_read_miss") METRIC("P2", "tlb_data_write_miss")
METRIC("P3", "writeback_bytes") METRIC("P4", "prefetched_lines") METRIC("P5", "prefetch_hits")
METRIC("P6", "stall_cycles") METRIC("P7", "reuse_distance");
enum { NPROPERTIES = 8 };

/* Per execution of two: half of this. */
static struct mon_count_row row = { .loads = 1000, .stores = 400, .bytes = 11200,
	.load_miss = { 100, 20 }, .store_miss = { 60, 10 }, .fetched = { 160, 30 },
	.writeback = { 50, 14 }, .prefetched = { 0, 80 }, .useful = { 0, 64 },
	.tlb_miss = { { 40, 8 }, { 12, 2 } } };

/* NAN where it is undecided. */
static void evaluate(const struct machine_flat *flat, double measure[NPROPERTIES])
{
	struct fixture f = { .path = "" };
	const struct mon_time_row time = { .wall_ns = 1000, .calls = 1 };
	const struct fixture_context phase = { NO_CONTEXT, 0 };
	struct mon_result counts = { .state = MON_DONE, .kind = MON_SIM, .executions = 2,
		.records = 1400, .counts = &row, .ncounts = 1 };
	struct measurements *p;
	struct search s;

	assert_int_equal(fixture_open(&f, sir_text, 1, properties), 0);
	f.machine.ghz = 1;
	f.machine.flat = *flat;
	p = fixture_measurements(&f, 0, 1, &phase, 1);
	assert_int_equal(fixture_times(p, 1000, &time, 1), 0);
	assert_int_equal(measured_add_counts(p, &counts, NULL, 0, NULL), 0);
	assert_int_equal(search_run(&s, p, f.program, f.attributes, strategy_find(STRATEGY_SHARE), 0.8), 0);
	for (int i = 0; i < NPROPERTIES; i++) {
		const struct test *t = search_region_test(&s, 0, (uint32_t)i);

		measure[i] = t->outcome == OUT_HELD ? t->verdict.measure : NAN;
	}
	search_free(&s);
	measured_free(p);
	fixture_close(&f);
}

static struct machine_flat two_levels(void)
{
	struct machine_flat m = { .nlevels = 2, .ncpus = 1, .memory_latency = 110 };

	m.level[0] = (struct machine_level){ .level = 1, .line = 64, .latency = 4 };
	m.level[1] = (struct machine_level){ .level = 2, .line = 128, .latency = 10 };
	return m;
}

static void what_the_machine_has_is_measured(void **state)
{
	struct machine_flat m = two_levels();
	double got[NPROPERTIES];

	(void)state;
	m.write = MACHINE_WRITE_BACK;
	m.level[1].prefetch = MACHINE_STRIDE;
	m.ntlbs = 2;
	m.tlb[0].miss = 7;
	m.tlb[1].miss = 30;
	evaluate(&m, got);
	assert_true(got[0] == 7 && got[1] == 6 && got[2] == 1);         /* of the last TLB level */
	assert_true(got[3] == 7 * 128);
	assert_true(got[4] == 40 && got[5] == 32);
	/* Per execution: 80 x 6 + 15 x 100 in the caches, 24 x 7 + 7 x 30 in the TLBs. */
	assert_true(got[6] == 480 + 1500 + 168 + 210);
}

static void one_tlb_level_is_the_last(void **state)
{
	struct machine_flat m = two_levels();
	double got[NPROPERTIES];

	(void)state;
	m.ntlbs = 1;
	m.tlb[0].miss = 7;
	evaluate(&m, got);
	assert_true(got[0] == 24 && got[1] == 20 && got[2] == 4);
	assert_true(got[6] == 480 + 1500 + 168);
}

static void what_it_has_not_is_undefined(void **state)
{
	struct machine_flat m = two_levels();
	double got[NPROPERTIES];

	(void)state;
	evaluate(&m, got);
	for (int i = 0; i < 6; i++)
		assert_true(isnan(got[i]));
	assert_true(got[6] == 480 + 1500);
}

/* 40 reuses an execution, 5 in the classes below the ninth, which has 30: the median is in its
 * middle. */
static void reuse_distance_is_the_median(void **state)
{
	struct machine_flat m = two_levels();
	double got[NPROPERTIES];

	(void)state;
	evaluate(&m, got);
	assert_true(isnan(got[7]));             /* no reuse was seen */
	row.reuse[3] = 10;
	row.reuse[8] = 60;
	row.reuse[9] = 10;
	evaluate(&m, got);
	assert_true(fabs(got[7] - exp2(REUSE_FIRST + 8.5)) < 1);
	memset(row.reuse, 0, sizeof row.reuse);
	row.reuse[REUSE_CLASSES - 1] = 7;
	evaluate(&m, got);
	assert_true(fabs(got[7] - exp2(REUSE_FIRST + REUSE_CLASSES - 0.5)) < 1);
	memset(row.reuse, 0, sizeof row.reuse);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_the_machine_has_is_measured),
		cmocka_unit_test(one_tlb_level_is_the_last),
		cmocka_unit_test(what_it_has_not_is_undefined),
		cmocka_unit_test(reuse_distance_is_the_median),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
