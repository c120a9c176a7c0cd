/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the list of tests with the number that decided each (--why-not). */
#include <stdlib.h>
#include <string.h>

#include "report/model/fields.h"
#include "report/text/text.h"

#define OUTCOME_COLUMNS 12
#define REASON_LEAST 30

/* The end of a property's tests, which are adjacent: r->tested is ranked. */
static int same_property(const struct report *r, int first)
{
	int end = first + 1;

	while (end < r->ntested && strcmp(r->tested[first].property, r->tested[end].property) == 0)
		end++;
	return end;
}

static int count(const struct report *r, int first, int end, enum report_outcome outcome)
{
	int n = 0;

	for (int i = first; i < end; i++)
		n += r->tested[i].outcome == outcome;
	return n;
}

static void put_counts(struct buf *b, const struct report *r, int first, int end)
{
	const char *comma = "";

	for (int o = REPORT_HELD; o <= REPORT_NOT_TESTED; o++) {
		int n = count(r, first, end, (enum report_outcome)o);

		if (n == 0)
			continue;
		buf_printf(b, "%s%d %s", comma, n, report_outcome_name((enum report_outcome)o));
		comma = ", ";
	}
}

void text_tested(struct text_report *t)
{
	struct buf b = BUF_INIT;

	for (int i = 0, end; i < t->r->ntested; i = end) {
		end = same_property(t->r, i);
		buf_clear(&b);
		buf_printf(&b, "- %s: ", t->r->tested[i].property);
		put_counts(&b, t->r, i, end);
		page_wrap_buf(&t->page, 0, 2, &b);
	}
	if (t->r->ntested > 0)
		page_wrap(&t->page, 0, 0,
			"--why-not lists every test with the number that decided it.");
	buf_free(&b);
}

static int label_columns(struct text_report *t)
{
	int most = 0;

	for (int i = 0; i < t->r->ntested; i++) {
		struct buf label = BUF_INIT;
		int w;

		if (t->r->tested[i].place)
			page_label(&label, t->r->tested[i].place, 0, t->page.unicode);
		t->page.out.failed |= label.failed;
		w = page_columns(buf_str(&label));
		most = w > most ? w : most;
		buf_free(&label);
	}
	return most;
}

static void put_test(struct text_report *t, const struct report_tested *test, int place)
{
	struct text_page *page = &t->page;
	struct buf b = BUF_INIT;

	page_spaces(page, 2);
	page_cell(page, report_outcome_name(test->outcome), OUTCOME_COLUMNS, PAGE_LEFT);
	if (test->place)
		page_label(&b, test->place, place, page->unicode);
	page_cell(page, buf_str(&b), place, PAGE_LEFT);
	page_spaces(page, 2);
	page->out.failed |= b.failed;
	buf_clear(&b);
	if (t->r->nprocs > 1)
		buf_printf(&b, test->process < 0 ? "all processes: " : "process %d: ",
			test->process);
	buf_puts(&b, test->reason ? test->reason : "");
	/* A line identifies a region; a structure or a subroutine needs the region that uses it. */
	if (test->below && *test->below && test->place &&
			(test->place->type == REGION_DATA_STRUCTURE ||
			test->place->type == REGION_SUB))
		buf_printf(&b, " (under %s)", test->below);
	page_wrap_buf(page, 2 + OUTCOME_COLUMNS + place + 2, 2 + OUTCOME_COLUMNS + place + 2, &b);
	buf_free(&b);
}

void text_why_not(struct text_report *t)
{
	int place = label_columns(t), room = t->page.width - 2 - OUTCOME_COLUMNS - 2 - REASON_LEAST;

	page_heading(&t->page, "What was tested");
	if (t->r->ntested <= 0)
		buf_puts(&t->page.out, "Not recorded.\n");
	if (place > room)
		place = room;
	for (int i = 0, end; i < t->r->ntested; i = end) {
		struct buf b = BUF_INIT;

		end = same_property(t->r, i);
		buf_printf(&b, "%s: ", t->r->tested[i].property);
		put_counts(&b, t->r, i, end);
		page_wrap_buf(&t->page, 0, 2, &b);
		for (int k = i; k < end; k++)
			put_test(t, &t->r->tested[k], place);
		buf_free(&b);
	}
}
