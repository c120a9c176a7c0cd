/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the limits of a report. */
#include "report/gate/check.h"

#include <math.h>
#include <string.h>

#include "base/text_same.h"
#include "report/compare/compare_rows.h"
#include "report/model/figures.h"

enum check_state check_limit_state(const struct check_limit *limit)
{
	return !limit->exceeded ? CHECK_PASSED : limit->hard ? CHECK_FAILED : CHECK_WARNED;
}

enum check_state check_state(const struct check *c)
{
	enum check_state worst = CHECK_PASSED;

	for (int i = 0; i < c->nlimits; i++)
		if (check_limit_state(&c->limits[i]) > worst)
			worst = check_limit_state(&c->limits[i]);
	return worst;
}

const char *check_state_name(enum check_state state)
{
	static const char *const names[] = { "passed", "warned", "failed" };

	return names[state];
}

/* --- hits ------------------------------------------------------------------------------------ */

/* Adds a hit; message is emptied.  0 / -1 (memory). */
static int add_hit(struct check *c, const struct check_limit *limit, struct check_hit hit,
	struct buf *message)
{
	struct check_hit *grown = arena_grow(c->arena, c->hits, (size_t)c->nhits * sizeof *grown,
		((size_t)c->nhits + 1) * sizeof *grown);
	bool failed = message->failed;

	hit.limit = (int)(limit - c->limits);
	hit.message = arena_strdup(c->arena, buf_str(message));
	buf_free(message);
	if (!grown || failed || !hit.message || !hit.what || !hit.key)
		return -1;
	c->hits = grown;
	c->hits[c->nhits++] = hit;
	return 0;
}

/* Tests a condition on one subject and adds a hit.  0 / -1 (memory). */
static int test_one(struct check *c, struct check_limit *limit, const struct condition_subject *s,
	struct check_hit hit)
{
	enum condition_truth truth = condition_test(limit->condition, s);
	struct buf message = BUF_INIT;

	limit->tested++;
	limit->unknown += truth == CONDITION_UNKNOWN;
	limit->exceeded += truth == CONDITION_TRUE;
	if (truth != CONDITION_TRUE)
		return 0;
	condition_figures(limit->condition, s, &message);
	return add_hit(c, limit, hit, &message);
}

/* --- conditions ------------------------------------------------------------------------------ */

/* The line with most misses, if it is in the file of the finding's place, which is named without
 * its directories; else that of the place. */
static int line_of(const struct report_finding *f, const struct compare_label *l)
{
	size_t n = f->source ? strlen(f->source) : 0, m = strlen(l->file);
	bool there = m && n > m && f->source[n - m - 1] == '/' &&
		strcmp(f->source + n - m, l->file) == 0;

	return there && f->place_line > 0 ? f->place_line : l->line;
}

static int test_finding(struct check *c, struct check_limit *limit, const struct report_finding *f)
{
	const struct report_node *n = report_place(f);
	bool failed = false;
	struct condition_subject s = { { n, f, report_cost_of(c->report, f, &failed) }, "" };
	struct compare_finding only = { .after = f };
	struct compare_label l;
	struct check_hit hit = { 0 };
	struct buf key = BUF_INIT;
	int rc;

	compare_label(&only, &l);
	s.structure = l.structure;
	hit.what = arena_printf(c->arena, "%s%s%s, %s:%d", l.property, *l.structure ? " of " : "",
		l.structure, l.file, line_of(f, &l));
	hit.file = l.file;
	hit.line = line_of(f, &l);
	report_finding_key(f, &key);
	hit.key = arena_printf(c->arena, "%s; %s; %s", l.property, buf_str(&key), l.structure);
	rc = key.failed || failed ? -1 : test_one(c, limit, &s, hit);
	buf_free(&key);
	return rc;
}

/* "problem 1 (strided), a, b, heat.c:20" */
static int test_problem(struct check *c, struct check_limit *limit, const struct report_problem *p)
{
	struct condition_subject s = { { p, NULL, NULL }, "" };
	struct check_hit hit = { .file = p->file, .line = p->line, .key = p->key };
	struct buf names = BUF_INIT;
	int rc;

	for (int i = 0; i < p->nstructures; i++)
		buf_printf(&names, ", %s", report_own_name(report_place(p->structures[i])));
	hit.what = names.failed ? NULL : arena_printf(c->arena, "problem %d (%s)%s, %s:%d",
		p->number, p->cause, buf_str(&names), p->file, p->line);
	rc = test_one(c, limit, &s, hit);
	buf_free(&names);
	return rc;
}

static int test_phase(struct check *c, struct check_limit *limit)
{
	const struct report *r = c->report;
	struct condition_subject s = { { r, r, r->ncosts ? &r->costs[0] : NULL }, "" };
	struct check_hit hit = { .what = "the phase", .file = r->phase.file, .line = r->phase.line,
		.key = "phase" };

	return test_one(c, limit, &s, hit);
}

/* The place of a structure: its declaration, "file:line"; else that of the phase. */
static void place_structure(struct check *c, const struct report_cost *cost, struct check_hit *hit)
{
	const char *colon = cost->declared ? strrchr(cost->declared, ':') : NULL;
	char *file = colon ? arena_strndup(c->arena, cost->declared,
		(size_t)(colon - cost->declared)) : NULL;

	if (colon && !file)
		hit->key = NULL;        /* memory: add_hit() fails */
	hit->file = file ? file : c->report->phase.file;
	hit->line = file ? 0 : c->report->phase.line;
	for (const char *digit = colon; file && *++digit >= '0' && *digit <= '9' &&
	     hit->line < 100000000; )
		hit->line = hit->line * 10 + (*digit - '0');
}

/* Names the structure, or all memory, of a cost of the whole phase. */
static struct check_hit hit_of(struct check *c, const struct report_cost *cost)
{
	struct check_hit hit = { .what = cost->structure ? cost->structure : "all memory" };

	hit.key = arena_printf(c->arena, "structure; %s; %s", hit.what, cost->scope ? cost->scope :
		"");
	place_structure(c, cost, &hit);
	return hit;
}

static int test_structures(struct check *c, struct check_limit *limit)
{
	const struct report *r = c->report;
	const char *wanted = limit->condition->structure;

	for (int i = 0; i < r->ncosts && strcmp(r->costs[i].region, r->costs[0].region) == 0; i++) {
		const struct report_cost *cost = &r->costs[i];
		struct condition_subject s = { { cost, NULL, NULL }, cost->structure };

		if (!cost->structure || (wanted && strcmp(wanted, cost->structure) != 0))
			continue;
		if (test_one(c, limit, &s, hit_of(c, cost)))
			return -1;
	}
	return 0;
}

/* A limit that nothing was compared with must not pass. */
static int check_tested(const struct check *c, const struct check_limit *limit, struct err *err)
{
	const char *structure = limit->condition->structure;

	if (limit->condition->scope >= SCOPE_PHASE && !c->report->ncosts && !limit->tested)
		return err_set(err, "%s has no costs of data structures (accesses were lost): "
			"'%s' cannot be tested", c->name, limit->text);
	if (structure && !limit->tested)
		return err_set(err,
			"%s: the phase does not access a data structure '%s': '%s' cannot be tested", c->name, structure, limit->text);
	if (limit->tested && limit->unknown == limit->tested)
		return err_set(err, "%s: '%s' cannot be tested: its figures were not measured",
			c->name, limit->text);
	return 0;
}

static int test_condition(struct check *c, struct check_limit *limit, struct err *err)
{
	int rc = 0;

	switch (limit->condition->scope) {
	case SCOPE_FINDING:
		for (int i = 0; i < c->report->nfindings && !rc; i++)
			rc = test_finding(c, limit, &c->report->findings[i]);
		break;
	case SCOPE_PROBLEM:
		for (int i = 0; i < c->report->problems.n && !rc; i++)
			rc = test_problem(c, limit, &c->report->problems.problem[i]);
		break;
	case SCOPE_PHASE:
		rc = test_phase(c, limit);
		break;
	default:
		rc = test_structures(c, limit);
	}
	return rc ? err_nomem(err) : check_tested(c, limit, err);
}

/* --- the baseline ---------------------------------------------------------------------------- */

static double largest(const struct compare_costs *costs, int figure)
{
	double a = compare_figure(costs->before, figure), b = compare_figure(costs->after, figure);

	return b > a || isnan(a) ? b : a;
}

static bool is_worse(const struct check *c, const struct compare_costs *s, int figure, double by)
{
	const struct compare_costs *whole = &c->baseline->structures[0];
	double a = compare_figure(s->before, figure), b = compare_figure(s->after, figure);
	double more = b - a;

	return compare_figure_differs(c->baseline, s, figure) && more > by * a &&
		more > CHECK_FLOOR * largest(whole, figure) &&
		more > CHECK_FLOOR_MISSES * largest(whole, 1);
}

static int test_worse(struct check *c, struct check_limit *limit, const struct compare_costs *s)
{
	struct compare_cells cells;
	struct buf message = BUF_INIT;

	for (int i = 1; i < COMPARE_FIGURES; i++)
		if (is_worse(c, s, i, limit->worse_by) && compare_figure_cells(c->baseline, s, i,
		    &cells))
			buf_printf(&message, "%s%s %s -> %s (%s)", message.len ? "; " : "",
				cells.name, cells.before, cells.after, cells.change);
	limit->tested++;
	if (!message.len && !message.failed) {
		buf_free(&message);
		return 0;
	}
	limit->exceeded++;
	return add_hit(c, limit, hit_of(c, s->after), &message);
}

/* Counts of different machines, threads or phases differ by that alone. */
static int check_comparable(const struct compare *b, struct err *err)
{
	const struct report *x = b->before, *y = b->after;

	if (!x->ncosts || !y->ncosts)
		return err_set(err, "%s has no costs of data structures (accesses were lost)",
			x->ncosts ? b->after_name : b->before_name);
	if (!text_same(x->machine, y->machine))
		return err_set(err,
			"%s and %s are of different machines (%s; %s): analyse both with one --machine", b->before_name, b->after_name, x->machine ? x->machine : "unknown",
			y->machine ? y->machine : "unknown");
	if (x->nprocs != y->nprocs || x->nthreads != y->nthreads)
		return err_set(err,
			"%s has %d processes and %d threads, %s %d and %d: their counts cannot be "
			"compared", b->before_name, x->nprocs, x->nthreads, b->after_name,
			y->nprocs, y->nthreads);
	return 0;
}

static int test_baseline(struct check *c, struct check_limit *limit, struct err *err)
{
	if (check_comparable(c->baseline, err))
		return -1;
	for (int i = 0; i < c->baseline->nstructures; i++) {
		const struct compare_costs *s = &c->baseline->structures[i];

		if (s->before && s->after && test_worse(c, limit, s))
			return err_nomem(err);
	}
	return 0;
}

int check_run(struct check *c, struct err *err)
{
	int rc = 0;

	c->arena = arena_new();
	c->hits = NULL;
	c->nhits = 0;
	if (!c->arena)
		return err_nomem(err);
	for (int i = 0; i < c->nlimits && !rc; i++)
		rc = c->limits[i].condition ? test_condition(c, &c->limits[i], err) :
			test_baseline(c, &c->limits[i], err);
	return rc;
}

void check_free(struct check *c)
{
	arena_free(c->arena);
	c->arena = NULL;
}
