/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the source lines of a problem: those that miss marked, their share of the misses in the
 * margin; where these are not known, those that name its structures marked,
 * estimates in the margin. */
#include "report/html/html.h"

#include <stdlib.h>
#include <string.h>

#include "report/model/figures.h"
#include "report/words/problem_words.h"
#include "report/words/quote.h"
#include "report/words/sites.h"

enum {
	WHOLE = 28,             /* lines of a range that is shown whole */
	MARKED = 24,            /* lines shown of a longer one */
	AROUND = 1,             /* lines before and after */
	LONGEST = 512
};

#define LITTLE 0.01             /* share of the misses below which a line is not marked */

struct listing {
	const struct report_problem *p;
	bool measured;          /* the lines that miss are known */
	int first, last;        /* of all structures */
	int end;                /* the last line that may be shown */
	int shown, before;      /* lines; the last line shown */
};

static bool in_file(const struct report_problem *p, const struct report_finding *f)
{
	return f->source && f->first_line > 0 && strcmp(f->source, p->lead->source) == 0;
}

/* The index of a line that has a part of the misses worth marking; -1: none. */
static int site_at(const struct report_problem *p, int number)
{
	int i = sites_find(p->sites, p->nsites, number);

	return i >= 0 && report_site_share(p->sites, p->nsites, i) >= LITTLE ? i : -1;
}

static void find_range(struct listing *l)
{
	const struct report_problem *p = l->p;

	l->measured = p->nsites && p->sites[0].line > 0;
	report_problem_range(p, &l->first, &l->last);
	l->end = l->last + AROUND;
	for (int i = 0; i < p->nsites; i++)
		if (p->sites[i].line > l->end && site_at(p, p->sites[i].line) >= 0)
			l->end = p->sites[i].line;
}

static bool is_marked(const struct listing *l, int number, const char *line)
{
	const struct report_problem *p = l->p;

	if (l->measured)
		return site_at(p, number) >= 0;
	for (int i = 0; i < p->nstructures; i++) {
		const struct report_finding *f = p->structures[i];

		if (in_file(p, f) && number >= f->first_line && number <= f->last_line &&
		    quote_names(f, line))
			return true;
	}
	return false;
}

/* A figure, and what it is. */
static void margin_cell(struct html *h, const char *figure, const struct buf *tip)
{
	buf_puts(&h->out, "<td class=margin");
	if (tip->len || tip->failed) {
		buf_puts(&h->out, " title='");
		html_put_buf(h, tip);
		buf_puts(&h->out, "'>");
		html_put(h, figure);
	} else {
		buf_puts(&h->out, ">");
	}
}

/* The share that a line has of the problem's misses. */
static void margin_measured(struct html *h, const struct report_problem *p, int number)
{
	int i = site_at(p, number);
	struct buf tip = BUF_INIT;
	char figure[PAGE_FIGURE] = "";

	if (i >= 0) {
		sites_figures(&tip, &p->sites[i]);
		page_percent(figure, report_site_share(p->sites, p->nsites, i));
	}
	margin_cell(h, figure, &tip);
	buf_free(&tip);
}

/* The estimates of the structures whose lines begin here, and what lines these are. */
static void margin(struct html *h, const struct report_problem *p, int number)
{
	double sum = 0;
	struct buf tip = BUF_INIT;
	char figure[PAGE_FIGURE];

	for (int i = 0; i < p->nstructures; i++) {
		const struct report_finding *f = p->structures[i];

		if (!in_file(p, f) || f->first_line != number || !(p->structure[i].share > 0))
			continue;
		sum += p->structure[i].share;
		buf_printf(&tip, "%s%s in lines %d to %d: %s", tip.len ? "; " : "",
			f->path[f->npath - 1].name, f->first_line, f->last_line,
			page_percent(figure, p->structure[i].share));
	}
	margin_cell(h, page_percent(figure, sum), &tip);
	buf_free(&tip);
}

static bool begins_range(const struct report_problem *p, int number)
{
	if (number == p->lead->first_line)
		return true;
	for (int i = 0; i < p->nstructures; i++)
		if (in_file(p, p->structures[i]) && number == p->structures[i]->first_line)
			return true;
	return false;
}

static void put_line(struct html *h, struct listing *l, int number, const char *line, bool marked)
{
	if (l->before && number > l->before + 1)
		buf_puts(&h->out, "<tr class=gap><td><td>\342\213\256<td></tr>\n");
	buf_puts(&h->out, marked ? "<tr class=hit>" : "<tr>");
	if (l->measured)
		margin_measured(h, l->p, number);
	else
		margin(h, l->p, number);
	buf_printf(&h->out, "<td class=no>%d<td><code>", number);
	html_put_code(h, line);
	buf_puts(&h->out, "</code></tr>\n");
	l->shown++;
	l->before = number;
}

static void put_lines(struct html *h, struct listing *l, FILE *in)
{
	bool whole = l->last - l->first < WHOLE;
	char line[LONGEST];

	for (int number = 1; number <= l->end && quote_next(in, line, sizeof line); number++) {
		bool around = number >= l->first - AROUND && number <= l->last + AROUND;
		bool marked = (around || l->measured) && is_marked(l, number, line);

		if ((around && (whole || begins_range(l->p, number))) ||
		    (marked && l->shown < MARKED))
			put_line(h, l, number, line, marked);
	}
}

static void legend(struct html *h, const struct report_problem *p)
{
	int others = sites_find(p->sites, p->nsites, 0);
	char figure[PAGE_FIGURE];

	buf_printf(&h->out,
		"<p class=small>Beside the lines: their share of the problem's %s misses",
		sites_level(p->sites, p->nsites));
	if (others >= 0)
		buf_printf(&h->out, "; other lines have %s", page_percent(figure,
			report_site_share(p->sites, p->nsites, others)));
	buf_puts(&h->out, ".</p>\n");
}

void html_source(struct html *h, const struct report_problem *p)
{
	struct listing l = { .p = p };
	const char *slash = p->lead->source ? strrchr(p->lead->source, '/') : NULL;
	FILE *in;

	if (p->lead->first_line <= 0 || !slash)
		return;
	find_range(&l);
	in = quote_open(h->r, p->lead);
	if (!in) {
		buf_puts(&h->out, "<p class=small>Source lines: ");
		html_put(h, slash + 1);
		buf_puts(&h->out, " is not there, or newer than the run.</p>\n");
		return;
	}
	if (l.measured)
		legend(h, p);
	buf_puts(&h->out,
		"<div class='wide source' tabindex=0 role=region aria-label='Source of problem ");
	buf_printf(&h->out, "%d'><table>\n", p->number);
	put_lines(h, &l, in);
	buf_puts(&h->out, "</table></div>\n");
	fclose(in);
}
