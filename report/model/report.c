/* SPDX-License-Identifier: BSD-3-Clause */
/* Implements the model of a report: creation, total order. */
#include "report/model/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text_same.h"
#include "report/model/fields.h"
#include "report/model/figures.h"

struct report *report_new(void)
{
	struct arena *a = arena_new();
	struct report *r = a ? arena_alloc(a, sizeof *r) : NULL;

	if (!r) {
		arena_free(a);
		return NULL;
	}
	r->arena = a;
	fields_clear(report_fields, r);
	fields_clear(phase_fields, r);
	fields_clear(node_fields, &r->phase);
	return r;
}

void report_free(struct report *r)
{
	if (r)
		arena_free(r->arena);
}

bool report_of_paper(const struct report *r)
{
	return r->strategy == BY_PAPER;
}

bool report_terminal_links(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

double report_base_time(const struct report *r)
{
	return isnan(r->modelled_time) ? r->cpu_time : r->modelled_time;
}

const char *report_own_name(const struct report_node *n)
{
	return n->alias_of ? n->alias_of : n->name;
}

const char *report_shown_name(const struct report_node *n)
{
	return n->argument ? n->name : report_own_name(n);
}

const char *report_subroutine(const struct report_finding *f, int n)
{
	while (--n >= 0)
		if ((f->path[n].type == REGION_SUB || f->path[n].type == REGION_MAIN) &&
		    text_some(f->path[n].name))
			return f->path[n].name;
	return NULL;
}

bool report_explains(const struct report_finding *f)
{
	return f->why || f->advice;
}

bool report_own_property(const struct report_finding *f)
{
	return f->about == ABOUT_OWN;
}

/* A severity that is a time above the estimate's range is not memory's, unless threads take the
 * lines from each other, which the estimate does not know. */
bool report_about_memory(const struct report_finding *f)
{
	bool above = !f->severity_is_index && f->severity_share > f->est_stall_high_share;

	return !f->over_processes && f->kind && f->about == ABOUT_MEMORY &&
		!(f->est_stall_high_share <= 0) && (!above || !f->severity_is_time ||
		miss_kind_shares(f->kind) || report_place(f)->type == REGION_DATA_STRUCTURE);
}

const struct report_node *report_place(const struct report_finding *f)
{
	static const struct report_node unknown = { .name = "", .file = "" };

	return f->npath > 0 ? &f->path[f->npath - 1] : &unknown;
}

void report_ledger_total(const struct report *r, struct report_ledger *total)
{
	*total = (struct report_ledger){ .cause = LEDGER_ALL };
	for (int i = 0; i < r->nledger; i++) {
		const struct report_ledger *l = &r->ledger[i];

		if (isnan(l->accesses) || isnan(l->misses))
			total->cause = LEDGER_MEASURED;
		total->accesses += isnan(l->accesses) ? 0 : l->accesses;
		total->misses += isnan(l->misses) ? 0 : l->misses;
		total->misses_error += isnan(l->misses_error) ? 0 : l->misses_error;
	}
}

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_int(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

/* Larger first; NAN last. */
static int compare_down(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? !isnan(b) : -1;
	return a > b ? -1 : a < b;
}

/* Steps that are the same place, whatever was measured there: < 0, 0, > 0. */
static int compare_nodes(const struct report_node *a, const struct report_node *b)
{
	int c = compare_text(a->file, b->file);

	if (!c)
		c = compare_int(a->line, b->line);
	if (!c)
		c = compare_int(a->type, b->type);
	if (!c)
		c = compare_text(a->name, b->name);
	if (!c)
		c = compare_text(a->alias_of, b->alias_of);
	return c ? c : compare_text(a->scope, b->scope);
}

int report_path_compare(const struct report_node *a, int na, const struct report_node *b, int nb)
{
	for (int i = 0; i < na && i < nb; i++) {
		int c = compare_nodes(&a[i], &b[i]);

		if (c)
			return c;
	}
	return compare_int(na, nb);
}

int report_processes_compare(const struct report_finding *a, const struct report_finding *b)
{
	int c = ranks_compare(a->processes, a->nruns, b->processes, b->nruns);

	return c ? c : compare_int(a->nprocesses, b->nprocesses);
}

static int compare_series(const struct report_series *a, const struct report_series *b)
{
	int c = compare_int(a->n, b->n);

	for (int i = 0; i < a->n && !c; i++) {
		c = compare_int(a->point[i].at, b->point[i].at);
		c = c ? c : compare_int(a->point[i].value, b->point[i].value);
	}
	return c;
}

static int compare_field(const struct field *f, const void *a, const void *b)
{
	int c = 0;

	if (f->kind == FIELD_REAL)
		return compare_down(field_real(f, a), field_real(f, b));
	if (f->kind == FIELD_SERIES)
		return compare_series(field_series(f, a), field_series(f, b));
	if (!field_is_text(f))
		return compare_int(field_int(f, a), field_int(f, b));
	c = field_missing(f, a) - field_missing(f, b);
	return c ? c : compare_text(field_text(f, a), field_text(f, b));
}

int fields_compare(const struct field *table, const void *a, const void *b)
{
	int c = 0;

	for (const struct field *f = table; f->name && !c; f++)
		c = compare_field(f, a, b);
	return c;
}

int fields_compare_described(const struct field *table, const void *a, const void *b)
{
	int c = 0;

	for (const struct field *f = table; f->name && !c; f++)
		c = f->merge == MERGE_DESCRIBE ? compare_field(f, a, b) : 0;
	return c;
}

static int compare_uses(const struct report_finding *a, const struct report_finding *b)
{
	int c = compare_int(a->nuses, b->nuses);

	for (int i = 0; i < a->nuses && i < b->nuses && !c; i++)
		c = fields_compare(line_use_fields, &a->uses[i], &b->uses[i]);
	return c;
}

bool report_same_uses(const struct report_finding *a, const struct report_finding *b)
{
	return compare_uses(a, b) == 0;
}

/* Compares all remaining fields, so that the order is total over everything that is printed. */
static int compare_rest(const struct report_finding *a, const struct report_finding *b)
{
	int c = 0;

	for (const struct field *f = finding_fields; f->name && !c; f++) {
		if (field_is_text(f))
			c = compare_text(field_text(f, a), field_text(f, b));
		else if (f->kind == FIELD_REAL)
			c = compare_down(field_real(f, a), field_real(f, b));
		else
			c = compare_int(field_int(f, a), field_int(f, b));
	}
	for (int i = 0; i < a->npath && i < b->npath && !c; i++) {
		c = compare_down(a->path[i].measure, b->path[i].measure);
		if (!c)
			c = compare_down(a->path[i].time, b->path[i].time);
	}
	return c ? c : compare_uses(a, b);
}

static int compare_findings(const struct report_finding *a, const struct report_finding *b)
{
	int c = compare_down(a->severity_share, b->severity_share);

	if (!c)
		c = compare_down(a->confidence, b->confidence);
	if (!c)
		c = compare_nodes(report_place(a), report_place(b));
	if (!c)
		c = compare_text(a->property, b->property);
	if (!c)
		c = report_path_compare(a->path, a->npath, b->path, b->npath);
	if (!c)
		c = report_processes_compare(a, b);
	return c ? c : compare_rest(a, b);
}

int report_finding_compare(const struct report_finding *a, const struct report_finding *b)
{
	return compare_findings(a, b);
}

bool report_finding_describes_before(const struct report_finding *a, const struct report_finding *b)
{
	int c = compare_down(a->severity_max_share, b->severity_max_share);

	return (c ? c : compare_findings(a, b)) < 0;
}

int report_head_compare(const struct report *a, const struct report *b)
{
	int c = fields_compare(report_fields, a, b);

	if (!c)
		c = fields_compare(phase_fields, a, b);
	return c ? c : fields_compare(node_fields, &a->phase, &b->phase);
}

static int compare_in_place(const void *a, const void *b)
{
	return compare_findings(a, b);
}

static int compare_by_stall(const void *pa, const void *pb)
{
	const struct report_finding *a = pa, *b = pb;
	/* The same time, added up in another order, differs in the last digits of a double. */
	int c = compare_down((float)a->est_stall_share, (float)b->est_stall_share);

	return c ? c : compare_findings(a, b);
}

static int compare_gains(const void *pa, const void *pb)
{
	const struct report_gain *a = pa, *b = pb;
	int c = compare_int(report_gain_bounds(a), report_gain_bounds(b));

	if (!c)
		c = compare_down(a->time_share, b->time_share);
	if (!c)
		c = compare_down(a->most, b->most);
	if (!c)
		c = compare_down(a->least, b->least);
	for (const struct field *f = gain_fields; f->name && !c; f++)
		if (f->kind != FIELD_REAL)
			c = compare_text(field_text(f, a), field_text(f, b));
	return c;
}

static int compare_ledger(const void *pa, const void *pb)
{
	const struct report_ledger *a = pa, *b = pb;
	int c = compare_down(a->misses, b->misses);

	if (!c)
		c = compare_down(a->accesses, b->accesses);
	return c ? c : compare_text(ledger_names[a->cause], ledger_names[b->cause]);
}

static int compare_tested(const void *pa, const void *pb)
{
	static const struct report_node nowhere;
	const struct report_tested *a = pa, *b = pb;
	int c = compare_text(a->property, b->property);

	if (!c)
		c = compare_nodes(a->place ? a->place : &nowhere, b->place ? b->place : &nowhere);
	if (!c)
		c = compare_text(a->below, b->below);
	if (!c)
		c = compare_int(a->process, b->process);
	if (!c)
		c = compare_int(a->outcome, b->outcome);
	return c ? c : compare_text(a->reason, b->reason);
}

int report_verified_compare(const struct report_verified *a, const struct report_verified *b)
{
	int c = 0;

	for (const struct field *f = verified_fields; f->name && !c; f++)
		c = f->kind == FIELD_REAL ? compare_down(field_real(f, a), field_real(f, b)) :
			f->kind == FIELD_BOOL ? compare_int((int)field_int(f, a),
				(int)field_int(f, b)) :
			compare_text(field_text(f, a), field_text(f, b));
	return c;
}

/* The process that loses most describes the structure; of reasons why
 * nothing was measured the least. */
bool report_verified_describes_before(const struct report_verified *a,
	const struct report_verified *b)
{
	if (a->reason || b->reason)
		return a->reason && b->reason ? strcmp(a->reason, b->reason) < 0 : !a->reason;
	if (a->measured != b->measured)
		return a->measured > b->measured;
	return report_verified_compare(a, b) < 0;
}

static int compare_verified(const void *a, const void *b)
{
	return report_verified_compare(a, b);
}

static int compare_trials(const void *a, const void *b)
{
	return fields_compare(trial_fields, a, b);
}

/* The larger of the estimates. */
static double most(const struct report_counted *c)
{
	return fmax(isnan(c->one.stall) ? 0 : c->one.stall,
		isnan(c->other.stall) ? 0 : c->other.stall);
}

int report_counted_compare(const struct report_counted *a, const struct report_counted *b)
{
	int c = !b->structure - !a->structure;

	if (!c)
		c = compare_down(most(a), most(b));
	return c ? c : fields_compare(counted_fields, a, b);
}

static int compare_counted(const void *a, const void *b)
{
	return report_counted_compare(a, b);
}

static int compare_placed(const void *a, const void *b)
{
	return fields_compare(placed_fields, a, b);
}

void report_rank(struct report *r)
{
	if (r->ncounted > 1)
		qsort(r->counted, (size_t)r->ncounted, sizeof *r->counted, compare_counted);
	if (r->nfindings > 1)
		qsort(r->findings, (size_t)r->nfindings, sizeof *r->findings,
			r->rank_by_stall ? compare_by_stall : compare_in_place);
	if (r->ngains > 1)
		qsort(r->gains, (size_t)r->ngains, sizeof *r->gains, compare_gains);
	if (r->nverified > 1)
		qsort(r->verified, (size_t)r->nverified, sizeof *r->verified, compare_verified);
	if (r->ntrials > 1)
		qsort(r->trials, (size_t)r->ntrials, sizeof *r->trials, compare_trials);
	if (r->nplaced > 1)
		qsort(r->placed, (size_t)r->nplaced, sizeof *r->placed, compare_placed);
	if (r->nledger > 1)
		qsort(r->ledger, (size_t)r->nledger, sizeof *r->ledger, compare_ledger);
	report_timelines_keep(r);
	if (r->ntested > 1)
		qsort(r->tested, (size_t)r->ntested, sizeof *r->tested, compare_tested);
}

bool report_gain_of(const struct report_gain *g, const struct report_finding *f)
{
	const struct report_node *n = report_place(f);

	return n->type == REGION_DATA_STRUCTURE &&
		text_same(g->structure, report_own_name(n)) && text_same(g->scope, n->scope) &&
		text_same(g->declared, f->declared);
}

bool report_finding_names(const struct report_finding *f, enum tried_fix fix)
{
	const char *name = tried_fix_names[fix], *at = f->fixes;

	for (size_t n = strlen(name); at && *at; at += strspn(at, ", ")) {
		const size_t word = strcspn(at, ",");

		if (word == n && strncmp(at, name, n) == 0)
			return true;
		at += word;
	}
	return false;
}

bool report_gain_bounds(const struct report_gain *g)
{
	return g->fix == TRIED_HIT;
}
