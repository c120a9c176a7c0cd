/* SPDX-License-Identifier: BSD-3-Clause */
/* The latencies of loads that the processor sampled, and memory nodes, in the page. */
#include "report/html/html.h"
#include "report/words/words.h"

static void put_row(struct html *h, const struct report_samples *s)
{
	struct buf region = BUF_INIT;
	char figure[PAGE_FIGURE];

	buf_puts(&h->out, "<tr><td>");
	html_put(h, s->structure ? s->structure : "all memory");
	buf_puts(&h->out, "<td>");
	words_sampled_region(&region, h->r, s);
	html_put_buf(h, &region);
	buf_free(&region);
	for (int k = 0; k < words_sampled_classes(h->r); k++)
		html_number(h, page_percent(figure, s->slow[k] / s->loads));
	if (words_sampled_places(h->r)) {
		html_number(h, page_percent(figure, s->far_by_page / s->placed));
		html_number(h, page_percent(figure, s->far_by_unit / s->placed));
		buf_puts(&h->out, words_sampled_differ(s) ? "<td>*" : "<td>");
	}
	buf_puts(&h->out, "</tr>\n");
}

void html_sampled(struct html *h)
{
	struct buf b = BUF_INIT;

	html_heading(h, "sampled", "What the processor sampled");
	buf_puts(&h->out, "<div class=wide tabindex=0 role=region aria-label=Figures><table><thead>"
		"<tr><th>structure<th>region");
	for (int k = 0; k < words_sampled_classes(h->r); k++)
		buf_printf(&h->out, "<th class=n>%d cycles", 4 << k);
	if (words_sampled_places(h->r))
		buf_puts(&h->out, "<th class=n>remote by pages<th class=n>by the unit<th>");
	buf_puts(&h->out, "</tr></thead>\n");
	for (int i = 0; i < h->r->nsamples; i++)
		put_row(h, &h->r->samples[i]);
	buf_puts(&h->out, "</table></div>\n<p class=small>");
	words_sampled(&b, h->r);
	html_put_buf(h, &b);
	buf_puts(&h->out, "</p>\n");
	buf_free(&b);
}
