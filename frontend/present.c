/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the report in every form that the options ask for. */
#include "frontend/present.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "analysis/findings/invariants.h"
#include "base/log.h"
#include "base/user_file.h"
#include "report/compare/compare.h"

enum { DEFAULT_TOP = 10 };

static int use_color(const char *when, bool tty)
{
	if (strcmp(when, "auto") != 0)
		return strcmp(when, "always") == 0;
	return tty && !getenv("NO_COLOR");
}

static int columns(bool tty)
{
	struct winsize w;

	if (tty && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= 60)
		return w.ws_col < 120 ? w.ws_col : 120;
	return 80;
}

static void add_notes(const struct setup *s, struct report *r)
{
	const char **notes = arena_array(r->arena, (size_t)(r->nnotes + s->nnotes) + 1,
		sizeof *notes);

	if (!notes)
		return;
	if (r->nnotes)
		memcpy(notes, r->notes, (size_t)r->nnotes * sizeof *notes);
	for (int i = 0; i < s->nnotes; i++)
		notes[r->nnotes + i] = arena_strdup(r->arena, s->notes[i]);
	r->notes = notes;
	r->nnotes += s->nnotes;
}

static int say(const struct err *err)
{
	log_msg(0, "%s", err->text);
	return -1;
}

static int add_comparison(const struct frontend_options *o, const struct setup *s,
	const struct report *r, const struct report_style *style, struct buf *text, struct err *err)
{
	struct compare c;

	if (!s->before)
		return 0;
	if (compare_reports(&c, s->before, o->compare, r, "this run", err))
		return -1;
	buf_puts(text, "\n");
	compare_text(&c, style, text);
	compare_free(&c);
	return 0;
}

static bool fixes_asked(const struct frontend_options *o)
{
	bool any = false;

	for (int i = 0; i < o->nwhat_if; i++)
		any |= o->what_if[i].fixes != FIX_VERIFY;
	return any;
}

static int make_text(const struct frontend_options *o, const struct setup *s,
	const struct report *r, struct buf *text, struct err *err)
{
	bool tty = !o->output && isatty(STDOUT_FILENO), whole = o->verbose || o->why_not ||
		report_of_paper(r);
	struct report_style style = { .top = o->top < 0 ? DEFAULT_TOP : o->top,
		.why_not = o->why_not, .part = whole ? REPORT_WHOLE : REPORT_SHORT,
		.lines = o->top < 0 ? REPORT_SCREEN : 0, .psc = s->psc, .gains = fixes_asked(o),
		.links = tty && report_terminal_links(STDOUT_FILENO), .width = columns(tty),
		.color = use_color(o->color, tty) };
	char *bytes = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&bytes, &n);
	int rc;

	if (!f)
		return err_nomem(err);
	rc = report_text(r, &style, f, err);
	if (fclose(f) && !rc)
		rc = err_nomem(err);
	if (!rc)
		buf_add(text, bytes, n);
	free(bytes);
	return rc ? rc : add_comparison(o, s, r, &style, text, err);
}

static int print_text(const struct frontend_options *o, const struct setup *s,
	const struct report *r)
{
	static const char standard[] = "/dev/stdout";
	struct buf text = BUF_INIT;
	struct err err;
	int rc = make_text(o, s, r, &text, &err);

	if (!rc)
		rc = output_write(o->output ? o->output : standard, &text, &err);
	if (rc)
		say(&err);
	/* Do not lose the results: print them if the output file cannot be written. */
	if (rc && o->output && text.len && output_write(standard, &text, &err))
		say(&err);
	buf_free(&text);
	return rc;
}

static int write_files(const struct frontend_options *o, const struct setup *s,
	const struct report *r)
{
	const struct {
		const char *path;       /* NULL, "": do not write */
		int (*write)(const struct report *r, const char *path, struct err *err);
	} files[] = {
		{ s->psc, report_psc_write },
		{ o->html, o->no_source ? report_html_write_no_source : report_html_write },
		{ o->json, report_json_write },
		{ o->csv, report_csv_write },
		{ o->csv_ledger, report_ledger_csv_write },
		{ report_counts_timelines(r) ? o->timeline_csv : NULL, report_timeline_csv_write },
		{ report_counts_timelines(r) ? o->perfetto : NULL, report_perfetto_write },
		{ report_counts_timelines(r) ? o->paraver : NULL, report_paraver_write },
	};
	struct err err;
	int rc = 0;

	if (!report_counts_timelines(r) && (o->timeline_csv || o->perfetto || o->paraver))
		rc =
			(err_set(&err,
			"there is no timeline: nothing was counted, so --timeline-csv, --perfetto and --paraver write "
			"nothing"), say(&err));

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		if (files[i].path && *files[i].path && files[i].write(r, files[i].path, &err))
			rc = say(&err);
	return rc;
}

/* The columns of the timelines sum to the table's figures.  Returns the number
 * of contradictions, 0 or 1. */
static int check_timelines(const struct frontend_options *o, const struct report *r)
{
	struct err err = { "" };
	const int n = o->check ? report_timelines_check(r, &err) : 0;

	if (n < 0 && o->verdict)
		printf("  %s\n", err.text);
	else if (n < 0)
		log_msg(0, CHECK_WRONG "%s", err.text);
	else if (n && o->verdict)
		printf("  checked: the columns of the timeline sum to the table's figures (%d compared)\n", n);
	return n < 0;
}

/* Removes the results of invariant checks from the notes and prints violations; with --doctor all
 * results and a verdict.  -1: an invariant is violated (with --doctor also: the report is
 * partial). */
static int take_checks(const struct frontend_options *o, struct report *r)
{
	int kept = 0, wrong = 0, sound = 0;

	for (int i = 0; i < r->nnotes; i++) {
		const char *text = r->notes[i];

		if (strncmp(text, CHECK_NOTE, strlen(CHECK_NOTE)) != 0) {
			r->notes[kept++] = text;
		} else if (strncmp(text, CHECK_WRONG, strlen(CHECK_WRONG)) == 0) {
			wrong++;
			if (o->verdict)
				printf("  %s\n", text + strlen(CHECK_NOTE));
			else
				log_msg(0, "%s", text);
		} else {
			sound += strcmp(text, CHECK_NONE) != 0;
			if (o->verdict)
				printf("  checked: %s\n", text + strlen(CHECK_NOTE));
		}
	}
	r->nnotes = kept;
	wrong += check_timelines(o, r);
	if (!o->verdict)
		return wrong ? -1 : 0;
	if (r->partial)
		printf("  the analysis is partial: %s\n", r->partial);
	puts(wrong ? "Verdict: these figures cannot be trusted; please report this" :
		sound ? "Verdict: sound" : "Verdict: unknown, nothing was recorded");
	fflush(stdout);
	return wrong || r->partial ? -1 : 0;
}

int present_report(const struct frontend_options *o, const struct setup *s, int64_t when,
	struct report *r)
{
	int rc = take_checks(o, r);

	if (o->verdict)
		return rc;
	add_notes(s, r);
	r->when = when;
	rc |= write_files(o, s, r);     /* first: the text names the property file */
	return print_text(o, s, r) || rc || r->partial ? -1 : 0;
}
