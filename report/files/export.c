/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON and CSV.  What was not measured is null, or an empty cell. */
#include <math.h>
#include <string.h>

#include "base/user_file.h"
#include "base/csv_text.h"
#include "base/json_text.h"
#include "base/real_text.h"
#include "report/model/fields.h"
#include "report/files/json.h"
#include "report/model/figures.h"
#include "report/words/page.h"
#include "report/words/problem_words.h"
#include "report/words/sites.h"

/* --- JSON ---------------------------------------------------------------------------------- */

static void json_series(struct buf *out, const struct report_series *s)
{
	buf_puts(out, "\"");
	series_text(out, s);
	buf_puts(out, "\"");
}

static void json_fields(struct buf *out, const struct field *table, const void *obj)
{
	for (const struct field *f = table; f->name; f++) {
		buf_printf(out, "%s\"%s\": ", f == table ? "" : ", ", f->name);
		if (f->kind == FIELD_SERIES)
			json_series(out, field_series(f, obj));
		else if (field_missing(f, obj) ||
		    (f->kind == FIELD_REAL && isinf(field_real(f, obj))))
			buf_puts(out, "null");
		else if (field_is_text(f))
			text_json(out, field_text(f, obj));
		else if (f->kind == FIELD_REAL)
			text_real(out, field_real(f, obj));
		else if (f->kind == FIELD_BOOL)
			buf_puts(out, field_int(f, obj) ? "true" : "false");
		else if (f->kind == FIELD_REGION)
			text_json(out, region_type_name((int)field_int(f, obj)));
		else if (f->kind == FIELD_OUTCOME)
			text_json(out, report_outcome_name((enum report_outcome)field_int(f, obj)));
		else
			buf_printf(out, "%lld", (long long)field_int(f, obj));
	}
}

/* What else JSON says of row i of n rows: figures made of several rows,
 * and words of the text form. */
static void finding_extra(struct buf *out, const struct report_finding *f)
{
	buf_puts(out, ",\n     \"processes\": \"");
	ranks_text(out, f->processes, f->nruns, 0, ", ");
	buf_printf(out, "\", \"nprocesses\": %d", f->nprocesses);
}

/* The ranks of the findings about its structure. */
static void gain_extra(struct buf *out, const struct report *r, const struct report_gain *g)
{
	const char *before = "";

	buf_puts(out, ", \"findings\": [");
	for (int k = 0; k < r->nfindings; k++) {
		if (!report_gain_of(g, &r->findings[k]))
			continue;
		buf_printf(out, "%s%d", before, k + 1);
		before = ", ";
	}
	buf_puts(out, "]");
}

static void text_member(struct buf *out, const char *name, const struct buf *text)
{
	buf_printf(out, "\"%s\": ", name);
	text_json(out, text->len ? text->data : NULL);
	out->failed |= text->failed;
}

static void problem_extra(struct buf *out, const struct report *r, const struct report_problem *p)
{
	struct buf path = BUF_INIT, why = BUF_INIT, doing = BUF_INIT;

	problem_path(&path, r, p, 0);
	problem_why(&why, r, p);
	buf_puts(&doing, problem_doing(r, p));
	buf_puts(out, ",\n     ");
	text_member(out, "path", &path);
	buf_puts(out, ", \"findings\": [");
	for (int i = 0; i < p->nmembers; i++)
		buf_printf(out, "%s%d", i ? ", " : "", (int)(p->members[i] - r->findings) + 1);
	buf_puts(out, "],\n     ");
	text_member(out, "why", &why);
	buf_puts(out, ", ");
	text_member(out, "do", &doing);
	buf_free(&path);
	buf_free(&why);
	buf_free(&doing);
}

static void structure_extra(struct buf *out, const struct report *r,
	const struct report_problem_structure *s)
{
	buf_puts(out, ", \"name\": ");
	text_json(out, report_own_name(report_place(&r->findings[s->finding - 1])));
}

static void extra(struct buf *out, const struct report *r, const struct row_type *type,
	const void *rows, int n, int i)
{
	const void *row = (const char *)rows + (size_t)i * type->size;

	if (type == &finding_rows)
		finding_extra(out, row);
	else if (type == &gain_rows)
		gain_extra(out, r, row);
	else if (type == &problem_rows)
		problem_extra(out, r, row);
	else if (type == &problem_structure_rows)
		structure_extra(out, r, row);
	else if (type == &timeline_rows)
		json_timeline_extra(out, row);
	else if (type == &site_rows)
		json_next_real(out, "share", report_site_share(rows, n, i));
}

static void json_list(struct buf *out, const struct report *r, const struct list *l,
	const void *obj, int depth);

static void json_row(struct buf *out, const struct report *r, const struct list *l, const void *obj,
	int i, int depth)
{
	const struct row_type *type = l->type;
	const void *row = list_row(l, obj, i);

	buf_puts(out, "{");
	if (type == &finding_rows)
		buf_printf(out, "\"rank\": %d, ", i + 1);
	json_fields(out, type->fields, row);
	extra(out, r, type, list_rows(l, obj), list_number(l, obj), i);
	for (const struct list *in = type->lists; in->name; in++) {
		buf_puts(out, type->tall ? ",\n     " : ", ");
		json_list(out, r, in, row, depth + 1);
	}
	buf_puts(out, "}");
}

static void json_list(struct buf *out, const struct report *r, const struct list *l,
	const void *obj, int depth)
{
	const int n = list_number(l, obj);

	buf_printf(out, "\"%s\": %s", l->name, l->number != LIST_ONE ? "[" : n ? "" : "null");
	for (int i = 0; i < n; i++) {
		buf_puts(out, i ? "," : "");
		if (l->number != LIST_ONE)
			buf_puts(out, !l->type->brief ? depth ? "\n       " : "\n    " : i ? " " :
				"");
		json_row(out, r, l, obj, i, depth);
	}
	buf_puts(out, l->number != LIST_ONE ? "]" : "");
}

void report_json(struct buf *out, const struct report *r)
{
	buf_puts(out, "{\"format\": \"" REPORT_JSON_FORMAT "\",\n  ");
	json_fields(out, report_fields, r);
	buf_puts(out, ",\n  \"phase\": {");
	json_fields(out, node_fields, &r->phase);
	buf_puts(out, ", ");
	json_fields(out, phase_fields, r);
	buf_puts(out, "},\n  \"notes\": [");
	for (int i = 0; i < r->nnotes; i++) {
		buf_puts(out, i ? ",\n    " : "\n    ");
		text_json(out, r->notes[i] ? r->notes[i] : "");
	}
	buf_puts(out, "]");
	for (const struct list *l = report_lists; l->name; l++) {
		buf_puts(out, ",\n  ");
		json_list(out, r, l, r, 0);
	}
	classes_json(out, r);
	buf_puts(out, "}\n");
}

void report_json_brief(struct buf *out, const struct report *r)
{
	struct report brief = *r;

	brief.timelines = NULL;
	brief.ntimelines = 0;
	report_json(out, &brief);
}

void report_json_timeline(struct buf *out, const struct report *r, const struct report_timeline *t)
{
	struct report_timeline row = *t;
	struct report one = *r;

	one.timelines = &row;
	one.ntimelines = 1;
	for (const struct list *l = report_lists; l->name; l++)
		if (l->type == &timeline_rows)
			json_row(out, &one, l, &one, 0, 0);
}

static int write_with(const struct report *r, const char *path,
	void (*writer)(struct buf *, const struct report *), struct err *err)
{
	struct buf out = BUF_INIT;
	int rc;

	writer(&out, r);
	rc = output_write(path, &out, err);
	buf_free(&out);
	return rc;
}

int report_json_write(const struct report *r, const char *path, struct err *err)
{
	return write_with(r, path, report_json, err);
}

/* --- CSV ----------------------------------------------------------------------------------- */

static void csv_labels(struct buf *out, const struct report_finding *f)
{
	struct buf path = BUF_INIT;

	for (int i = 0; i < f->npath; i++) {
		buf_puts(&path, i ? " > " : "");
		page_label(&path, &f->path[i], 0, true);
	}
	csv_text(out, buf_str(&path));
	if (path.failed)
		out->failed = true;
	buf_free(&path);
}

/* The best change to the structure, and its savings: shares of the phase's latencies and time. */
static void csv_gain(struct buf *out, const struct report *r, const struct report_finding *f)
{
	const struct report_gain *g = report_gain_best(r, f);

	csv_next_text(out, g ? g->change : NULL);
	csv_next_real(out, g && r->stall_cycles > 0 ? g->most / r->stall_cycles : NAN);
	csv_next_real(out, g ? g->time_share : NAN);
}

static void csv_finding(struct buf *out, const struct report *r, const struct report_finding *f,
	int rank)
{
	const struct report_node *place = report_place(f);

	buf_printf(out, "%d,", rank);
	csv_text(out, f->property);
	csv_next_text(out, f->refines);
	csv_next_real(out, f->severity_share);
	buf_puts(out, f->severity_is_index ? ",index" : ",share");
	csv_next_real(out, f->time_share);
	csv_next_real(out, f->measure);
	csv_next_real(out, f->est_stall_share);
	csv_next_real(out, f->est_stall_low_share);
	csv_next_real(out, f->est_stall_high_share);
	csv_next_text(out, miss_kind_name(f->kind));
	csv_next_real(out, f->confidence);
	csv_next_real(out, f->coverage);
	buf_puts(out, ",");
	ranks_text(out, f->processes, f->nruns, 0, " ");
	buf_printf(out, ",%s,", region_type_name(place->type));
	csv_text(out, place->name);
	csv_next_text(out, place->alias_of);
	csv_next_text(out, place->scope);
	csv_next_text(out, place->file);
	buf_printf(out, ",%d,", place->line);
	csv_labels(out, f);
	csv_gain(out, r, f);
	csv_next_real(out, r->sampled ? f->severity_error : NAN);
	csv_next_real(out, r->sampled ? f->measure_error : NAN);
	csv_next_real(out, r->sampled ? f->est_stall_error : NAN);
	buf_puts(out, ",");
	if (f->place_line > 0)
		buf_printf(out, "%d", f->place_line);
	csv_end(out);
}

static void csv_report(struct buf *out, const struct report *r)
{
	buf_puts(out,
		"rank,property,refines,severity,severity_kind,time_share,rate,est_stall_share,"
		"est_stall_low_share,est_stall_high_share,kind,confidence,"
		"coverage,processes,type,name,alias_of,scope,file,line,path,fix,fix_stall_saved,fix_time_at_most,"
		"severity_error,rate_error,est_stall_error,place_line\n");
	for (int i = 0; i < r->nfindings; i++)
		csv_finding(out, r, &r->findings[i], i + 1);
}

static void csv_ledger(struct buf *out, const struct report *r)
{
	struct report_ledger total;

	report_ledger_total(r, &total);
	buf_puts(out, "cause,accesses,accesses_share,misses,misses_share,misses_error\n");
	for (int i = 0; i < r->nledger; i++) {
		const struct report_ledger *l = &r->ledger[i];

		csv_text(out, ledger_names[l->cause]);
		csv_next_real(out, l->accesses);
		csv_next_real(out, total.accesses > 0 ? l->accesses / total.accesses : NAN);
		csv_next_real(out, l->misses);
		csv_next_real(out, total.misses > 0 ? l->misses / total.misses : NAN);
		csv_next_real(out, r->sampled ? l->misses_error : NAN);
		csv_end(out);
	}
}

/* One column for each field. */
static void csv_rows(struct buf *out, const struct report *r, const struct list *l)
{
	const struct field *const first = l->type->fields;

	for (const struct field *f = first; f->name; f++)
		buf_printf(out, "%s%s", f == first ? "" : ",", f->name);
	csv_end(out);
	for (int i = 0; i < list_number(l, r); i++) {
		const void *row = list_row(l, r, i);

		for (const struct field *f = first; f->name; f++) {
			if (f != first && f->kind != FIELD_REAL)
				buf_puts(out, ",");
			if (f->kind == FIELD_REAL)
				csv_next_real(out, field_real(f, row));
			else if (field_is_text(f))
				csv_text(out, field_text(f, row));
			else if (f->kind == FIELD_REGION)
				buf_puts(out, region_type_name((int)field_int(f, row)));
			else
				buf_printf(out, "%lld", (long long)field_int(f, row));
		}
		csv_end(out);
	}
}

static void csv_threads(struct buf *out, const struct report *r)
{
	const struct list *l = report_lists;

	while (l->type != &thread_rows)
		l++;
	csv_rows(out, r, l);
}

int report_threads_csv_write(const struct report *r, const char *path, struct err *err)
{
	return write_with(r, path, csv_threads, err);
}

int report_ledger_csv_write(const struct report *r, const char *path, struct err *err)
{
	return write_with(r, path, csv_ledger, err);
}

int report_csv_write(const struct report *r, const char *path, struct err *err)
{
	return write_with(r, path, csv_report, err);
}
