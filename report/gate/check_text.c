/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of limits as text and as Markdown. */
#include "report/gate/check.h"
#include "report/words/markdown.h"
#include "report/words/page.h"

/* "failed: 1 of 3 limits exceeded, 1 warning". */
static void verdict(const struct check *c, struct buf *out)
{
	int failed = 0, warned = 0;

	for (int i = 0; i < c->nlimits; i++) {
		failed += check_limit_state(&c->limits[i]) == CHECK_FAILED;
		warned += check_limit_state(&c->limits[i]) == CHECK_WARNED;
	}
	buf_printf(out, "%s: %d limit%s, %d exceeded, %d warning%s",
		check_state_name(check_state(c)), c->nlimits, c->nlimits == 1 ? "" : "s", failed,
		warned, warned == 1 ? "" : "s");
}

static void tested(const struct check_limit *limit, struct buf *out)
{
	buf_printf(out, "%d of %d", limit->exceeded, limit->tested);
	if (limit->unknown)
		buf_printf(out, ", %d not measured", limit->unknown);
}

static void limit_text(struct text_page *p, const struct check *c, int i, int top)
{
	const struct check_limit *limit = &c->limits[i];
	struct buf b = BUF_INIT;
	int shown = 0;

	buf_printf(&b, "%s (", limit->text);
	tested(limit, &b);
	buf_puts(&b, ")");
	page_cell(p, check_state_name(check_limit_state(limit)), 8, PAGE_LEFT);
	page_wrap_buf(p, 8, 8, &b);
	for (int k = 0; k < c->nhits; k++) {
		const struct check_hit *hit = &c->hits[k];

		if (hit->limit != i || (top && shown++ >= top))
			continue;
		buf_clear(&b);
		buf_printf(&b, "%s: %s", hit->what, hit->message);
		page_spaces(p, 10);
		page_wrap_buf(p, 10, 12, &b);
	}
	if (top && shown > top) {
		buf_clear(&b);
		buf_printf(&b, "%d more (--top 0 lists all)", shown - top);
		page_spaces(p, 10);
		page_wrap_buf(p, 10, 10, &b);
	}
	buf_free(&b);
}

void check_text(const struct check *c, const struct report_style *style, struct buf *out)
{
	struct text_page p = { .out = BUF_INIT, .width = style->width ? style->width : 80,
		.color = style->color, .unicode = style->unicode };
	struct buf b = BUF_INIT;

	for (int i = 0; i < c->nlimits; i++)
		limit_text(&p, c, i, style->top);
	buf_printf(&b, "%s: ", c->name);
	verdict(c, &b);
	page_wrap_buf(&p, 0, 0, &b);
	buf_free(&b);
	buf_add_buf(out, &p.out);
	buf_free(&p.out);
}

void check_markdown(const struct check *c, struct buf *out)
{
	struct buf b = BUF_INIT;

	buf_puts(out, "### Memory of ");
	markdown_text(out, c->name);
	buf_puts(out, "\n\n**");
	verdict(c, &b);
	markdown_text(out, buf_str(&b));
	out->failed |= b.failed;
	buf_puts(out, "**\n\n| result | limit | exceeded by |\n|---|---|---|\n");
	for (int i = 0; i < c->nlimits; i++) {
		buf_printf(out, "| %s | ", check_state_name(check_limit_state(&c->limits[i])));
		markdown_text(out, c->limits[i].text);
		buf_clear(&b);
		tested(&c->limits[i], &b);
		buf_printf(out, " | %s |\n", buf_str(&b));
		out->failed |= b.failed;
	}
	if (c->nhits)
		buf_puts(out, "\n| | what | place | figures |\n|---|---|---|---|\n");
	for (int k = 0; k < c->nhits; k++) {
		const struct check_hit *hit = &c->hits[k];

		buf_printf(out, "| %s | ",
			check_state_name(check_limit_state(&c->limits[hit->limit])));
		markdown_text(out, hit->what);
		buf_puts(out, " | ");
		markdown_text(out, hit->file);
		if (hit->line > 0)
			buf_printf(out, ":%d", hit->line);
		buf_puts(out, " | ");
		markdown_text(out, hit->message);
		buf_puts(out, " |\n");
	}
	buf_free(&b);
}
