/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a card for each data structure: what it is, what it costs and where. */
#include "report/html/html.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/model/figures.h"
#include "report/words/problem_words.h"

enum {
	WHOLE_CARDS = 12,
	FINDINGS = 12           /* named on a card */
};

static void share(struct html *h, const char *what, double v)
{
	char figure[PAGE_FIGURE];

	if (isnan(v))
		return;
	buf_printf(&h->out, "<dt>%s</dt><dd>", what);
	html_put(h, page_percent(figure, v));
	buf_puts(&h->out, "</dd>\n");
}

static void counts(struct html *h, const struct report_cost *c)
{
	char figure[PAGE_FIGURE];

	buf_puts(&h->out, "<dt>accesses</dt><dd>");
	html_put(h, page_count(figure, c->accesses));
	buf_puts(&h->out, "</dd>\n");
	for (int l = 0; l < REPORT_LEVELS; l++) {
		if (isnan(c->misses[l]))
			continue;
		buf_printf(&h->out, "<dt>L%d misses</dt><dd>", l + 1);
		html_put(h, page_count(figure, c->misses[l]));
		if (c->accesses > 0)
			buf_printf(&h->out, " (%s)",
				page_percent(figure, c->misses[l] / c->accesses));
		buf_puts(&h->out, "</dd>\n");
	}
	if (c->coherence > 0) {
		buf_puts(&h->out, "<dt>taken by threads</dt><dd>");
		html_put(h, page_count(figure, c->coherence));
		buf_puts(&h->out, "</dd>\n");
	}
}

static void findings(struct html *h, int at)
{
	int n = 0;

	for (int i = 0; i < h->r->nfindings && h->structures[at].first; i++) {
		if (html_structure_of(h, &h->r->findings[i]) != at)
			continue;
		if (n == FINDINGS) {
			buf_puts(&h->out, " and more");
			break;
		}
		buf_printf(&h->out, "%s <a href='#f%d'>%d</a>", n++ ? "" :
			"<p class=small>findings", i + 1, i + 1);
	}
	buf_puts(&h->out, n ? "</p>\n" : "");
}

static void gain(struct html *h, const struct html_structure *s)
{
	const struct report_gain *best = s->first ? report_gain_best(h->r, s->first) : NULL;
	struct buf b = BUF_INIT;

	if (!best || !(best->time_share > 0))
		return;
	problem_gain_saves(&b, h->r, best);
	buf_puts(&h->out, "<dt>a change saves</dt><dd>");
	html_put_buf(h, &b);
	buf_puts(&h->out, ": ");
	html_put(h, best->change);
	buf_puts(&h->out, "</dd>\n");
	buf_free(&b);
}

static void card(struct html *h, int at)
{
	const struct html_structure *s = &h->structures[at];

	buf_printf(&h->out, "<article class=structure id=o%d><h3><a href='#o%d'>", at + 1, at + 1);
	html_put(h, s->name);
	buf_puts(&h->out, "</a></h3>\n<p class=small>");
	html_put(h, s->scope ? s->scope : "");
	if (s->declared) {
		buf_puts(&h->out, s->scope ? ", declared " : "declared ");
		html_put(h, s->declared);
	}
	buf_puts(&h->out, "</p>\n<dl>\n");
	share(h, "memory time", s->share);
	if (s->whole)
		counts(h, s->whole);
	gain(h, s);
	buf_puts(&h->out, "</dl>\n");
	findings(h, at);
	buf_puts(&h->out, "</article>\n");
}

void html_structures(struct html *h)
{
	int n = h->nstructures < HTML_CARDS ? h->nstructures : HTML_CARDS;

	html_heading(h, "structures", "Data structures");
	buf_puts(&h->out, "<div class=structures>\n");
	for (int i = 0; i < n && i < WHOLE_CARDS; i++)
		card(h, i);
	buf_puts(&h->out, "</div>\n");
	if (n > WHOLE_CARDS) {
		buf_printf(&h->out, "<details><summary>%d more</summary><div class=structures>\n",
			n - WHOLE_CARDS);
		for (int i = WHOLE_CARDS; i < n; i++)
			card(h, i);
		buf_puts(&h->out, "</div></details>\n");
	}
	buf_puts(&h->out,
		"<p class=small>Per phase execution; memory time: estimated share of the phase's processor "
		"time; of misses, the part of its accesses; taken by threads: misses because another thread wrote the line.");
	if (n < h->nstructures)
		buf_printf(&h->out, " The first %d of %d.", n, h->nstructures);
	buf_puts(&h->out, "</p>\n");
}
