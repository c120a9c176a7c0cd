/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the last parts of the HTML page: gains, measurements, ledger, how it
 * was measured, tests, notes. */
#include "report/html/html.h"

#include <math.h>
#include <string.h>

#include "report/model/fields.h"
#include "report/model/figures.h"
#include "report/words/words.h"

/* --- gains ----------------------------------------------------------------------------------- */

static void gain(struct html *h, const struct report_gain *g)
{
	double all = h->r->stall_cycles > 0 ? h->r->stall_cycles : NAN;
	char figure[PAGE_FIGURE];

	buf_puts(&h->out, "<tr><td>");
	html_put(h, g->structure);
	if (g->declared) {
		buf_puts(&h->out, " <span class=small>");
		html_put(h, g->declared);
		buf_puts(&h->out, "</span>");
	}
	buf_puts(&h->out, "<td>");
	if (g->reason) {
		html_put(h, tried_fix_names[g->fix]);
		buf_puts(&h->out, g->fix ? ": not tried: " : "not tried: ");
		html_put(h, g->reason);
	} else {
		html_put(h, g->change);
	}
	html_number(h, page_percent(figure, g->least / all));
	html_bar(h, page_percent(figure, g->most / all), g->most / all);
	html_number(h, page_percent(figure, g->time_share));
	buf_puts(&h->out, "</tr>\n");
}

void html_gains(struct html *h)
{
	html_heading(h, "gains",
		"What a fix would save (modelled: the phase simulated again with it)");
	buf_puts(&h->out,
		"<div class=wide tabindex=0 role=region aria-label=Figures><table><thead><tr><th>structure<th>change<th class=n>latency saved, at least"
		"<th class=n>at most<th class=n>time saved</tr></thead>\n");
	for (int i = 0; i < h->r->ngains; i++)
		gain(h, &h->r->gains[i]);
	buf_puts(&h->out,
		"</table></div>\n<p class=small>latency saved: share of the phase's misses × their extra latency "
		"that is gone with the change (not time); negative: the change adds misses. time saved: estimated "
		"share of the phase's processor time.</p>\n");
}

/* --- the ledger ------------------------------------------------------------------------------ */

static void ledger_row(struct html *h, const struct report_ledger *l,
	const struct report_ledger *total, bool last)
{
	char figure[PAGE_FIGURE];
	double accesses = l->accesses / total->accesses, misses = l->misses / total->misses;

	buf_puts(&h->out, last ? "<tr class=all><td>" : "<tr><td>");
	html_put(h, ledger_names[l->cause]);
	html_number(h, page_count(figure, l->accesses));
	html_bar(h, page_percent(figure, total->accesses > 0 ? accesses : NAN), last ? 0 :
		accesses);
	html_number(h, page_count(figure, l->misses));
	html_bar(h, page_percent(figure, total->misses > 0 ? misses : NAN), last ? 0 : misses);
	if (h->r->sampled)
		html_number(h, page_count(figure, l->misses_error));
	buf_puts(&h->out, "</tr>\n");
}

void html_ledger(struct html *h)
{
	struct report_ledger total;

	report_ledger_total(h->r, &total);
	html_heading(h, "accesses", "Where the accesses belong (per phase execution)");
	buf_puts(&h->out,
		"<div class=wide tabindex=0 role=region aria-label=Accesses><table id=ledger><thead><tr><th>cause<th class=n>accesses<th class=n>share"
		"<th class=n>misses<th class=n>share");
	buf_puts(&h->out, h->r->sampled ? "<th class=n>+-</tr></thead>\n" : "</tr></thead>\n");
	for (int i = 0; i < h->r->nledger; i++)
		ledger_row(h, &h->r->ledger[i], &total, false);
	ledger_row(h, &total, &total, true);
	buf_puts(&h->out,
		"</table></div>\n<p class=small>misses: of the last cache level. Shares are of what was "
		"measured.</p>\n");
}

/* --- the rest -------------------------------------------------------------------------------- */

void html_tested(struct html *h)
{
	html_heading(h, "tested", "What was tested");
	buf_printf(&h->out,
		"<details><summary>%d test%s</summary>\n<div class=wide tabindex=0 role=region aria-label=Tests><table><thead><tr><th>property<th>place"
		"<th>outcome<th>what decided</tr></thead>\n", h->r->ntested, h->r->ntested == 1 ?
		"" : "s");
	for (int i = 0; i < h->r->ntested; i++) {
		const struct report_tested *t = &h->r->tested[i];

		buf_puts(&h->out, "<tr><td>");
		html_put(h, t->property);
		buf_puts(&h->out, "<td>");
		if (t->place)
			html_label(h, t->place);
		if (t->below) {
			buf_puts(&h->out, " <span class=small>in ");
			html_put(h, t->below);
			buf_puts(&h->out, "</span>");
		}
		buf_puts(&h->out, "<td>");
		html_put(h, report_outcome_name(t->outcome));
		buf_puts(&h->out, "<td>");
		html_put(h, t->reason);
		buf_puts(&h->out, "</tr>\n");
	}
	buf_puts(&h->out, "</table></div></details>\n");
}

static void notes(struct html *h)
{
	if (h->r->nnotes <= 0)
		return;
	html_heading(h, "notes", "Notes");
	buf_puts(&h->out, "<ul>\n");
	for (int i = 0; i < h->r->nnotes; i++) {
		buf_puts(&h->out, "<li>");
		html_put(h, h->r->notes[i]);
		buf_puts(&h->out, "</li>\n");
	}
	buf_puts(&h->out, "</ul>\n");
}

void html_verified(struct html *h)
{
	char figure[PAGE_FIGURE];

	html_heading(h, "verified", "What misses cost, measured");
	buf_puts(&h->out,
		"<div class=wide tabindex=0 role=region aria-label=Figures><table><thead><tr><th>structure<th class=n>the program's execution<th class=n>as measured<th class=n>without its misses"
		"<th class=n>measured<th class=n>estimated</tr></thead>\n");
	for (int i = 0; i < h->r->nverified; i++) {
		const struct report_verified *v = &h->r->verified[i];

		buf_puts(&h->out, "<tr><td>");
		html_put(h, v->structure);
		if (v->declared) {
			buf_puts(&h->out, " (");
			html_put(h, v->declared);
			buf_puts(&h->out, ")");
		}
		if (v->reason) {
			buf_puts(&h->out, ": not measured: ");
			html_put(h, v->reason);
		} else if (v->one_cpu) {
			buf_puts(&h->out,
				"; all threads on one CPU: none takes lines from another");
		} else {
			buf_puts(&h->out, "; in copies of the process");
		}
		if (!v->reason && v->cold) {
			buf_puts(&h->out, "; first execution of each copy, its caches are cold");
		}
		html_number(h, page_seconds(figure, v->program_time));
		html_number(h, page_seconds(figure, v->time));
		html_number(h, page_seconds(figure, v->time_with));
		html_number(h, page_range(figure, v->measured, v->measured_low, v->measured_high));
		html_number(h, page_range(figure, v->estimated, v->estimated_low,
			v->estimated_high));
		buf_puts(&h->out, "</tr>\n");
	}
	buf_puts(&h->out, "</table></div>\n");
	for (int i = 0; i < h->r->nverified; i++) {
		struct buf b = BUF_INIT;

		words_outside(&b, &h->r->verified[i]);
		if (b.len || b.failed) {
			buf_puts(&h->out, "<p>");
			html_put_buf(h, &b);
			buf_puts(&h->out, "</p>\n");
		}
		buf_free(&b);
	}
	buf_puts(&h->out, "<p class=small>Shares of the processor time; page walks remain and are "
		"left out of the estimate.</p>\n");
}

/* --- how it was measured ---------------------------------------------------------------------- */

static void head_line(void *arg, const char *key, const struct buf *value)
{
	struct html *h = arg;

	buf_puts(&h->out, "<dt>");
	html_put(h, key);
	buf_puts(&h->out, "</dt><dd>");
	html_put_buf(h, value);
	buf_puts(&h->out, "</dd>\n");
}

static void time_line(void *arg, const char *key, const struct buf *value)
{
	if (strcmp(key, "Phase") == 0 || strcmp(key, "Time") == 0)
		head_line(arg, key, value);
}

void html_times(struct html *h)
{
	if (isnan(h->r->phase_time))
		return;
	buf_puts(&h->out, "<details class=small><summary>Times</summary><dl class=how>\n");
	words_head(h->r, true, time_line, h);
	buf_puts(&h->out, "</dl></details>\n");
}

void html_how(struct html *h)
{
	html_heading(h, "how", "How it was measured");
	buf_puts(&h->out, "<dl class=how>\n");
	words_head(h->r, true, head_line, h);
	if (h->r->version) {
		struct buf b = BUF_INIT;

		buf_printf(&b, "Periscope/C %s", h->r->version);
		head_line(h, "Made by", &b);
		buf_free(&b);
	}
	buf_puts(&h->out, "</dl>\n");
	notes(h);
}
