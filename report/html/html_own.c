/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what the user's own properties found. */
#include "report/html/html.h"

#include "report/model/figures.h"
#include "report/words/words.h"

enum { ROWS = 100 };

static void row(struct html *h, const struct report_finding *f)
{
	const int rank = (int)(f - h->r->findings) + 1;
	char figure[PAGE_FIGURE];
	struct buf place = BUF_INIT, advice = BUF_INIT;

	words_own_place(&place, f);
	buf_puts(&h->out, "<tr>");
	html_bar(h, words_severity(f, figure), f->severity_share);
	html_figure(h, page_rate(figure, f->measure), f->measure, 0);
	buf_printf(&h->out, "<td><a href='#f%d'>", rank);
	html_put(h, f->property);
	buf_puts(&h->out, "</a><td>");
	html_put_buf(h, &place);
	buf_puts(&h->out, "<td>");
	words_advice(&advice, h->r, f);
	html_put_buf(h, &advice);
	buf_puts(&h->out, "</tr>\n");
	buf_free(&advice);
	buf_free(&place);
}

void html_own(struct html *h)
{
	int n = report_own_findings(h->r), shown = 0;

	html_heading(h, "own", "Your own properties");
	buf_puts(&h->out,
		"<div class=wide tabindex=0 role=region aria-label='Your own properties'><table>\n<thead><tr><th class=n>severity<th class=n>value<th>property"
		"<th>place<th>advice</tr></thead><tbody>\n");
	for (int i = 0; i < h->r->nfindings && shown < ROWS; i++)
		if (report_own_property(&h->r->findings[i])) {
			row(h, &h->r->findings[i]);
			shown++;
		}
	buf_puts(&h->out, "</tbody></table></div>\n");
	if (shown < n)
		buf_printf(&h->out,
			"<p>And %d more: see <a href='#findings'>all findings</a>.</p>\n",
			n - shown);
}
