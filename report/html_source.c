/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the source lines of a problem: those that name its structures marked, estimates in the margin. */
#include "report/html.h"

#include <stdlib.h>
#include <string.h>

#include "report/quote.h"

enum {
	WHOLE = 28,             /* lines of a range that is shown whole */
	MARKED = 24,            /* lines shown of a longer one */
	AROUND = 1,             /* lines before and after */
	LONGEST = 512
};

struct listing {
	const struct report_problem *p;
	int first, last;        /* of all structures */
	int shown, before;      /* lines; the last line shown */
};

static bool in_file(const struct report_problem *p, const struct report_finding *f)
{
	return f->source && f->first_line > 0 && strcmp(f->source, p->lead->source) == 0;
}

static void find_range(struct listing *l)
{
	const struct report_problem *p = l->p;

	l->first = p->lead->first_line;
	l->last = p->lead->last_line;
	for (int i = 0; i < p->nstructures; i++) {
		const struct report_finding *f = p->structures[i];

		if (!in_file(p, f))
			continue;
		l->first = f->first_line < l->first ? f->first_line : l->first;
		l->last = f->last_line > l->last ? f->last_line : l->last;
	}
}

static bool is_marked(const struct report_problem *p, int number, const char *line)
{
	for (int i = 0; i < p->nstructures; i++) {
		const struct report_finding *f = p->structures[i];

		if (in_file(p, f) && number >= f->first_line && number <= f->last_line && quote_names(f, line))
			return true;
	}
	return false;
}

/* The estimates of the structures whose lines begin here, and what lines these are. */
static void margin(struct html *h, const struct report_problem *p, int number)
{
	double sum = 0;
	struct buf tip = BUF_INIT;
	char figure[PAGE_FIGURE];

	for (int i = 0; i < p->nstructures; i++) {
		const struct report_finding *f = p->structures[i];

		if (!in_file(p, f) || f->first_line != number || !(p->structure_share[i] > 0))
			continue;
		sum += p->structure_share[i];
		buf_printf(&tip, "%s%s in lines %d to %d: %s", tip.len ? "; " : "", f->path[f->npath - 1].name,
			f->first_line, f->last_line, page_percent(figure, p->structure_share[i]));
	}
	buf_puts(&h->out, "<td class=margin");
	if (sum > 0) {
		buf_puts(&h->out, " title='");
		html_put_buf(h, &tip);
		buf_printf(&h->out, "'>");
		html_put(h, page_percent(figure, sum));
	} else {
		buf_puts(&h->out, ">");
	}
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

	for (int number = 1; number <= l->last + AROUND && quote_next(in, line, sizeof line); number++) {
		bool marked;

		if (number < l->first - AROUND)
			continue;
		marked = is_marked(l->p, number, line);
		if (whole || begins_range(l->p, number) || (marked && l->shown < MARKED))
			put_line(h, l, number, line, marked);
	}
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
	buf_puts(&h->out, "<div class='wide source' tabindex=0 role=region aria-label='Source of problem ");
	buf_printf(&h->out, "%d'><table>\n", (int)(p - h->problems.problem) + 1);
	put_lines(h, &l, in);
	buf_puts(&h->out, "</table></div>\n");
	fclose(in);
}
