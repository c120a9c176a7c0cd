/* SPDX-License-Identifier: BSD-3-Clause */
/* Properties of the whole application over hand-made processes: a phase loop that calls work() and then
 * waits.  Expected figures are computed in the comments. */
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
#include "analysis/findings/app_parts.h"
#include "tests/analysis/fixture.h"

static const char sir_text[] = FIXTURE_PROGRAM("C",
	FIXTURE_UNIT(1, "main", "app.c", 4, 90,
		FIXTURE_REGION(1, "loop", "", "app.c", 9, 80,
			FIXTURE_REGION(1, "call", "work", "app.c", 20, 20, "")
			FIXTURE_REGION(1, "call", "wait", "app.c", 30, 30, "")
			FIXTURE_REGION(1, "call", "log", "app.c", 40, 40, "")))
	FIXTURE_UNIT(2, "work", "work.c", 4, 60, ""));

enum { R_MAIN, R_PHASE, R_WORK_CALL, R_WAIT, R_LOG, R_WORK };
enum { C_PHASE, C_CALL, C_WORK, C_WAIT, C_LOG, NCONTEXTS };
enum { NPROCS = 5 };

static const char properties[] =
"class Region { String name; int line; };\n"
"class Process { int rank; };\n"
"class SeqPerf { Region region; Process process; float exec_time [s]; float memory_access;\n"
"  float llc_data_miss; };\n"
"class AppPerf { Region region; int nProcesses; setof SeqPerf regions; setof Process others; };\n"
"PROPERTY Slow(SeqPerf s) { CONDITION: s.exec_time > 2.5; CONFIDENCE: 1; SEVERITY: s.exec_time; }\n"
"PROPERTY Uneven(AppPerf a, Region Basis) {\n"
"  LET float max = MAX(p.exec_time WHERE p IN a.regions); float mean = AVG(p.exec_time WHERE p IN a.regions); IN\n"
"  CONDITION: max / mean > 1.2; CONFIDENCE: 1; SEVERITY: max - mean;\n"
"  ADVICE: \"{COUNT(p WHERE p IN a.regions)} of {a.nProcesses} in {a.region.name} of {Basis.line}\"; }\n"
"PROPERTY VeryUneven(AppPerf a) REFINES Uneven { CONDITION: STDEV(p.exec_time WHERE p IN a.regions) > 0.5;\n"
"  CONFIDENCE: 1; SEVERITY: 0.5; }\n"
"PROPERTY OfSlow(AppPerf a) REFINES Slow { CONDITION: SUM(p.exec_time WHERE p IN a.regions) > 1;\n"
"  CONFIDENCE: 1; SEVERITY: 0.25; }\n"
"PROPERTY Misses(AppPerf a) { CONDITION: SUM(p.llc_data_miss WHERE p IN a.regions) > 1e6;\n"
"  CONFIDENCE: 1; SEVERITY: 0.1; }\n"
"PROPERTY Unbound(AppPerf a) { CONDITION: COUNT(p WHERE p IN a.others) > 0; CONFIDENCE: 1; SEVERITY: 1; }\n";

struct world {
	struct fixture f;
	struct run_config config;
	struct measurements *measured[NPROCS];
	struct app_parts *one[NPROCS];
	struct report *report[NPROCS];
};

static void time_of(struct measurements *p, uint32_t context, double seconds)
{
	struct measured_context *c = &p->contexts[context];

	for (uint32_t i = 0; i < p->nclean; i++) {
		c->wall[i] = c->exec[i] = c->cpu[i] = seconds * 1e9;
		p->contexts[context].calls[i] = seconds > 0;
	}
}

/* Every phase takes 4 s: work, then waiting for the slowest. */
static struct measurements *make_measurements(struct world *w, int rank, double work, uint64_t clean_first)
{
	static const struct fixture_context contexts[NCONTEXTS] = {
		[C_PHASE] = { NO_CONTEXT, R_PHASE }, [C_CALL] = { C_PHASE, R_WORK_CALL },
		[C_WORK] = { C_CALL, R_WORK }, [C_WAIT] = { C_PHASE, R_WAIT },
		[C_LOG] = { C_PHASE, R_LOG },
	};
	struct measurements *p = fixture_measurements(&w->f, rank, 1, contexts, NCONTEXTS);

	p->nclean = 1;
	p->clean_first = clean_first;
	p->phase_ns = calloc(1, sizeof *p->phase_ns);
	p->phase_ns[0] = 4e9;
	for (uint32_t i = 0; i < NCONTEXTS; i++) {
		struct measured_context *c = &p->contexts[i];

		c->wall = calloc(p->nclean, sizeof *c->wall);
		c->exec = calloc(p->nclean, sizeof *c->exec);
		c->wait = calloc(p->nclean, sizeof *c->wait);
		c->cpu = calloc(p->nclean, sizeof *c->cpu);
		c->calls = calloc(p->nclean, sizeof *c->calls);
	}
	time_of(p, C_PHASE, 4);
	time_of(p, C_CALL, work);
	time_of(p, C_WORK, work);
	time_of(p, C_WAIT, 4 - work);
	time_of(p, C_LOG, rank ? 0 : 0.01);     /* only the first one logs, 0.25 % of a phase */
	return p;
}

static int set_up(void **state)
{
	static const double work[NPROCS] = { 3, 1, 1, 1, 2 };
	static struct world w;

	if (fixture_open(&w.f, sir_text, 6, properties))
		return -1;
	run_config_init(&w.config);
	assert_int_equal(run_config_ask(&w.config, "test", false), 0);
	w.config.phase_region = R_PHASE;
	w.config.why_not = true;
	for (int i = 0; i < NPROCS; i++) {
		struct search s;

		/* The last one was measured two executions later. */
		w.measured[i] = make_measurements(&w, i, work[i], i < 4 ? 2 : 4);
		w.one[i] = app_parts_new(w.f.program, w.f.attributes);
		if (search_run(&s, w.measured[i], w.f.program, w.f.attributes, strategy_find(STRATEGY_SHARE), 0.8) ||
		    app_parts_take(w.one[i], &s))
			return -1;
		w.report[i] = findings_report(&s, &w.config);
		search_free(&s);
	}
	*state = &w;
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	for (int i = 0; i < NPROCS; i++) {
		app_parts_free(w->one[i]);
		measured_free(w->measured[i]);
		report_free(w->report[i]);
	}
	run_config_free(&w->config);
	fixture_close(&w->f);
	return 0;
}

static struct report *judged(struct world *w, const struct app_parts *all, int n)
{
	struct report *r = report_merge(w->report, n);

	assert_non_null(r);
	assert_int_equal(app_parts_report(all, &w->config, r), 0);
	return r;
}

static const struct report_finding *find(const struct report *r, const char *property, const char *name)
{
	for (int i = 0; i < r->nfindings; i++) {
		const struct report_finding *f = &r->findings[i];

		if (f->over_processes && !strcmp(f->property, property) &&
		    !strcmp(f->path[f->npath - 1].name, name))
			return f;
	}
	return NULL;
}

static const struct report_tested *tested(const struct report *r, const char *property, const char *name)
{
	for (int i = 0; i < r->ntested; i++)
		if (r->tested[i].process < 0 && !strcmp(r->tested[i].property, property) &&
		    !strcmp(r->tested[i].place->name, name))
			return &r->tested[i];
	return NULL;
}

static struct app_parts *merged(struct world *w, const int *order, int n)
{
	struct app_parts *all = app_parts_new(w->f.program, w->f.attributes);

	for (int i = 0; i < n; i++)
		assert_int_equal(app_parts_merge(all, w->one[order[i]]), 0);
	return all;
}

/* Work takes 3, 1, 1, 1 s: mean 1.5, largest 3, deviation sqrt(3) / 2. */
static void an_uneven_region_is_found_where_it_is(void **state)
{
	struct world *w = *state;
	struct app_parts *all = merged(w, (int[]){ 0, 1, 2, 3 }, 4);
	struct report *r = judged(w, all, 4);
	const struct report_finding *f = find(r, "Uneven", "work");

	assert_non_null(f);
	assert_null(find(r, "Uneven", ""));                     /* the phase takes 4 s everywhere */
	assert_int_equal(f->npath, 3);                          /* phase, call, subroutine */
	assert_true(fabs(f->severity - 1.5) < 1e-12);
	assert_true(fabs(f->severity_share - 1.5 / 4) < 1e-12);
	assert_true(fabs(f->time_share - 6.0 / 16) < 1e-12);
	assert_true(fabs(f->measure - 2) < 1e-12);
	assert_true(!f->severity_is_index && f->severity_is_time);
	assert_int_equal(f->nprocesses, 4);
	assert_string_equal(f->advice, "4 of 4 in work of 9");
	assert_true(f->path[0].measure == 1 && !f->path[0].holds);
	assert_true(f->path[1].holds && fabs(f->path[1].time - 1.5) < 1e-12);
	/* Waiting takes 1, 3, 3, 3 s: mean 2.5, and 3 / 2.5 is not more than 1.2. */
	assert_int_equal(tested(r, "Uneven", "wait")->outcome, REPORT_FALSE);
	assert_string_equal(tested(r, "Uneven", "wait")->reason, "1.2 > 1.2 does not hold");
	report_free(r);
	app_parts_free(all);
}

static void refinement_is_of_all_or_of_one_process(void **state)
{
	struct world *w = *state;
	struct app_parts *all = merged(w, (int[]){ 0, 1, 2, 3 }, 4);
	struct report *r = judged(w, all, 4);

	assert_string_equal(find(r, "VeryUneven", "work")->refines, "Uneven");
	assert_null(tested(r, "VeryUneven", "wait"));
	/* Slow holds for the work of the first process, and the waiting of the others. */
	assert_string_equal(find(r, "OfSlow", "work")->refines, "Slow");
	assert_non_null(find(r, "OfSlow", "wait"));
	/* A fraction is of the region's time: 0.25 x 6 / 16. */
	assert_true(fabs(find(r, "OfSlow", "work")->severity_share - 0.25 * 6 / 16) < 1e-12);
	report_free(r);
	app_parts_free(all);
}

static void what_is_small_or_unknown_is_told(void **state)
{
	struct world *w = *state;
	struct app_parts *all = merged(w, (int[]){ 0, 1, 2, 3 }, 4);
	struct report *r = judged(w, all, 4);
	const struct report_tested *t = tested(r, "Uneven", "log");

	/* 0.01 s of 16. */
	assert_int_equal(t->outcome, REPORT_PRUNED);
	assert_string_equal(t->reason, "0.06 % of phase time, under 1 %");
	t = tested(r, "Misses", "work");
	assert_int_equal(t->outcome, REPORT_UNDECIDED);
	assert_string_equal(t->reason, "llc_data_miss was not measured or is undefined");
	t = tested(r, "Unbound", "work");
	assert_int_equal(t->outcome, REPORT_UNDECIDED);
	assert_string_equal(t->reason, "others was not measured or is undefined");
	report_free(r);
	app_parts_free(all);
}

static void only_equal_executions_are_joined(void **state)
{
	struct world *w = *state;
	struct app_parts *all = merged(w, (int[]){ 4, 0, 1, 2, 3 }, 5);
	struct report *r = judged(w, all, 5);
	const struct report_finding *f = find(r, "Uneven", "work");

	assert_int_equal(f->nprocesses, 4);
	assert_int_equal(f->nruns, 1);
	assert_int_equal(f->processes[0].last, 3);
	assert_true(fabs(f->severity - 1.5) < 1e-12);
	assert_string_equal(f->advice, "4 of 5 in work of 9");
	assert_int_equal(r->nnotes, 1);
	assert_string_equal(r->notes[0], "findings over all processes leave out 1 of 5: other phase executions were measured there, "
		"or too few (rank 4: timed 4, counted none; rank 0: timed 2, counted none)");
	report_free(r);
	app_parts_free(all);
}

/* Without MPI all are of rank 0: which of two that cannot be joined is told of is not for chance. */
static void what_arrived_first_does_not_matter(void **state)
{
	struct world *w = *state;

	for (int i = 0; i < 2; i++) {
		struct app_parts *all = merged(w, NULL, 0);
		struct app_parts *alone[] = { merged(w, (int[]){ 0 }, 1), merged(w, (int[]){ 1 }, 1) };
		struct report *r;

		alone[1]->places[0].nclean = 2;
		alone[1]->places[0].ranks.run[0] = (struct rank_run){ 0, 0 };
		assert_int_equal(app_parts_merge(all, alone[i]), 0);
		assert_int_equal(app_parts_merge(all, alone[!i]), 0);
		r = judged(w, all, 2);
		assert_null(find(r, "OfSlow", "work"));
		assert_non_null(find(r, "OfSlow", "wait"));
		report_free(r);
		app_parts_free(all);
		app_parts_free(alone[0]);
		app_parts_free(alone[1]);
	}
}

/* What the condition reads to find a place does not make an index of what is lost there. */
static void a_rate_times_a_time_is_an_index_and_lost_time_is_none(void **state)
{
	static const char text[] =
		"class Region { String name; };\n"
		"class SeqPerf { float exec_time [s]; float memory_access; float llc_data_miss;\n"
		"  float miss_latency_sum [s]; };\n"
		"class AppPerf { setof SeqPerf regions; };\n"
		"float rate(SeqPerf s) = s.llc_data_miss / s.memory_access;\n"
		"float time(SeqPerf s, float F(SeqPerf)) = F(s) * s.exec_time;\n"
		"PROPERTY A(SeqPerf s) { CONDITION: rate(s) > 0.1; CONFIDENCE: 1; SEVERITY: s.exec_time; }\n"
		"PROPERTY B(SeqPerf s) { CONDITION: s.exec_time > 1; CONFIDENCE: 1; SEVERITY: time(s, rate); }\n"
		"PROPERTY C(SeqPerf s) { LET float r = rate(s); float t = r * s.exec_time; IN\n"
		"  CONDITION: r > 1; CONFIDENCE: 1; SEVERITY: t; }\n"
		"PROPERTY D(SeqPerf s) { CONDITION: s.miss_latency_sum > 1; CONFIDENCE: 1; SEVERITY: time(s, rate); }\n"
		"PROPERTY E(SeqPerf s) { CONDITION: rate(s) > 0.1; CONFIDENCE: 1; SEVERITY: s.miss_latency_sum; }\n"
		"PROPERTY F(SeqPerf s) { CONDITION: (a) rate(s) > 0.1 OR s.exec_time > 1; CONFIDENCE: 1;\n"
		"  SEVERITY: MAX((a) -> 2 * s.exec_time, s.exec_time); }\n"
		"PROPERTY TEMPLATE T<float G(SeqPerf)>(SeqPerf s) { CONDITION: s.exec_time > 1; CONFIDENCE: 1;\n"
		"  SEVERITY: G(s) * s.exec_time; }\n"
		"PROPERTY T<rate> G;\n"
		"PROPERTY H(AppPerf a) { CONDITION: AVG(rate(s) WHERE s IN a.regions) > 0.1; CONFIDENCE: 1;\n"
		"  SEVERITY: MAX(s.exec_time WHERE s IN a.regions); }\n"
		"PROPERTY I(AppPerf a) { CONDITION: MAX(s.exec_time WHERE s IN a.regions) > 0.1; CONFIDENCE: 1;\n"
		"  SEVERITY: AVG(time(s, rate) WHERE s IN a.regions); }\n"
		"PROPERTY J(SeqPerf s) { CONDITION: s.exec_time > 1; CONFIDENCE: 1; SEVERITY: rate(s); }\n";
	static const bool want[] = { false, true, true, true, false, false, true, false, true, false };
	struct asl_source source = { "index.asl", text, sizeof text - 1 };
	struct asl_program *p = asl_compile(NULL, &source, 1, NULL, 0, asl_diag_print, stderr), *again;
	struct attributes *b;
	struct buf image = BUF_INIT;
	struct err err = { "" };

	(void)state;
	assert_non_null(p);
	asl_image_write(p, &image);
	again = asl_image_read(image.data, image.len, &err);
	assert_string_equal(err.text, "");
	b = attributes_new(again);
	assert_int_equal(asl_nproperties(again), sizeof want / sizeof *want);
	for (size_t i = 0; i < asl_nproperties(again); i++)
		if (attributes_severity_is_index(b, asl_property(again, i)) != want[i])
			fail_msg("severity of %s", asl_property(again, i)->name);
	attributes_free(b);
	buf_free(&image);
	asl_free(again);
	asl_free(p);
}

static void one_process_is_even(void **state)
{
	struct world *w = *state;
	struct app_parts *all = merged(w, (int[]){ 0 }, 1);
	struct report *r = judged(w, all, 1);

	assert_null(find(r, "Uneven", "work"));
	assert_int_equal(tested(r, "Uneven", "work")->outcome, REPORT_FALSE);
	assert_int_equal(r->nnotes, 0);
	report_free(r);
	app_parts_free(all);
}

/* Two processes without MPI, the same twice. */
static void processes_of_one_rank_are_two(void **state)
{
	struct world *w = *state;
	struct app_parts *all = merged(w, (int[]){ 0, 0 }, 2), *top = app_parts_new(w->f.program, w->f.attributes);
	const struct report_finding *f;
	struct buf b = BUF_INIT;
	struct report *r;
	struct err err;

	app_parts_encode(all, &b);
	assert_int_equal(app_parts_merge_encoded(top, b.data, b.len, &err), 0);
	r = judged(w, top, 2);
	f = find(r, "OfSlow", "work");
	assert_int_equal(f->nprocesses, 2);
	assert_true(fabs(f->path[f->npath - 1].time - 3) < 1e-12);
	assert_true(fabs(f->severity_share - 0.25 * 3 / 4) < 1e-12);
	assert_int_equal(r->nnotes, 0);
	buf_free(&b);
	report_free(r);
	app_parts_free(top);
	app_parts_free(all);
}

static void same_bytes(const struct report *a, const struct report *b)
{
	struct buf x = BUF_INIT, y = BUF_INIT;

	report_encode(a, &x);
	report_encode(b, &y);
	assert_int_equal(x.len, y.len);
	assert_memory_equal(x.data, y.data, x.len);
	buf_free(&x);
	buf_free(&y);
}

static void order_and_tree_never_show(void **state)
{
	static const int orders[][5] = { { 0, 1, 2, 3, 4 }, { 4, 3, 2, 1, 0 }, { 2, 4, 0, 3, 1 } };
	struct world *w = *state;
	struct app_parts *first = merged(w, orders[0], 5);
	struct report *want = judged(w, first, 5);

	for (int o = 0; o < 3; o++)
		for (int cut = 0; cut <= 5; cut++) {    /* two nodes, then the master, by the wire */
			struct app_parts *left = merged(w, orders[o], cut);
			struct app_parts *right = merged(w, orders[o] + cut, 5 - cut);
			struct app_parts *top = app_parts_new(w->f.program, w->f.attributes);
			struct buf b = BUF_INIT;
			struct report *have;
			struct err err;

			app_parts_encode(right, &b);
			assert_int_equal(app_parts_merge_encoded(top, b.data, b.len, &err), 0);
			buf_clear(&b);
			app_parts_encode(left, &b);
			assert_int_equal(app_parts_merge_encoded(top, b.data, b.len, &err), 0);
			have = judged(w, top, 5);
			same_bytes(want, have);
			buf_free(&b);
			report_free(have);
			app_parts_free(left);
			app_parts_free(right);
			app_parts_free(top);
		}
	report_free(want);
	app_parts_free(first);
}

/* The subroutine work alone: its call holds, too, and is not asked for; nor is waiting, where
 * OfSlow holds. */
static void what_is_not_asked_for_is_not_reported(void **state)
{
	static const char text[] = "<sir language='C'>"
		FIXTURE_UNIT(2, "work", "work.c", 4, 60, "") "</sir>";
	struct world *w = *state;
	struct app_parts *all = app_parts_new(w->f.program, w->f.attributes);
	const struct report_finding *f;
	struct err err = { "" };
	struct sir_asked *asked = sir_asked_new("my.sir", text, sizeof text - 1, &err);
	struct report *r;

	assert_int_equal(asked ? sir_asked_match(asked, w->f.sir, &err) : -1, 0);
	for (int i = 0; i < 4; i++) {
		struct search s;

		w->measured[i]->asked = asked;
		assert_int_equal(search_run(&s, w->measured[i], w->f.program, w->f.attributes,
			strategy_find(STRATEGY_SHARE), 0.8), 0);
		assert_int_equal(app_parts_take(all, &s), 0);
		search_free(&s);
		w->measured[i]->asked = NULL;
	}
	r = judged(w, all, 4);
	f = find(r, "Uneven", "work");
	assert_int_equal(f->path[f->npath - 1].type, REGION_SUB);
	assert_int_equal(f->npath, 3);
	assert_non_null(find(r, "OfSlow", "work"));
	assert_null(find(r, "OfSlow", "wait"));
	assert_null(tested(r, "Uneven", "wait"));
	assert_null(tested(r, "Uneven", "log"));
	report_free(r);
	app_parts_free(all);
	sir_asked_free(asked);
}

static void damaged_parts_are_refused(void **state)
{
	struct world *w = *state;
	struct app_parts *all = merged(w, (int[]){ 0, 1, 2, 3 }, 4), *into;
	struct buf b = BUF_INIT;
	struct err err;
	int refused = 0;

	app_parts_encode(all, &b);
	for (size_t n = 0; n < b.len; n++) {
		into = app_parts_new(w->f.program, w->f.attributes);
		assert_int_equal(app_parts_merge_encoded(into, b.data, n, &err), -1);
		assert_int_equal(into->nplaces, 0);
		app_parts_free(into);
	}
	for (size_t at = 0; at < b.len; at++) {         /* refused, or harmless */
		struct report *r;

		b.data[at] = (char)(b.data[at] ^ 0x55);
		into = app_parts_new(w->f.program, w->f.attributes);
		if (app_parts_merge_encoded(into, b.data, b.len, &err)) {
			refused++;
		} else {
			r = judged(w, into, 4);
			report_free(r);
		}
		b.data[at] = (char)(b.data[at] ^ 0x55);
		app_parts_free(into);
	}
	assert_true(refused > 100);
	buf_free(&b);
	app_parts_free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_uneven_region_is_found_where_it_is),
		cmocka_unit_test(refinement_is_of_all_or_of_one_process),
		cmocka_unit_test(what_is_small_or_unknown_is_told),
		cmocka_unit_test(only_equal_executions_are_joined),
		cmocka_unit_test(what_arrived_first_does_not_matter),
		cmocka_unit_test(a_rate_times_a_time_is_an_index_and_lost_time_is_none),
		cmocka_unit_test(one_process_is_even),
		cmocka_unit_test(processes_of_one_rank_are_two),
		cmocka_unit_test(order_and_tree_never_show),
		cmocka_unit_test(what_is_not_asked_for_is_not_reported),
		cmocka_unit_test(damaged_parts_are_refused),
	};

	return cmocka_run_group_tests_name("app_parts", tests, set_up, tear_down);
}
