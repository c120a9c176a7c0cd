/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the latencies of loads that the processor sampled, and memory nodes by pages and unit. */
#include <string.h>

#include "report/text/text.h"
#include "report/words/words.h"

enum { NAME = 26, FIGURE = 6, PLACES = 8 };

static int name_width(const struct text_report *t)
{
	const int room = t->page.width - FIGURE * words_sampled_classes(t->r) -
		(words_sampled_places(t->r) ? 2 * PLACES + 2 : 0);

	return room < NAME ? room : NAME;
}

static void put_heading(struct text_report *t)
{
	char cycles[16];

	page_dim(&t->page, true);
	page_cell(&t->page, "structure, cycles", name_width(t), PAGE_LEFT);
	for (int k = 0; k < words_sampled_classes(t->r); k++) {
		snprintf(cycles, sizeof cycles, "%d", 4 << k);
		page_cell(&t->page, cycles, FIGURE, PAGE_RIGHT);
	}
	if (words_sampled_places(t->r)) {
		page_cell(&t->page, "remote", PLACES, PAGE_RIGHT);
		page_cell(&t->page, "by unit", PLACES, PAGE_RIGHT);
	}
	page_end_line(&t->page);
	page_dim(&t->page, false);
}

static void put_region(struct text_report *t, const struct report_samples *s)
{
	struct buf b = BUF_INIT;

	words_sampled_region(&b, t->r, s);
	page_wrap_buf(&t->page, 0, 2, &b);
	buf_free(&b);
}

static void put_row(struct text_report *t, const struct report_samples *s)
{
	const int width = name_width(t);
	char figure[PAGE_FIGURE];

	page_spaces(&t->page, 2);
	page_cell(&t->page, s->structure ? s->structure : "all memory", width - 2, PAGE_LEFT);
	for (int k = 0; k < words_sampled_classes(t->r); k++)
		page_cell(&t->page, page_percent(figure, s->slow[k] / s->loads), FIGURE,
			PAGE_RIGHT);
	if (words_sampled_places(t->r)) {
		page_cell(&t->page, page_percent(figure, s->far_by_page / s->placed), PLACES,
			PAGE_RIGHT);
		page_cell(&t->page, page_percent(figure, s->far_by_unit / s->placed), PLACES,
			PAGE_RIGHT);
		if (words_sampled_differ(s))
			page_cell(&t->page, " *", 2, PAGE_FREE);
	}
	page_end_line(&t->page);
}

void text_sampled(struct text_report *t)
{
	const char *region = "";
	struct buf b = BUF_INIT;

	if (t->r->nsamples <= 0)
		return;
	page_heading(&t->page, "What the processor sampled");
	put_heading(t);
	for (int i = 0; i < t->r->nsamples; i++) {
		const struct report_samples *s = &t->r->samples[i];

		if (strcmp(region, s->region) != 0)
			put_region(t, s);
		region = s->region;
		put_row(t, s);
	}
	words_sampled(&b, t->r);
	page_wrap_buf(&t->page, 0, 2, &b);
	buf_free(&b);
}
