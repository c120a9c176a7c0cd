/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads apart: a phase with a parallel region; in it a shared-out loop of which thread 2 has three
 * times the work of thread 0, and a call that thread 0 alone makes.  Thread 1 belongs to nobody here. */
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
#include "analysis/findings/thread_rows.h"
#include "analysis/search/plan.h"
#include "analysis/search/search.h"
#include "tests/analysis/fixture.h"

static const char sir_text[] = FIXTURE_PROGRAM("Fortran",
	FIXTURE_UNIT(1, "ssor", "ssor.f", 4, 90,
		FIXTURE_REGION(1, "loop", "", "ssor.f", 9, 80,
			FIXTURE_REGION(1, "parallelRegion", "", "ssor.f", 12, 79,
				FIXTURE_REGION(1, "workshareLoop", "", "ssor.f", 20, 24, "")
				FIXTURE_REGION(1, "call", "alone", "ssor.f", 30, 30, "")
				FIXTURE_REGION(1, "parallelRegion", "", "ssor.f", 40, 44, "")))));

enum { R_SSOR, R_PHASE, R_PARALLEL, R_DO, R_CALL, R_NESTED };
enum { C_PHASE, C_PARALLEL, C_DO, C_CALL, C_NESTED, NCONTEXTS };
enum { V = MON_OBJ_FIRST, NOBJECTS };

static const char properties[] =
"enum RegionType { PARALLEL_REGION, WORKSHARE_DO, CALL_REGION, LOOP_REGION };\n"
"class Region { String name; RegionType type; };\n"
"class DataStructure { String name; };\n"
"class MRIParPerf { Region region; int nThreads; float exec_time [s]; float phase_time [s];\n"
"  float parT[] [s]; float memory_access[]; float llc_data_miss[]; float miss_latency_sum[] [s]; };\n"
"class DataParPerf extends MRIParPerf { DataStructure structure; float region_access; };\n"
"float most(MRIParPerf m) = MAX(m.parT[t] WHERE t IN m.nThreads);\n"
"float mean(MRIParPerf m) = AVG(m.parT[t] WHERE t IN m.nThreads);\n"
"PROPERTY Late(MRIParPerf m) { CONDITION: (most(m) - mean(m)) / m.phase_time > 0.1;\n"
"  CONFIDENCE: 1; SEVERITY: most(m) - mean(m); }\n"
"PROPERTY More(MRIParPerf m) REFINES Late {\n"
"  CONDITION: MAX(m.memory_access[t] WHERE t IN m.nThreads) /\n"
"             AVG(m.memory_access[t] WHERE t IN m.nThreads) > 1.2;\n"
"  CONFIDENCE: 1; SEVERITY: MAX(m.miss_latency_sum[t] WHERE t IN m.nThreads); }\n"
"PROPERTY MoreOfData(DataParPerf d) REFINES More {\n"
"  CONDITION: d.memory_access[1] - d.memory_access[0] > 0.1 * d.region_access;\n"
"  CONFIDENCE: 1; SEVERITY: d.miss_latency_sum[1]; }\n";

struct world {
	struct fixture f;
};

static int set_up(void **state)
{
	static struct world w;

	if (fixture_open(&w.f, sir_text, 6, properties))
		return -1;
	fixture_cache(&w.f);
	*state = &w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	fixture_close(&w->f);
	return 0;
}

static struct measurements *make_measurements(const struct world *w, enum keep_threads keep)
{
	static const struct fixture_context contexts[NCONTEXTS] = {
		[C_PHASE] = { NO_CONTEXT, R_PHASE }, [C_PARALLEL] = { C_PHASE, R_PARALLEL },
		[C_DO] = { C_PARALLEL, R_DO }, [C_CALL] = { C_PARALLEL, R_CALL },
		[C_NESTED] = { C_PARALLEL, R_NESTED },
	};
	static const char *const names[NOBJECTS] = { [V] = "rsd" };
	struct measurements *p = fixture_measurements(&w->f, 0, 4, contexts, NCONTEXTS);

	fixture_objects(p, "ssor.f", names, NOBJECTS);
	p->keep_threads = keep;
	return p;
}

/* Two executions, in the second of which everything takes 100 ns longer: medians are 50 ns more. */
static const struct mon_time_row times[] = {
	{ .context = C_PHASE, .thread = 0, .wall_ns = 1000, .calls = 1 },
	{ .context = C_PARALLEL, .thread = 2, .wall_ns = 900, .calls = 1 },
	{ .context = C_PARALLEL, .thread = 0, .wall_ns = 900, .calls = 1 },
	{ .context = C_DO, .thread = 2, .wall_ns = 600, .calls = 1 },
	{ .context = C_DO, .thread = 0, .wall_ns = 200, .calls = 1 },
	{ .context = C_CALL, .thread = 0, .wall_ns = 100, .calls = 1 },
	{ .context = C_NESTED, .thread = 2, .wall_ns = 50, .calls = 1 },
	{ .context = C_NESTED, .thread = 3, .wall_ns = 50, .calls = 1 },
};
enum { NTIMES = sizeof times / sizeof times[0] };

static const struct mon_count_row rows[] = {
	{ .context = C_DO, .object = V, .thread = 0, .loads = 90, .stores = 10, .load_miss = { 5 } },
	{ .context = C_DO, .object = V, .thread = 2, .loads = 270, .stores = 30, .load_miss = { 15 } },
	{ .context = C_DO, .object = MON_OBJ_STACK, .thread = 2, .loads = 4 },
	{ .context = C_CALL, .object = V, .thread = 0, .loads = 50, .load_miss = { 1 } },
	{ .context = C_PARALLEL, .object = V, .thread = 0, .stores = 7 },
	{ .context = C_NESTED, .object = V, .thread = 3, .loads = 11 },
	{ .context = C_PHASE, .object = V, .thread = 0, .loads = 1000 },
};
enum { NROWS = sizeof rows / sizeof rows[0] };

static void add_times(struct measurements *p)
{
	struct mon_time_row both[2 * NTIMES];
	struct mon_result r = { .state = MON_DONE, .kind = MON_TIME, .executions = 2,
		.phase_ns = { 1000, 1100 }, .times = both, .ntimes = 2 * NTIMES };

	for (int i = 0; i < NTIMES; i++) {
		both[i] = both[NTIMES + i] = times[i];
		both[NTIMES + i].execution = 1;
		both[NTIMES + i].wall_ns += 100;
	}
	fixture_busy(both, 2 * NTIMES);
	assert_int_equal(measured_add_times(p, &r, NULL), 0);
}

static void add_counts(struct measurements *p, const struct mon_filter *filters, uint32_t n)
{
	assert_int_equal(fixture_counts(p, rows, NROWS, filters, n), 0);
}

static void the_team_is_that_of_the_parallel_region_around(void **state)
{
	struct measurements *p = make_measurements(*state, KEEP_THREADS_NONE);

	assert_int_equal(measured_team_size(p, C_DO), 0);
	assert_true(isnan(measured_thread_cpu(p, C_DO, 0)));
	add_times(p);
	assert_int_equal(measured_team_size(p, C_PHASE), 1);
	assert_int_equal(measured_team_size(p, C_PARALLEL), 2);
	assert_int_equal(measured_team_size(p, C_CALL), 2);
	assert_int_equal(measured_team_size(p, C_NESTED), 2);
	assert_int_equal(measured_team_member(p, C_DO, 0), 0);   /* by number, not by arrival */
	assert_int_equal(measured_team_member(p, C_DO, 1), 2);
	assert_int_equal(measured_team_member(p, C_NESTED, 1), 3);
	measured_free(p);
}

static void a_threads_time_is_its_median_and_0_where_it_never_came(void **state)
{
	struct measurements *p = make_measurements(*state, KEEP_THREADS_NONE);

	add_times(p);
	assert_true(fabs(measured_thread_cpu(p, C_DO, 2) - 650e-9) < 1e-15);
	assert_true(fabs(measured_thread_cpu(p, C_DO, 0) - 250e-9) < 1e-15);
	assert_true(measured_thread_cpu(p, C_CALL, 2) == 0);
	add_times(p);   /* four executions, the same medians */
	assert_true(fabs(measured_thread_cpu(p, C_DO, 2) - 650e-9) < 1e-15);
	measured_free(p);
}

/* Sums over the team equal the totals, for regions and objects, wherever no nested team works. */
static void assert_sums(const struct measurements *p, uint32_t c, uint32_t object, double nested)
{
	struct tally whole, part;
	double refs = nested, miss = 0;

	assert_true(measured_tally(p, c, object, &whole));
	for (uint32_t i = 0; i < measured_team_size(p, c); i++) {
		assert_true(measured_thread_tally(p, c, object, measured_team_member(p, c, i), &part));
		refs += tally_refs(&part);
		miss += part.load_miss[0];
	}
	assert_true(refs == tally_refs(&whole));
	assert_true(miss == whole.load_miss[0]);
}

static void the_threads_counts_sum_to_the_totals(void **state)
{
	struct measurements *p = make_measurements(*state, KEEP_THREADS_OBJECTS);
	struct tally t;

	add_times(p);
	add_counts(p, NULL, 0);
	for (int twice = 0; twice < 2; twice++) {       /* a later experiment replaces the first */
		assert_sums(p, C_DO, MON_ANY, 0);
		assert_sums(p, C_DO, V, 0);
		assert_sums(p, C_CALL, MON_ANY, 0);
		assert_sums(p, C_PARALLEL, MON_ANY, 11);
		assert_sums(p, C_PARALLEL, V, 11);
		assert_sums(p, C_NESTED, V, 0);
		add_counts(p, NULL, 0);
	}
	assert_true(measured_thread_tally(p, C_DO, MON_ANY, 2, &t));
	assert_true(tally_refs(&t) == 304);
	assert_true(measured_thread_tally(p, C_CALL, MON_ANY, 2, &t));
	assert_true(tally_refs(&t) == 0);
	assert_false(measured_thread_tally(p, C_PHASE, MON_ANY, 0, &t));    /* serial: not kept */
	measured_free(p);
}

/* The phase is serial: its threads have what they did in all its contexts, nested teams included. */
static void the_phases_counts_are_known_by_thread(void **state)
{
	static const struct mon_filter one[] = { { C_DO, V } }, phase[] = { { C_PHASE, MON_ANY } };
	struct measurements *p = make_measurements(*state, KEEP_THREADS_REGIONS);
	struct measurements *none = make_measurements(*state, KEEP_THREADS_NONE);
	static const double refs[4] = { 1157, 0, 304, 11 };
	struct tally t;

	assert_false(measured_phase_thread(p, 0, &t));
	add_times(p);
	add_counts(none, NULL, 0);
	assert_false(measured_phase_thread(none, 0, &t));
	for (int filtered = 0; filtered < 2; filtered++) {
		add_counts(p, phase, (uint32_t)filtered);
		for (uint32_t i = 0; i < 4; i++) {
			assert_true(measured_phase_thread(p, i, &t));
			assert_true(tally_refs(&t) == refs[i]);
		}
	}
	measured_free(p);
	p = make_measurements(*state, KEEP_THREADS_REGIONS);
	add_counts(p, one, 1);
	assert_false(measured_phase_thread(p, 0, &t));
	measured_free(p);
	measured_free(none);
}

/* Times and counts of each thread: of the phase, and of the regions that a team works in, the longest first. */
static void a_report_has_rows_of_threads(void **state)
{
	struct measurements *p = make_measurements(*state, KEEP_THREADS_REGIONS);
	struct report *r = report_new();
	double refs = 0;

	assert_int_equal(findings_thread_rows(p, r), 0);
	assert_int_equal(r->nthread_rows, 0);           /* no clean execution */
	add_times(p);
	add_counts(p, NULL, 0);
	assert_int_equal(findings_thread_rows(p, r), 0);
	assert_true(r->nthread_rows > 3);
	for (int i = 0; i < r->nthread_rows; i++) {
		const struct report_thread *t = &r->thread_rows[i];

		refs += t->order ? 0 : t->accesses;
		assert_true(t->order || t->type == REGION_LOOP);
		assert_true(t->modelled_time >= 0 && t->barrier_wait == 0 && t->process == 0);
		if (t->type != REGION_WORKSHARE_DO)
			continue;
		assert_true(t->order > 1);      /* the parallel region around it is longer */
		assert_true(t->thread == 0 || t->thread == 2);
		assert_true(fabs(t->time - (t->thread ? 650e-9 : 250e-9)) < 1e-15);
		assert_true(t->first_misses == (t->thread ? 15 : 5));
		assert_non_null(strstr(t->region, "ssor.f"));
	}
	assert_true(refs == 1157 + 304 + 11 || r->thread_rows[1].order);
	report_free(r);
	measured_free(p);
}

static void filtered_counts_are_the_same(void **state)
{
	static const struct mon_filter filters[] = { { C_PARALLEL, MON_ANY }, { C_DO, V }, { C_CALL, V } };
	struct measurements *p = make_measurements(*state, KEEP_THREADS_OBJECTS), *all = make_measurements(*state, KEEP_THREADS_OBJECTS);
	struct tally a, b;

	add_times(p);
	add_times(all);
	add_counts(all, NULL, 0);
	for (int twice = 0; twice < 2; twice++) {
		add_counts(p, filters, 3);
		for (int f = 0; f < 3; f++)
			for (uint32_t t = 0; t < 4; t++) {
				assert_true(measured_thread_tally(p, filters[f].context, filters[f].object, t, &a));
				assert_true(measured_thread_tally(all, filters[f].context, filters[f].object, t, &b));
				assert_memory_equal(&a, &b, sizeof a);
			}
	}
	assert_false(measured_thread_tally(p, C_DO, MON_ANY, 0, &a));       /* not asked for */
	measured_free(p);
	measured_free(all);
}

static void only_what_properties_read_is_kept(void **state)
{
	struct measurements *none = make_measurements(*state, KEEP_THREADS_NONE);
	struct measurements *regions = make_measurements(*state, KEEP_THREADS_REGIONS);
	struct world *w = *state;
	struct tally t;

	assert_int_equal(attributes_keep_threads(w->f.attributes), KEEP_THREADS_OBJECTS);
	add_times(none);
	add_times(regions);
	add_counts(none, NULL, 0);
	add_counts(regions, NULL, 0);
	assert_false(measured_thread_tally(none, C_DO, MON_ANY, 0, &t));
	assert_true(measured_thread_tally(regions, C_DO, MON_ANY, 0, &t));
	assert_false(measured_thread_tally(regions, C_DO, V, 0, &t));
	measured_free(none);
	measured_free(regions);
}

static void search(const struct world *w, const struct measurements *p, enum strategy_kind kind, struct search *s)
{
	assert_int_equal(search_run(s, p, w->f.program, w->f.attributes, strategy_find(kind), 0.8), 0);
}

/* Property 0 Late, 1 More, 2 MoreOfData.  DO: 650 and 250 ns, mean 450: 200 lost of 1050. */
static void check_verdicts(const struct search *s)
{
	const struct test *late = search_region_test(s, C_DO, 0), *more = search_region_test(s, C_DO, 1);
	const struct test *data = NULL;

	assert_int_equal(search_region_test(s, C_PHASE, 0)->outcome, OUT_SERIAL);
	assert_int_equal(search_region_test(s, C_PARALLEL, 0)->outcome, OUT_FALSE);
	assert_int_equal(late->outcome, OUT_HELD);
	assert_true(fabs(late->verdict.severity - 200e-9) < 1e-15);
	assert_int_equal(more->outcome, OUT_HELD);
	/* thread 2: 15 misses x 100 cycles at 1 GHz, not spread over the four threads */
	assert_true(fabs(more->verdict.severity - 1500e-9) < 1e-15);
	assert_true(fabs(more->verdict.measure - 304 / 202.) < 1e-12);
	for (uint32_t i = 0; i < s->ntests; i++)
		if (s->tests[i].object == V && s->tests[i].context == C_DO)
			data = &s->tests[i];
	assert_non_null(data);
	assert_int_equal(data->outcome, OUT_HELD);
	assert_true(data->verdict.measure == 200);
}

static void properties_of_threads_are_tested_inside_parallel_regions(void **state)
{
	struct measurements *p = make_measurements(*state, KEEP_THREADS_OBJECTS);
	struct search s;

	search(*state, p, STRATEGY_SHARE, &s);
	assert_int_equal(search_region_test(&s, C_PHASE, 0)->outcome, OUT_PENDING);
	search_free(&s);
	add_times(p);
	add_counts(p, NULL, 0);
	search(*state, p, STRATEGY_SHARE, &s);
	check_verdicts(&s);
	search_free(&s);
	measured_free(p);
}

/* The paper's strategy goes on below a region where the property holds; where one thread runs, it cannot. */
static void the_papers_strategy_passes_through_serial_regions(void **state)
{
	struct measurements *p = make_measurements(*state, KEEP_THREADS_OBJECTS);
	struct search s;

	add_times(p);
	add_counts(p, NULL, 0);
	search(*state, p, STRATEGY_PAPER, &s);
	assert_int_equal(search_region_test(&s, C_PARALLEL, 0)->outcome, OUT_FALSE);
	assert_int_equal(search_region_test(&s, C_DO, 0)->outcome, OUT_PRUNED);
	search_free(&s);
	measured_free(p);
}

static void threads_counts_that_were_not_kept_are_undecided(void **state)
{
	struct measurements *p = make_measurements(*state, KEEP_THREADS_NONE);
	struct search s;

	add_times(p);
	add_counts(p, NULL, 0);
	search(*state, p, STRATEGY_SHARE, &s);
	assert_int_equal(search_region_test(&s, C_DO, 0)->outcome, OUT_HELD);
	assert_int_equal(search_region_test(&s, C_DO, 1)->outcome, OUT_UNDECIDED);
	search_free(&s);
	measured_free(p);
}

static void lost_time_is_no_index_and_serial_regions_have_no_rate(void **state)
{
	struct world *w = *state;
	struct measurements *p = make_measurements(w, KEEP_THREADS_OBJECTS);
	const struct report_finding *late = NULL;
	struct run_config config;
	struct report *r;
	struct search s;

	add_times(p);
	add_counts(p, NULL, 0);
	search(w, p, STRATEGY_SHARE, &s);
	run_config_init(&config);
	config.machine = w->f.machine;
	config.phase_region = R_PHASE;
	r = findings_report(&s, &config);
	assert_non_null(r);
	for (int i = 0; i < r->nfindings; i++)
		if (strcmp(r->findings[i].property, "Late") == 0)
			late = &r->findings[i];
	assert_non_null(late);
	assert_false(late->severity_is_index);
	assert_int_equal(late->npath, 3);
	assert_true(isnan(late->path[0].measure));
	assert_false(isnan(late->path[1].measure));
	report_free(r);
	search_free(&s);
	measured_free(p);
}

/* Counted in parts, the parts stall as long as when all is counted at once. */
static void one_filter_stalls_as_long_as_all(void **state)
{
	static const struct mon_filter filters[] = { { MON_ANY, MON_ANY }, { C_DO, V } };
	struct measurements *p = make_measurements(*state, KEEP_THREADS_NONE), *all = make_measurements(*state, KEEP_THREADS_NONE);
	struct tally one, other;

	add_times(p);
	add_times(all);
	add_counts(p, filters, 2);
	add_counts(all, NULL, 0);
	for (int i = 0; i < 2; i++) {
		uint32_t context = i ? C_DO : C_PHASE, object = i ? V : MON_ANY;

		assert_true(measured_tally(p, context, object, &one));
		assert_true(measured_tally(all, context, object, &other));
		assert_true(tally_thread_stall(p, &one) == tally_thread_stall(all, &other));
		assert_true(tally_thread_stall(p, &one) > 0);
	}
	measured_free(p);
	measured_free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_team_is_that_of_the_parallel_region_around),
		cmocka_unit_test(a_threads_time_is_its_median_and_0_where_it_never_came),
		cmocka_unit_test(the_threads_counts_sum_to_the_totals),
		cmocka_unit_test(the_phases_counts_are_known_by_thread),
		cmocka_unit_test(a_report_has_rows_of_threads),
		cmocka_unit_test(filtered_counts_are_the_same),
		cmocka_unit_test(only_what_properties_read_is_kept),
		cmocka_unit_test(properties_of_threads_are_tested_inside_parallel_regions),
		cmocka_unit_test(the_papers_strategy_passes_through_serial_regions),
		cmocka_unit_test(threads_counts_that_were_not_kept_are_undecided),
		cmocka_unit_test(lost_time_is_no_index_and_serial_regions_have_no_rate),
		cmocka_unit_test(one_filter_stalls_as_long_as_all),
	};

	return cmocka_run_group_tests_name("per_thread", tests, set_up, tear_down);
}
