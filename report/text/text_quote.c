/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the source lines of a problem. */
#include <stdio.h>
#include <string.h>

#include "report/words/quote.h"
#include "report/text/text.h"

enum { TEXT_AT = 11 };          /* column of texts */

/* Cuts the end off a line of source that is too long. */
static void cut_end(char *text, int width)
{
	size_t n = strlen(text);

	while (n > 2 && page_columns(text) > width) {
		do
			n--;
		while (n > 2 && ((unsigned char)text[n] & 0xc0) == 0x80);
		memcpy(text + n - 2, "..", 3);
	}
}

void text_quote(struct text_report *t, const struct report_problem *p)
{
	struct text_page *page = &t->page;
	struct quote q;
	char number[16];

	if (quote_read(t->r, p, &q)) {
		page->out.failed = true;
		return;
	}
	for (int i = 0; i < q.n; i++) {
		snprintf(number, sizeof number, "%d", q.line[i].number);
		page_dim(page, true);
		page_cell(page, number, TEXT_AT - 2, PAGE_RIGHT);
		buf_puts(&page->out, " | ");
		cut_end(q.line[i].text, page->width - TEXT_AT - 1);
		page_cell(page, q.line[i].text, page->width - TEXT_AT - 1, PAGE_FREE);
		page_end_line(page);
		page_dim(page, false);
	}
	quote_free(&q);
}
