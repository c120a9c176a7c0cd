/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tables of memory over time share: the facts of each timeline, derived
 * once, and pieces of tables. */
#include "report/html/html.h"

#include <math.h>
#include <stdlib.h>

#include "report/model/timeline_facts.h"
#include "report/words/timeline_words.h"

int html_facts_collect(struct html *h)
{
	h->facts = calloc((size_t)h->r->ntimelines + 1, sizeof *h->facts);
	if (!h->facts)
		return -1;
	for (int i = 0; i < h->r->ntimelines; i++) {
		h->facts[i] = time_facts_new(&h->r->timelines[i]);
		if (!h->facts[i])
			return -1;
	}
	return 0;
}

void html_facts_free(struct html *h)
{
	for (int i = 0; h->facts && i < h->r->ntimelines; i++)
		time_facts_free(h->facts[i]);
	free(h->facts);
	h->facts = NULL;
}

void html_by_process(struct html *h, html_process_writer *writer)
{
	for (int i = 0; i < h->r->ntimelines; i++) {
		if (h->r->ntimelines > 1)
			buf_printf(&h->out, "<h3>Process %d</h3>\n", h->r->timelines[i].process);
		writer(h, h->facts[i]);
	}
}

void html_table_begin(struct html *h, const struct time_facts *f, const char *label, bool sorted)
{
	buf_printf(&h->out, "<div class=wide tabindex=0 role=region aria-label='%s of process %d'>"
		"<table%s data-process=%d><thead><tr>", label, f->t->process,
		sorted ? " class=sort" : "", f->t->process);
}

void html_table_end(struct html *h)
{
	buf_puts(&h->out, "</tbody></table></div>\n");
}

void html_count(struct html *h, double n, double share)
{
	char figure[PAGE_FIGURE];

	html_figure(h, n > 0 ? page_count(figure, n) : "-", n, share);
}

void html_share(struct html *h, double share)
{
	struct buf b = BUF_INIT;

	if (share > 0)
		timeline_share(&b, share);
	html_figure(h, share > 0 ? buf_str(&b) : "-", share, 0);
	h->out.failed |= b.failed;
	buf_free(&b);
}

void html_bytes(struct html *h, double n)
{
	struct buf b = BUF_INIT;

	if (n > 0)
		timeline_bytes(&b, n);
	html_figure(h, n > 0 ? buf_str(&b) : "-", n > 0 ? n : NAN, 0);
	h->out.failed |= b.failed;
	buf_free(&b);
}

void html_structure_name(struct html *h, const struct time_facts *f, int structure)
{
	const struct time_structure *s = &f->structure[structure];
	const int at = html_structure_named(h, s->s->name, s->s->scope, s->s->declared);
	const bool card = at >= 0 && at < HTML_CARDS;

	if (card)
		buf_printf(&h->out, "<a href='#o%d' data-structure=%d>", at + 1, structure + 1);
	html_put(h, timeline_name(s));
	buf_puts(&h->out, card ? "</a>" : "");
}
