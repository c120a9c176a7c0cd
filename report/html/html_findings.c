/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the table of all findings, with the search path of each. */
#include "report/html/html.h"

#include <math.h>

#include "report/model/figures.h"
#include "report/words/words.h"

enum { OPEN_AT_MOST = 30 };

/* The search path: one line for each step, with the rate that the property compares.  One element,
 * whose lines the style keeps: a page with thousands of lists opens slowly. */
static void path(struct html *h, const struct report_finding *f)
{
	char figure[PAGE_FIGURE];

	buf_puts(&h->out, "<p class=steps>");
	for (int i = 0; i < f->npath; i++) {
		const struct report_node *n = &f->path[i];
		const char *rate = page_rate(figure, n->measure);

		buf_printf(&h->out, "%s%d. ", i ? "\n" : "", i + 1);
		html_label(h, n);
		if (n->holds || i == f->npath - 1 || isnan(n->measure))
			buf_printf(&h->out, ": rate %s", rate);
		else
			buf_printf(&h->out, ": rate (%s)", rate);
		if (h->r->sampled)
			buf_printf(&h->out, " +-%s", page_rate(figure, n->measure_error));
		if (!isnan(n->time))
			buf_printf(&h->out, ", %s", page_seconds(figure, n->time));
	}
	buf_puts(&h->out, "</p>");
}

/* A link to the data structure, the file and line of the property. */
static void origin(struct html *h, const struct report_finding *f)
{
	int structure = html_structure_of(h, f);
	bool link = structure >= 0 && structure < HTML_CARDS, property = f->file && *f->file;

	if (!link && !property)
		return;
	buf_puts(&h->out, "<p class=small>");
	if (link)
		buf_printf(&h->out, "<a href='#o%d'>this data structure</a>", structure + 1);
	if (property) {
		buf_puts(&h->out, link ? "; " : "");
		html_put(h, f->property);
		buf_puts(&h->out, ": ");
		html_put(h, f->file);
		buf_printf(&h->out, ":%d", f->line);
	}
	if (property && f->refines) {
		buf_puts(&h->out, ", refines ");
		html_put(h, f->refines);
	}
	buf_puts(&h->out, "</p>");
}

static void finding(struct html *h, const struct report_finding *f, int rank)
{
	char figure[PAGE_FIGURE];

	buf_printf(&h->out, "<tr class=f id=f%d><td class=n data-v=%d><a href='#f%d'>%d</a>", rank,
		rank, rank, rank);
	html_bar(h, f->severity_is_index ? page_index(figure, f->severity_share) :
		page_percent(figure, f->severity_share), f->severity_share);
	html_figure(h, page_percent(figure, f->time_share), f->time_share, 0);
	html_figure(h, page_rate(figure, f->measure), f->measure, 0);
	if (h->r->sampled)
		html_figure(h, page_rate(figure, f->measure_error), f->measure_error, 0);
	html_bar(h, page_range(figure, f->est_stall_share, f->est_stall_low_share,
		f->est_stall_high_share), f->est_stall_share);
	buf_puts(&h->out, "<td>");
	html_put(h, miss_kind_name(f->kind));
	buf_puts(&h->out, "<td>");
	html_put(h, f->property);
	/* No <details>: a page with thousands of them opens slowly.  The style
	 * shows what a link leads to. */
	buf_printf(&h->out, "<td class=at><a href='#f%d'>", rank);
	html_label(h, report_place(f));
	buf_puts(&h->out, "</a><div class=more>");
	html_sentence(h, f, words_advice);
	html_sentence(h, f, words_remark);
	path(h, f);
	origin(h, f);
	buf_puts(&h->out, "</div></tr>\n");
}

static void legend(struct html *h)
{
	buf_puts(&h->out,
		"<p class=small>severity: share of the phase's time; without % it is an index, rate × "
		"share of time in hundredths: it ranks, and is not time lost. time: of the region, as share of "
		"the phase's. rate: what the property compares with its threshold; in a path, in parentheses "
		"where the property does not hold. memory: of the phase's processor time, the part that is lost to "
		"memory here: an estimate, and its range; not known: from next to nothing to nearly all. kind: of the misses that cost most.");
	if (h->r->sampled)
		buf_puts(&h->out, " +-: half the 95% confidence interval of the rate.");
	buf_puts(&h->out, " -: not measured.</p>\n");
}

void html_findings(struct html *h)
{
	const struct report *r = h->r;

	html_heading(h, "findings", r->rank_by_stall ?
		"All findings, worst first by modelled memory time" :
		"All findings, worst first");
	buf_printf(&h->out,
		"<details%s><summary>%d finding%s</summary>\n<div class=wide tabindex=0 role=region "
		"aria-label='Findings'><table class=sort id=all><thead><tr><th class=n>#<th class=n>severity"
		"<th class=n>time<th class=n>rate", r->nfindings <= OPEN_AT_MOST ? " open" : "",
		r->nfindings, r->nfindings == 1 ? "" : "s");
	buf_puts(&h->out, r->sampled ? "<th class=n>+-" : "");
	buf_puts(&h->out, "<th class=n>memory<th>kind<th>property<th>place</tr></thead><tbody>\n");
	for (int i = 0; i < r->nfindings; i++)
		finding(h, &r->findings[i], i + 1);
	buf_puts(&h->out, "</tbody></table></div></details>\n");
	legend(h);
}
