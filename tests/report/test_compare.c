/* SPDX-License-Identifier: BSD-3-Clause */
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

#include "report/gate/check.h"
#include "report/compare/compare.h"
#include "report/compare/compare_rows.h"
#include "tests/report/json.h"
#include "tests/report/sample.h"

#define PHASE "a.c:main/loop 1"
#define LOOP PHASE " > a.c:f/loop 1"

/* --- reports by hand ------------------------------------------------------------------------- */

static void add_cost(struct report *r, const char *region, const char *structure, const char *declared,
	double l1, double est)
{
	r->costs[r->ncosts++] = (struct report_cost){ .region = region, .structure = structure,
		.declared = declared, .file = "a.c", .line = 9, .type = REGION_LOOP, .time = NAN, .accesses = 8 * l1,
		.misses = { l1, l1 / 2, NAN, NAN }, .errors = { NAN, NAN, NAN, NAN }, .coherence = 0,
		.est_stall = est, .est_stall_low = 0.9 * est, .est_stall_high = 1.1 * est };
}

static struct report_node node(enum region_type type, const char *name, int line, const char *name_path)
{
	return (struct report_node){ .type = type, .name = name, .file = "a.c", .line = line,
		.name_path = name_path, .measure = NAN, .measure_error = NAN, .time = NAN };
}

/* A finding about a structure in f's loop, `by` lines further down than in the other version. */
static struct report_finding *add_finding(struct report *r, const char *property, const char *structure,
	const char *declared, int by)
{
	struct report_finding *f = &r->findings[r->nfindings++];
	struct report_node *path = arena_array(r->arena, 3, sizeof *path);
	static const struct rank_run zero;

	path[0] = node(REGION_LOOP, "", 30 + by, PHASE);
	path[0].phase = true;
	path[1] = node(REGION_LOOP, "", 9 + by, "a.c:f/loop 1");
	path[2] = node(REGION_DATA_STRUCTURE, structure, 3 + by, NULL);
	*f = (struct report_finding){ .property = property, .file = "memory.asl", .path = path, .npath = 3,
		.declared = declared, .est_stall_share = 0.3, .own_stall_share = NAN, .est_stall_low_share = 0.2,
		.est_stall_high_share = 0.4, .severity = 0.03, .severity_share = 0.3, .measure = 0.3, .confidence = 1,
		.coverage = 1, .kind = MISS_GATHER, .processes = &zero, .nruns = 1, .nprocesses = 1 };
	return f;
}

/* A report with structures x and y of that many misses in f's loop; moved by some lines. */
static struct report *make(double x, double y, int by)
{
	struct report *r = report_new();

	r->nprocs = r->nthreads = 1;
	r->machine = "small: L1, L2";
	r->cpu_time = 0.1;
	r->time_least = 0.09;
	r->time_most = 0.12;
	r->phase = node(REGION_LOOP, "", 30 + by, PHASE);
	r->findings = arena_array(r->arena, 8, sizeof *r->findings);
	r->costs = arena_array(r->arena, 8, sizeof *r->costs);
	add_cost(r, PHASE, NULL, NULL, x + y, (x + y) * 1e-6);
	if (x > 0)
		add_cost(r, PHASE, "x", by ? "a.c:13" : "a.c:3", x, x * 1e-6);
	add_cost(r, PHASE, "y", by ? "a.c:14" : "a.c:4", y, y * 1e-6);
	add_cost(r, LOOP, NULL, NULL, x + y, (x + y) * 1e-6);
	if (x > 0)
		add_cost(r, LOOP, "x", by ? "a.c:13" : "a.c:3", x, x * 1e-6);
	add_cost(r, LOOP, "y", by ? "a.c:14" : "a.c:4", y, y * 1e-6);
	r->ncosts = report_costs_join(r->arena, r->costs, r->ncosts);
	return r;
}

static struct compare compared(const struct report *a, const struct report *b)
{
	struct compare c;
	struct err err;

	if (compare_reports(&c, a, "a.psc", b, "b.psc", &err))
		fail_msg("%s", err.text);
	return c;
}

/* --- keys and costs -------------------------------------------------------------------------- */

static void ranges_have_a_unit_in_which_they_are_short(void **state)
{
	struct report_cost before = { .est_stall = 873e-6, .est_stall_low = 61.8e-6, .est_stall_high = 1068e-6 };
	struct report_cost after = { .est_stall = 0, .est_stall_low = 0, .est_stall_high = 279.906e-6 };
	struct report *a = make(1000, 500, 0), *b = make(1000, 500, 0);
	struct compare c = compared(a, b);
	struct compare_costs costs = { .before = &before, .after = &after };
	struct compare_cells cells;

	(void)state;
	assert_true(compare_figure_cells(&c, &costs, COMPARE_ESTIMATE, &cells));
	assert_string_equal(cells.before, "873 us (61.8-1068)");
	assert_string_equal(cells.after, "at most 280 us");
	compare_free(&c);
	report_free(a);
	report_free(b);
}

static void keys_join_regions_of_one_function(void **state)
{
	struct buf key = BUF_INIT;

	(void)state;
	report_key_extend(&key, "a.c:main/loop 1");
	report_key_extend(&key, "a.c:main/loop 1/call f 1");
	report_key_extend(&key, "a.c:f");
	report_key_extend(&key, "a.c:f/loop 2");
	assert_string_equal(buf_str(&key), "a.c:main/loop 1/call f 1 > a.c:f/loop 2");
	report_key_extend(&key, "a.c:f/loop 23");        /* a longer name, not a region inside */
	assert_string_equal(buf_str(&key), "a.c:main/loop 1/call f 1 > a.c:f/loop 2 > a.c:f/loop 23");
	report_key_extend(&key, NULL);
	assert_non_null(strstr(buf_str(&key), " > ?"));
	buf_free(&key);
}

static void costs_of_one_place_are_added_up(void **state)
{
	struct report *r = make(100, 10, 0);
	bool failed = false;

	(void)state;
	r->costs = arena_grow(r->arena, r->costs, 8 * sizeof *r->costs, 16 * sizeof *r->costs);
	add_cost(r, LOOP, "x", "a.c:3", 50, 1e-5);
	r->ncosts = report_costs_join(r->arena, r->costs, r->ncosts);
	assert_int_equal(r->ncosts, 6);
	assert_string_equal(r->costs[0].region, PHASE);
	assert_null(r->costs[0].structure);
	add_finding(r, "P", "x", "a.c:3", 0);
	assert_true(report_cost_of(r, &r->findings[0], &failed)->misses[0] == 150);
	assert_true(isnan(report_cost_of(r, &r->findings[0], &failed)->misses[2]));
	r->findings[0].declared = "a.c:5";
	assert_null(report_cost_of(r, &r->findings[0], &failed));
	report_free(r);
}

static void a_property_file_keeps_costs_and_name_paths(void **state)
{
	char file[] = "/tmp/psc-compare-XXXXXX";
	struct report *r = make(100, 10, 0), *back;
	int fd = mkstemp(file);
	struct err err;
	struct compare c;

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	add_finding(r, "P", "x", "a.c:3", 0);
	assert_int_equal(report_psc_write(r, file, NULL), 0);
	back = report_psc_read(file, &err);
	unlink(file);
	assert_non_null(back);
	assert_int_equal(back->ncosts, r->ncosts);
	for (int i = 0; i < r->ncosts; i++) {
		assert_int_equal(report_cost_compare(&r->costs[i], &back->costs[i]), 0);
		assert_true(r->costs[i].misses[1] == back->costs[i].misses[1]);
		assert_true(isnan(back->costs[i].misses[2]));
	}
	c = compared(r, back);
	assert_int_equal(c.count[COMPARE_SAME], 1);
	compare_free(&c);
	report_free(back);
	report_free(r);
}

/* --- comparing ------------------------------------------------------------------------------- */

static void moved_lines_change_nothing(void **state)
{
	struct report *a = make(100, 10, 0), *b = make(100, 10, 10);
	struct compare c;

	(void)state;
	add_finding(a, "P", "x", "a.c:3", 0);
	add_finding(a, "Q", "y", "a.c:4", 0);
	add_finding(b, "P", "x", "a.c:13", 10);
	add_finding(b, "Q", "y", "a.c:14", 10);
	c = compared(a, b);
	assert_int_equal(c.nfindings, 2);
	assert_int_equal(c.count[COMPARE_SAME], 2);
	for (int i = 0; i < c.nstructures; i++)
		assert_int_equal(c.structures[i].state, COMPARE_SAME);
	assert_int_equal(c.nstructures, 3);
	assert_true(c.exact);
	compare_free(&c);
	report_free(a);
	report_free(b);
}

static enum compare_state state_of(const struct compare *c, const char *property)
{
	for (int i = 0; i < c->nfindings; i++) {
		const struct report_finding *f = c->findings[i].before ? c->findings[i].before : c->findings[i].after;

		if (strcmp(f->property, property) == 0)
			return c->findings[i].state;
	}
	fail_msg("no finding %s", property);
	return COMPARE_SAME;
}

static void a_finding_that_one_report_lists_is_judged_by_costs(void **state)
{
	struct report *a = make(100, 100, 0), *b = make(40, 100, 0);
	struct compare c;

	(void)state;
	add_finding(a, "Gone", "x", "a.c:3", 0);        /* misses more than halved */
	add_finding(a, "Unlisted", "y", "a.c:4", 0);    /* the same costs, in both */
	add_finding(b, "Unlisted too", "y", "a.c:4", 0);
	c = compared(a, b);
	assert_int_equal(state_of(&c, "Gone"), COMPARE_GONE);
	assert_int_equal(state_of(&c, "Unlisted"), COMPARE_SAME);
	assert_int_equal(state_of(&c, "Unlisted too"), COMPARE_SAME);
	compare_free(&c);
	c = compared(b, a);
	assert_int_equal(state_of(&c, "Gone"), COMPARE_NEW);
	compare_free(&c);
	report_free(b);
	b = make(0, 100, 0);    /* x is not accessed any more */
	c = compared(a, b);
	assert_int_equal(state_of(&c, "Gone"), COMPARE_GONE);
	assert_int_equal(c.structures[1].state, COMPARE_GONE);
	compare_free(&c);
	report_free(b);
	b = make(80, 100, 0);
	c = compared(a, b);
	assert_int_equal(state_of(&c, "Gone"), COMPARE_CHANGED);
	compare_free(&c);
	report_free(a);
	report_free(b);
}

static void another_function_is_gone_and_new(void **state)
{
	struct report *a = make(100, 100, 0), *b = make(100, 100, 0);
	struct report_node *n;
	struct compare c;

	(void)state;
	add_finding(a, "P", "x", "a.c:3", 0);
	n = (struct report_node *)&add_finding(b, "P", "x", "a.c:3", 0)->path[1];
	n->name_path = "a.c:g/loop 1";
	for (int i = 0; i < b->ncosts; i++)
		if (strcmp(b->costs[i].region, LOOP) == 0)
			b->costs[i].region = PHASE " > a.c:g/loop 1";
	c = compared(a, b);
	assert_int_equal(c.count[COMPARE_GONE], 1);
	assert_int_equal(c.count[COMPARE_NEW], 1);
	compare_free(&c);
	report_free(a);
	report_free(b);
}

static void a_phase_with_another_number_is_noted_but_compared(void **state)
{
	struct report *a = make(100, 100, 0), *b = make(100, 100, 0);
	struct report_node *n;
	struct compare c;

	(void)state;
	add_finding(a, "P", "x", "a.c:3", 0);
	n = (struct report_node *)&add_finding(b, "P", "x", "a.c:3", 0)->path[0];
	n->name_path = b->phase.name_path = "a.c:main/loop 2";
	for (int i = 0; i < b->ncosts; i++)
		b->costs[i].region = b->costs[i].region[strlen(PHASE)] ? "a.c:main/loop 2 > a.c:f/loop 1" :
			"a.c:main/loop 2";
	c = compared(a, b);
	assert_int_equal(c.count[COMPARE_SAME], 1);
	assert_int_equal(c.nnotes, 1);
	assert_non_null(strstr(c.notes[0], "the phases differ: a.c:main/loop 1, a.c:main/loop 2"));
	compare_free(&c);
	report_free(a);
	report_free(b);
}

static void noise_is_no_difference(void **state)
{
	struct report *a = make(1000, 1000, 0), *b = make(1001, 1000, 0);
	struct compare c = compared(a, b);

	(void)state;
	assert_int_equal(c.structures[0].state, COMPARE_LITTLE_CHANGED);        /* exact: one miss counts */
	compare_free(&c);
	for (int i = 0; i < b->ncosts; i++)
		b->costs[i].errors[0] = b->costs[i].errors[1] = 30;
	b->sampled = "1 in 8";
	for (int i = 0; i < b->ncosts; i++)     /* accesses are exact in a sample */
		b->costs[i].accesses = a->costs[i].accesses;
	c = compared(a, b);
	for (int i = 0; i < c.nstructures; i++)
		assert_int_equal(c.structures[i].state, COMPARE_SAME);
	assert_false(c.exact);
	compare_free(&c);
	report_free(b);
	b = make(1040, 1000, 0);
	a->nthreads = b->nthreads = 2;
	c = compared(a, b);
	assert_int_equal(c.structures[0].state, COMPARE_SAME);
	compare_free(&c);
	report_free(b);
	b = make(1500, 1000, 0);
	b->nthreads = 2;
	c = compared(a, b);
	assert_int_equal(c.structures[0].state, COMPARE_CHANGED);
	compare_free(&c);
	report_free(a);
	report_free(b);
}

static void times_that_meet_do_not_differ(void **state)
{
	struct report *a = make(10, 10, 0), *b = make(10, 10, 0);
	struct compare c = compared(a, b);

	(void)state;
	assert_false(compare_time_differs(&c));
	b->time_least = 0.05;
	b->time_most = 0.089;
	assert_true(compare_time_differs(&c));
	a->time_least = a->time_most = NAN;
	assert_false(compare_time_differs(&c));
	compare_free(&c);
	report_free(a);
	report_free(b);
}

static void an_execution_that_was_held_up_hides_no_gain(void **state)
{
	struct report *a = make(10, 10, 0), *b = make(10, 10, 0);
	struct compare c = compared(a, b);

	(void)state;
	b->cpu_time = 0.05;
	b->time_least = 0.049;
	b->time_most = 0.14;            /* one of them */
	a->time_spread = b->time_spread = 0.1;
	assert_true(compare_time_differs(&c));          /* 100 +- 20 ms and 50 +- 10 ms */
	b->time_spread = 0.3;
	a->time_spread = 0.15;
	assert_false(compare_time_differs(&c));         /* 100 +- 30 and 50 +- 30 */
	a->time_spread = b->time_spread = 0.001;
	b->cpu_time = 0.097;
	assert_false(compare_time_differs(&c));         /* less than what layout and luck make */
	b->cpu_time = 0.05;
	b->time_spread = NAN;
	assert_false(compare_time_differs(&c));
	compare_free(&c);
	report_free(a);
	report_free(b);
}

static void an_old_file_is_compared_as_far_as_it_goes(void **state)
{
	struct report *a = sample_lu(), *b = sample_lu();
	struct compare c = compared(a, b);

	(void)state;
	assert_int_equal(c.nstructures, 0);
	assert_int_equal(c.count[COMPARE_GONE] + c.count[COMPARE_NEW], 0);
	assert_non_null(strstr(c.notes[0], "has no costs of regions"));
	compare_free(&c);
	report_free(a);
	report_free(b);
}

/* Names with everything that must be escaped, in every form. */
static void hostile_names_survive(void **state)
{
	struct report *a = make(100, 100, 0), *b = make(40, 100, 0);
	struct report_style style = { .width = 80 };
	struct buf out = BUF_INIT;
	struct compare c;

	(void)state;
	add_finding(a, SAMPLE_NASTY, SAMPLE_NASTY, NULL, 0);
	((struct report_node *)a->findings[0].path)[1].file = SAMPLE_NASTY;
	c = compared(a, b);
	compare_text(&c, &style, &out);
	style.part = REPORT_SHORT;
	compare_text(&c, &style, &out);
	assert_null(strchr(buf_str(&out), '\x1b'));
	buf_clear(&out);
	compare_markdown(&c, &style, &out);
	assert_null(strstr(buf_str(&out), "a<b>"));
	assert_null(strchr(buf_str(&out), '\x1b'));
	assert_non_null(strstr(buf_str(&out), "a&#60;b&#62;&#38;\"c'\\\\d,??\\[31m?\xc3\xa4  e\\]\\]&#62;--"));
	buf_clear(&out);
	compare_json(&c, &out);
	assert_null(json_fault(buf_str(&out), out.len));
	buf_free(&out);
	compare_free(&c);
	report_free(a);
	report_free(b);
}

/* --- limits ---------------------------------------------------------------------------------- */

static void wrong_conditions_are_located(void **state)
{
	static const struct { const char *text, *says; } wrong[] = {
		{ "l9_misses > 3", "column 1: no figure 'l9_misses' here; did you mean 'l1_misses'?\n  l9_misses > 3\n  ^" },
		{ "l2_misses >", "column 12: a figure, a number or a text" },
		{ "l2_misses 3", "column 11: a comparison is expected" },
		{ "l2_misses > 3 & 4", "column 15: the end, && or ||" },
		{ "(l2_misses > 3", "column 15: a closing parenthesis" },
		{ "kind < \"a\"", "column 6: texts compare with" },
		{ "kind == 3", "column 6: a text and a number" },
		{ "kind == \"a", "column 9: this text does not end" },
		{ "structure a l2_misses > 3", "column 13: a colon is expected" },
		{ "structure : l2_misses > 3", "column 11: the name of a data structure" },
		{ "l1_misses > 3x", "column 14: a number ends in" },
		{ "structure a: severity > 3", "column 14: no figure 'severity' here" },
		{ "", "column 1:" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct arena *arena = arena_new();
		struct err err = { "" };

		if (condition_parse(wrong[i].text, arena, &err))
			fail_msg("'%s' is accepted", wrong[i].text);
		if (!strstr(err.text, wrong[i].says))
			fail_msg("'%s': %s", wrong[i].text, err.text);
		arena_free(arena);
	}
}

static void deep_and_long_conditions_are_refused(void **state)
{
	struct arena *arena = arena_new();
	char text[400];
	struct err err;

	(void)state;
	memset(text, '(', sizeof text);
	text[200] = '\0';
	assert_null(condition_parse(text, arena, &err));
	assert_non_null(strstr(err.text, "too many parentheses"));
	memset(text, '!', 200);
	assert_null(condition_parse(text, arena, &err));
	memset(text, ' ', sizeof text);
	text[399] = '\0';
	assert_null(condition_parse(text, arena, &err));
	assert_non_null(strstr(err.text, "at most"));
	arena_free(arena);
}

/* Runs limits; returns the state, or -1 where one cannot be tested. */
static int checked(struct report *r, const struct compare *baseline, double worse_by, const char *hard,
	const char *soft, struct err *err)
{
	struct arena *arena = arena_new();
	struct check_limit limits[3];
	struct check c = { .report = r, .name = "r.psc", .limits = limits, .baseline = baseline };
	int rc;

	if (hard)
		limits[c.nlimits++] = (struct check_limit){ .text = hard, .hard = true,
			.condition = condition_parse(hard, arena, err) };
	if (soft)
		limits[c.nlimits++] = (struct check_limit){ .text = soft, .condition = condition_parse(soft, arena, err) };
	if (baseline)
		limits[c.nlimits++] = (struct check_limit){ .text = "worse", .hard = true, .worse_by = worse_by };
	rc = check_run(&c, err) ? -1 : (int)check_state(&c);
	check_free(&c);
	arena_free(arena);
	return rc;
}

static void conditions_say_what_they_mean(void **state)
{
	static const struct { const char *text; int state; } cases[] = {
		{ "est_stall_share > 0.1", CHECK_FAILED },
		{ "est_stall_share > 30%", CHECK_PASSED },
		{ "est_stall_share >= 30%", CHECK_FAILED },
		{ "kind == \"gather\" && l1_misses > 50", CHECK_FAILED },
		{ "kind == 'stream' || l1_misses < 50", CHECK_PASSED },
		{ "!(kind == 'stream') && structure == 'x'", CHECK_FAILED },
		{ "structure == 'y'", CHECK_PASSED },
		{ "line == 3 && file == 'a.c'", CHECK_FAILED },
		{ "structure x: l1_misses > 0.1k", CHECK_PASSED },
		{ "structure x: l1_misses > 99", CHECK_FAILED },
		{ "structure *: est_stall > 99us", CHECK_FAILED },
		{ "structure \"x\": l2_misses == 50", CHECK_FAILED },
		{ "phase: l1_misses != 110", CHECK_PASSED },
		{ "phase: cpu_time > 99ms && nthreads == 1", CHECK_FAILED },
		/* && binds stronger; what is false whatever the unknown is, is false */
		{ "l1_misses == 100 || l1_misses == 1 && l1_misses == 2", CHECK_FAILED },
		{ "phase: l3_misses > 1 && l1_misses == 0", CHECK_PASSED },
		{ "phase: l3_misses > 1 || l1_misses == 110", CHECK_FAILED },
	};
	struct report *r = make(100, 10, 0);
	struct err err;

	(void)state;
	add_finding(r, "P", "x", "a.c:3", 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int got = checked(r, NULL, 0, cases[i].text, NULL, &err);

		if (got != cases[i].state)
			fail_msg("'%s': %d, not %d", cases[i].text, got, cases[i].state);
	}
	assert_int_equal(checked(r, NULL, 0, NULL, "l1_misses > 1", &err), CHECK_WARNED);
	report_free(r);
}

static void a_limit_that_cannot_be_tested_does_not_pass(void **state)
{
	struct report *r = make(100, 10, 0), *old = sample_lu();
	struct err err;

	(void)state;
	assert_int_equal(checked(r, NULL, 0, "structure z: l1_misses > 1", NULL, &err), -1);
	assert_non_null(strstr(err.text, "does not access a data structure 'z'"));
	assert_int_equal(checked(r, NULL, 0, "phase: l3_misses > 1", NULL, &err), -1);
	assert_non_null(strstr(err.text, "not measured"));
	assert_int_equal(checked(old, NULL, 0, "structure *: l1_misses > 1", NULL, &err), -1);
	assert_non_null(strstr(err.text, "has no costs"));
	/* no finding at all keeps a limit of findings */
	assert_int_equal(checked(r, NULL, 0, "l1_misses > 1", NULL, &err), CHECK_PASSED);
	report_free(r);
	report_free(old);
}

static void a_baseline_limits_counts(void **state)
{
	struct report *a = make(10000, 1000, 0), *b = make(11500, 1000, 10), *other;
	struct compare c = compared(a, b);
	struct err err;

	(void)state;
	assert_int_equal(checked(b, &c, 0.1, NULL, NULL, &err), CHECK_FAILED);
	assert_int_equal(checked(b, &c, 0.2, NULL, NULL, &err), CHECK_PASSED);
	compare_free(&c);
	c = compared(b, a);     /* better is not worse */
	assert_int_equal(checked(a, &c, 0, NULL, NULL, &err), CHECK_PASSED);
	compare_free(&c);
	other = make(10000, 1100, 0);   /* 10 % of y, but 0.9 % of the phase */
	c = compared(a, other);
	assert_int_equal(checked(other, &c, 0.05, NULL, NULL, &err), CHECK_PASSED);
	compare_free(&c);
	other->machine = "other";
	c = compared(a, other);
	assert_int_equal(checked(other, &c, 0.05, NULL, NULL, &err), -1);
	assert_non_null(strstr(err.text, "different machines"));
	compare_free(&c);
	other->machine = a->machine;
	other->nthreads = 2;
	c = compared(a, other);
	assert_int_equal(checked(other, &c, 0.05, NULL, NULL, &err), -1);
	assert_non_null(strstr(err.text, "threads"));
	compare_free(&c);
	report_free(a);
	report_free(b);
	report_free(other);
}

static void results_of_hostile_names_are_well_formed(void **state)
{
	struct report *r = make(100, 10, 0);
	struct arena *arena = arena_new();
	struct check_limit limit = { .text = "l1_misses > 1 || property == \"<&'\"", .hard = true };
	struct check c = { .report = r, .name = SAMPLE_NASTY, .limits = &limit, .nlimits = 1 };
	struct buf out = BUF_INIT;
	struct err err;

	(void)state;
	r->costs[1].structure = SAMPLE_NASTY;
	add_finding(r, SAMPLE_NASTY, "x", "a.c:3", 0);
	((struct report_node *)r->findings[0].path)[1].file = SAMPLE_NASTY;
	limit.condition = condition_parse(limit.text, arena, &err);
	assert_non_null(limit.condition);
	assert_int_equal(check_run(&c, &err), 0);
	assert_int_equal(c.nhits, 1);
	check_sarif(&c, &out);
	assert_null(json_fault(buf_str(&out), out.len));
	assert_non_null(strstr(buf_str(&out), "\"uri\": \"a%3Cb%3E%26%22c%27%5Cd%2C%01%1B%5B31m%FF%C3%A4%0A%09e"));
	buf_clear(&out);
	check_junit(&c, &out);
	assert_non_null(strstr(buf_str(&out), "name=\"a&lt;b&gt;&amp;&quot;c"));
	assert_null(strchr(buf_str(&out), '\x1b'));
	assert_null(strstr(buf_str(&out), "<b>"));
	buf_clear(&out);
	check_markdown(&c, &out);
	assert_null(strstr(buf_str(&out), "a<b>"));
	assert_null(strchr(buf_str(&out), '\x1b'));
	buf_free(&out);
	check_free(&c);
	arena_free(arena);
	report_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_have_a_unit_in_which_they_are_short),
		cmocka_unit_test(keys_join_regions_of_one_function),
		cmocka_unit_test(costs_of_one_place_are_added_up),
		cmocka_unit_test(a_property_file_keeps_costs_and_name_paths),
		cmocka_unit_test(moved_lines_change_nothing),
		cmocka_unit_test(a_finding_that_one_report_lists_is_judged_by_costs),
		cmocka_unit_test(another_function_is_gone_and_new),
		cmocka_unit_test(a_phase_with_another_number_is_noted_but_compared),
		cmocka_unit_test(noise_is_no_difference),
		cmocka_unit_test(times_that_meet_do_not_differ),
		cmocka_unit_test(an_execution_that_was_held_up_hides_no_gain),
		cmocka_unit_test(an_old_file_is_compared_as_far_as_it_goes),
		cmocka_unit_test(hostile_names_survive),
		cmocka_unit_test(wrong_conditions_are_located),
		cmocka_unit_test(deep_and_long_conditions_are_refused),
		cmocka_unit_test(conditions_say_what_they_mean),
		cmocka_unit_test(a_limit_that_cannot_be_tested_does_not_pass),
		cmocka_unit_test(a_baseline_limits_counts),
		cmocka_unit_test(results_of_hostile_names_are_well_formed),
	};

	return cmocka_run_group_tests_name("comparing and limits", tests, NULL, NULL);
}
