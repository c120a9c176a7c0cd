/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as text: every finding and structure that changed. */
#include "report/compare/compare_short.h"

#include <string.h>
#include <time.h>

enum { NAME = 16, FIGURE = 22 };

static void head_line(struct text_page *p, const char *key, const char *name,
	const struct report *r)
{
	struct buf b = BUF_INIT;
	time_t when = (time_t)r->when;
	struct tm tm;

	buf_printf(&b, "%s: %s", name, r->command ? r->command : "unknown program");
	buf_printf(&b, ", %d process%s, %d thread%s", r->nprocs, r->nprocs == 1 ? "" : "es",
		r->nthreads, r->nthreads == 1 ? "" : "s");
	if (r->when > 0 && localtime_r(&when, &tm))
		buf_printf(&b, ", %04d-%02d-%02d %02d:%02d", tm.tm_year + 1900, tm.tm_mon + 1,
			tm.tm_mday, tm.tm_hour, tm.tm_min);
	page_cell(p, key, 10, PAGE_LEFT);
	page_wrap_buf(p, 10, 10, &b);
	buf_free(&b);
}

static void row(struct text_page *p, const struct compare_cells *cells)
{
	page_cell(p, cells->name, NAME, PAGE_LEFT);
	page_cell(p, cells->before, FIGURE - 1, PAGE_RIGHT);
	page_cell(p, "", 1, PAGE_LEFT);
	page_cell(p, cells->after, FIGURE - 1, PAGE_RIGHT);
	page_spaces(p, 2);
	page_wrap(p, NAME + 2 * FIGURE + 1, NAME + 2 * FIGURE + 1, cells->change);
}

/* The absolute figures of the phase. */
static void whole_phase(struct text_page *p, const struct compare *c)
{
	struct compare_cells cells = { .before = "before", .after = "after",
		.name = "an execution" };
	const struct compare_costs *whole = compare_whole(c);

	page_end_line(p);
	page_bold(p, true);
	row(p, &cells);
	page_bold(p, false);
	if (compare_time_cells(c, &cells))
		row(p, &cells);
	for (int i = 0; whole && i < COMPARE_FIGURES; i++)
		if (compare_figure_cells(c, whole, i, &cells))
			row(p, &cells);
}

/* n findings with the same figures. */
static void finding(struct text_page *p, const struct compare *c, const struct compare_finding *f,
	int n)
{
	struct compare_label l;
	struct buf b = BUF_INIT;

	compare_label(f, &l);
	for (int i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i ? ", " : "",
			(f[i].before ? f[i].before : f[i].after)->property);
	buf_printf(&b, "%s%s, %s:%d%s%.*s", *l.structure ? " of " : "", l.structure, l.file, l.line,
		l.function_length ? " in " : "", l.function_length, l.function);
	page_spaces(p, 2);
	page_wrap_buf(p, 2, 4, &b);
	buf_clear(&b);
	compare_sentence(c, &f->costs, &b);
	if (b.len || b.failed) {
		page_spaces(p, 6);
		page_wrap_buf(p, 6, 6, &b);
	}
	buf_free(&b);
}

static void list(struct text_page *p, const struct compare *c, enum compare_state state,
	const struct report_style *style)
{
	static const char *const headings[COMPARE_STATES] = { "Gone", "New", "Changed" };
	int lines = 0, shown = 0;

	if (!c->count[state])
		return;
	page_heading(p, headings[state]);
	for (int i = 0, n; i < c->nfindings; i += n) {
		n = compare_alike(c, i);
		if (c->findings[i].state != state)
			continue;
		if (style->top && lines++ == style->top)
			break;
		finding(p, c, &c->findings[i], n);
		shown += n;
	}
	if (shown < c->count[state]) {
		buf_printf(&p->out, "  %d more (--top 0 lists all)", c->count[state] - shown);
		page_end_line(p);
	}
}

static void structures(struct text_page *p, const struct compare *c,
	const struct report_style *style)
{
	int shown = 0, little = 0;

	for (int i = 0; i < c->nstructures; i++) {
		const struct compare_costs *s = &c->structures[i];
		const struct report_cost *of = s->before ? s->before : s->after;
		struct buf b = BUF_INIT;

		little += of->structure && s->state == COMPARE_LITTLE_CHANGED;
		if (!of->structure || s->state >= COMPARE_LITTLE_CHANGED ||
		    (style->top && shown == style->top))
			continue;
		if (!shown++)
			page_heading(p, "Structures that changed, in the whole phase");
		buf_printf(&b, "%s: %s", of->structure, s->state == COMPARE_CHANGED ? "" :
			s->state == COMPARE_GONE ? "gone; " : "new; ");
		compare_sentence(c, s, &b);
		page_spaces(p, 2);
		page_wrap_buf(p, 2, 6, &b);
		buf_free(&b);
	}
	if (little) {
		buf_printf(&p->out, "%d structure%s changed by less than 1%%", little, little == 1 ?
			"" : "s");
		page_end_line(p);
	}
}

static void unchanged(struct text_page *p, const struct compare *c)
{
	struct buf b = BUF_INIT;

	page_end_line(p);
	buf_printf(&b,
		"Findings: %d gone, %d new, %d changed, %d changed by less than 1%%, %d unchanged.",
		c->count[COMPARE_GONE], c->count[COMPARE_NEW], c->count[COMPARE_CHANGED],
		c->count[COMPARE_LITTLE_CHANGED], c->count[COMPARE_SAME]);
	if (compare_whole(c))
		buf_printf(&b, " %s", c->exact ?
			"With one thread, two runs of one program have the same counts: "
			"each difference comes from the change of the program or of its input." :
			"With several threads, or a sample of the cache sets, counts vary from run to run: "
			"differences as small as that are left out.");
	page_wrap_buf(p, 0, 0, &b);
	buf_free(&b);
}

void compare_text(const struct compare *c, const struct report_style *style, struct buf *out)
{
	struct text_page p = { .out = BUF_INIT, .width = style->width ? style->width : 80,
		.color = style->color, .unicode = style->unicode };

	if (style->part == REPORT_SHORT) {
		compare_short(&p, c, style);
		buf_add_buf(out, &p.out);
		buf_free(&p.out);
		return;
	}
	head_line(&p, "Before", c->before_name, c->before);
	head_line(&p, "After", c->after_name, c->after);
	for (int i = 0; i < c->nnotes; i++) {
		page_cell(&p, "Note", 10, PAGE_LEFT);
		page_wrap(&p, 10, 10, c->notes[i]);
	}
	whole_phase(&p, c);
	list(&p, c, COMPARE_GONE, style);
	list(&p, c, COMPARE_NEW, style);
	list(&p, c, COMPARE_CHANGED, style);
	structures(&p, c, style);
	unchanged(&p, c);
	buf_add_buf(out, &p.out);
	buf_free(&p.out);
}
