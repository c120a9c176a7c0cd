/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON and CSV.  What was not measured is null, or an empty cell. */
#include <math.h>
#include <string.h>

#include "base/user_file.h"
#include "base/csv_text.h"
#include "base/json_text.h"
#include "base/real_text.h"
#include "report/model/fields.h"
#include "report/model/figures.h"
#include "report/words/page.h"
#include "report/words/problem_words.h"
#include "report/words/sites.h"

/* --- JSON ---------------------------------------------------------------------------------- */

static void json_fields(struct buf *out, const struct field *table, const void *obj)
{
	for (const struct field *f = table; f->name; f++) {
		buf_printf(out, "%s\"%s\": ", f == table ? "" : ", ", f->name);
		if (field_missing(f, obj) || (f->kind == FIELD_REAL && isinf(field_real(f, obj))))
			buf_puts(out, "null");
		else if (f->kind == FIELD_TEXT || f->kind == FIELD_OPTIONAL)
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

static void json_finding(struct buf *out, const struct report_finding *f, int rank)
{
	buf_printf(out, "\n    {\"rank\": %d, ", rank);
	json_fields(out, finding_fields, f);
	buf_puts(out, ",\n     \"processes\": \"");
	ranks_text(out, f->processes, f->nruns, 0, ", ");
	buf_printf(out, "\", \"nprocesses\": %d,\n     \"path\": [", f->nprocesses);
	for (int i = 0; i < f->npath; i++) {
		buf_puts(out, i ? ",\n       {" : "\n       {");
		json_fields(out, node_fields, &f->path[i]);
		buf_puts(out, "}");
	}
	buf_puts(out, "],\n     ");
	sites_json(out, f->sites, f->nsites);
	buf_puts(out, "}");
}

/* Writes the gains, each with the ranks of the findings about its structure. */
static void json_gains(struct buf *out, const struct report *r)
{
	buf_puts(out, "],\n  \"gains\": [");
	for (int i = 0; i < r->ngains; i++) {
		bool any = false;

		buf_puts(out, i ? ",\n    {" : "\n    {");
		json_fields(out, gain_fields, &r->gains[i]);
		buf_puts(out, ", \"findings\": [");
		for (int k = 0; k < r->nfindings; k++) {
			if (!report_gain_of(&r->gains[i], &r->findings[k]))
				continue;
			buf_printf(out, "%s%d", any ? ", " : "", k + 1);
			any = true;
		}
		buf_puts(out, "]}");
	}
}

/* Writes the problems, with what the text form says of them. */
static void json_problem(struct buf *out, const struct report *r, const struct report_problem *p)
{
	struct buf path = BUF_INIT, why = BUF_INIT;

	problem_path(&path, p, 0);
	problem_why(&why, p);
	buf_puts(out, "\n    {");
	json_fields(out, problem_fields, p);
	buf_puts(out, ",\n     \"path\": ");
	text_json(out, path.len ? buf_str(&path) : NULL);
	buf_puts(out, ",\n     \"structures\": [");
	for (int i = 0; i < p->nstructures; i++) {
		struct report_problem_structure s = report_problem_structure(r, p, i);

		buf_puts(out, i ? ", {\"name\": " : "{\"name\": ");
		text_json(out, report_own_name(report_place(p->structures[i])));
		buf_puts(out, ", ");
		json_fields(out, problem_structure_fields, &s);
		buf_puts(out, "}");
	}
	buf_puts(out, "], \"findings\": [");
	for (int i = 0; i < p->nmembers; i++)
		buf_printf(out, "%s%d", i ? ", " : "", (int)(p->members[i] - r->findings) + 1);
	buf_puts(out, "],\n     \"why\": ");
	text_json(out, why.len ? buf_str(&why) : NULL);
	buf_puts(out, ", \"do\": ");
	text_json(out, *problem_doing(r, p) ? problem_doing(r, p) : NULL);
	buf_puts(out, ",\n     ");
	sites_json(out, p->sites, p->nsites);
	buf_puts(out, "}");
	out->failed |= path.failed || why.failed;
	buf_free(&path);
	buf_free(&why);
}

static void json_report(struct buf *out, const struct report *r)
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
	buf_puts(out, "],\n  \"problems\": [");
	for (int i = 0; i < r->problems.n; i++) {
		buf_puts(out, i ? "," : "");
		json_problem(out, r, &r->problems.problem[i]);
	}
	buf_puts(out, "],\n  \"findings\": [");
	for (int i = 0; i < r->nfindings; i++) {
		buf_puts(out, i ? "," : "");
		json_finding(out, &r->findings[i], i + 1);
	}
	json_gains(out, r);
	buf_puts(out, "],\n  \"verified\": [");
	for (int i = 0; i < r->nverified; i++) {
		buf_puts(out, i ? ",\n    {" : "\n    {");
		json_fields(out, verified_fields, &r->verified[i]);
		buf_puts(out, "}");
	}
	buf_puts(out, "],\n  \"ledger\": [");
	for (int i = 0; i < r->nledger; i++) {
		buf_puts(out, i ? ",\n    {" : "\n    {");
		json_fields(out, ledger_fields, &r->ledger[i]);
		buf_puts(out, "}");
	}
	buf_puts(out, "],\n  \"costs\": [");
	for (int i = 0; i < r->ncosts; i++) {
		buf_puts(out, i ? ",\n    {" : "\n    {");
		json_fields(out, cost_fields, &r->costs[i]);
		buf_puts(out, ", ");
		sites_json(out, r->costs[i].sites, r->costs[i].nsites);
		buf_puts(out, "}");
	}
	buf_puts(out, "],\n  \"threads\": [");
	for (int i = 0; i < r->nthread_rows; i++) {
		buf_puts(out, i ? ",\n    {" : "\n    {");
		json_fields(out, thread_fields, &r->thread_rows[i]);
		buf_puts(out, "}");
	}
	buf_puts(out, "],\n  \"tested\": [");
	for (int i = 0; i < r->ntested; i++) {
		const struct report_tested *t = &r->tested[i];

		buf_puts(out, i ? ",\n    {" : "\n    {");
		json_fields(out, tested_fields, t);
		buf_puts(out, ", \"place\": ");
		buf_puts(out, t->place ? "{" : "null");
		if (t->place)
			json_fields(out, node_fields, t->place);
		buf_puts(out, t->place ? "}}" : "}");
	}
	buf_puts(out, "]");
	classes_json(out, r);
	buf_puts(out, "}\n");
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
	return write_with(r, path, json_report, err);
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
	csv_next_text(out, f->kind ? f->kind : "");
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
	buf_puts(out, "rank,property,refines,severity,severity_kind,time_share,rate,est_stall_share,"
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

		csv_text(out, l->cause);
		csv_next_real(out, l->accesses);
		csv_next_real(out, total.accesses > 0 ? l->accesses / total.accesses : NAN);
		csv_next_real(out, l->misses);
		csv_next_real(out, total.misses > 0 ? l->misses / total.misses : NAN);
		csv_next_real(out, r->sampled ? l->misses_error : NAN);
		csv_end(out);
	}
}

/* One column for each field. */
static void csv_threads(struct buf *out, const struct report *r)
{
	for (const struct field *f = thread_fields; f->name; f++)
		buf_printf(out, "%s%s", f == thread_fields ? "" : ",", f->name);
	csv_end(out);
	for (int i = 0; i < r->nthread_rows; i++) {
		for (const struct field *f = thread_fields; f->name; f++) {
			const void *row = &r->thread_rows[i];

			if (f != thread_fields && f->kind != FIELD_REAL)
				buf_puts(out, ",");
			if (f->kind == FIELD_REAL)
				csv_next_real(out, field_real(f, row));
			else if (f->kind == FIELD_TEXT)
				csv_text(out, field_text(f, row));
			else if (f->kind == FIELD_REGION)
				buf_puts(out, region_type_name((int)field_int(f, row)));
			else
				buf_printf(out, "%lld", (long long)field_int(f, row));
		}
		csv_end(out);
	}
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
