/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include "analysis/findings/findings.h"
#include "analysis/findings/whatif.h"
#include "analysis/trials/actions.h"
#include "collect/collector.h"
#include "tests/analysis/fixture.h"

static const char sir_text[] = FIXTURE_PROGRAM("C",
	FIXTURE_UNIT(1, "main", "a.c", 1, 9,
		FIXTURE_REGION(1, "loop", "", "a.c", 3, 8, "")));

static const char properties[] =
"class Region { String name; };\n"
"class DataStructure { String name; };\n"
"class SeqPerf { Region region; float exec_time [s]; float miss_latency_sum [s]; };\n"
"PROPERTY Stalls(SeqPerf s) { CONDITION: s.miss_latency_sum > 0; CONFIDENCE: 1; SEVERITY: s.miss_latency_sum; }\n"
"enum Fix { INTERLEAVE, DENSE, THREADS, LARGE_PAGES };\n"
"PROPERTY Sparse(SeqPerf s) { CONDITION: true; CONFIDENCE: 1; SEVERITY: 1; FIX: DENSE; }\n"
"PROPERTY Far(SeqPerf s) { CONDITION: true; CONFIDENCE: 1; SEVERITY: 1;\n"
"	FIX: INTERLEAVE, THREADS, LARGE_PAGES; }\n";
enum { SPARSE = 1, FAR };

enum { A = MON_OBJ_FIRST, B, C, UNUSED, NOBJECTS };

static struct fixture fix;
static struct search search;
static struct measurements *measured;
static struct run_config config;

static const struct mon_count_row rows[] = {
	{ .object = A, .loads = 100, .load_miss = { 40 } },
	{ .object = B, .loads = 100, .bytes = 800, .load_miss = { 30 }, .capacity = { 15 } },
	{ .object = C, .loads = 100, .load_miss = { 20 } },
	{ .object = MON_OBJ_STACK, .loads = 100, .load_miss = { 10 } },
};
enum { NROWS = sizeof rows / sizeof rows[0] };

/* One level of 10 cycles, memory 110: 100 cycles a miss.  The phase takes 20 us at 1 GHz. */
static int set_up(void **state)
{
	static const struct mon_time_row phase_time = { .wall_ns = 20000, .calls = 1 };
	static const char *const names[NOBJECTS] = { [A] = "alpha", [B] = "beta", [C] = "gamma",
		[UNUSED] = "omega" };
	static const struct fixture_context phase = { NO_CONTEXT, 1 };

	(void)state;
	if (fixture_open(&fix, sir_text, 2, properties))
		return -1;
	fixture_cache(&fix);
	measured = fixture_measurements(&fix, 0, 1, &phase, 1);
	fixture_objects(measured, "a.c", names, NOBJECTS);
	for (uint32_t i = A; i < NOBJECTS; i++) {
		measured->objects[i].size = 8192;
		measured->objects[i].line = i;
	}
	measured->objects[C].elem = 8;
	measured->aliases = calloc(1, sizeof *measured->aliases);
	measured->naliases = 1;
	measured->aliases[0] = (struct measured_alias){ SIR_NONE, B, MON_ANY, strdup("v") };
	if (fixture_times(measured, 20000, &phase_time, 1) || fixture_counts(measured, rows, NROWS, NULL, 0))
		return -1;
	search = (struct search){ .measured = measured, .program = fix.program, .attributes = fix.attributes };
	run_config_init(&config);
	config.what_if = calloc(4, sizeof *config.what_if);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	run_config_free(&config);
	measured_free(measured);
	fixture_close(&fix);
	return 0;
}

static void want(const char *text)
{
	assert_int_equal(fixes_parse(text, &config.what_if[config.nwhat_if++], NULL), 0);
}

static void what_is_named_is_tried(void **state)
{
	struct mon_variant v[MON_VARIANTS];
	struct whatif *w;

	(void)state;
	want("v:hit");          /* another name of beta */
	want("BETA:pad");       /* letters' case matters only where it must */
	want("alpha:pad=1024,pad,hit");
	w = whatif_new(&search, &config);
	assert_int_equal(whatif_next(w, v), 7);
	assert_true(v[0].object == B && v[0].fix == MON_FIX_ABSENT);
	assert_true(v[1].object == B && v[1].fix == MON_FIX_SHIFT && v[1].parameter == 64);
	assert_true(v[2].fix == MON_FIX_SHIFT && v[2].parameter == 256);
	assert_true(v[5].object == A && v[5].fix == MON_FIX_ROWS && v[5].parameter == 1024);
	assert_int_equal(w->ntrials, 7);
	free(w);
}

static void elements_are_set_apart_where_threads_share_them(void **state)
{
	struct mon_variant v[MON_VARIANTS];
	struct whatif *w;

	(void)state;
	measured->threads = 2;
	want("gamma:pad");
	want("alpha:pad");      /* its elements are not known */
	w = whatif_new(&search, &config);
	assert_int_equal(whatif_next(w, v), 5);
	assert_true(v[2].object == C && v[2].fix == MON_FIX_SPREAD && v[2].parameter == 8);
	free(w);
}

static void what_cannot_be_tried_says_why(void **state)
{
	struct mon_variant v[MON_VARIANTS];
	struct report *r = report_new();
	struct whatif *w;

	(void)state;
	want("alpa");
	want("omega");          /* never accessed */
	want("beta:touch,interleave");
	want("alpha:pad=8192");
	w = whatif_new(&search, &config);
	assert_int_equal(whatif_next(w, v), 0);
	assert_int_equal(w->ntrials, 5);
	assert_string_equal(w->trial[0].reason, "no structure of that name is accessed in the phase; "
		"there is alpha, beta, gamma");
	assert_int_equal(w->trial[1].object, MON_ANY);
	assert_string_equal(w->trial[2].reason, "the machine has one memory node");
	assert_non_null(strstr(w->trial[4].reason, "has only 8192"));
	assert_int_equal(whatif_report(w, &search, r), 0);
	assert_int_equal(r->ngains, 5);
	assert_true(r->stall_cycles == 10000);
	for (int i = 0; i < 5; i++)
		assert_true(r->gains[i].reason && isnan(r->gains[i].most));
	report_free(r);
	free(w);
}

/* Own misses of beta: 3000 cycles of 10000.  Moved by a line the phase has 6000, by four 11000; without
 * its accesses 5000. */
static struct mon_count_row varied[] = {
	{ .object = A, .variant = 1, .load_miss = { 40 } },
	{ .object = B, .variant = 1, .load_miss = { 20 } },
	{ .object = A, .variant = 2, .load_miss = { 110 } },
	{ .object = C, .variant = 3, .store_miss = { 50 } },
};

static struct report *tried_with(uint64_t words, uint64_t lost)
{
	struct mon_result r = { .state = MON_DONE, .kind = MON_SIM, .executions = 1, .nvariants = 3,
		.counts = (struct mon_count_row *)rows, .ncounts = NROWS, .varied = varied,
		.nvaried = sizeof varied / sizeof varied[0], .words = words, .lost = lost };
	struct mon_variant v[MON_VARIANTS];
	struct report *report = report_new();
	struct whatif *w;

	want("beta:pad,hit");
	w = whatif_new(&search, &config);
	assert_int_equal(whatif_next(w, v), 3);
	whatif_take(w, measured, &r);
	assert_int_equal(whatif_next(w, v), 0);
	assert_int_equal(whatif_report(w, &search, report), 0);
	free(w);
	return report;
}

static struct report *tried(void)
{
	return tried_with(960, 40);
}

static void after_lost_accesses_a_trial_has_no_figure(void **state)
{
	struct report *r = tried_with(940, 60);

	(void)state;
	assert_int_equal(r->ngains, 3);
	assert_string_equal(r->gains[0].reason, "too many accesses of its experiment were lost");
	assert_true(isnan(r->gains[0].most) && isnan(r->gains[0].time_share));
	report_free(r);
}

static void the_gain_is_the_difference_of_stall(void **state)
{
	struct report *r = tried();

	(void)state;
	assert_int_equal(r->ngains, 3);
	assert_true(r->stall_cycles == 10000);
	assert_string_equal(r->gains[0].structure, "beta");
	assert_string_equal(r->gains[0].declared, "a.c:9");
	assert_string_equal(r->gains[0].change, "begins 1 line later (64 bytes)");
	assert_true(r->gains[0].least == 4000 && r->gains[0].most == 4000);
	assert_true(fabs(r->gains[0].time_share - 0.4) < 1e-12);        /* all is memory time there */
	assert_true(r->gains[1].most == -1000);                         /* it would cost that */
	assert_true(fabs(r->gains[1].time_share + 0.1) < 1e-12);
	report_free(r);
}

static void always_hitting_lies_between_its_own_misses_and_all_that_go_with_it(void **state)
{
	struct report *r = tried();

	(void)state;
	assert_int_equal(r->gains[2].fix, TRIED_HIT);
	assert_true(r->gains[2].least == 3000 && r->gains[2].most == 5000);
	report_free(r);
}

static void what_was_not_measured_has_no_figure(void **state)
{
	struct report *r = report_new();
	struct whatif *w;

	(void)state;
	want("beta:pad");
	w = whatif_new(&search, &config);
	whatif_give_up(w, "the application ended");
	assert_int_equal(whatif_report(w, &search, r), 0);
	assert_int_equal(r->ngains, 2);
	assert_string_equal(r->gains[0].reason, "the application ended");
	assert_true(isnan(r->gains[0].most) && isnan(r->gains[0].time_share));
	report_free(r);
	free(w);
}

static struct report *copied(const char *structure, const struct mon_verified *v)
{
	struct report *report = report_new();
	struct mon_variant variants[MON_VARIANTS];
	struct whatif *w;
	struct check_request next;

	assert_int_equal(fixes_parse_verify(structure, &config.what_if[config.nwhat_if++], NULL), 0);
	w = whatif_new(&search, &config);
	assert_int_equal(whatif_next(w, variants), 0);
	if (v) {
		const struct mon_result r = { .kind = MON_VERIFY, .verified = *v };
		struct collection c = { .whatif = w };

		assert_true(measured_check_next(&w->check, measured, &next));
		assert_true(!next.one_cpu && next.object == B && next.clean_ns == 20001);
		assert_int_equal(collector_copies.take(&c, NULL, NULL, &r, NULL), 0);
	}
	assert_false(measured_check_next(&w->check, measured, &next));
	assert_int_equal(whatif_report(w, &search, report), 0);
	assert_int_equal(report->ngains, 0);
	assert_int_equal(report->nverified, 1);
	free(w);
	return report;
}

static void copies_give_medians_and_quartiles(void **state)
{
	const struct mon_verified v = { .pairs = 5, .clean_ns = { 1000, 1000, 2000, 1000, 1000 },
		.aliased_ns = { 700, 500, 1100, 600, 900 } };
	struct report *r = copied("beta", &v);

	(void)state;
	assert_string_equal(r->verified[0].structure, "beta");
	assert_null(r->verified[0].reason);
	assert_true(fabs(r->verified[0].time - 1e-6) < 1e-15 && fabs(r->verified[0].time_with - 0.7e-6) < 1e-15);
	assert_true(fabs(r->verified[0].measured - 0.4) < 1e-12);
	assert_true(fabs(r->verified[0].measured_low - 0.3) < 1e-12);
	assert_true(fabs(r->verified[0].measured_high - 0.45) < 1e-12);
	report_free(r);
}

static void what_copies_refuse_is_told(void **state)
{
	static const struct { struct mon_verified v; const char *words; } all[] = {
		{ { .refusal = MON_VERIFY_CALL, .detail = SYS_write }, "system call (write)" },
		{ { .refusal = MON_VERIFY_CALL, .detail = 999 }, "system call (number 999)" },
		{ { .refusal = MON_VERIFY_SIGNAL, .detail = SIGSEGV }, "a copy of the process was ended by signal" },
		{ { .refusal = MON_VERIFY_SIGNAL, .detail = SIGSEGV, .aliased = 1 }, "its values are addresses" },
		{ { .refusal = MON_VERIFY_LATE, .detail = 1500, .aliased = 1 }, "did not end within 1.5 s" },
		{ { .refusal = MON_VERIFY_OTHER_PATH, .aliased = 1 }, "made other accesses" },
		{ { .refusal = MON_VERIFY_MAPPINGS, .pages = 1 << 20 }, "1048576 pages" },
		{ { .refusal = MON_VERIFY_ALIASES, .detail = 3600, .aliased = 1 }, "this host takes 3600 ns" },
		{ { .refusal = MON_VERIFY_NO_FILTER, .detail = EINVAL }, "seccomp" },
		{ { .refusal = MON_VERIFY_NO_PAGES }, "whole pages" },
		{ { .pairs = 0 }, "no copy was timed" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		struct report *r;

		config.nwhat_if = 0;
		r = copied("beta", &all[i].v);
		assert_non_null(strstr(r->verified[0].reason, all[i].words));
		assert_true(isnan(r->verified[0].measured) && isnan(r->verified[0].time));
		report_free(r);
	}
}

static void several_threads_and_unknown_names_are_not_copied(void **state)
{
	struct report *r = copied("betta", NULL);

	(void)state;
	assert_non_null(strstr(r->verified[0].reason, "there is beta"));
	report_free(r);
	config.nwhat_if = 0;
	measured->threads = 4;
	r = copied("beta", NULL);
	assert_non_null(strstr(r->verified[0].reason, "4 threads"));
	report_free(r);
}

/* Threads take lines of beta from each other: one experiment with all threads on one CPU measures it. */
static void lines_that_threads_share_are_measured_on_one_cpu(void **state)
{
	static const struct mon_count_row shared[] = {
		{ .object = A, .loads = 100, .load_miss = { 40 } },
		{ .object = B, .loads = 100, .load_miss = { 5 }, .coherent_load = { 5 }, .false_sharing = { 5 } },
	};
	struct report *report = report_new();
	struct check_request next;
	struct whatif *w;

	(void)state;
	measured->threads = 4;
	measured->modelled = false;
	assert_int_equal(fixture_counts(measured, shared, 2, NULL, 0), 0);
	for (int i = 0; i < 2; i++)
		assert_int_equal(fixes_parse_verify(i ? "alpha" : "beta", &config.what_if[config.nwhat_if++], NULL), 0);
	w = whatif_new(&search, &config);
	assert_true(measured_check_next(&w->check, measured, &next));
	assert_true(next.one_cpu);
	measured_check_one_cpu(&w->check, "the kernel refused");
	assert_false(measured_check_next(&w->check, measured, &next));
	assert_int_equal(whatif_report(w, &search, report), 0);
	assert_int_equal(report->nverified, 2);
	assert_string_equal(report->verified[0].reason, "the kernel refused");
	assert_non_null(strstr(report->verified[1].reason, "they take none of it"));
	report_free(report);
	free(w);
}

/* Two nodes, 100 cycles to the own one and 300 to the other; thread 1 is on node 1. */
static void other_places_for_pages_change_where_misses_are_served(void **state)
{
	static struct mon_count_row before[] = {
		{ .object = B, .thread = 0, .load_miss = { 10 }, .served = { { 10 }, { 0 } } },
		{ .object = B, .thread = 1, .node = 1, .load_miss = { 30 },
			.served = { { 20, 10 }, { 0 } } },
		{ .object = A, .thread = 1, .node = 1, .load_miss = { 5 }, .unplaced = 5 },
	}, after[] = {
		{ .object = B, .thread = 0, .variant = 1, .served = { { 10 }, { 0 } } },
		{ .object = B, .thread = 1, .node = 1, .variant = 1,
			.served = { { 0 }, { 20, 10 } } },
		{ .object = A, .thread = 1, .node = 1, .variant = 2, .served = { { 0 }, { 5 } } },
	};
	struct mon_result r = { .state = MON_DONE, .kind = MON_SIM, .executions = 1, .nvariants = 2,
		.counts = before, .ncounts = 3, .varied = after, .nvaried = 3 };
	struct report *report = report_new();
	struct mon_variant v[MON_VARIANTS];
	struct whatif *w;

	(void)state;
	fix.machine.flat.ncpus = 2;
	fix.machine.flat.nodes.count = 2;
	fix.machine.flat.nodes.cpus = 1;
	for (int i = 0; i < 4; i++)
		fix.machine.flat.nodes.latency[i / 2][i % 2] = i == 0 || i == 3 ? 100 : 300;
	want("beta:touch");
	want("alpha:interleave");
	w = whatif_new(&search, &config);
	assert_int_equal(whatif_next(w, v), 2);
	assert_true(v[0].fix == MON_FIX_FIRST_TOUCH && v[1].fix == MON_FIX_INTERLEAVE);
	whatif_take(w, measured, &r);
	assert_int_equal(whatif_report(w, &search, report), 0);
	assert_true(report->gains[0].most == 30 * 200);
	assert_true(isnan(report->gains[1].most));
	assert_non_null(strstr(report->gains[1].reason, "not known"));
	report_free(report);
	free(w);
	memset(&fix.machine.flat.nodes, 0, sizeof fix.machine.flat.nodes);
}

static void many_trials_take_several_experiments(void **state)
{
	struct mon_result r = { .state = MON_DONE, .kind = MON_SIM, .executions = 1,
		.nvariants = MON_VARIANTS };
	struct mon_variant v[MON_VARIANTS];
	struct whatif *w;

	(void)state;
	want("alpha");
	want("beta");
	want("gamma");
	w = whatif_new(&search, &config);
	assert_int_equal(whatif_next(w, v), MON_VARIANTS);
	whatif_take(w, measured, &r);
	assert_int_equal(whatif_next(w, v), 9 - MON_VARIANTS);
	assert_int_equal(v[0].object, C);
	free(w);
}

static void changes_whose_effect_follows_from_the_counts_take_no_experiment(void **state)
{
	struct report *r = report_new();
	struct mon_variant v[MON_VARIANTS];
	struct whatif *w;
	int known = 0;

	(void)state;
	measured->costs.huge_known = true;
	want("beta:dense,fit=L3,pages=2M");
	want("alpha:fit=L9");
	w = whatif_new(&search, &config);
	assert_int_equal(whatif_next(w, v), 0);
	assert_int_equal(whatif_report(w, &search, r), 0);
	for (int i = 0; i < r->ngains; i++) {
		const struct report_gain *g = &r->gains[i];
		bool fits = strstr(g->change, "fit L3") != NULL, dense = strstr(g->change, "lies together") != NULL;

		if (g->reason)
			continue;
		assert_true(isnan(g->most));
		/* 30 of 100 misses are beta's, half of them capacity misses, of lines of which 8 of 64 bytes
		 * are used; no page walks */
		assert_true(fabs(g->time_share - (fits ? 0.15 : dense ? 0.3 * 7 / 8 : 0)) < 1e-12);
		known++;
	}
	assert_int_equal(known, 3);
	report_free(r);
	free(w);
}

static void large_pages_promise_nothing_that_was_not_measured(void **state)
{
	struct report *r = report_new();
	struct mon_variant v[MON_VARIANTS];
	struct whatif *w;

	(void)state;
	measured->costs.huge_known = false;
	want("beta:pages=2M");
	w = whatif_new(&search, &config);
	assert_int_equal(whatif_next(w, v), 0);
	assert_int_equal(whatif_report(w, &search, r), 0);
	assert_int_equal(r->ngains, 1);
	assert_non_null(r->gains[0].reason);
	assert_non_null(strstr(r->gains[0].reason, "what large pages save is not known: psc_machine --calibrate"));
	report_free(r);
	free(w);
}

/* Of each: 16 of 30 misses are capacity misses, or not quite half; their class is stream, or gather. */
static void blocks_are_tried_where_most_misses_are_for_lack_of_capacity(void **state)
{
	static const struct mon_count_row again[] = {
		{ .object = A, .loads = 100, .load_miss = { 30 }, .stream_load = { 30 }, .capacity = { 14 } },
		{ .object = B, .loads = 100, .load_miss = { 30 }, .stream_load = { 30 }, .capacity = { 16 } },
		{ .object = C, .loads = 100, .load_miss = { 30 }, .capacity = { 16 } },
	};
	static const char *const expected[] = { [A] = "stream", [B] = "capacity", [C] = "gather" };
	struct whatif *w;

	(void)state;
	assert_int_equal(fixture_counts(measured, again, 3, NULL, 0), 0);
	want("alpha");
	want("beta");
	want("gamma");
	w = whatif_new(&search, &config);
	for (uint32_t o = A; o <= C; o++) {
		struct tally t;
		bool fit = false;

		assert_true(measured_tally(measured, 0, o, &t));
		assert_string_equal(miss_kind_name(memory_kind_of(tally_memory_kind(&t))), expected[o]);
		for (uint32_t i = 0; i < w->ntrials; i++)
			fit |= w->trial[i].object == o && w->trial[i].fix == FIX_FIT;
		assert_int_equal(fit, o == B);
	}
	free(w);
}

static void small_blocks_are_not_moved(void **state)
{
	static const struct mon_count_row both[] = {
		{ .object = A, .loads = 100, .load_miss = { 30 } }, { .object = B, .loads = 100, .load_miss = { 30 } },
	};
	struct whatif *w;
	int moved = 0, refused = 0;

	(void)state;
	assert_int_equal(fixture_counts(measured, both, 2, NULL, 0), 0);
	measured->objects[A].blocks = 1000;
	want("alpha:pad,pad=4096");
	want("beta:pad");
	w = whatif_new(&search, &config);
	for (uint32_t i = 0; i < w->ntrials; i++) {
		const struct trial *t = &w->trial[i];
		const bool moves = t->fix == FIX_PAD || t->fix == FIX_ROWS;

		moved += moves && t->object == B && !*t->reason;
		refused += moves && t->object == A && *t->reason;
		assert_false(moves && t->object == A && !*t->reason);
	}
	assert_true(moved > 0);
	assert_int_equal(refused, 2);
	measured->objects[A].blocks = 0;
	free(w);
}

static void a_sample_of_the_sets_shows_no_reuse(void **state)
{
	struct whatif *w;

	(void)state;
	measured->sample.classes = 8;
	want("beta:fit=L3");
	w = whatif_new(&search, &config);
	assert_int_equal(w->ntrials, 1);
	assert_string_equal(w->trial[0].reason, "a sample of the cache sets shows no reuse");
	free(w);
}

/* Process 1 has no beta; the phase takes the same time and has the same stall there. */
static void gains_of_processes_are_sums_over_sums(void **state)
{
	struct report *parts[2] = { tried(), report_new() }, *r;

	(void)state;
	for (int i = 0; i < 2; i++) {
		parts[i]->nprocs = 1;
		parts[i]->phase_time = 20e-6;
	}
	parts[1]->stall_cycles = 10000;
	parts[1]->gains = arena_array(parts[1]->arena, 2, sizeof *parts[1]->gains);
	parts[1]->gains[0] = (struct report_gain){ .structure = "beta", .fix = TRIED_NONE, .change = "",
		.reason = "no such name", .least = NAN, .most = NAN, .time_share = NAN };
	parts[1]->gains[1] = parts[1]->gains[0];
	parts[1]->gains[1].structure = "delta";
	parts[1]->ngains = 2;
	r = report_merge(parts, 2);
	assert_non_null(r);
	assert_true(r->stall_cycles == 20000);
	assert_int_equal(r->ngains, 4);         /* beta's in the other one, and delta */
	assert_true(r->gains[0].most == 4000);
	assert_true(fabs(r->gains[0].time_share - 0.2) < 1e-12);
	report_free(r);
	report_free(parts[1]);
	parts[1] = parts[0];
	r = report_merge(parts, 2);
	assert_int_equal(r->ngains, 3);
	assert_true(r->stall_cycles == 20000 && r->gains[0].most == 8000);
	assert_true(fabs(r->gains[0].time_share - 0.4) < 1e-12);
	report_free(r);
	report_free(parts[0]);
}

/* Proposes changes for a problem of beta, of that kind. */
static struct whatif *proposed(enum miss_kind kind, struct report *r)
{
	static struct report_node path[2];
	static struct report_finding f;
	struct whatif *w = whatif_new(&search, &config);

	path[0] = (struct report_node){ .type = REGION_LOOP, .name = "", .file = "a.c", .line = 3 };
	path[1] = (struct report_node){ .type = REGION_DATA_STRUCTURE, .name = "beta", .file = "a.c", .line = 1 };
	f = (struct report_finding){ .property = "Stalls", .file = "p.asl", .path = path, .npath = 2, .about = ABOUT_MEMORY,
		.kind = kind, .severity_is_time = true, .severity_share = 0.3, .est_stall_share = 0.3,
		.est_stall_low_share = 0.1, .est_stall_high_share = 0.4 };
	f.object = B;
	r->findings = &f;
	r->nfindings = 1;
	assert_int_equal(whatif_propose(w, &search, r), 0);
	return w;
}

/* Of 40 misses that cost alike, 30 are beta's: a third of these by true sharing, the rest by false sharing. */
static void lines_for_each_thread_save_what_false_sharing_costs(void **state)
{
	static const struct mon_count_row shared[] = {
		{ .object = A, .loads = 100, .load_miss = { 10 } },
		{ .object = B, .loads = 100, .load_miss = { 30 }, .coherent_load = { 30 }, .false_sharing = { 20 },
		  .true_sharing = { 10 } },
	};
	struct report *r = report_new();
	struct whatif *w;

	(void)state;
	measured->costs.transfer = (struct cost){ 100, 100, 100 };
	assert_int_equal(fixture_counts(measured, shared, 2, NULL, 0), 0);
	w = proposed(MISS_SHARING, r);
	assert_int_equal(w->ntrials, 1);
	assert_int_equal(w->trial[0].fix, FIX_PAD);
	assert_true(w->trial[0].done && fabs(w->trial[0].memory_with / w->trial[0].memory - 0.5) < 1e-12);
	assert_string_equal(w->trial[0].change, "each thread's part on cache lines of its own");
	free(w);
	report_free(r);
}

/* Half of the misses, all of them beta's, are conflicts. */
static void rows_without_conflicts_save_what_these_cost(void **state)
{
	static const struct mon_count_row conflicts = { .object = B, .loads = 100, .bytes = 6400, .load_miss = { 30 },
		.conflict = { 15 } };
	static const struct mon_count_row steps = { .object = B, .loads = 100, .bytes = 6400, .load_miss = { 30 },
		.conflict = { 15 }, .strides = 15, .stride_lines = 15 * 16, .stride_squares = 15 * 16 * 16 };
	struct report *r = report_new();
	struct whatif *w;

	(void)state;
	assert_int_equal(fixture_counts(measured, &conflicts, 1, NULL, 0), 0);
	w = proposed(MISS_CONFLICT, r);
	assert_int_equal(w->ntrials, 1);
	assert_int_equal(w->trial[0].fix, FIX_ROWS);
	assert_true(fabs(w->trial[0].memory_with / w->trial[0].memory - 0.5) < 1e-12);
	assert_string_equal(w->trial[0].change, "no conflicts: its lines in other cache sets");
	free(w);
	assert_int_equal(fixture_counts(measured, &steps, 1, NULL, 0), 0);
	w = proposed(MISS_CONFLICT, r);
	assert_string_equal(w->trial[0].change, "no conflicts: rows of 1024 bytes get 64 bytes more");
	free(w);
	report_free(r);
}

/* Unasked, with the first problems only what follows from the counts is told, and what their kind suggests. */
static void problems_propose_what_costs_no_experiment(void **state)
{
	struct report_node path[2][2];
	struct report_finding f[2];
	struct mon_variant v[MON_VARIANTS];
	struct report *r = report_new();
	struct whatif *w;

	(void)state;
	w = whatif_new(&search, &config);
	assert_int_equal(w->ntrials, 0);
	for (int i = 0; i < 2; i++) {
		path[i][0] = (struct report_node){ .type = REGION_LOOP, .name = "", .file = "a.c", .line = 3 };
		path[i][1] = (struct report_node){ .type = REGION_DATA_STRUCTURE, .name = i ? "alpha" : "beta",
			.file = "a.c", .line = 1, .scope = NULL };
		f[i] = (struct report_finding){ .property = "Stalls", .file = "p.asl", .path = path[i], .npath = 2,
			.about = ABOUT_MEMORY, .kind = i ? MISS_STREAM : MISS_GATHER, .severity_is_time = true,
			.severity_share = 0.3, .est_stall_share = 0.3, .est_stall_low_share = 0.1,
			.est_stall_high_share = 0.4 };
		f[i].object = i ? A : B;
	}
	r->findings = f;
	r->nfindings = 2;
	assert_int_equal(whatif_propose(w, &search, r), 0);
	assert_int_equal(w->ntrials, 1);
	assert_int_equal(w->trial[0].object, B);
	assert_int_equal(w->trial[0].fix, FIX_DENSE);
	assert_true(w->trial[0].done && whatif_time(&w->trial[0], measured) > 0);
	assert_int_equal(whatif_next(w, v), 0);
	assert_int_equal(whatif_propose(w, &search, r), 0);     /* not twice */
	assert_int_equal(w->ntrials, 1);
	free(w);
	report_free(r);
}

/* A stream proposes nothing by its kind. */
static void what_a_property_names_is_estimated(void **state)
{
	struct report_node path = { .type = REGION_DATA_STRUCTURE, .name = "beta", .file = "a.c",
		.line = 1 };
	struct report_finding f[] = {
		{ .property = "Far", .file = "p.asl", .path = &path, .npath = 1,
		  .about = ABOUT_OWN, .number = FAR, .fixes = "threads", .object = MON_ANY },
		{ .property = "Sparse", .file = "p.asl", .path = &path, .npath = 1,
		  .about = ABOUT_OWN, .number = SPARSE, .fixes = "dense", .object = B },
	};
	struct report *r = report_new();
	struct whatif *w = whatif_new(&search, &config);

	(void)state;
	r->findings = f;
	r->nfindings = 2;
	assert_int_equal(whatif_propose(w, &search, r), 0);
	assert_int_equal(w->ntrials, 1);
	assert_true(w->trial[0].fix == FIX_DENSE && w->trial[0].object == B && w->trial[0].done);
	free(w);
	report_free(r);
}

static void what_a_property_names_is_tried_on_the_host(void **state)
{
	struct test tests[] = {
		{ .object = A, .property = SPARSE, .outcome = OUT_HELD },
		{ .object = MON_ANY, .property = FAR, .outcome = OUT_HELD },
		{ .object = B, .property = FAR, .outcome = OUT_HELD },
		{ .object = C, .property = FAR },
	};
	struct proposed_action out[4];

	(void)state;
	search.tests = tests;
	search.ntests = 4;
	measured->modelled = false;
	assert_int_equal(actions_named(&search, out, 4), 3);
	assert_true(out[0].action == TRIED_ALL_NODES && out[0].object == B);
	assert_true(out[1].action == TRIED_COMPACT && out[1].object == MON_ANY);
	assert_true(out[2].action == TRIED_LARGE_PAGES && out[2].object == B);
	assert_int_equal(actions_named(&search, out, 2), 2);
	measured->modelled = true;
	assert_int_equal(actions_named(&search, out, 4), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_named_is_tried),
		TEST(problems_propose_what_costs_no_experiment),
		TEST(what_a_property_names_is_estimated),
		TEST(what_a_property_names_is_tried_on_the_host),
		TEST(lines_for_each_thread_save_what_false_sharing_costs),
		TEST(rows_without_conflicts_save_what_these_cost),
		TEST(elements_are_set_apart_where_threads_share_them),
		TEST(what_cannot_be_tried_says_why),
		TEST(the_gain_is_the_difference_of_stall),
		TEST(after_lost_accesses_a_trial_has_no_figure),
		TEST(always_hitting_lies_between_its_own_misses_and_all_that_go_with_it),
		TEST(what_was_not_measured_has_no_figure),
		TEST(copies_give_medians_and_quartiles),
		TEST(what_copies_refuse_is_told),
		TEST(several_threads_and_unknown_names_are_not_copied),
		TEST(lines_that_threads_share_are_measured_on_one_cpu),
		TEST(other_places_for_pages_change_where_misses_are_served),
		TEST(many_trials_take_several_experiments),
		TEST(changes_whose_effect_follows_from_the_counts_take_no_experiment),
		TEST(large_pages_promise_nothing_that_was_not_measured),
		TEST(small_blocks_are_not_moved),
		TEST(blocks_are_tried_where_most_misses_are_for_lack_of_capacity),
		TEST(a_sample_of_the_sets_shows_no_reuse),
		TEST(gains_of_processes_are_sums_over_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
