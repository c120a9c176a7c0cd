/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as Markdown, for a pull request. */
#include "report/compare/compare_rows.h"
#include "report/words/markdown.h"

static void row(struct buf *out, const struct compare_cells *cells)
{
	buf_puts(out, "| ");
	markdown_text(out, cells->name);
	buf_puts(out, " | ");
	markdown_text(out, cells->before);
	buf_puts(out, " | ");
	markdown_text(out, cells->after);
	buf_puts(out, " | ");
	markdown_text(out, cells->change);
	buf_puts(out, " |\n");
}

static void whole_phase(struct buf *out, const struct compare *c)
{
	const struct compare_costs *whole = compare_whole(c);
	struct compare_cells cells;

	buf_puts(out, "| an execution of the phase | before | after | |\n|---|---:|---:|---|\n");
	if (compare_time_cells(c, &cells))
		row(out, &cells);
	for (int i = 0; whole && i < COMPARE_FIGURES; i++)
		if (compare_figure_cells(c, whole, i, &cells))
			row(out, &cells);
}

/* n findings with the same figures. */
static void finding(struct buf *out, const struct compare *c, const struct compare_finding *f,
	int n)
{
	struct compare_label l;
	struct buf figures = BUF_INIT;

	compare_label(f, &l);
	buf_printf(out, "| %s | ", compare_state_name(f->state));
	for (int i = 0; i < n; i++) {
		buf_puts(out, i ? ", " : "");
		markdown_text(out, (f[i].before ? f[i].before : f[i].after)->property);
	}
	buf_puts(out, " | ");
	markdown_text(out, l.structure);
	buf_puts(out, " | ");
	markdown_text(out, l.file);
	buf_printf(out, ":%d | ", l.line);
	compare_sentence(c, &f->costs, &figures);
	markdown_text(out, buf_str(&figures));
	buf_puts(out, " |\n");
	out->failed |= figures.failed;
	buf_free(&figures);
}

void compare_markdown(const struct compare *c, const struct report_style *style, struct buf *out)
{
	int lines = 0, shown = 0, listed = c->count[COMPARE_GONE] + c->count[COMPARE_NEW] +
		c->count[COMPARE_CHANGED];

	buf_puts(out, "### Memory: ");
	markdown_text(out, c->before_name);
	buf_puts(out, " and ");
	markdown_text(out, c->after_name);
	buf_puts(out, "\n\n");
	for (int i = 0; i < c->nnotes; i++) {
		buf_puts(out, "> ");
		markdown_text(out, c->notes[i]);
		buf_puts(out, "\n\n");
	}
	whole_phase(out, c);
	if (listed)
		buf_puts(out, "\n| | property | structure | place | |\n|---|---|---|---|---|\n");
	for (int i = 0, n; i < c->nfindings && c->findings[i].state <= COMPARE_CHANGED; i += n) {
		n = compare_alike(c, i);
		if (style->top && lines++ == style->top)
			break;
		finding(out, c, &c->findings[i], n);
		shown += n;
	}
	if (shown < listed)
		buf_printf(out, "\n%d more.\n", listed - shown);
	buf_printf(out,
		"\n%d gone, %d new, %d changed, %d changed by less than 1%%, %d unchanged.\n",
		c->count[COMPARE_GONE], c->count[COMPARE_NEW], c->count[COMPARE_CHANGED],
		c->count[COMPARE_LITTLE_CHANGED], c->count[COMPARE_SAME]);
}
