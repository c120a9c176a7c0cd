/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the verdict and the problems, each as a card with its source lines. */
#include "report/html/html.h"

#include <math.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/figures.h"
#include "report/words/problem_words.h"
#include "report/words/time_words.h"
#include "report/words/words.h"

enum {
	WHOLE_CARDS = 12,       /* problems that are shown without a click */
	CARDS = 200,            /* of more problems the findings are in the table alone */
	SOURCES = 100,          /* problems with source lines */
	LINKS = 12              /* findings named on a card */
};

#define LABELLED 0.15           /* share of the width that has room for a word */

/* --- the verdict ------------------------------------------------------------------------------ */


static void segment(struct html *h, const char *class, const char *what, double seconds, double all)
{
	char figure[PAGE_FIGURE];

	if (!(seconds >= 0.001 * all))
		return;
	buf_printf(&h->out, "<span class='%s' style='width:%.2f%%' title='%s %s'>", class,
		100 * seconds / all, what, page_percent(figure, seconds / all));
	if (seconds >= LABELLED * all)
		buf_printf(&h->out, "%s %s", what, figure);
	buf_puts(&h->out, "</span>");
}

/* What the threads' time goes to while they run or wait. */
static void time_bar(struct html *h)
{
	const struct report *r = h->r;
	struct time_share share[TIME_SHARES];
	struct buf words = BUF_INIT;
	double all;
	int n = time_shares(r, share, &all);

	all -= r->away_time > 0 ? r->away_time : 0;
	if (!(all > 0))
		return;
	buf_puts(&h->out, "<div class=bar>");
	for (int i = 0; i < n; i++)
		if (!share[i].away)
			segment(h, share[i].class, share[i].what, share[i].seconds, all);
	buf_puts(&h->out, "</div>\n<p class=small>");
	words_time_shares(&words, r);
	html_put_buf(h, &words);
	buf_puts(&h->out, "</p>\n");
	buf_free(&words);
}

static void warning(struct html *h, const char *before, const char *text)
{
	buf_puts(&h->out, "<p class=partial>");
	html_put(h, before);
	html_put(h, text);
	buf_puts(&h->out, "</p>\n");
}

void html_verdict(struct html *h)
{
	const struct report *r = h->r;
	struct buf b = BUF_INIT;

	if (text_some(r->partial))
		warning(h, "Partial analysis: ", r->partial);
	if (text_some(r->phase_warning))
		warning(h, "Warning: ", r->phase_warning);
	words_unoptimised(&b, r);
	if (b.len)
		warning(h, "Warning: ", buf_str(&b));
	buf_clear(&b);
	words_children(&b, r);
	if (b.len)
		warning(h, "Warning: ", buf_str(&b));
	buf_clear(&b);
	problem_verdict(&b, r, &r->problems);
	if (b.len || b.failed) {
		buf_puts(&h->out, "<p class=verdict>");
		html_put_buf(h, &b);
		buf_puts(&h->out, "</p>\n");
	}
	time_bar(h);
	html_times(h);
	buf_clear(&b);
	if (words_loaded(r))
		buf_printf(&b,
			"Other programs used %.1f of %.0f CPUs, and none was free: wall times and waits are longer "
			"than without them.", r->cpus_others, r->cpus);
	if (b.len || b.failed)
		warning(h, "", buf_str(&b));
	h->out.failed |= b.failed;
	buf_free(&b);
}

/* --- a card ----------------------------------------------------------------------------------- */

static void title(struct html *h, const struct report_problem *p)
{
	struct buf b = BUF_INIT;
	const char *in = problem_routine(p);

	if (in) {
		html_put(h, in);
		buf_puts(&h->out, " ");
	}
	buf_puts(&h->out, "<span class=place>");
	problem_place(&b, p, true);
	html_put_buf(h, &b);
	buf_puts(&h->out, "</span>");
	buf_free(&b);
}

static void amount(struct html *h, const struct report_problem *p)
{
	char figure[PAGE_FIGURE];

	buf_puts(&h->out, "<div class=amount><strong>");
	html_put(h, problem_amount(h->r, p, figure));
	buf_puts(&h->out, "</strong>");
	if (!isnan(p->share) && !problem_unknown(p)) {
		buf_puts(&h->out, "<span>");
		html_put(h, problem_bounded(p) ? problem_share(p, figure) :
			page_percent(figure, p->share));
		buf_puts(&h->out, "</span>");
	}
	if (report_problem_savable(p) && !problem_bounded(p) && !problem_unknown(p) &&
	    !isnan(p->low) && !isnan(p->high)) {
		buf_puts(&h->out, "<span class=small>");
		html_put(h, page_percent(figure, p->low));
		buf_puts(&h->out, " to ");
		html_put(h, page_percent(figure, p->high));
		buf_puts(&h->out, problem_is_all(h->r, p) ? ": all that computing leaves</span>" :
			"</span>");
	}
	buf_puts(&h->out, "</div>\n");
}

static void structure_links(struct html *h, const struct report_problem *p)
{
	char figure[PAGE_FIGURE];

	for (int i = 0; i < p->nstructures && i < LINKS; i++) {
		int at = html_structure_of(h, p->structures[i]);

		if (at < HTML_CARDS)
			buf_printf(&h->out, "<a class=chip href='#o%d'>", at + 1);
		else
			buf_puts(&h->out, "<span class=chip>");
		html_put(h, report_place(p->structures[i])->name);
		if (p->nstructures > 1 && p->structure[i].share > 0 && !problem_unknown(p))
			buf_printf(&h->out, " <small>%s</small>",
				page_percent(figure, p->structure[i].share));
		buf_puts(&h->out, at < HTML_CARDS ? "</a> " : "</span> ");
	}
	if (p->nstructures > LINKS)
		buf_printf(&h->out, "<span class=chip>and %d more</span> ", p->nstructures - LINKS);
}

static void finding_links(struct html *h, const struct report_problem *p)
{
	buf_printf(&h->out, "<span class=small>%s", p->nmembers == 1 ? "finding" : "findings");
	for (int i = 0; i < p->nmembers && i < LINKS; i++) {
		int rank = (int)(p->members[i] - h->r->findings) + 1;

		buf_printf(&h->out, " <a href='#f%d'>%d</a>", rank, rank);
	}
	if (p->nmembers > LINKS)
		buf_printf(&h->out, " and %d more", p->nmembers - LINKS);
	buf_puts(&h->out, "</span>");
}

static void row(struct html *h, const char *label, const char *text)
{
	if (!text_some(text))
		return;
	buf_printf(&h->out, "<dt>%s</dt><dd>", label);
	html_put(h, text);
	buf_puts(&h->out, "</dd>\n");
}

static void row_buf(struct html *h, const char *label, struct buf *b)
{
	h->out.failed |= b->failed;
	row(h, label, buf_str(b));
	buf_clear(b);
}

/* From the phase to the place. */
static void path(struct html *h, const struct report_problem *p)
{
	struct buf b = BUF_INIT;

	problem_path(&b, h->r, p, 0);
	buf_puts(&h->out, "<p class='small path'>");
	html_put_buf(h, &b);
	buf_puts(&h->out, "</p>\n");
	buf_free(&b);
}

static void proposal(struct html *h, const struct report_problem *p)
{
	int as = problem_as_for(h->r, p);

	if (!as)
		row(h, "Do", problem_doing(h->r, p));
	else
		buf_printf(&h->out, "<dt>Do</dt><dd>as for <a href='#p%d'>%d</a></dd>\n", as, as);
}

static void words(struct html *h, const struct report_problem *p)
{
	struct buf b = BUF_INIT;

	buf_puts(&h->out, "<dl>\n");
	problem_why(&b, h->r, p);
	row_buf(h, "Why", &b);
	proposal(h, p);
	if (report_problem_savable(p))
		problem_saves(&b, h->r, p);
	row_buf(h, "Saves", &b);
	buf_puts(&h->out, "</dl>\n");
	buf_free(&b);
}

static void card(struct html *h, const struct report_problem *p)
{
	const char *cause = p->cause;

	buf_printf(&h->out, "<article class=card id=p%d>\n", p->number);
	amount(h, p);
	buf_printf(&h->out, "<div class=what><h3><a href='#p%d'>%d</a> ", p->number, p->number);
	title(h, p);
	buf_puts(&h->out, "</h3>\n<p class=chips>");
	if (text_some(cause)) {
		buf_puts(&h->out, "<span class='chip kind'>");
		html_put(h, cause);
		buf_puts(&h->out, "</span> ");
	}
	structure_links(h, p);
	finding_links(h, p);
	buf_puts(&h->out, "</p>\n");
	words(h, p);
	path(h, p);
	buf_puts(&h->out, "</div>\n");
	if (h->source && p->number <= SOURCES)
		html_source(h, p);
	html_lines(h, p);
	buf_puts(&h->out, "</article>\n");
}

void html_problems(struct html *h)
{
	struct buf b = BUF_INIT;
	int n = h->r->problems.n;

	if (n == 0 && report_own_findings(h->r)) {
		html_heading(h, "problems", "No problem that costs time");
		return;
	}
	if (n == 0) {
		html_heading(h, "problems", h->r->partial ? "Nothing found" : "No bottleneck");
		buf_puts(&h->out,
			"<p>No property that could be decided is severe enough to be reported.</p>\n");
		return;
	}
	problem_count(&b, &h->r->problems, n);
	h->out.failed |= b.failed;
	html_heading(h, "problems", buf_str(&b));
	buf_free(&b);
	for (int i = 0; i < n && i < WHOLE_CARDS; i++)
		card(h, &h->r->problems.problem[i]);
	if (n <= WHOLE_CARDS)
		return;
	buf_printf(&h->out, "<details id=more><summary>%d more problems</summary>\n",
		n - WHOLE_CARDS);
	for (int i = WHOLE_CARDS; i < n && i < CARDS; i++)
		card(h, &h->r->problems.problem[i]);
	if (n > CARDS)
		buf_printf(&h->out,
			"<p>And %d more, which cost less: see <a href='#findings'>their findings</a>.</p>\n", n - CARDS);
	buf_puts(&h->out, "</details>\n");
}
