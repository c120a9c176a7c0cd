/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the report as one HTML file without scripts that loads nothing, for light and dark
 * screens. */
#include <math.h>
#include <string.h>

#include "base/user_file.h"
#include "base/json_text.h"
#include "report/fields.h"
#include "report/figures.h"
#include "report/words.h"

static const char style[] =
"<style>\n"
":root{color-scheme:light dark}\n"
"body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:76em;padding:0 1em}\n"
"h1{font-size:1.5em;overflow-wrap:anywhere}h2{font-size:1.15em;margin:1.8em 0 .5em}\n"
"table{border-collapse:collapse;width:100%}\n"
"th,td{padding:.2em .6em;text-align:left;vertical-align:top}\n"
"th{font-weight:600;border-bottom:1px solid #8888}\n"
".n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
".b{background:linear-gradient(90deg,#d9730d55 var(--v),#0000 var(--v))}\n"
"tbody.f{border-bottom:1px solid #8883}\n"
"dd,li{overflow-wrap:anywhere}td{overflow-wrap:break-word}\n"
"dl{display:grid;grid-template-columns:max-content 1fr;gap:.2em 1em;margin:0}\n"
"dt{font-weight:600}dd{margin:0}\n"
"details{margin:0}summary{cursor:pointer}\n"
"details table{width:auto}\n"
".partial{border-left:4px solid #d9730d;padding:.3em .8em;margin:1em 0}\n"
".small{color:#888;font-size:.9em}\n"
"tr.all td{border-top:1px solid #8888}\n"
"</style>\n";

/* --- pieces --------------------------------------------------------------------------------- */

/* Writes escaped text; unprintable characters become "?", as in the text report. */
static void put(struct buf *out, const char *s)
{
	while (s && *s) {
		uint32_t code;
		int n = text_utf8(s, &code);

		if (n == 0 || page_unprintable(code))
			buf_puts(out, "?");
		else if (code < 0x80 && strchr("<>&\"'", (int)code))
			buf_printf(out, "&#%u;", (unsigned)code);
		else
			buf_add(out, s, (size_t)n);
		s += n ? n : 1;
	}
}

static void put_buf(struct buf *out, const struct buf *b)
{
	out->failed |= b->failed;
	put(out, buf_str(b));
}

static void number(struct buf *out, const char *figure)
{
	buf_puts(out, "<td class=n>");
	put(out, figure);
}

/* A number with a bar behind it whose length is the share. */
static void bar(struct buf *out, const char *figure, double share)
{
	double v = share > 1 ? 1 : share;

	if (!(v > 0)) {
		number(out, figure);
		return;
	}
	buf_printf(out, "<td class='n b' style='--v:%d%%'>", (int)(v * 100 + 0.5));
	put(out, figure);
}

static void label(struct buf *out, const struct report_node *n)
{
	struct buf b = BUF_INIT;

	page_label(&b, n, 0, true);
	put_buf(out, &b);
	buf_free(&b);
}

static void heading(struct buf *out, const char *text)
{
	buf_puts(out, "<h2>");
	put(out, text);
	buf_puts(out, "</h2>\n");
}

static void sentence(struct buf *out, const struct report *r, const struct report_finding *f,
	words_writer *writer)
{
	struct buf b = BUF_INIT;

	writer(&b, r, f);
	if (b.len || b.failed) {
		buf_puts(out, "<p>");
		put_buf(out, &b);
		buf_puts(out, "</p>\n");
	}
	buf_free(&b);
}

/* --- the head ------------------------------------------------------------------------------- */

static void head_line(void *arg, const char *key, const struct buf *value)
{
	struct buf *out = arg;

	buf_puts(out, "<dt>");
	put(out, key);
	buf_puts(out, "</dt><dd>");
	put_buf(out, value);
	buf_puts(out, "</dd>\n");
}

static void head(struct buf *out, const struct report *r)
{
	const char *what = r->command && *r->command ? r->command : r->executable ? r->executable : "?";

	buf_puts(out, "<!DOCTYPE html>\n<html lang=en>\n<head><meta charset=utf-8>\n"
		"<meta name=viewport content='width=device-width'>\n<title>Memory behaviour of ");
	put(out, what);
	buf_puts(out, "</title>\n");
	buf_puts(out, style);
	buf_puts(out, "</head>\n<body>\n<h1>Memory behaviour of ");
	put(out, what);
	buf_puts(out, "</h1>\n");
	if (r->partial && *r->partial) {
		buf_puts(out, "<p class=partial>Partial analysis: ");
		put(out, r->partial);
		buf_puts(out, "</p>\n");
	}
	buf_puts(out, "<dl>\n");
	words_head(r, true, head_line, out);
	if (r->version) {
		struct buf b = BUF_INIT;

		buf_printf(&b, "Periscope/C %s", r->version);
		head_line(out, "Made by", &b);
		buf_free(&b);
	}
	buf_puts(out, "</dl>\n");
}

/* --- findings ------------------------------------------------------------------------------- */

/* One line for each step, indented, with the rate that the property compares. */
static void path(struct buf *out, const struct report *r, const struct report_finding *f)
{
	char figure[PAGE_FIGURE];

	buf_puts(out, "<table><tr><th>search path<th class=n>rate");
	buf_puts(out, r->sampled ? "<th class=n>+-<th class=n>time</tr>\n" : "<th class=n>time</tr>\n");
	for (int i = 0; i < f->npath; i++) {
		const struct report_node *n = &f->path[i];
		const char *rate = page_rate(figure, n->measure);

		buf_printf(out, "<tr><td style='padding-left:%dem'>", i + 1);
		label(out, n);
		buf_puts(out, "<td class=n>");
		if (n->holds || i == f->npath - 1 || isnan(n->measure))
			put(out, rate);
		else
			buf_printf(out, "(%s)", rate);
		if (r->sampled)
			number(out, page_rate(figure, n->measure_error));
		number(out, page_seconds(figure, n->time));
		buf_puts(out, "</tr>\n");
	}
	buf_puts(out, "</table>\n");
}

/* The file and line of the property. */
static void source(struct buf *out, const struct report_finding *f)
{
	if (!f->file || !*f->file)
		return;
	buf_puts(out, "<p class=small>");
	put(out, f->property);
	buf_puts(out, ": ");
	put(out, f->file);
	buf_printf(out, ":%d", f->line);
	if (f->refines) {
		buf_puts(out, ", refines ");
		put(out, f->refines);
	}
	buf_puts(out, "</p>\n");
}

static void finding(struct buf *out, const struct report *r, const struct report_finding *f, int rank)
{
	char figure[PAGE_FIGURE];

	buf_printf(out, "<tbody class=f id=f%d><tr><td class=n>%d", rank, rank);
	bar(out, f->severity_is_index ? page_index(figure, f->severity_share) :
		page_percent(figure, f->severity_share), f->severity_share);
	number(out, page_percent(figure, f->time_share));
	number(out, page_rate(figure, f->measure));
	if (r->sampled)
		number(out, page_rate(figure, f->measure_error));
	bar(out, page_range(figure, f->est_stall_share, f->est_stall_low_share, f->est_stall_high_share),
		f->est_stall_share);
	buf_puts(out, "<td>");
	put(out, f->kind ? f->kind : "");
	buf_puts(out, "<td>");
	put(out, f->property);
	buf_printf(out, "<td><details%s><summary>", rank == 1 ? " open" : "");
	label(out, report_place(f));
	buf_puts(out, "</summary>\n");
	sentence(out, r, f, words_advice);
	sentence(out, r, f, words_remark);
	path(out, r, f);
	source(out, f);
	buf_puts(out, "</details></tr></tbody>\n");
}

static void legend(struct buf *out, const struct report *r)
{
	buf_puts(out, "<p class=small>severity: share of the phase's time; without % it is an index, rate × "
		"share of time in hundredths: it ranks, and is not time lost. time: of the region, as share of "
		"the phase's. rate: what the property compares with its threshold; in a path, in parentheses "
		"where the property does not hold. memory: of the phase's processor time, the part that is lost to "
		"memory here: an estimate, and its range. kind: of the misses that cost most.");
	if (r->sampled)
		buf_puts(out, " +-: half the 95% confidence interval of the rate.");
	buf_puts(out, " -: not measured.</p>\n");
}

static void findings(struct buf *out, const struct report *r)
{
	if (r->nfindings <= 0) {
		heading(out, r->partial ? "Nothing found" : "No bottleneck");
		buf_puts(out, "<p>No property that could be decided is severe enough to be reported.</p>\n");
		return;
	}
	heading(out, r->rank_by_stall ? "Bottlenecks, worst first by modelled memory time" :
		"Bottlenecks, worst first");
	buf_puts(out, "<table><thead><tr><th class=n>#<th class=n>severity<th class=n>time<th class=n>rate");
	buf_puts(out, r->sampled ? "<th class=n>+-" : "");
	buf_puts(out, "<th class=n>memory<th>kind<th>property<th>place</tr></thead>\n");
	for (int i = 0; i < r->nfindings; i++)
		finding(out, r, &r->findings[i], i + 1);
	buf_puts(out, "</table>\n");
	legend(out, r);
}

/* --- gains ----------------------------------------------------------------------------------- */

static void gain(struct buf *out, const struct report *r, const struct report_gain *g)
{
	double all = r->stall_cycles > 0 ? r->stall_cycles : NAN;
	char figure[PAGE_FIGURE];

	buf_puts(out, "<tr><td>");
	put(out, g->structure);
	if (g->declared) {
		buf_puts(out, " <span class=small>");
		put(out, g->declared);
		buf_puts(out, "</span>");
	}
	buf_puts(out, "<td>");
	if (g->reason) {
		put(out, g->fix);
		buf_puts(out, *g->fix ? ": not tried: " : "not tried: ");
		put(out, g->reason);
	} else {
		put(out, g->change);
	}
	number(out, page_percent(figure, g->least / all));
	bar(out, page_percent(figure, g->most / all), g->most / all);
	number(out, page_percent(figure, g->time_share));
	buf_puts(out, "</tr>\n");
}

static void gains(struct buf *out, const struct report *r)
{
	if (r->ngains <= 0)
		return;
	heading(out, "What a fix would save (modelled: the phase simulated again with it)");
	buf_puts(out, "<table><thead><tr><th>structure<th>change<th class=n>latency saved, at least"
		"<th class=n>at most<th class=n>time saved</tr></thead>\n");
	for (int i = 0; i < r->ngains; i++)
		gain(out, r, &r->gains[i]);
	buf_puts(out, "</table>\n<p class=small>latency saved: share of the phase's misses × their extra latency "
		"that is gone with the change (not time); negative: the change adds misses. time saved: estimated "
		"share of the phase's processor time.</p>\n");
}

/* --- the ledger ------------------------------------------------------------------------------ */

static void ledger_row(struct buf *out, const struct report *r, const struct report_ledger *l,
	const struct report_ledger *total, bool last)
{
	char figure[PAGE_FIGURE];
	double accesses = l->accesses / total->accesses, misses = l->misses / total->misses;

	buf_puts(out, last ? "<tr class=all><td>" : "<tr><td>");
	put(out, l->cause);
	number(out, page_count(figure, l->accesses));
	bar(out, page_percent(figure, total->accesses > 0 ? accesses : NAN), last ? 0 : accesses);
	number(out, page_count(figure, l->misses));
	bar(out, page_percent(figure, total->misses > 0 ? misses : NAN), last ? 0 : misses);
	if (r->sampled)
		number(out, page_count(figure, l->misses_error));
	buf_puts(out, "</tr>\n");
}

static void ledger(struct buf *out, const struct report *r)
{
	struct report_ledger total;

	if (r->nledger <= 0)
		return;
	report_ledger_total(r, &total);
	heading(out, "Where the accesses belong (per phase execution)");
	buf_puts(out, "<table id=ledger><thead><tr><th>cause<th class=n>accesses<th class=n>share"
		"<th class=n>misses<th class=n>share");
	buf_puts(out, r->sampled ? "<th class=n>+-</tr></thead>\n" : "</tr></thead>\n");
	for (int i = 0; i < r->nledger; i++)
		ledger_row(out, r, &r->ledger[i], &total, false);
	ledger_row(out, r, &total, &total, true);
	buf_puts(out, "</table>\n<p class=small>misses: of the last cache level. Shares are of what was "
		"measured.</p>\n");
}

/* --- the rest -------------------------------------------------------------------------------- */

static void tested(struct buf *out, const struct report *r)
{
	if (r->ntested <= 0)
		return;
	heading(out, "What was tested");
	buf_printf(out, "<details><summary>%d test%s</summary>\n<table><thead><tr><th>property<th>place"
		"<th>outcome<th>what decided</tr></thead>\n", r->ntested, r->ntested == 1 ? "" : "s");
	for (int i = 0; i < r->ntested; i++) {
		const struct report_tested *t = &r->tested[i];

		buf_puts(out, "<tr><td>");
		put(out, t->property);
		buf_puts(out, "<td>");
		if (t->place)
			label(out, t->place);
		if (t->below) {
			buf_puts(out, " <span class=small>in ");
			put(out, t->below);
			buf_puts(out, "</span>");
		}
		buf_puts(out, "<td>");
		put(out, report_outcome_name(t->outcome));
		buf_puts(out, "<td>");
		put(out, t->reason);
		buf_puts(out, "</tr>\n");
	}
	buf_puts(out, "</table></details>\n");
}

static void notes(struct buf *out, const struct report *r)
{
	if (r->nnotes <= 0)
		return;
	heading(out, "Notes");
	buf_puts(out, "<ul>\n");
	for (int i = 0; i < r->nnotes; i++) {
		buf_puts(out, "<li>");
		put(out, r->notes[i]);
		buf_puts(out, "</li>\n");
	}
	buf_puts(out, "</ul>\n");
}

static void verified(struct buf *out, const struct report *r)
{
	char figure[PAGE_FIGURE];

	if (r->nverified <= 0)
		return;
	heading(out, "What misses cost, measured (copies of the process ran the phase)");
	buf_puts(out, "<table><thead><tr><th>structure<th class=n>the program's execution<th class=n>a copy's<th class=n>without its misses"
		"<th class=n>measured<th class=n>estimated</tr></thead>\n");
	for (int i = 0; i < r->nverified; i++) {
		const struct report_verified *v = &r->verified[i];

		buf_puts(out, "<tr><td>");
		put(out, v->structure);
		if (v->declared) {
			buf_puts(out, " (");
			put(out, v->declared);
			buf_puts(out, ")");
		}
		if (v->reason) {
			buf_puts(out, ": not measured: ");
			put(out, v->reason);
		} else if (v->cold) {
			buf_puts(out, "; first execution of each copy, its caches are cold");
		}
		number(out, page_seconds(figure, v->program_time));
		number(out, page_seconds(figure, v->time));
		number(out, page_seconds(figure, v->time_with));
		number(out, page_range(figure, v->measured, v->measured_low, v->measured_high));
		number(out, page_range(figure, v->estimated, v->estimated_low, v->estimated_high));
		buf_puts(out, "</tr>\n");
	}
	buf_puts(out, "</table>\n<p class=small>Shares of the processor time; page walks remain and are "
		"left out of the estimate.</p>\n");
}

int report_html_write(const struct report *r, const char *path, struct err *err)
{
	struct buf out = BUF_INIT;
	struct report ranked;
	int rc;

	if (report_ranked_copy(r, &ranked) < 0)
		return err_nomem(err);
	head(&out, &ranked);
	findings(&out, &ranked);
	gains(&out, &ranked);
	verified(&out, &ranked);
	ledger(&out, &ranked);
	tested(&out, &ranked);
	notes(&out, &ranked);
	buf_puts(&out, "</body>\n</html>\n");
	rc = output_write(path, &out, err);
	buf_free(&out);
	report_ranked_free(&ranked);
	return rc;
}
