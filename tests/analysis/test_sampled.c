/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of a sample of the cache sets: errors of what is summed and subtracted, and how sure a verdict is.
 * A sample of 8 in 64 classes in 8 groups: 7 degrees of freedom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/findings/timeline_sample.h"
#include "analysis/measure/sampling_error.h"
#include "analysis/search/confidence.h"
#include "analysis/search/search.h"
#include "tests/analysis/fixture.h"

static const char sir_text[] = FIXTURE_PROGRAM("Fortran",
	FIXTURE_UNIT(1, "ssor", "ssor.f", 4, 90,
		FIXTURE_REGION(1, "loop", "", "ssor.f", 9, 80,
			FIXTURE_REGION(1, "loop", "", "ssor.f", 12, 40, ""))));

enum { R_SSOR, R_PHASE, R_LOOP };
enum { C_PHASE, C_LOOP, NCONTEXTS };
enum { V = MON_OBJ_FIRST, U, NOBJECTS };

static const char properties[] =
"class Region { String name; };\n"
"class Process { int rank; };\n"
"class DataStructure { String name; };\n"
"class SeqPerf { Region region; float exec_time [s]; float memory_access; float llc_data_miss; };\n"
"class DataPerf extends SeqPerf { DataStructure structure; float region_access; };\n"
"const float limit = 0.02;\n"
"PROPERTY Miss(SeqPerf s) { CONDITION: s.llc_data_miss / s.memory_access > limit;\n"
"  CONFIDENCE: 1; SEVERITY: s.llc_data_miss / s.memory_access * s.exec_time; }\n"
"PROPERTY MissOfData(DataPerf d) REFINES Miss {\n"
"  CONDITION: d.llc_data_miss / d.memory_access > limit;\n"
"  CONFIDENCE: 1; SEVERITY: d.llc_data_miss / d.region_access * d.exec_time; }\n"
"PROPERTY Worse(SeqPerf s) REFINES Miss { CONDITION: s.llc_data_miss / s.memory_access > 0.01;\n"
"  CONFIDENCE: coverage(s.llc_data_miss) < 1 ? 0.9 : 1; SEVERITY: s.exec_time; }\n"
"PROPERTY Many(SeqPerf s) { CONDITION: s.memory_access > 1; CONFIDENCE: 1; SEVERITY: s.exec_time; }\n";

struct world {
	struct fixture f;
	struct measurements *measured;
};

static int set_up(void **state)
{
	static const struct fixture_context contexts[NCONTEXTS] = {
		[C_PHASE] = { NO_CONTEXT, R_PHASE }, [C_LOOP] = { C_PHASE, R_LOOP },
	};
	static const char *const names[NOBJECTS] = { [V] = "v", [U] = "u" };
	static struct world w;

	if (fixture_open(&w.f, sir_text, 3, properties))
		return -1;
	fixture_cache(&w.f);
	w.measured = fixture_measurements(&w.f, 0, 1, contexts, NCONTEXTS);
	fixture_objects(w.measured, "ssor.f", names, NOBJECTS);
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

/* Misses that differ from group to group by `spread` up and down, whose sum is `all`. */
static struct mon_count_row row(uint32_t context, uint32_t object, uint32_t thread, uint64_t loads,
	uint64_t all, double spread)
{
	struct mon_count_row r = { .context = context, .object = object, .thread = thread,
		.loads = loads, .load_miss = { all } };

	for (int g = 0; g < MON_GROUPS; g++)
		r.group[0][0][g] = (float)((double)all / 8 + (g % 2 ? spread : -spread));
	return r;
}

static void count(struct measurements *p, struct mon_count_row *rows, uint32_t n, bool sampled)
{
	static const struct mon_time_row times[] = {
		{ .context = C_PHASE, .wall_ns = 1000, .calls = 1 },
		{ .context = C_LOOP, .wall_ns = 1000, .calls = 1 },
	};
	struct mon_result r = { .state = MON_DONE, .kind = MON_SIM, .executions = 1, .records = 1000,
		.counts = rows, .ncounts = n };

	if (sampled)
		r.sample = (struct mon_sample){ 64, 8, 8, 0 };
	assert_int_equal(fixture_times(p, 1000, times, 2), 0);
	assert_int_equal(measured_add_counts(p, &r, NULL, 0, NULL), 0);
}

static double load_error(const struct measurements *p, uint32_t context, uint32_t object)
{
	struct tally t;

	assert_true(measured_tally(p, context, object, &t));
	return sampling_error_loads(p, &t, 0);
}

/* Eight groups that are 10 off: 10² x 8 x 8/7 x (1 - 1/8) = 800. */
static const double TEN_OFF = 2.365 * 28.284271;

static void errors_of_sums_are_those_of_what_is_summed(void **state)
{
	struct world *w = *state;
	struct mon_count_row rows[] = {
		row(C_LOOP, V, 0, 10000, 800, 10),
		row(C_LOOP, V, 1, 10000, 800, 10),      /* another thread, off alike */
		row(C_LOOP, U, 0, 10000, 800, -20),     /* another structure, off in the other direction */
		row(C_PHASE, U, 0, 10000, 800, 10),     /* around the loop */
	};
	struct tally whole, part;

	count(w->measured, rows, 4, true);
	/* As with errors that are independent it would be 14 off, in the loop 24, in the phase 26. */
	assert_true(fabs(load_error(w->measured, C_LOOP, V) - 2 * TEN_OFF) < 1e-3);
	assert_true(fabs(load_error(w->measured, C_LOOP, U) - 2 * TEN_OFF) < 1e-3);
	assert_true(fabs(load_error(w->measured, C_PHASE, MON_ANY) - TEN_OFF) < 1e-3);
	/* In the loop they cancel: half a per cent of 2400 remains. */
	assert_true(fabs(load_error(w->measured, C_LOOP, MON_ANY) - 2.365 * 12) < 1e-3);
	/* The rest of the phase outside of the loop. */
	assert_true(measured_tally(w->measured, C_PHASE, MON_ANY, &whole));
	assert_true(measured_tally(w->measured, C_LOOP, MON_ANY, &part));
	tally_sub(&whole, &part);
	assert_true(fabs(sampling_error_loads(w->measured, &whole, 0) - TEN_OFF) < 1e-3);
}

static void first_touches_in_bursts_may_be_hits_or_misses(void **state)
{
	struct world *w = *state;
	struct mon_count_row rows[] = { row(C_LOOP, V, 0, 10000, 800, 10) };
	struct tally t;

	count(w->measured, rows, 1, true);
	assert_true(measured_tally(w->measured, C_LOOP, V, &t));
	t.unwarmed = 60;
	assert_true(fabs(sampling_error_misses(w->measured, &t) - TEN_OFF) < 1e-3);
	w->measured->in_bursts = true;
	assert_true(fabs(sampling_error_misses(w->measured, &t) - TEN_OFF - 60) < 1e-3);
	assert_true(fabs(sampling_error_loads(w->measured, &t, 0) - TEN_OFF - 60) < 1e-3);
	w->f.machine.flat.nlevels = 2;          /* the nearest level is no longer the last */
	assert_true(fabs(sampling_error_level(w->measured, &t, 0) - TEN_OFF) < 1e-3);
}

/* One in several executions counts: per execution. */
static void errors_are_per_execution(void **state)
{
	struct world *w = *state;
	struct mon_count_row one = row(C_LOOP, V, 0, 10000, 800, 10);
	struct mon_result r = { .state = MON_DONE, .kind = MON_SIM, .executions = 4, .counts = &one,
		.ncounts = 1, .sample = { 64, 8, 8 } };

	assert_int_equal(measured_add_counts(w->measured, &r, NULL, 0, NULL), 0);
	assert_true(fabs(load_error(w->measured, C_LOOP, V) - TEN_OFF / 4) < 1e-3);
}

static enum outcome search_loop(struct world *w, uint64_t misses, double spread, bool sampled,
	struct test *out)
{
	struct mon_count_row rows[] = { row(C_LOOP, V, 0, 100000, misses, spread) };
	const struct test *t;
	enum outcome o;
	struct search s;

	count(w->measured, rows, 1, sampled);
	assert_int_equal(search_run(&s, w->measured, w->f.program, w->f.attributes,
		strategy_find(STRATEGY_SHARE), 0.8), 0);
	t = search_region_test(&s, C_PHASE, 0);
	assert_non_null(t);
	*out = *t;
	o = t->outcome;
	search_free(&s);
	return o;
}

/* The threshold is at 2000 misses.  A spread of 10 is a standard error of 28.28. */
static void confidence_is_the_probability_that_it_holds(void **state)
{
	/* Student's t with 7 degrees of freedom: P(T < 0.99) = 0.8224 … */
	static const struct { uint64_t misses; double spread, p; enum outcome outcome; } cases[] = {
		{ 2028, 10, 0.8224, OUT_HELD }, { 2057, 10, 0.9581, OUT_HELD },
		{ 2014, 10, 0.6821, OUT_UNDECIDED }, { 1986, 10, NAN, OUT_UNDECIDED },
		{ 1900, 10, NAN, OUT_FALSE }, { 4000, 10, 1, OUT_HELD },
		{ 4000, 1000, 0.7488, OUT_UNDECIDED },
	};
	struct world *w = *state;
	struct test t;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		enum outcome o = search_loop(w, cases[i].misses, cases[i].spread, true, &t);

		if (o != cases[i].outcome)
			fail_msg("%u misses: outcome %d, %s", (unsigned)cases[i].misses, o, t.reason);
		if (!isnan(cases[i].p))
			assert_true(fabs(t.verdict.confidence - cases[i].p) < 0.01);
	}
}

static void exact_counts_stay_exact(void **state)
{
	struct world *w = *state;
	struct test t;

	assert_int_equal(search_loop(w, 2001, 0, false, &t), OUT_HELD);
	assert_true(t.verdict.confidence == 1);
	assert_int_equal(search_loop(w, 1999, 0, false, &t), OUT_FALSE);
}

static void one_degree_of_freedom_says_little(void **state)
{
	struct world *w = *state;
	struct mon_count_row r = { .context = C_LOOP, .object = V, .loads = 100000, .load_miss = { 2200 },
		.group = { { { 1050, 1150 } } } };
	struct mon_result result = { .state = MON_DONE, .kind = MON_SIM, .executions = 1,
		.counts = &r, .ncounts = 1, .sample = { 64, 2, 2 } };
	struct subject subject = { .measured = w->measured, .context = C_LOOP, .object = MON_ANY };
	struct search s = { .measured = w->measured, .program = w->f.program, .attributes = w->f.attributes };
	double p;

	assert_int_equal(measured_add_counts(w->measured, &result, NULL, 0, NULL), 0);
	subject.counted = search_subject(&s, C_LOOP, MON_ANY, &subject);
	/* A standard error of 98 is 2.03 away: 97 % if it were known, with one degree 0.855. */
	p = confidence_probability(&s, 0, &subject, true);
	assert_true(fabs(p - 0.855) < 0.01);
	assert_true(fabs(load_error(w->measured, C_LOOP, MON_ANY) - 12.706 * 98.43) < 2);
	search_free(&s);
}

static const struct report_finding *finding(const struct report *r, const char *property, bool structure)
{
	for (int i = 0; i < r->nfindings; i++) {
		const struct report_finding *f = &r->findings[i];

		if (strcmp(f->property, property) == 0 &&
		    (f->path[f->npath - 1].type == REGION_DATA_STRUCTURE) == structure)
			return f;
	}
	return NULL;
}

static struct report *report_of(struct world *w, uint32_t sample)
{
	struct run_config config;
	struct report *r;
	struct search s;

	run_config_init(&config);
	config.machine = w->f.machine;
	config.phase_region = R_PHASE;
	config.sample = sample;
	config.why_not = true;
	assert_int_equal(search_run(&s, w->measured, w->f.program, w->f.attributes,
		strategy_find(STRATEGY_SHARE), 0.8), 0);
	r = findings_report(&s, &config);
	assert_non_null(r);
	search_free(&s);
	return r;
}

static void what_is_too_near_says_so(void **state)
{
	struct world *w = *state;
	struct report *r;
	struct test t;
	int at;

	assert_int_equal(search_loop(w, 1986, 10, true, &t), OUT_UNDECIDED);
	assert_non_null(strstr(t.reason, "too close for this sample: it holds with probability 0.3"));
	r = report_of(w, 8);
	for (at = 0; at < r->ntested && strcmp(r->tested[at].property, "Miss") != 0; at++)
		;
	assert_true(at < r->ntested);
	assert_non_null(strstr(r->tested[at].reason, "0.01986 > 0.02 does not hold; too close for this"));
	report_free(r);
	assert_int_equal(search_loop(w, 2014, 10, true, &t), OUT_UNDECIDED);
	assert_non_null(strstr(t.reason, "is below the floor"));
}

static void findings_carry_their_errors(void **state)
{
	struct world *w = *state;
	struct mon_count_row rows[] = { row(C_LOOP, V, 0, 100000, 4000, 10) };
	const struct report_finding *f;
	struct report *r;

	count(w->measured, rows, 1, true);
	r = report_of(w, 8);
	assert_non_null(strstr(r->sampled, "1 in 8 of the cache sets"));
	assert_true(r->sample_share == 0.125);
	f = finding(r, "Miss", true);
	assert_non_null(f);
	assert_true(fabs(f->measure - 0.04) < 1e-12);
	assert_true(fabs(f->measure_error - TEN_OFF / 100000) < 1e-9);
	assert_true(fabs(f->severity_error - TEN_OFF / 100000) < 1e-9); /* all of the phase's time */
	/* Misses are all that is modelled, 4000 of them. */
	assert_true(fabs(f->est_stall_error - TEN_OFF / 4000) < 1e-6);
	assert_true(fabs(f->path[0].measure_error - TEN_OFF / 100000) < 1e-9);
	f = finding(r, "Worse", false);
	assert_non_null(f);
	assert_true(fabs(f->confidence - 0.9) < 1e-12);  /* the property's own says what coverage() is */
	f = finding(r, "Many", false);
	assert_non_null(f);
	assert_true(f->confidence == 1 && isnan(f->measure_error));     /* accesses are exact */
	assert_true(fabs(r->ledger[0].misses_error - TEN_OFF) < 1e-3);
	report_free(r);
}

/* 100 misses of the nearest level in a column, 20 of them coherence misses; 40 of the last level, 30 of a class. */
static void a_timeline_has_the_misses_of_all_sets(void **state)
{
	struct world *w = *state;
	const uint32_t last = measured_last_level(w->measured) - 1;
	const struct report_point near = { 3, 100 }, coherent = { 3, 20 }, far = { 3, 40 }, line = { 3, 7 };
	const struct report_point kind = { 3 * TIMELINE_CLASSES + 1, 30 };
	struct report_time_cell c = { .coherent = { &coherent, 1 }, .kinds = { &kind, 1 } };
	struct report_time_line l = { .first_misses = { &line, 1 } };
	struct report_timeline t = { .cells = &c, .ncells = 1, .lines = &l, .nlines = 1 };
	struct report r = { .arena = arena_new() };

	assert_true(last > 0);
	c.misses[0] = (struct report_series){ &near, 1 };
	c.misses[last] = (struct report_series){ &far, 1 };
	w->measured->sample = (struct mon_sample){ .classes = 64, .chosen = 8, .groups = 8 };
	assert_int_equal(findings_timeline_scale(w->measured, &r, &t), 0);
	assert_int_equal(series_at(&c.misses[0], 3), 80 * 8 + 20);
	assert_int_equal(series_at(&c.misses[last], 3), 30 * 8 + 10);
	assert_int_equal(series_sum(&c.kinds), 30 * 8);
	assert_int_equal(series_sum(&c.coherent), 20);
	assert_int_equal(series_sum(&l.first_misses), 7 * 8);
	w->measured->sample = (struct mon_sample){ .classes = 0 };
	assert_int_equal(findings_timeline_scale(w->measured, &r, &t), 0);
	assert_int_equal(series_sum(&c.kinds), 30 * 8);
	arena_free(r.arena);
}

static bool notes_open(const struct report *r)
{
	for (int i = 0; i < r->nnotes; i++)
		if (strstr(r->notes[i], "undecided because cache sets were sampled"))
			return true;
	return false;
}

static void what_is_left_open_is_noted(void **state)
{
	struct world *w = *state;
	struct mon_count_row near[] = { row(C_LOOP, V, 0, 100000, 1990, 10) };
	struct mon_count_row far[] = { row(C_LOOP, V, 0, 100000, 4000, 10) };
	struct report *r;

	count(w->measured, near, 1, true);
	r = report_of(w, 8);
	assert_null(finding(r, "Miss", false));
	assert_true(notes_open(r));
	report_free(r);
	count(w->measured, far, 1, true);
	r = report_of(w, 8);
	assert_non_null(finding(r, "Miss", true));
	assert_false(notes_open(r));
	report_free(r);
}

static void exact_findings_have_no_error(void **state)
{
	struct world *w = *state;
	struct mon_count_row rows[] = { row(C_LOOP, V, 0, 100000, 4000, 0) };
	const struct report_finding *f;
	struct report *r;

	count(w->measured, rows, 1, false);
	r = report_of(w, 1);
	assert_null(r->sampled);
	assert_true(isnan(r->sample_share) && isnan(r->ledger[0].misses_error));
	f = finding(r, "Miss", true);
	assert_non_null(f);
	assert_true(isnan(f->measure_error) && isnan(f->severity_error) && isnan(f->est_stall_error));
	report_free(r);
}

/* Processes of one program err alike: the error of their mean is the mean of their errors. */
static void errors_of_processes_do_not_cancel(void **state)
{
	struct world *w = *state;
	struct mon_count_row rows[] = { row(C_LOOP, V, 0, 100000, 4000, 10) };
	const struct report_finding *f;
	struct report *parts[2], *r;

	count(w->measured, rows, 1, true);
	parts[0] = report_of(w, 8);
	w->measured->rank = 1;
	parts[1] = report_of(w, 8);
	r = report_merge(parts, 2);
	assert_non_null(r);
	assert_non_null(r->sampled);
	f = finding(r, "Miss", true);
	assert_non_null(f);
	assert_int_equal(f->nprocesses, 2);
	assert_true(fabs(f->measure_error - TEN_OFF / 100000) < 1e-9);
	assert_true(fabs(f->severity_error - TEN_OFF / 100000) < 1e-9);
	assert_true(fabs(r->ledger[0].misses_error - 2 * TEN_OFF) < 1e-3);
	report_free(r);
	report_free(parts[0]);
	report_free(parts[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
		TEST(errors_of_sums_are_those_of_what_is_summed),
		TEST(first_touches_in_bursts_may_be_hits_or_misses),
		TEST(errors_are_per_execution),
		TEST(confidence_is_the_probability_that_it_holds),
		TEST(what_is_too_near_says_so),
		TEST(exact_counts_stay_exact),
		TEST(one_degree_of_freedom_says_little),
		TEST(findings_carry_their_errors),
		TEST(a_timeline_has_the_misses_of_all_sets),
		TEST(what_is_left_open_is_noted),
		TEST(exact_findings_have_no_error),
		TEST(errors_of_processes_do_not_cancel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
