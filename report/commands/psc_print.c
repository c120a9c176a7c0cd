/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a property file, or writes it in another form: what psc_report does without --check,
 * --compare and the like. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text_same.h"
#include "base/user_file.h"
#include "report/commands/psc_report.h"
#include "report/commands/target.h"
#include "report/text/explain.h"

/* Removes all findings and tests but those of one property, which have what they cost for
 * themselves then.  0, or -1: there are none, or no memory. */
static int filter(struct report *r, const struct report_options *o, struct err *err)
{
	int n = 0, tested = 0;

	for (int i = 0; i < r->nfindings; i++)
		if (strcmp(r->findings[i].property, o->property) == 0)
			r->findings[n++] = r->findings[i];
	for (int i = 0; i < r->ntested; i++)
		if (strcmp(r->tested[i].property, o->property) == 0)
			r->tested[tested++] = r->tested[i];
	if (!n && !tested)
		return err_set(err, "%s: no property \"%s\"", o->in, o->property);
	for (int i = 0; i < n; i++)
		r->findings[i].own_stall_share = NAN;
	r->nfindings = n;
	r->ntested = tested;
	return report_finish(r) ? err_nomem(err) : 0;
}

static int write_text(const struct report *r, const struct report_options *o, struct err *err)
{
	struct buf text = BUF_INIT;
	char *bytes = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&bytes, &n);
	struct report_style style = o->style;
	int rc;

	if (!out)
		return err_nomem(err);
	style.psc = o->in;
	style.links = strcmp(o->out, "-") == 0 && report_terminal_links(STDOUT_FILENO);
	if (style.part == REPORT_WHOLE && !o->verbose && !report_of_paper(r))
		style.part = REPORT_SHORT;
	rc = report_text(r, &style, out, err);
	if (fclose(out) && !rc)
		rc = err_nomem(err);
	if (!rc) {
		buf_add(&text, bytes, n);
		rc = output_write(o->out, &text, err);
	}
	buf_free(&text);
	free(bytes);
	return rc;
}

static int write_explanation(const struct report *r, const struct report_options *o,
	struct err *err)
{
	const int n = r->problems.n;
	const struct report_problem *p;
	struct buf out = BUF_INIT;
	int rc;

	if (o->explain > n)
		return err_set(err, "%s has %d problem%s, no number %d", o->in, n, n == 1 ? "" :
			"s", o->explain);
	p = &r->problems.problem[o->explain - 1];
	if (o->format == FORMAT_JSON)
		explain_json(r, p, o->in, &out);
	else
		explain_text(r, p, o->in, &o->style, &out);
	rc = output_write(o->out, &out, err);
	buf_free(&out);
	return rc;
}

static int write_report(struct report *r, const struct report_options *o, struct err *err)
{
	if (o->explain)
		return write_explanation(r, o, err);
	switch (o->format) {
	case FORMAT_JSON:
		return report_json_write(r, o->out, err);
	case FORMAT_CSV:
		return o->style.part == REPORT_LEDGER ? report_ledger_csv_write(r, o->out, err) :
			o->style.part == REPORT_THREADS ? report_threads_csv_write(r, o->out, err) :
			report_csv_write(r, o->out, err);
	case FORMAT_HTML:
		return o->no_source ? report_html_write_no_source(r, o->out, err) :
			report_html_write(r, o->out, err);
	case FORMAT_PSC:
		return report_psc_write(r, o->out, err);
	case FORMAT_CALLGRIND:
		return report_callgrind_write(r, o->out, err);
	case FORMAT_HATCHET:
		return report_hatchet_write(r, o->out, err);
	default:
		return write_text(r, o, err);
	}
}

/* A report in another form is not called like a property file: the two are mixed up soon enough. */
static int check_name(const struct report_options *o, struct err *err)
{
	if (o->format == FORMAT_PSC || !text_ends(o->out, ".psc"))
		return 0;
	return err_set(err,
		"%s: the name is one of a property file, but --psc is not given. psc_report reads one "
		"property file and writes to the second name; --compare reads two", o->out);
}

static int check_terminal(const struct report_options *o, struct err *err)
{
	size_t n = strlen(o->in);

	if (o->format != FORMAT_HTML || strcmp(o->out, "-") != 0 || !isatty(STDOUT_FILENO))
		return 0;
	if (n > 4 && text_ends(o->in, ".psc"))
		n -= strlen(".psc");
	return err_set(err,
		"a page is for a browser, not for a terminal: psc_report --html %s %.*s.html",
		o->in, (int)n, o->in);
}

int command_print(const struct report_options *o)
{
	struct err err;
	int rc = 0;
	struct report *r = report_target_check(o->out, o->force, &err) || check_name(o, &err) ||
		check_terminal(o, &err) ? NULL : report_psc_read(o->in, &err);

	if (!r) {
		fprintf(stderr, "psc_report: %s\n", err.text);
		return EXIT_USAGE;
	}
	if ((o->property && filter(r, o, &err) < 0) || write_report(r, o, &err) < 0) {
		fprintf(stderr, "psc_report: %s\n", err.text);
		rc = EXIT_USAGE;
	}
	report_free(r);
	return rc;
}
