/* SPDX-License-Identifier: BSD-3-Clause */
/* Periscope's property file.  What its viewers know stands where they expect it; everything else
 * stands in elements of our own namespace, as attributes named by fields.c, so that a reader
 * that looks at local names only never takes one of ours for one of its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/user_file.h"
#include "base/real_text.h"
#include "base/xml_text.h"
#include "report/model/fields.h"
#include "report/model/figures.h"

static void element(struct buf *out, const char *name, const char *text)
{
	if (!text)
		return;
	buf_printf(out, "  <%s>", name);
	xml_text(out, text);
	buf_printf(out, "</%s>\n", name);
}

static void attributes(struct buf *out, const struct field *table, const void *obj)
{
	for (const struct field *f = table; f->name; f++) {
		if (field_missing(f, obj))
			continue;
		buf_printf(out, " %s=\"", f->name);
		if (field_is_text(f))
			xml_text(out, field_text(f, obj));
		else if (f->kind == FIELD_REAL)
			text_real(out, field_real(f, obj));
		else if (f->kind == FIELD_REGION)
			buf_puts(out, region_type_name((int)field_int(f, obj)));
		else if (f->kind == FIELD_OUTCOME)
			buf_puts(out, report_outcome_name((enum report_outcome)field_int(f, obj)));
		else if (f->kind == FIELD_SERIES)
			series_text(out, field_series(f, obj));
		else
			buf_printf(out, "%lld", (long long)field_int(f, obj));
		buf_puts(out, "\"");
	}
}

/* The rows of a list, as elements; the rows in them are indented by two more. */
static void rows(struct buf *out, const struct list *l, const void *obj, int indent)
{
	for (int i = 0; i < list_number(l, obj) && l->type->element; i++) {
		const void *row = list_row(l, obj, i);
		bool any = false;

		buf_printf(out, "%*s<pc:%s", indent, "", l->type->element);
		attributes(out, l->type->fields, row);
		for (const struct list *in = l->type->lists; in->name; in++)
			any |= list_number(in, row) > 0;
		buf_puts(out, any ? ">\n" : "/>\n");
		for (const struct list *in = l->type->lists; in->name; in++)
			rows(out, in, row, indent + 2);
		if (any)
			buf_printf(out, "%*s</pc:%s>\n", indent, "", l->type->element);
	}
}

/* Periscope numbers files; ours are numbered as they come.  Caller frees. */
static int *file_numbers(const struct report *r)
{
	int *id = calloc((size_t)r->nfindings + 1, sizeof *id), next = 0;

	for (int i = 0; id && i < r->nfindings; i++) {
		for (int k = 0; k < i && !id[i]; k++)
			if (strcmp(report_place(&r->findings[k])->file,
					report_place(&r->findings[i])->file) == 0)
				id[i] = id[k];
		if (!id[i])
			id[i] = ++next;
	}
	return id;
}

/* Viewers of such files read a process from each execObj; all of them, as runs, are
 * in the attribute `ranks`. */
static void exec_objects(struct buf *out, const struct report_finding *f)
{
	enum { LISTED = 64 };
	int n = 0;

	for (int i = 0; i < f->nruns && n < LISTED; i++)
		for (int rank = f->processes[i].first; rank <= f->processes[i].last && n < LISTED;
		     rank++, n++)
			buf_printf(out, "      <execObj process=\"%d\" thread=\"0\"/>\n", rank);
}

static void context(struct buf *out, const struct report *r, const struct report_finding *f,
	int id)
{
	const struct report_node *place = report_place(f);

	buf_printf(out, "    <context FileID=\"%d\" FileName=\"", id);
	xml_text(out, place->file);
	buf_printf(out, "\" RFL=\"%d\" Config=\"%dx%d\" Region=\"%s\" RegionId=\"%d-%d\">\n",
		place->line, r->nprocs, r->nthreads, region_type_name(place->type), id,
		place->line);
	exec_objects(out, f);
	if (f->nprocesses <= 0)
		buf_puts(out, "      <execObj process=\"0\" thread=\"0\"/>\n");
	buf_puts(out, "    </context>\n");
}

static void figure(struct buf *out, const char *name, double v)
{
	if (isnan(v))
		return;
	buf_printf(out, "      <%s>", name);
	text_real(out, v);
	buf_printf(out, "</%s>\n", name);
}

static void property(struct buf *out, const struct report *r, const struct report_finding *f,
	int file)
{
	buf_printf(out, "  <property cluster=\"%s\" ID=\"%d\">\n", f->nprocesses > 1 ? "true" :
		"false", f->number);
	buf_puts(out, "    <name>");
	xml_text(out, f->property);
	buf_puts(out, "</name>\n");
	context(out, r, f, file);
	if (isnan(f->severity_share))
		buf_puts(out, "    <severity>NaN</severity>\n");
	else
		buf_printf(out, "    <severity>%.2f</severity>\n", f->severity_share * 100);
	if (!isnan(f->confidence))
		buf_printf(out, "    <confidence>%.2f</confidence>\n", f->confidence);
	buf_puts(out, "    <addInfo>\n");
	figure(out, "Rate", f->measure);
	figure(out, "TimeShare", f->time_share);
	figure(out, "EstStallShare", f->est_stall_share);
	buf_puts(out, "      <pc:figures");
	attributes(out, finding_fields, f);
	buf_printf(out, " processes=\"%d\" ranks=\"", f->nprocesses > 0 ? f->nprocesses : 0);
	ranks_text(out, f->processes, f->nruns, 0, ", ");
	buf_puts(out, "\"/>\n");
	for (const struct list *l = finding_rows.lists; l->name; l++) {
		bool path = l->type == &node_rows;

		buf_puts(out, path ? "      <pc:path>\n" : "");
		rows(out, l, f, path ? 8 : 6);
		buf_puts(out, path ? "      </pc:path>\n" : "");
	}
	buf_puts(out, "    </addInfo>\n  </property>\n");
}

static void analysis(struct buf *out, const struct report *r)
{
	buf_puts(out, "  <pc:report");
	attributes(out, report_fields, r);
	buf_puts(out, ">\n");
	buf_puts(out, "    <pc:phase");
	attributes(out, node_fields, &r->phase);
	attributes(out, phase_fields, r);
	buf_puts(out, "/>\n");
	for (int i = 0; i < r->nnotes; i++) {
		buf_puts(out, "    <pc:note>");
		xml_text(out, r->notes[i]);
		buf_puts(out, "</pc:note>\n");
	}
	for (const struct list *l = report_lists; l->name; l++)
		rows(out, l, r, 4);
	buf_puts(out, "  </pc:report>\n");
}

static void head(struct buf *out, const struct report *r)
{
	time_t when = (time_t)r->when;
	struct tm tm;

	buf_puts(out, XML_HEAD
		"<Experiment xmlns=\"" REPORT_PSC_NAMESPACE "\" xmlns:pc=\"" REPORT_OWN_NAMESPACE "\">\n");
	if (r->when > 0 && localtime_r(&when, &tm))
		buf_printf(out, "  <date>%04d-%02d-%02d</date>\n  <time>%02d:%02d:%02d</time>\n",
			tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min,
			tm.tm_sec);
	buf_printf(out, "  <numProcs>%d</numProcs>\n  <numThreads>%d</numThreads>\n", r->nprocs,
		r->nthreads);
	element(out, "dir", r->directory);
	element(out, "sir", r->executable);     /* an executable carries its own SIR */
}

int report_psc_write(const struct report *r, const char *path, struct err *err)
{
	struct buf out = BUF_INIT;
	int *file = file_numbers(r), rc;

	if (!file)
		return err_nomem(err);
	head(&out, r);
	for (int i = 0; i < r->nfindings; i++)
		property(&out, r, &r->findings[i], file[i]);
	free(file);
	analysis(&out, r);
	buf_puts(&out, "</Experiment>\n");
	rc = output_write(path, &out, err);
	buf_free(&out);
	return rc;
}
