/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the pieces of the HTML page: escaped text, cells, headings. */
#include "report/html/html.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/json_text.h"

enum { TAB = 8 };

void html_put(struct html *h, const char *s)
{
	while (s && *s) {
		uint32_t code;
		int n = text_utf8(s, &code);

		if (n == 0 || page_unprintable(code))
			buf_puts(&h->out, "?");
		else if (code < 0x80 && strchr("<>&\"'", (int)code))
			buf_printf(&h->out, "&#%u;", (unsigned)code);
		else
			buf_add(&h->out, s, (size_t)n);
		s += n ? n : 1;
	}
}

void html_put_buf(struct html *h, const struct buf *b)
{
	h->out.failed |= b->failed;
	html_put(h, buf_str(b));
}

void html_put_code(struct html *h, const char *s)
{
	struct buf line = BUF_INIT;
	int at = 0;

	for (; *s && *s != '\n' && *s != '\r'; s++) {
		int n = *s == '\t' ? TAB - at % TAB : 1;

		for (int i = 0; i < n && *s == '\t'; i++)
			buf_puts(&line, " ");
		if (*s != '\t')
			buf_add(&line, s, 1);
		at += n;
	}
	html_put_buf(h, &line);
	buf_free(&line);
}

void html_heading(struct html *h, const char *id, const char *text)
{
	buf_printf(&h->out, "<h2 id=%s><a href='#%s'>", id, id);
	html_put(h, text);
	buf_puts(&h->out, "</a></h2>\n");
}

void html_figure(struct html *h, const char *figure, double value, double share)
{
	double v = share > 1 ? 1 : share;

	if (v > 0)
		buf_printf(&h->out, "<td class='n b b%d'", (int)(v * 100 + 0.5));
	else
		buf_puts(&h->out, "<td class=n");
	if (!isnan(value))
		buf_printf(&h->out, " data-v=%.6g", value);
	buf_puts(&h->out, ">");
	html_put(h, figure);
}

void html_number(struct html *h, const char *figure)
{
	html_figure(h, figure, NAN, 0);
}

void html_bar(struct html *h, const char *figure, double share)
{
	html_figure(h, figure, share, share);
}

void html_label(struct html *h, const struct report_node *n)
{
	struct buf b = BUF_INIT;

	page_label(&b, n, 0, true);
	html_put_buf(h, &b);
	buf_free(&b);
}

void html_region(struct html *h, const struct report_node *n)
{
	const char *kind = region_type_name(n->type), *end = strstr(kind, "_REGION");
	size_t len = end ? (size_t)(end - kind) : strlen(kind);

	if (n->name && *n->name)
		html_put(h, n->name);
	for (size_t i = 0; i < len && !(n->name && *n->name); i++)
		buf_printf(&h->out, "%c", kind[i] == '_' ? ' ' : tolower((unsigned char)kind[i]));
	if (n->file && *n->file) {
		buf_puts(&h->out, " ");
		html_put(h, n->file);
		buf_printf(&h->out, ":%d", n->line);
	}
}

void html_sentence(struct html *h, const struct report_finding *f, html_writer *writer)
{
	struct buf b = BUF_INIT;

	writer(&b, h->r, f);
	if (b.len || b.failed) {
		buf_puts(&h->out, "<p>");
		html_put_buf(h, &b);
		buf_puts(&h->out, "</p>");
	}
	buf_free(&b);
}

const char *html_heat(double share)
{
	static const char *const classes[] = { "h0", "h1", "h2", "h3", "h4", "h5" };
	static const double least[] = { 0.005, 0.05, 0.15, 0.35, 0.6 };
	int n = 0;

	while (n < 5 && share >= least[n])
		n++;
	return classes[n];
}
