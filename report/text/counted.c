/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what two collectors counted, and the difference, structure by structure. */
#include "report/text/text.h"
#include "report/words/words.h"

enum { NAME = 25, BY = 7, FIGURE = 8, PART = 14, STAR = 2 };

static void put_name(struct text_report *t, const char *name, const char *by)
{
	const int room = t->page.width - BY - 4 * FIGURE - PART - STAR;

	page_cell(&t->page, name, (room < NAME ? room : NAME) - 1, PAGE_LEFT);
	page_spaces(&t->page, 1);
	page_cell(&t->page, by, BY, PAGE_LEFT);
}

static void put_count(struct text_report *t, const char *name, const char *by,
	const struct report_count *c)
{
	char figure[PAGE_FIGURE];

	put_name(t, name, by);
	page_cell(&t->page, page_percent(figure, c->access_share), FIGURE, PAGE_RIGHT);
	page_cell(&t->page, page_percent(figure, c->first_rate), FIGURE, PAGE_RIGHT);
	page_cell(&t->page, page_percent(figure, c->last_rate), FIGURE, PAGE_RIGHT);
	page_cell(&t->page, page_percent(figure, c->coherence_rate), FIGURE, PAGE_RIGHT);
	page_cell(&t->page, page_range(figure, c->stall, c->low, c->high), PART, PAGE_RIGHT);
	page_end_line(&t->page);
}

static void put_difference(struct text_report *t, const struct report_counted *c)
{
	const struct report_count *a = &c->one, *b = &c->other;
	char figure[PAGE_FIGURE];

	put_name(t, "", "differ");
	page_cell(&t->page, page_points(figure, a->access_share, b->access_share), FIGURE,
		PAGE_RIGHT);
	page_cell(&t->page, page_points(figure, a->first_rate, b->first_rate), FIGURE, PAGE_RIGHT);
	page_cell(&t->page, page_points(figure, a->last_rate, b->last_rate), FIGURE, PAGE_RIGHT);
	page_cell(&t->page, page_points(figure, a->coherence_rate, b->coherence_rate), FIGURE,
		PAGE_RIGHT);
	page_cell(&t->page, words_stall_points(figure, c), PART, PAGE_RIGHT);
	if (c->rates_differ || c->stalls_differ)
		page_cell(&t->page, " *", STAR, PAGE_FREE);
	page_end_line(&t->page);
}

static void put_heading(struct text_report *t)
{
	static const char *const names[] = { "accesses", "level 1", "last", "sharing" };

	page_dim(&t->page, true);
	put_name(t, "structure", "by");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		page_cell(&t->page, names[i], FIGURE, PAGE_RIGHT);
	page_cell(&t->page, "memory's part", PART, PAGE_RIGHT);
	page_end_line(&t->page);
	page_dim(&t->page, false);
}

void text_counted(struct text_report *t)
{
	struct buf b = BUF_INIT;

	if (t->r->ncounted <= 0)
		return;
	page_heading(&t->page, "Counted twice");
	put_heading(t);
	for (int i = 0; i < t->r->ncounted; i++) {
		const struct report_counted *c = &t->r->counted[i];

		put_count(t, c->structure ? c->structure : "all memory", t->r->collector, &c->one);
		put_count(t, "", t->r->other_collector, &c->other);
		put_difference(t, c);
	}
	words_counted(&b, t->r);
	page_wrap_buf(&t->page, 0, 2, &b);
	buf_free(&b);
}
