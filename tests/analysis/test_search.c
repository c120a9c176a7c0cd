/* SPDX-License-Identifier: BSD-3-Clause */
/* The search over hand-made measurements: a phase with a parallel region, in it a sweep that calls a
 * subroutine, and a small loop.  Expected rates are computed in the comments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/findings/findings.h"
#include "collect/collector.h"
#include "analysis/search/search.h"
#include "tests/analysis/fixture.h"

static const char sir_text[] = FIXTURE_PROGRAM("Fortran",
	FIXTURE_UNIT(1, "ssor", "ssor.f", 4, 90,
		FIXTURE_REGION(1, "loop", "", "ssor.f", 9, 80,
			FIXTURE_REGION(1, "parallelRegion", "", "ssor.f", 12, 79,
				FIXTURE_REGION(1, "call", "buts", "ssor.f", 20, 21, "")
				FIXTURE_REGION(1, "workshareLoop", "", "ssor.f", 30, 34, ""))))
	FIXTURE_UNIT(2, "buts", "buts.f", 4, 60, ""));

/* Regions as sir_read() numbers them: units in order, each followed by its inside. */
enum { R_SSOR, R_PHASE, R_PARALLEL, R_CALL, R_DO, R_BUTS };
enum { C_PHASE, C_PARALLEL, C_CALL, C_BUTS, C_DO, NCONTEXTS };
enum { V = MON_OBJ_FIRST, U, NOBJECTS };

static const char properties[] =
"class Region { String name; };\n"
"class Process { int rank; };\n"
"class DataStructure { String name; };\n"
"class SeqPerf { Region region; float exec_time [s]; float memory_access; float read_access;\n"
"  float llc_data_miss; float llc_data_read_miss; };\n"
"class DataPerf extends SeqPerf { DataStructure structure; float region_access; };\n"
"PROPERTY Miss(SeqPerf s) { CONDITION: s.llc_data_miss / s.memory_access > 0.02;\n"
"  CONFIDENCE: 1; SEVERITY: s.llc_data_miss / s.memory_access * s.exec_time; }\n"
"PROPERTY ReadMiss(SeqPerf s) REFINES Miss {\n"
"  CONDITION: s.llc_data_read_miss / s.memory_access > 0.02;\n"
"  CONFIDENCE: 1; SEVERITY: s.llc_data_read_miss / s.memory_access * s.exec_time; }\n"
"PROPERTY MissOfData(DataPerf d) REFINES Miss {\n"
"  CONDITION: d.llc_data_miss / d.memory_access > 0.02;\n"
"  CONFIDENCE: 1; SEVERITY: d.llc_data_miss / d.region_access * d.exec_time; }\n"
"PROPERTY OfMany(SeqPerf a, SeqPerf b, SeqPerf c, SeqPerf d, SeqPerf e, SeqPerf f, SeqPerf g, SeqPerf h,\n"
"  SeqPerf i, SeqPerf j, SeqPerf k, SeqPerf l, SeqPerf m, SeqPerf n, SeqPerf o, SeqPerf p, SeqPerf q,\n"
"  SeqPerf r) REFINES Miss { CONDITION: r.memory_access < 0; CONFIDENCE: 1; SEVERITY: 1; }\n"
"bool lasts(SeqPerf s, float least) = s.exec_time > least;\n"
"PROPERTY LongMiss(SeqPerf s) REFINES Miss { CONDITION: s.memory_access > 100 AND lasts(s, 1);\n"
"  CONFIDENCE: 1; SEVERITY: 1; }\n";

struct world {
	struct fixture f;
	struct measurements *measured;
};

static struct measurements *make_measurements(struct world *w, int rank)
{
	static const struct fixture_context contexts[NCONTEXTS] = {
		[C_PHASE] = { NO_CONTEXT, R_PHASE }, [C_PARALLEL] = { C_PHASE, R_PARALLEL },
		[C_CALL] = { C_PARALLEL, R_CALL }, [C_BUTS] = { C_CALL, R_BUTS },
		[C_DO] = { C_PARALLEL, R_DO },
	};
	static const char *const names[NOBJECTS] = { [V] = "rsd", [U] = "u" };
	struct measurements *p = fixture_measurements(&w->f, rank, 1, contexts, NCONTEXTS);

	fixture_objects(p, "ssor.f", names, NOBJECTS);
	p->aliases = calloc(1, sizeof *p->aliases);
	p->aliases[0] = (struct measured_alias){ R_BUTS, V, MON_ANY, strdup("v") };
	p->naliases = 1;
	return p;
}

static int set_up(void **state)
{
	static struct world w;

	if (fixture_open(&w.f, sir_text, 6, properties))
		return -1;
	fixture_cache(&w.f);
	w.measured = make_measurements(&w, 0);
	*state = &w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	measured_free(w->measured);
	fixture_close(&w->f);
	return 0;
}

/* Per execution: buts reads v 800 times with 40 misses and u 100 times with 0; the loop has 100 accesses
 * to u, one miss.  Rates: buts 40/900 = 4.4 %, parallel 41/1000 = 4.1 %, do 1 %; v 5 %. */
static const struct mon_count_row rows[] = {
	{ .context = C_BUTS, .object = V, .loads = 800, .bytes = 6400, .load_miss = { 40 } },
	{ .context = C_BUTS, .object = U, .loads = 100, .bytes = 800 },
	{ .context = C_DO, .object = U, .stores = 100, .bytes = 800, .store_miss = { 1 } },
};

/* Seconds of the one thread, nanoseconds each: the calls are 60 % of the phase, the loop 30 %. */
static const struct mon_time_row times[] = {
	{ .context = C_PHASE, .wall_ns = 1000, .calls = 1 },
	{ .context = C_PARALLEL, .wall_ns = 950, .calls = 1 },
	{ .context = C_CALL, .wall_ns = 600, .calls = 1 },
	{ .context = C_BUTS, .wall_ns = 590, .calls = 1 },
	{ .context = C_DO, .wall_ns = 300, .calls = 1 },
};

static void add_times(struct measurements *p)
{
	assert_int_equal(fixture_times(p, 1000, times, sizeof times / sizeof times[0]), 0);
}

static void add_counts(struct measurements *p, const struct mon_filter *filters, uint32_t n)
{
	assert_int_equal(fixture_counts(p, rows, sizeof rows / sizeof rows[0], filters, n), 0);
}

static void run(const struct world *w, const struct measurements *p, enum strategy_kind kind,
	struct search *s)
{
	assert_int_equal(search_run(s, p, w->f.program, w->f.attributes, strategy_find(kind), 0.8), 0);
}

static void nothing_measured_is_undecided_not_false(void **state)
{
	struct world *w = *state;
	struct search s;

	run(w, w->measured, STRATEGY_SHARE, &s);
	assert_int_equal(search_region_test(&s, C_PHASE, 0)->outcome, OUT_PENDING);
	assert_true(s.nneeds > 0);
	search_free(&s);
}

static void rates_are_those_of_the_counts(void **state)
{
	struct world *w = *state;
	struct search s;

	add_times(w->measured);
	add_counts(w->measured, NULL, 0);
	run(w, w->measured, STRATEGY_SHARE, &s);
	assert_int_equal(s.nneeds, 0);
	assert_true(fabs(search_region_test(&s, C_BUTS, 0)->verdict.measure - 40. / 900) < 1e-12);
	assert_true(fabs(search_region_test(&s, C_PARALLEL, 0)->verdict.measure - .041) < 1e-12);
	assert_int_equal(search_region_test(&s, C_DO, 0)->outcome, OUT_FALSE);
	assert_int_equal(search_region_test(&s, C_BUTS, 1)->outcome, OUT_HELD);
	assert_int_equal(search_region_test(&s, C_BUTS, 3)->outcome, OUT_FALSE);
	assert_null(search_region_test(&s, C_DO, 1));   /* REFINES: its parent did not hold */
	search_free(&s);
}

/* The one level takes 10 cycles, memory 110: a load takes 10 unless it misses. */
static void loads_are_as_slow_as_the_level_that_serves_them(void **state)
{
	struct world *w = *state;
	struct tally t = { .loads = 900, .stores = 100, .load_miss = { 40 }, .store_miss = { 60 } };

	assert_true(tally_slow_loads(w->measured, &t, 4) == 900);
	assert_true(tally_slow_loads(w->measured, &t, 10) == 900);
	assert_true(tally_slow_loads(w->measured, &t, 11) == 40);
	assert_true(tally_slow_loads(w->measured, &t, 110) == 40);
	assert_true(tally_slow_loads(w->measured, &t, 128) == 0);
}

static void the_path_ends_at_the_structure_under_its_local_name(void **state)
{
	struct world *w = *state;
	struct run_config config;
	const struct report_finding *f = NULL;
	struct report *r;
	struct search s;

	run_config_init(&config);
	config.machine = w->f.machine;
	config.phase_region = R_PHASE;
	run(w, w->measured, STRATEGY_PAPER, &s);
	r = findings_report(&s, &config);
	assert_non_null(r);
	for (int i = 0; i < r->nfindings; i++)
		if (r->findings[i].path[r->findings[i].npath - 1].type == REGION_DATA_STRUCTURE)
			f = &r->findings[i];
	assert_non_null(f);
	assert_string_equal(f->property, "Miss");       /* MissOfData, by convention */
	assert_int_equal(f->npath, 5);
	assert_true(f->path[0].phase);
	assert_string_equal(f->path[3].name, "buts");
	assert_int_equal(f->path[4].type, REGION_DATA_STRUCTURE);
	assert_string_equal(f->path[4].name, "v");
	assert_string_equal(f->path[4].alias_of, "rsd");
	assert_string_equal(f->path[4].file, "buts.f");
	assert_int_equal(f->path[4].line, 4);
	assert_true(fabs(f->measure - .05) < 1e-12);
	/* exec_time(buts) × misses of v ÷ references of buts */
	assert_true(fabs(f->severity - 590e-9 * 40 / 900) < 1e-20);
	assert_true(fabs(f->severity_share - .59 * 40 / 900) < 1e-12);
	/* on another machine's model, of the misses alone: 40 of 41 */
	assert_true(fabs(f->est_stall_share - 40 / 41.) < 1e-9);
	assert_int_equal(f->kind, MISS_GATHER);
	for (int i = 0; i < r->nfindings; i++)  /* what is explained below is not reported above */
		assert_true(r->findings[i].npath >= 4);
	report_free(r);
	search_free(&s);
}

static void the_papers_strategy_prunes_below_a_region_that_does_not_hold(void **state)
{
	struct world *w = *state;
	struct search s;

	run(w, w->measured, STRATEGY_PAPER, &s);
	assert_int_equal(search_region_test(&s, C_CALL, 0)->outcome, OUT_HELD);
	assert_int_equal(search_region_test(&s, C_DO, 0)->outcome, OUT_FALSE);
	search_free(&s);
}

static void what_decided_is_told_in_words(void **state)
{
	struct asl_verdict v = { .holds = ASL_TRUE, .confidence = 1, .measure = 0.25 };
	char text[160];

	(void)state;
	search_explain(&v, 0.8, false, text, sizeof text);
	assert_string_equal(text, "0.25; holds");
	v.confidence = 0.5;
	search_explain(&v, 0.8, false, text, sizeof text);
	assert_string_equal(text, "0.25; confidence 0.50 is below the floor");
	search_explain(&v, 0.8, true, text, sizeof text);
	assert_string_equal(text, "0.25; noise could explain it: clean executions differ, or threads were "
		"without a processor, by as much");
	v.confidence = NAN;
	search_explain(&v, 0.8, true, text, sizeof text);
	assert_string_equal(text, "0.25; how much the times of clean executions vary is not known: --clean 3 or more");
	v.holds = ASL_UNDECIDED;
	strcpy(v.undecided, "calls");
	search_explain(&v, 0.8, false, text, sizeof text);
	assert_string_equal(text, "calls was not measured or is undefined");
	strcpy(v.undecided, "division by zero at my.asl:3");
	search_explain(&v, 0.8, false, text, sizeof text);
	assert_string_equal(text, "undefined: division by zero at my.asl:3");
}

static const char *why_not(const struct report *r, const char *property, const char *place)
{
	for (int i = 0; i < r->ntested; i++)
		if (!strcmp(r->tested[i].property, property) && !strcmp(r->tested[i].place->name, place))
			return r->tested[i].reason;
	return NULL;
}

static void what_does_not_hold_is_told_with_the_number_that_decided(void **state)
{
	struct world *w = *state;
	struct run_config config;
	struct report *r;
	struct search s;

	run_config_init(&config);
	config.machine = w->f.machine;
	config.phase_region = R_PHASE;
	config.why_not = true;
	run(w, w->measured, STRATEGY_SHARE, &s);
	r = findings_report(&s, &config);
	assert_non_null(r);
	assert_string_equal(why_not(r, "OfMany", "buts"), "900 < 0 does not hold");
	assert_string_equal(why_not(r, "LongMiss", "buts"),
		"5.9e-07 > 1 does not hold (test.asl:18:50)");
	assert_string_equal(why_not(r, "MissOfData", "u"), "0 > 0.02 does not hold");
	assert_string_equal(why_not(r, "Miss", "buts"), "0.04444; holds");
	report_free(r);
	search_free(&s);
}

/* One filter per experiment must come to the same findings as counting everything at once. */
static void one_counter_finds_what_all_counters_find(void **state)
{
	struct world *w = *state;
	struct measurements *limited = make_measurements(w, 0);
	struct search all, s;
	const struct collect_moment now = { .begun = 7, .search = &s };
	struct collection collection;
	struct collect_host host;
	struct run_config config;
	struct plan plan;
	int experiments = 0;

	run_config_init(&config);
	config.counters = 1;
	assert_int_equal(collect_host_begin(&host, collectors, &config, w->f.attributes, NULL), 0);
	assert_int_equal(collection_begin(&collection, &host, limited), 0);
	run(w, w->measured, STRATEGY_SHARE, &all);
	add_times(limited);
	for (;;) {
		run(w, limited, STRATEGY_SHARE, &s);
		if (!s.nneeds)
			break;
		assert_ptr_equal(collect_plan(&collection, &now, NEED_SEARCH, &plan), &collector_sim);
		assert_int_equal(plan.want.nfilters, 1);
		add_counts(limited, plan.filter, plan.want.nfilters);
		search_free(&s);
		assert_true(++experiments < 100);
	}
	assert_true(experiments > 3);
	assert_int_equal(s.ntests, all.ntests);
	for (uint32_t i = 0; i < s.ntests; i++) {
		assert_int_equal(s.tests[i].context, all.tests[i].context);
		assert_int_equal(s.tests[i].object, all.tests[i].object);
		assert_int_equal(s.tests[i].outcome, all.tests[i].outcome);
		assert_true(s.tests[i].verdict.severity == all.tests[i].verdict.severity ||
			isnan(s.tests[i].verdict.severity));
	}
	search_free(&s);
	search_free(&all);
	collection_end(&collection);
	collect_host_end(&host);
	measured_free(limited);
}

static void merging_does_not_depend_on_order(void **state)
{
	struct world *w = *state;
	struct measurements *other = make_measurements(w, 1);
	struct run_config config;
	struct search a, b;
	struct report *r[2], *ab, *ba, *rev[2];

	run_config_init(&config);
	config.machine = w->f.machine;
	config.phase_region = R_PHASE;
	add_times(other);
	add_counts(other, NULL, 0);
	run(w, w->measured, STRATEGY_SHARE, &a);
	run(w, other, STRATEGY_SHARE, &b);
	rev[1] = r[0] = findings_report(&a, &config);
	rev[0] = r[1] = findings_report(&b, &config);
	ab = report_merge(r, 2);
	ba = report_merge(rev, 2);
	assert_non_null(ab);
	assert_non_null(ba);
	assert_int_equal(ab->nprocs, 2);
	assert_int_equal(ab->nfindings, r[0]->nfindings);
	for (int i = 0; i < ab->nfindings; i++) {
		assert_int_equal(ab->findings[i].nprocesses, 2);
		assert_int_equal(ab->findings[i].processes[0].last, 1);
		assert_true(ab->findings[i].severity == ba->findings[i].severity);
		/* both processes are alike: the mean is each one's */
		assert_true(fabs(ab->findings[i].severity_share -
			r[0]->findings[i].severity_share) < 1e-12);
	}
	report_free(ab);
	report_free(ba);
	/* The kind is that of the process with the highest severity. */
	r[1]->findings[0].severity_max_share *= 2;
	r[1]->findings[0].kind = MISS_CHAINED;
	r[0]->findings[0].kind = MISS_STREAM;
	ab = report_merge(r, 2);
	ba = report_merge(rev, 2);
	assert_int_equal(ab->findings[0].kind, MISS_CHAINED);
	assert_int_equal(ba->findings[0].kind, MISS_CHAINED);
	report_free(ab);
	/* A process that was not counted takes none of the other's accesses away. */
	rev[0]->nledger = 0;
	ab = report_merge(rev, 2);
	assert_non_null(ab);
	assert_true(ab->nledger > 0);
	assert_true(ab->nledger == rev[1]->nledger);
	for (int i = 0; i < ab->nledger; i++)
		assert_true(ab->ledger[i].accesses == rev[1]->ledger[i].accesses);
	report_free(ab);
	report_free(ba);
	report_free(r[0]);
	report_free(r[1]);
	search_free(&a);
	search_free(&b);
	measured_free(other);
}

static enum outcome outcome_of(const struct world *w, uint32_t context, char reason[256])
{
	const struct test *t;
	enum outcome o;
	struct search s;

	run(w, w->measured, STRATEGY_SHARE, &s);
	t = search_region_test(&s, context, 0);
	o = t->outcome;
	snprintf(reason, 256, "%s", t->reason);
	search_free(&s);
	return o;
}

/* The last one: the process has lost them from then on. */
static void where_more_than_a_twentieth_is_lost_nothing_that_was_counted_is_decided(void **state)
{
	struct world *w = *state;
	char reason[256];

	assert_int_equal(fixture_lost(w->measured, 960, 40), 0);
	assert_false(measured_lossy(w->measured));
	assert_int_equal(outcome_of(w, C_BUTS, reason), OUT_HELD);
	assert_int_equal(outcome_of(w, C_DO, reason), OUT_FALSE);
	assert_int_equal(fixture_lost(w->measured, 0, 200), 0);
	assert_true(measured_lossy(w->measured));
	assert_int_equal(outcome_of(w, C_BUTS, reason), OUT_UNDECIDED);
	assert_string_equal(reason, "20 % of the accesses were lost");
	assert_int_equal(outcome_of(w, C_DO, reason), OUT_UNDECIDED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_measured_is_undecided_not_false),
		cmocka_unit_test(rates_are_those_of_the_counts),
		cmocka_unit_test(loads_are_as_slow_as_the_level_that_serves_them),
		cmocka_unit_test(the_path_ends_at_the_structure_under_its_local_name),
		cmocka_unit_test(the_papers_strategy_prunes_below_a_region_that_does_not_hold),
		cmocka_unit_test(what_decided_is_told_in_words),
		cmocka_unit_test(what_does_not_hold_is_told_with_the_number_that_decided),
		cmocka_unit_test(one_counter_finds_what_all_counters_find),
		cmocka_unit_test(merging_does_not_depend_on_order),
		cmocka_unit_test(where_more_than_a_twentieth_is_lost_nothing_that_was_counted_is_decided),
	};

	return cmocka_run_group_tests_name("search", tests, set_up, tear_down);
}
