/* SPDX-License-Identifier: BSD-3-Clause */
/* What two collectors counted, in the page. */
#include "report/html/html.h"
#include "report/words/words.h"

static void put_count(struct html *h, const char *by, const struct report_count *c)
{
	char figure[PAGE_FIGURE];

	buf_puts(&h->out, "<td>");
	html_put(h, by);
	html_number(h, page_percent(figure, c->access_share));
	html_number(h, page_percent(figure, c->first_rate));
	html_number(h, page_percent(figure, c->last_rate));
	html_number(h, page_percent(figure, c->coherence_rate));
	html_number(h, page_range(figure, c->stall, c->low, c->high));
	buf_puts(&h->out, "</tr>\n");
}

static void put_difference(struct html *h, const struct report_counted *c)
{
	const struct report_count *a = &c->one, *b = &c->other;
	char figure[PAGE_FIGURE];

	buf_printf(&h->out, "<tr><td><td>difference%s", c->rates_differ || c->stalls_differ ?
		" *" : "");
	html_number(h, page_points(figure, a->access_share, b->access_share));
	html_number(h, page_points(figure, a->first_rate, b->first_rate));
	html_number(h, page_points(figure, a->last_rate, b->last_rate));
	html_number(h, page_points(figure, a->coherence_rate, b->coherence_rate));
	html_number(h, words_stall_points(figure, c));
	buf_puts(&h->out, "</tr>\n");
}

void html_counted(struct html *h)
{
	struct buf b = BUF_INIT;

	html_heading(h, "counted", "Counted twice");
	buf_puts(&h->out,
		"<div class=wide tabindex=0 role=region aria-label=Figures><table><thead><tr>"
		"<th>structure<th>counted by<th class=n>accesses<th class=n>misses, level 1"
		"<th class=n>last level<th class=n>sharing<th class=n>memory's part"
		"</tr></thead>\n");
	for (int i = 0; i < h->r->ncounted; i++) {
		const struct report_counted *c = &h->r->counted[i];

		buf_puts(&h->out, "<tr><td>");
		html_put(h, c->structure ? c->structure : "all memory");
		put_count(h, h->r->collector, &c->one);
		buf_puts(&h->out, "<tr><td>");
		put_count(h, h->r->other_collector, &c->other);
		put_difference(h, c);
	}
	buf_puts(&h->out, "</table></div>\n<p class=small>");
	words_counted(&b, h->r);
	html_put_buf(h, &b);
	buf_puts(&h->out, "</p>\n");
	buf_free(&b);
}
