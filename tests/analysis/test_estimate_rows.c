/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of the estimates within the measurements: sums, groups of brief calls, threads that
 * contend, kinds of misses, blocks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/abi.h"
#include "analysis/measure/contention.h"
#include "analysis/measure/blocking.h"
#include "tests/analysis/fixture.h"

/* Two levels; prices that can be told apart. */

enum { R_PHASE, R_LOOP };
enum { C_PHASE, C_LOOP, NCONTEXTS };
enum { A = MON_OBJ_FIRST, B, NOBJECTS };

static const char structure[] = FIXTURE_PROGRAM("c",
	FIXTURE_UNIT(1, "step", "s.c", 1, 90, FIXTURE_REGION(1, "loop", "", "s.c", 10, 20, "")));
static const char properties[] =
	"enum RegionType { A }; enum MemoryKind { STREAM, STRIDED, GATHER, GUESSED, CHAINED, SHARING };"
	"class Region { string name; }; class Process { int rank; };"
	"class SeqPerf { Region region; Process process; float est_stall [s]; float phase_cpu_time [s]; };"
	"PROPERTY Stall(SeqPerf s) { CONDITION: s.est_stall / s.phase_cpu_time > 0.05; CONFIDENCE: 1;"
	" SEVERITY: s.est_stall; }";

static struct fixture f;

static int set_up(void **state)
{
	static const struct fixture_context contexts[] = {
		{ NO_CONTEXT, R_PHASE }, { C_PHASE, R_LOOP } };
	static const char *const names[NOBJECTS] = { [A] = "a", [B] = "b" };
	struct measurements *p;

	if (fixture_open(&f, structure, 2, properties))
		return -1;
	fixture_cache(&f);
	p = fixture_measurements(&f, 0, 2, contexts, NCONTEXTS);
	fixture_objects(p, "s.c", names, NOBJECTS);
	p->modelled = false;
	*state = p;
	return 0;
}

static int tear_down(void **state)
{
	struct measurements *p = *state;

	measured_free(p);
	fixture_close(&f);
	return 0;
}

static const struct mon_count_row rows[] = {
	{ .context = C_LOOP, .thread = 0, .object = A, .loads = 900, .load_miss = { 20 } },
	{ .context = C_LOOP, .thread = 0, .object = B, .loads = 900, .load_miss = { 60 } },
	{ .context = C_LOOP, .thread = 1, .object = B, .loads = 900, .load_miss = { 10 } },
	{ .context = C_PHASE, .thread = 0, .object = A, .loads = 900, .load_miss = { 5 } },
	{ .context = C_LOOP, .thread = 0, .object = MON_OBJ_WORK, .core_low = 8 * 1000, .core_high = 8 * 1000,
		.statements = 10 },
	{ .context = C_LOOP, .thread = 1, .object = MON_OBJ_WORK, .core_low = 8 * 1000, .core_high = 8 * 1000,
		.statements = 10 },
};

static void add_times(struct measurements *p, uint64_t phase, uint64_t loop0, uint64_t loop1, bool brief)
{
	const struct mon_time_row times[] = {
		{ .context = C_PHASE, .thread = 0, .wall_ns = phase, .cpu_ns = phase, .calls = 1 },
		{ .context = C_LOOP, .thread = 0, .wall_ns = loop0, .cpu_ns = loop0, .calls = 1, .brief = brief },
		{ .context = C_LOOP, .thread = 1, .wall_ns = loop1, .cpu_ns = loop1, .calls = 1, .brief = brief },
	};

	assert_int_equal(fixture_times(p, phase, times, 3), 0);
}

static void add_clean(struct measurements *p, uint64_t phase, uint64_t loop0, uint64_t loop1)
{
	add_times(p, phase, loop0, loop1, false);
}

static double stall(const struct measurements *p, uint32_t context, uint32_t object)
{
	struct tally t;

	assert_true(measured_tally(p, context, object, &t));
	return t.estimate.stall * 1e9;
}

static void structures_sum_to_the_region_and_regions_to_the_phase(void **state)
{
	struct measurements *p = *state;

	assert_int_equal(fixture_counts(p, rows, sizeof rows / sizeof rows[0], NULL, 0), 0);
	assert_true(isnan(measured_phase_cpu(p)));      /* no times yet */
	/* of five executions the second fastest counts */
	add_clean(p, 9000, 5000, 4000);
	add_clean(p, 9900, 5900, 4900);
	add_clean(p, 8000, 4000, 1500);
	add_clean(p, 99000, 59000, 49000);
	add_clean(p, 9100, 5100, 4100);
	/* loop, thread 0: M = 80 x 100 ns, T = 5000, C = 1000: 4000 are lost */
	assert_true(eq(stall(p, C_LOOP, A), 4000 * .25));
	/* thread 1: M = 1000, T = 4000, C = 1000: M x 2, but at most 1.1 M */
	assert_true(eq(stall(p, C_LOOP, B), 4000 * .75 + 1100));
	assert_true(eq(stall(p, C_LOOP, MON_ANY), 5100));
	/* of the phase itself the work is not known: M = 500 */
	assert_true(eq(stall(p, C_PHASE, MON_ANY), 5600));
	assert_true(eq(stall(p, C_PHASE, A) + stall(p, C_PHASE, B), 5600));
	assert_true(eq(measured_phase_cpu(p) * 1e9, 4000 + 5000 + 4000));
}

/* Threads that fight over b: what the time has more than C and M is b's; a change to b takes it off. */
static void contention_is_its_structures_and_padding_ends_it(void **state)
{
	static const struct mon_count_row fight[] = {
		{ .context = C_LOOP, .thread = 0, .object = A, .loads = 900, .load_miss = { 5 } },
		{ .context = C_LOOP, .thread = 0, .object = B, .loads = 900, .load_miss = { 10 }, .contended = 90,
			.coherent_load = { 10 }, .false_sharing = { 8 }, .true_sharing = { 2 } },
		{ .context = C_LOOP, .thread = 0, .object = MON_OBJ_WORK, .core_low = 8 * 1000, .core_high = 8 * 1000,
			.statements = 10 },
	};
	struct measurements *p = *state;

	p->costs.transfer = (struct cost){ 100, 100, 100 };
	assert_int_equal(fixture_counts(p, fight, 3, NULL, 0), 0);
	add_clean(p, 5000, 5000, 0);
	assert_true(eq(stall(p, C_LOOP, MON_ANY), 4000));
	assert_true(eq(stall(p, C_LOOP, A), 500));
	assert_true(eq(stall(p, C_LOOP, B), 3500));
	assert_true(eq(measured_memory_time(p) * 1e9, 4000));
	assert_true(eq(measured_changed_memory(p, B, CHANGE_APART) * 1e9, 500 + 3500 * 0.2));
	assert_true(eq(measured_changed_memory(p, B, CHANGE_ROWS) * 1e9, 4000));
	/* a trial's rows are priced alike */
	assert_true(eq(measured_rows_memory(p, fight, 3, 0, 1) * 1e9, 4000));
}

/* The code may explain all of the time, but not what it takes on one CPU, where no line is fought over. */
static void a_fight_that_ends_on_one_cpu_is_measured(void **state)
{
	static const struct fixture_context contexts[] = { { NO_CONTEXT, R_PHASE }, { C_PHASE, R_LOOP } };
	static const struct mon_count_row fight[] = {
		{ .context = C_LOOP, .thread = 0, .object = B, .loads = 900, .load_miss = { 10 }, .contended = 90,
			.coherent_load = { 10 }, .false_sharing = { 10 } },
		{ .context = C_LOOP, .thread = 0, .object = MON_OBJ_WORK, .core_low = 8 * 100, .core_high = 8 * 6000,
			.statements = 10 },
	};
	struct measurements *p = *state;
	struct one_cpu_sums sums;
	struct tally t;

	p->costs.transfer = (struct cost){ 100, 100, 100 };
	assert_int_equal(fixture_counts(p, fight, 2, NULL, 0), 0);
	add_clean(p, 5000, 5000, 0);
	assert_true(measured_tally(p, C_LOOP, B, &t));
	assert_true(t.estimate.low == 0);
	assert_int_equal(measured_one_cpu(p, &sums), 0);
	assert_true(sums.time == 0 && sums.one_cpu == 0);

	p->one_cpu = fixture_measurements(&f, 0, 2, contexts, NCONTEXTS);
	add_clean(p->one_cpu, 500, 500, 0);
	add_clean(p->one_cpu, 500, 500, 0);
	add_clean(p->one_cpu, 9000, 9000, 0);
	add_clean(p, 5000, 5000, 0);    /* estimates anew */
	assert_true(measured_tally(p, C_LOOP, B, &t));
	assert_true(eq(t.estimate.low * 1e9, 5000 - 550) && eq(t.estimate.stall * 1e9, 5000 - 500));
	assert_int_equal(measured_one_cpu(p, &sums), 0);
	assert_true(eq(sums.time, 5000) && eq(sums.slow, 5000) && eq(sums.one_cpu, 500));
}

/* Three executions in which threads pass one another, and one in which they meet. */
static void where_threads_contend_the_mean_time_counts(void **state)
{
	static const struct mon_count_row fight[] = {
		{ .context = C_LOOP, .thread = 0, .object = B, .loads = 900, .load_miss = { 10 }, .contended = 90,
			.coherent_load = { 10 }, .true_sharing = { 10 } },
		{ .context = C_LOOP, .thread = 0, .object = MON_OBJ_WORK, .core_low = 8 * 1000, .core_high = 8 * 1000,
			.statements = 10 },
	};
	struct measurements *p = *state;

	p->costs.transfer = (struct cost){ 100, 100, 100 };
	assert_int_equal(fixture_counts(p, fight, 2, NULL, 0), 0);
	for (int i = 0; i < 3; i++)
		add_clean(p, 2000, 2000, 0);
	add_clean(p, 6000, 6000, 0);
	assert_true(eq(measured_phase_cpu(p) * 1e9, 3000));
	assert_true(eq(stall(p, C_LOOP, B), 2000));
}

/* The call has no work of its own: its time is that of the loop and of the brief subroutine, which were measured together. */
static void the_time_of_a_brief_call_belongs_to_the_loop_around_it(void **state)
{
	enum { CALL = NCONTEXTS, SUB };
	static const struct fixture_context contexts[] = { { NO_CONTEXT, R_PHASE }, { C_PHASE, R_LOOP }, { C_LOOP, R_LOOP },
		{ CALL, R_LOOP } };
	static const struct mon_count_row counts[] = {
		{ .context = C_LOOP, .object = A, .loads = 900, .load_miss = { 80 } },
		{ .context = C_LOOP, .object = MON_OBJ_WORK, .core_low = 8 * 1000, .core_high = 8 * 1000, .statements = 10 },
		{ .context = SUB, .object = MON_OBJ_WORK, .core_low = 8 * 100, .core_high = 8 * 100, .statements = 10 },
	};
	static const struct mon_time_row times[] = {
		{ .context = C_PHASE, .wall_ns = 5000, .calls = 1 },
		{ .context = C_LOOP, .wall_ns = 5000, .calls = 1 },
		{ .context = CALL, .wall_ns = 3000, .calls = 9, .brief = true },
		{ .context = SUB, .wall_ns = 1, .calls = 9, .brief = true },
	};
	static const char *const names[NOBJECTS] = { [A] = "a", [B] = "b" };
	struct measurements *p = fixture_measurements(&f, 0, 1, contexts, 4);

	(void)state;
	fixture_objects(p, "s.c", names, NOBJECTS);
	p->modelled = false;
	assert_int_equal(fixture_times(p, 5000, times, 4), 0);
	assert_int_equal(fixture_counts(p, counts, 3, NULL, 0), 0);
	assert_true(eq(stall(p, C_LOOP, A), 5000 - 1100));
	assert_true(eq(measured_phase_cpu(p) * 1e9, 5000));
	measured_free(p);
}

/* M = 500, half of it streams, or not quite; C in [125, 2000]: of T = 800, C is 500 or more. */
static void what_the_work_may_explain_is_not_lost_to_streams(void **state)
{
	struct mon_count_row half[] = {
		{ .context = C_LOOP, .thread = 0, .object = A, .loads = 900, .load_miss = { 5 }, .stream_load = { 2 } },
		{ .context = C_LOOP, .thread = 0, .object = MON_OBJ_WORK, .core_low = 8 * 125, .core_high = 8 * 2000,
			.statements = 10 },
	};
	struct measurements *p = *state;

	assert_int_equal(fixture_counts(p, half, 2, NULL, 0), 0);
	add_clean(p, 800, 800, 0);
	assert_true(eq(stall(p, C_LOOP, A), 800 - 500));
	half[0].stream_load[0] = 3;
	assert_int_equal(fixture_counts(p, half, 2, NULL, 0), 0);
	add_clean(p, 800, 800, 0);
	assert_true(eq(stall(p, C_LOOP, A), 800 - sqrt(500 * 800)));
	half[1].unknown_calls = 1;
	assert_int_equal(fixture_counts(p, half, 2, NULL, 0), 0);
	add_clean(p, 800, 800, 0);
	assert_true(eq(stall(p, C_LOOP, A), 800 - 500));
}

/* Thread 0: M = 8000 and 500, T = 5000 and 4000 where it was divided, C = 1000 together. */
static void a_brief_region_and_its_caller_have_one_estimate(void **state)
{
	struct measurements *p = *state;

	add_times(p, 9000, 5000, 4000, true);
	assert_int_equal(fixture_counts(p, rows, sizeof rows / sizeof rows[0], NULL, 0), 0);
	/* Together they lose 8000 at most.  The loop has 5000, the phase misses for 500. */
	assert_true(eq(stall(p, C_LOOP, MON_ANY), 5000 + 1100));
	assert_true(eq(stall(p, C_PHASE, MON_ANY), 5500 + 1100));
	assert_true(eq(stall(p, C_LOOP, A), 5000 * .25));
	assert_true(eq(stall(p, C_PHASE, A), 5000 * .25 + 500));
	assert_true(eq(measured_phase_cpu(p) * 1e9, 4000 + 5000 + 4000));
}

/* The misses of a brief call are as far apart as its caller's statements put them. */
static void misses_of_brief_calls_have_the_statements_of_their_caller_between_them(void **state)
{
	static const struct mon_count_row far[] = {
		{ .context = C_LOOP, .thread = 0, .object = A, .loads = 900, .load_miss = { 1 } },
		{ .context = C_LOOP, .thread = 0, .object = MON_OBJ_WORK, .statements = 1 },
		{ .context = C_PHASE, .thread = 0, .object = MON_OBJ_WORK, .statements = OVERLAP_WINDOW },
	};
	struct measurements *p = *state;
	double cost[2];

	p->costs.line[p->costs.nlevels][COST_CHASE] = (struct cost){ 1000, 1000, 1000 };
	for (int brief = 0; brief < 2; brief++) {
		add_times(p, 90000, 50000, 0, brief);
		assert_int_equal(fixture_counts(p, far, sizeof far / sizeof far[0], NULL, 0), 0);
		cost[brief] = stall(p, C_PHASE, A);
	}
	assert_true(cost[0] > 0);
	assert_true(cost[1] > cost[0] * 1.5);   /* hardly overlapped: a chase */
}

static void threads_in_one_context_work_at_once(void **state)
{
	static const struct mon_count_row lines[] = {
		{ .context = C_LOOP, .thread = 0, .object = A, .loads = 80, .fetched = { 10, 10, 10 } },
		{ .context = C_LOOP, .thread = 1, .object = A, .loads = 80, .fetched = { 10, 10, 10 } },
		{ .context = C_PHASE, .thread = 0, .object = A, .loads = 80, .fetched = { 10, 10, 10 } },
	};
	struct measurements *p = *state;
	double line = p->costs.line[p->costs.nlevels][COST_READ].value;
	struct tally loop, phase;

	p->costs.read_bandwidth[0] = 16e9;
	p->costs.read_bandwidth[1] = 20e9;
	add_times(p, 90000, 50000, 50000, false);
	assert_int_equal(fixture_counts(p, lines, 3, NULL, 0), 0);
	assert_true(measured_tally(p, C_LOOP, A, &loop));
	assert_true(measured_tally(p, C_PHASE, A, &phase));
	assert_true(eq(loop.estimate.traffic * 1e9, 20 * line * 1.6));
	tally_sub(&phase, &loop);
	assert_true(eq(phase.estimate.traffic * 1e9, 10 * line));
}

static void the_kind_is_tlb_where_page_walks_take_most(void **state)
{
	struct mon_count_row walking = { .context = C_LOOP, .thread = 0, .object = A, .loads = 900,
		.load_miss = { 20 }, .walks = { 20 } };
	struct measurements *p = *state;
	struct tally t, whole;

	add_times(p, 90000, 50000, 0, false);
	for (int dear = 0; dear < 2; dear++) {
		/* a gather's miss costs 100 */
		p->costs.walk[p->costs.nlevels][COST_WALK_GATHER] = dear ? (struct cost){ 150, 150, 150 }
			: (struct cost){ 50, 50, 50 };
		assert_int_equal(fixture_counts(p, &walking, 1, NULL, 0), 0);
		assert_true(measured_tally(p, C_LOOP, A, &t));
		assert_true(eq(t.estimate.walks * 1e9, dear ? 20 * 150 : 20 * 50));
		assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), dear ? "tlb" : "gather");
	}
	/* The region around it has no walks but those. */
	assert_true(measured_tally(p, C_PHASE, A, &whole));
	tally_sub(&whole, &t);
	assert_true(whole.estimate.walks == 0);
}

/* 20 misses, of which some have a cause; page walks take two thirds of their time, or none. */
static void a_cause_is_the_kind_where_it_takes_most(void **state)
{
	static const struct {
		uint64_t conflict, capacity, strided, walks;
		const char *kind;
	} cases[] = {
		{ 11, 0, 0, 0, "conflict" }, { 9, 0, 0, 0, "gather" }, { 11, 0, 0, 20, "conflict" },
		{ 0, 11, 20, 0, "strided" }, { 0, 11, 20, 20, "strided" }, { 0, 0, 0, 20, "tlb" },
		{ 0, 11, 0, 0, "gather" },
	};
	struct measurements *p = *state;

	add_times(p, 90000, 50000, 0, false);
	p->costs.walk[p->costs.nlevels][COST_WALK_GATHER] = (struct cost){ 200, 200, 200 };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mon_count_row row = { .context = C_LOOP, .thread = 0, .object = A, .loads = 900,
			.load_miss = { 20 }, .strided_load = { cases[i].strided }, .walks = { cases[i].walks },
			.conflict = { cases[i].conflict }, .capacity = { cases[i].capacity } };
		double miss = cases[i].walks ? 300 : 100;
		struct tally t;

		assert_int_equal(fixture_counts(p, &row, 1, NULL, 0), 0);
		assert_true(measured_tally(p, C_LOOP, A, &t));
		assert_true(eq(t.estimate.conflict * 1e9, (double)cases[i].conflict * miss));
		assert_true(eq(t.estimate.capacity * 1e9, (double)cases[i].capacity * miss));
		assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), cases[i].kind);
	}
}

/* 20 misses of lines that another thread wrote: other bytes of them, or the same. */
static void sharing_is_false_or_true_where_most_of_it_is(void **state)
{
	static const struct {
		uint64_t is_false, is_true;
		const char *kind;
	} cases[] = {
		{ 20, 0, "false sharing" }, { 15, 5, "false sharing" }, { 14, 6, "sharing" }, { 6, 14, "sharing" },
		{ 5, 15, "true sharing" }, { 0, 20, "true sharing" },
	};
	struct measurements *p = *state;

	add_times(p, 90000, 50000, 0, false);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mon_count_row row = { .context = C_LOOP, .thread = 0, .object = A, .loads = 900, .load_miss = { 20 },
			.coherent_load = { 20 }, .false_sharing = { cases[i].is_false }, .true_sharing = { cases[i].is_true } };
		struct tally t;

		p->costs.transfer = (struct cost){ 100, 100, 100 };
		assert_int_equal(fixture_counts(p, &row, 1, NULL, 0), 0);
		assert_true(measured_tally(p, C_LOOP, A, &t));
		assert_int_equal(tally_memory_class(&t), MEMORY_SHARING);
		assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), cases[i].kind);
	}
}

/* Two levels of 8 and 64 KiB.  In the first, blocks save the capacity misses of both; in the second, those of
 * the second, which are all but a fifth of the time. */
static void blocks_are_of_the_largest_level_that_saves_enough(void **state)
{
	struct measurements *p = *state;
	struct mon_count_row row = { .context = C_LOOP, .thread = 0, .object = A, .loads = 900,
		.load_miss = { 100, 40 }, .stream_load = { 100, 40 }, .capacity = { 100, 40 },
		.reuse = { 1000, 0, 0, 10, 0, 30 } };
	struct machine_flat *m = &f.machine.flat;
	struct tally t;
	char text[200];

	m->nlevels = 2;
	m->level[0] = (struct machine_level){ .level = 1, .line = 64, .assoc = 8, .sets = 16, .latency = 0 };
	m->level[1] = (struct machine_level){ .level = 2, .line = 64, .assoc = 8, .sets = 128, .latency = 10 };
	fixture_costs(p);
	add_times(p, 90000, 50000, 0, false);
	assert_int_equal(fixture_counts(p, &row, 1, NULL, 0), 0);
	assert_true(measured_tally(p, C_LOOP, A, &t));
	assert_true(eq(t.estimate.fit[0] * 1e9, 60 * 10 + 40 * 110));
	assert_true(eq(t.estimate.fit[1] * 1e9, 40 * 100));
	assert_int_equal(blocking_level(p, &t), 1);
	assert_true(eq(blocking_size(p, &t), 32768));
	/* 10 from 32 KiB on, 30 from 128 KiB on: the tenth of these is the median */
	assert_true(eq(blocking_distance(p, &t), 131072 * exp2(1.0 / 3)));
	blocking_cause(p, &t, text, sizeof text);
	assert_string_equal(text, "its lines come again after 161 KiB of others (the median)");
	blocking_cure(p, &t, text, sizeof text);
	assert_string_equal(text, "work in blocks of less than 32 KiB (L2), or fuse the loops that use them");
	row.capacity[1] = 0;
	assert_int_equal(fixture_counts(p, &row, 1, NULL, 0), 0);
	assert_true(measured_tally(p, C_LOOP, A, &t));
	assert_int_equal(blocking_level(p, &t), 0);
	row.capacity[0] = 0;
	assert_int_equal(fixture_counts(p, &row, 1, NULL, 0), 0);
	assert_true(measured_tally(p, C_LOOP, A, &t));
	assert_int_equal(blocking_level(p, &t), 2);
	blocking_cause(p, &t, text, sizeof text);
	assert_string_equal(text, "");
	blocking_cure(p, &t, text, sizeof text);
	assert_string_equal(text, "");
}

static void a_row_is_the_step_that_all_conflicts_have(void **state)
{
	static const struct {
		uint64_t n, lines, squares;
		uint32_t row;
	} cases[] = {
		{ 0, 0, 0, 0 }, { 100, 6400, 409600, 4096 }, { 100, 6500, 422500, 4160 },
		{ 100, 6400, 600000, 0 },       /* several steps, of 64 lines on average */
		{ 100, 100, 100, 0 },           /* one line */
	};
	struct measurements *p = *state;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct tally t = { .strides = (double)cases[i].n, .stride_lines = (double)cases[i].lines,
			.stride_squares = (double)cases[i].squares };

		assert_int_equal(blocking_row(p, &t), cases[i].row);
	}
}

static void another_machine_has_its_own_time(void **state)
{
	struct measurements *p = *state;

	p->modelled = true;
	assert_int_equal(fixture_counts(p, rows, sizeof rows / sizeof rows[0], NULL, 0), 0);
	assert_true(eq(stall(p, C_PHASE, MON_ANY), 95 * 100));
	assert_true(eq(measured_phase_cpu(p) * 1e9, 95 * 100 + 2 * 1000));
}

static void the_range_on_another_machine_ends_at_its_time(void **state)
{
	const struct cost memory = { 100, 80, 300 };
	const struct estimate little = { 50, 40, 60 }, much = { 500, 400, 600 };
	struct estimate e = estimate_modelled(&memory, &little);

	(void)state;
	assert_true(eq(e.value, 100) && eq(e.low, 72) && eq(e.high, 150));
	e = estimate_modelled(&memory, &much);
	assert_true(eq(e.value, 100) && eq(e.high, 330));
}

/* Jumps at the ends of rows and of pages cost most of a walk in order. */
static void few_misses_without_order_belong_to_a_walk(void **state)
{
	struct tally t = { .loads = 1e6 };

	(void)state;
	t.load_miss[0] = 6400;
	t.stream_load[0] = 6300;
	t.estimate.memory[MEMORY_STREAM] = 1;
	t.estimate.memory[MEMORY_GATHER] = 5;
	assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), "stream");
	t.stream_load[0] = 5700;
	assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), "gather");
	t.stream_load[0] = 1600;
	t.strided_load[0] = 2500;
	assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), "strided");
	t.strided_load[0] = 2300;
	assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), "gather");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(contention_is_its_structures_and_padding_ends_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(where_threads_contend_the_mean_time_counts, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_fight_that_ends_on_one_cpu_is_measured, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_time_of_a_brief_call_belongs_to_the_loop_around_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_the_work_may_explain_is_not_lost_to_streams, set_up, tear_down),
		cmocka_unit_test_setup_teardown(structures_sum_to_the_region_and_regions_to_the_phase,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_brief_region_and_its_caller_have_one_estimate, set_up, tear_down),
		cmocka_unit_test_setup_teardown(misses_of_brief_calls_have_the_statements_of_their_caller_between_them,
			set_up, tear_down),
		cmocka_unit_test_setup_teardown(threads_in_one_context_work_at_once, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_kind_is_tlb_where_page_walks_take_most, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_cause_is_the_kind_where_it_takes_most, set_up, tear_down),
		cmocka_unit_test_setup_teardown(sharing_is_false_or_true_where_most_of_it_is, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_row_is_the_step_that_all_conflicts_have, set_up, tear_down),
		cmocka_unit_test_setup_teardown(blocks_are_of_the_largest_level_that_saves_enough, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_machine_has_its_own_time, set_up, tear_down),
		cmocka_unit_test(the_range_on_another_machine_ends_at_its_time),
		cmocka_unit_test(few_misses_without_order_belong_to_a_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
