/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what the user's own properties found: name, value, place, severity and advice. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/text_same.h"
#include "report/model/figures.h"
#include "report/words/problem_words.h"
#include "report/text/text.h"
#include "report/words/words.h"

enum { TEXT_AT = 11, SEVERITY = 8 };    /* column of texts; columns of a severity */

int report_own_findings(const struct report *r)
{
	int n = 0;

	for (int i = 0; i < r->nfindings; i++)
		n += report_own_property(&r->findings[i]);
	return n;
}

/* The finding as a problem of its own; *f has to outlive it. */
static struct report_problem alone(const struct report_finding *const *f)
{
	const bool of_data = report_place(*f)->type == REGION_DATA_STRUCTURE;

	return (struct report_problem){ .members = (const struct report_finding **)(uintptr_t)f,
		.nmembers = 1, .structures = (const struct report_finding **)(uintptr_t)f,
		.nstructures = of_data, .lead = *f, .place_line = (*f)->place_line,
		.region = of_data && (*f)->npath > 1 ? &(*f)->path[(*f)->npath - 2] :
		report_place(*f) };
}

void words_own_place(struct buf *b, const struct report_finding *f)
{
	const bool of_data = report_place(f)->type == REGION_DATA_STRUCTURE;
	const struct report_problem at = alone(&f);
	const char *in = problem_routine(&at);

	if (in)
		buf_printf(b, "%s ", in);
	problem_place(b, &at, true);
	if (!of_data)
		return;
	buf_puts(b, "  ");
	problem_structures(b, &at, 1);
}

const char *words_severity(const struct report_finding *f, char figure[PAGE_FIGURE])
{
	return f->severity_is_index ? page_index(figure, f->severity_share) :
		page_percent(figure, f->severity_share);
}

/* "ManyStores  0.412  jacld jacld.f:5-181  c       12.3%", on two lines where it is too long. */
static void title(struct text_report *t, const struct report_finding *f)
{
	struct buf name = BUF_INIT, place = BUF_INIT;
	int room = t->page.width - SEVERITY - 1, used;
	char figure[PAGE_FIGURE];
	bool one_line;

	buf_printf(&name, "%s  %s", f->property, page_rate(figure, f->measure));
	words_own_place(&place, f);
	used = 1 + page_columns(buf_str(&name));
	one_line = used + 2 + page_columns(buf_str(&place)) <= room;
	page_bold(&t->page, true);
	page_spaces(&t->page, 1);
	page_cell(&t->page, buf_str(&name), room - 1, PAGE_FREE);
	page_spaces(&t->page, 2);
	if (one_line)
		page_cell(&t->page, buf_str(&place), room - used - 2, PAGE_LEFT);
	else
		page_spaces(&t->page, room - used - 2);
	page_cell(&t->page, words_severity(f, figure), SEVERITY + 1, PAGE_RIGHT);
	page_end_line(&t->page);
	page_bold(&t->page, false);
	if (!one_line) {
		page_spaces(&t->page, TEXT_AT);
		page_wrap_buf(&t->page, TEXT_AT, TEXT_AT, &place);
	}
	t->page.out.failed |= name.failed || place.failed;
	buf_free(&name);
	buf_free(&place);
}

static void advice(struct text_report *t, const struct report_finding *f)
{
	struct buf b = BUF_INIT;

	words_advice(&b, t->r, f);
	if (b.len)
		page_spaces(&t->page, TEXT_AT);
	if (b.len || b.failed)
		page_wrap_buf(&t->page, TEXT_AT, TEXT_AT, &b);
	buf_free(&b);
}

/* The lines of its place, if there is room for them. */
static void source(struct text_report *t, const struct report_finding *f, int room)
{
	const struct report_problem at = alone(&f);
	size_t before = t->page.out.len;

	text_quote(t, &at);
	if (page_lines_from(&t->page, before) > room)
		page_cut(&t->page, before);
}

void text_own(struct text_report *t, int lines)
{
	int left = report_own_findings(t->r), shown = 0;
	size_t begin = t->page.out.len;

	if (!left)
		return;
	page_heading(&t->page, "Your own properties: value of the condition, place, severity");
	for (int i = 0; i < t->r->nfindings && left; i++) {
		const struct report_finding *f = &t->r->findings[i];
		size_t at = t->page.out.len;

		if (!report_own_property(f))
			continue;
		title(t, f);
		source(t, f, lines > 0 ? lines - page_lines_from(&t->page, begin) - left : INT_MAX);
		advice(t, f);
		/* A line is for the number of those that have no room. */
		if (lines > 0 && shown > 0 && page_lines_from(&t->page, begin) + (left > 1) >
		    lines) {
			page_cut(&t->page, at);
			break;
		}
		shown++;
		left--;
	}
	if (left) {
		buf_printf(&t->page.out, "    and %d more: psc_report -v", left);
		page_end_line(&t->page);
	}
}
