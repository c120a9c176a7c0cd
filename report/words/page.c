/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints text in columns: cells, wrapped prose, labels of places, figures. */
#include "base/json_text.h"
#include "report/words/page.h"

#include <math.h>
#include <string.h>

#include "report/model/figures.h"

#define NEXT_TO_NOTHING 0.05    /* shares of the time: a range from less than the one .. */
#define NEARLY_ALL 0.85         /* .. to more than the other says nothing */
#define LABEL_LEAST 12  /* with fewer columns for name and file the kind is left out */

/* One printed character. */
struct glyph {
	const char *text;       /* "?" or a pointer into the string */
	int bytes;              /* of text */
	int columns;
};

static int code_columns(uint32_t c)
{
	static const struct { uint32_t first, last; } wide[] = {
		{ 0x1100, 0x115f }, { 0x2e80, 0xa4cf }, { 0xac00, 0xd7a3 }, { 0xf900, 0xfaff },
		{ 0xfe30, 0xfe6f }, { 0xff00, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x1f300, 0x1faff },
		{ 0x20000, 0x3fffd },
	};

	if (c >= 0x300 && c <= 0x36f)
		return 0;
	for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++)
		if (c >= wide[i].first && c <= wide[i].last)
			return 2;
	return 1;
}

bool page_unprintable(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c <= 0x9f) || (c >= 0x200b && c <= 0x200f) ||
		(c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || c == 0xfeff;
}

/* Reads a glyph; returns its bytes in s, 0 at the end. */
static int next_glyph(const char *s, struct glyph *g)
{
	uint32_t code;
	int n;

	if (!*s)
		return 0;
	n = text_utf8(s, &code);
	if (n == 0 || page_unprintable(code)) {
		*g = (struct glyph){ "?", 1, 1 };
		return n ? n : 1;
	}
	*g = (struct glyph){ s, n, code_columns(code) };
	return n;
}

int page_columns(const char *s)
{
	struct glyph g;
	int columns = 0, n;

	for (; (n = next_glyph(s, &g)) > 0 && columns < 1 << 20; s += n)
		columns += g.columns;
	return columns;
}

/* Prints glyphs of s in at most `columns`; returns the columns used, *end: the first glyph left
 * out. */
static int put_glyphs(struct buf *out, const char *s, int columns, const char **end)
{
	struct glyph g;
	int used = 0, n;

	while ((n = next_glyph(s, &g)) > 0 && used + g.columns <= columns) {
		buf_add(out, g.text, (size_t)g.bytes);
		used += g.columns;
		s += n;
	}
	if (end)
		*end = s;
	return used;
}

/* Prints s, shortened in the middle to at most `width`; returns the columns used. */
static int put_short(struct buf *out, const char *s, int width, bool unicode)
{
	const char *dots = unicode ? "\xe2\x80\xa6" : "..";
	int ndots = unicode ? 1 : 2, total = page_columns(s), used, left;
	struct glyph g;

	if (total <= width)
		return put_glyphs(out, s, width, NULL);
	if (width < ndots + 2)
		return put_glyphs(out, s, width, NULL);
	left = (width - ndots) / 2;
	used = put_glyphs(out, s, left, NULL);
	buf_puts(out, dots);
	used += ndots;
	while (total > width - used) {
		int n = next_glyph(s, &g);

		if (n == 0)
			break;
		total -= g.columns;
		s += n;
	}
	return used + put_glyphs(out, s, width - used, NULL);
}

void page_spaces(struct text_page *p, int n)
{
	for (int i = 0; i < n; i++)
		buf_add(&p->out, " ", 1);
}

void page_cell(struct text_page *p, const char *s, int width, enum page_align align)
{
	int columns = page_columns(s);

	if (align == PAGE_RIGHT)
		page_spaces(p, width - columns);
	columns = put_short(&p->out, s, width, p->unicode);
	if (align == PAGE_LEFT)
		page_spaces(p, width - columns);
}

void page_end_line(struct text_page *p)
{
	while (p->out.len && p->out.data[p->out.len - 1] == ' ')
		p->out.data[--p->out.len] = '\0';
	buf_puts(&p->out, "\n");
}

int page_lines_from(const struct text_page *p, size_t from)
{
	int n = 0;

	for (size_t i = from; i < p->out.len; i++)
		n += p->out.data[i] == '\n';
	return n;
}

void page_cut(struct text_page *p, size_t from)
{
	if (!p->out.failed && p->out.len > from) {
		p->out.len = from;
		p->out.data[from] = '\0';
	}
}

static bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

void page_wrap(struct text_page *p, int at, int indent, const char *s)
{
	struct buf word = BUF_INIT;
	bool first = true;

	for (;;) {
		const char *rest;
		size_t len = 0;
		int columns;

		while (is_space(*s))
			s++;
		if (!*s)
			break;
		while (s[len] && !is_space(s[len]))
			len++;
		buf_clear(&word);
		buf_add(&word, s, len);
		p->out.failed |= word.failed;
		s += len;
		rest = buf_str(&word);
		columns = page_columns(rest);
		if (!first && at + 1 + columns > p->width) {
			buf_puts(&p->out, "\n");
			page_spaces(p, indent);
			at = indent;
		} else if (!first) {
			buf_puts(&p->out, " ");
			at++;
		}
		first = false;
		while (at + columns > p->width && at < p->width - 2) {
			columns -= put_glyphs(&p->out, rest, p->width - at, &rest);
			buf_puts(&p->out, "\n");
			page_spaces(p, indent);
			at = indent;
		}
		at += put_glyphs(&p->out, rest, columns, NULL);
	}
	buf_free(&word);
	page_end_line(p);
}

void page_wrap_buf(struct text_page *p, int at, int indent, const struct buf *b)
{
	p->out.failed |= b->failed;
	page_wrap(p, at, indent, buf_str(b));
}

static void sgr(struct text_page *p, const char *code)
{
	if (p->color)
		buf_printf(&p->out, "\033[%sm", code);
}

void page_bold(struct text_page *p, bool on)
{
	sgr(p, on ? "1" : "0");
}

void page_dim(struct text_page *p, bool on)
{
	sgr(p, on ? "2" : "0");
}

void page_heading(struct text_page *p, const char *text)
{
	buf_puts(&p->out, "\n");
	page_bold(p, true);
	page_cell(p, text, p->width, PAGE_FREE);
	page_bold(p, false);
	buf_puts(&p->out, "\n");
}

/* Divides `room` columns between two texts of *a and *b columns; a text shorter than half is not
 * cut. */
static void share(int room, int *a, int *b)
{
	room = room < 0 ? 0 : room;
	if (*a + *b <= room)
		return;
	if (*a <= room / 2) {
		*b = room - *a;
	} else if (*b <= room / 2) {
		*a = room - *b;
	} else {
		*a = room / 2;
		*b = room - room / 2;
	}
}

/* Prints "name file:line"; the kind replaces a missing name. */
static void compact_label(struct buf *out, const char *name, const char *kind, const char *file,
	const char *line, int width, bool unicode)
{
	int wn, wf = page_columns(file);

	if (!*name)
		name = kind;
	wn = page_columns(name);
	share(width - 2 - (int)strlen(line), &wn, &wf);
	put_short(out, name, wn, unicode);
	buf_puts(out, " ");
	put_short(out, file, wf, unicode);
	buf_printf(out, ":%s", line);
}

void page_label(struct buf *out, const struct report_node *n, int width, bool unicode)
{
	const char *name = n->phase ? "Application Phase" : n->name ? n->name : "";
	const char *file = n->file && *n->file ? n->file : "?", *kind = region_type_name(n->type);
	struct buf full = BUF_INIT;
	char line[16] = "-";
	int wn, wf = page_columns(file), room, compact;

	if (n->line > 0)
		snprintf(line, sizeof line, "%d", n->line);
	room = width > 0 ? width - (int)(strlen("( , ,  )") + strlen(kind) + strlen(line)) :
		1 << 20;
	buf_puts(&full, name);
	if (n->alias_of && *n->alias_of)
		buf_printf(&full, " (= %s)", n->alias_of);
	wn = page_columns(buf_str(&full));
	out->failed |= full.failed;     /* buf_clear() below resets it */
	if (wn + wf > room) {
		buf_clear(&full);
		buf_puts(&full, name);
		wn = page_columns(name);
	}
	compact = page_columns(*name ? name : kind) + wf + 2 + (int)strlen(line);
	if (wn + wf > room && (room < LABEL_LEAST || *name || compact <= width)) {
		compact_label(out, name, kind, file, line, width, unicode);
	} else {
		share(room, &wn, &wf);
		put_short(out, buf_str(&full), wn, unicode);
		buf_printf(out, "( %s, ", kind);
		put_short(out, file, wf, unicode);
		buf_printf(out, ", %s )", line);
	}
	if (full.failed)
		out->failed = true;
	buf_free(&full);
}

/* Every figure is in the caller's text, also one that is a word: text is read, too,
 * not only what is returned. */
static const char *word(char text[PAGE_FIGURE], const char *s)
{
	snprintf(text, PAGE_FIGURE, "%s", s);
	return text;
}

/* Formats as "1.2e-5", without zeros in the exponent. */
static void scientific(char text[PAGE_FIGURE], double v)
{
	char *e, *digits;

	snprintf(text, PAGE_FIGURE, "%.1e", v);
	e = strchr(text, 'e');
	if (!e)
		return;
	e++;
	digits = e + (*e == '+' || *e == '-');
	if (*e == '-')
		e++;
	while (*digits == '0' && digits[1])
		digits++;
	memmove(e, digits, strlen(digits) + 1);
}

const char *page_rate(char text[PAGE_FIGURE], double v)
{
	double a = fabs(v);

	if (isnan(v))
		return word(text, "-");
	if (isinf(v))
		return word(text, v > 0 ? "inf" : "-inf");
	if (a == 0)
		return word(text, "0");
	if (a < 0.001 || a >= 99999.5)
		scientific(text, v);
	else
		snprintf(text, PAGE_FIGURE, "%.*f", a < 9.9995 ? 3 : a < 999.95 ? 1 : 0, v);
	return text;
}

const char *page_percent(char text[PAGE_FIGURE], double share)
{
	double v = share * 100;

	if (isnan(v))
		return word(text, "-");
	if (v == 0)
		return word(text, "0%");
	if (fabs(v) < 0.05)
		return word(text, v > 0 ? "<0.1%" : ">-0.1%");
	if (fabs(v) >= 99999.5)
		scientific(text, v);
	else
		snprintf(text, PAGE_FIGURE, "%.*f%%", fabs(v) < 99.95 ? 1 : 0, v);
	return text;
}

bool page_not_known(double low, double high)
{
	return low < NEXT_TO_NOTHING && high > NEARLY_ALL;
}

const char *page_range(char text[PAGE_FIGURE], double share, double low, double high)
{
	double v = share * 100;

	if (page_not_known(low, high))
		return word(text, PAGE_NOT_KNOWN);
	if (isnan(low) || isnan(high) || !(high < 10) || high < 0.015)
		return page_percent(text, share);
	snprintf(text, PAGE_FIGURE, "%.*f%% (%.0f-%.0f)", v < 9.95 ? 1 : 0, v, low > 0 ? low * 100 :
		0., high * 100);
	return text;
}

const char *page_points(char text[PAGE_FIGURE], double from, double to)
{
	const double v = 100 * (to - from);

	if (isnan(v))
		return word(text, "-");
	snprintf(text, PAGE_FIGURE, fabs(v) < 0.05 ? "0" : "%+.1f", v);
	return text;
}

const char *page_index(char text[PAGE_FIGURE], double share)
{
	double v = share * 100;

	if (isnan(v))
		return word(text, "-");
	if (v == 0)
		return word(text, "0");
	if (v > 0 && v < 0.005)
		return word(text, "<0.01");
	if (fabs(v) >= 99999.5)
		scientific(text, v);
	else
		snprintf(text, PAGE_FIGURE, "%.*f", fabs(v) < 99.995 ? 2 : fabs(v) < 999.95 ? 1 : 0,
			v);
	return text;
}

const char *page_count(char text[PAGE_FIGURE], double n)
{
	static const char units[] = " kMGTP";
	double v = n;
	int i = 0;

	if (isnan(n))
		return word(text, "-");
	while (fabs(v) >= 999.5 && units[i + 1]) {
		v /= 1000;
		i++;
	}
	if (fabs(v) >= 999.5)
		scientific(text, n);
	else if (i == 0)
		snprintf(text, PAGE_FIGURE, "%.0f  ", v);
	else
		snprintf(text, PAGE_FIGURE, "%.*f %c", fabs(v) < 9.995 ? 2 : fabs(v) < 99.95 ? 1 :
			0, v, units[i]);
	return text;
}

const char *page_seconds(char text[PAGE_FIGURE], double s)
{
	double v = fabs(s);

	if (isnan(s))
		return word(text, "-");
	if (v == 0)
		return word(text, "0 s");
	if (v >= 99999.5)
		scientific(text, s);
	else if (v >= 0.9995)
		snprintf(text, PAGE_FIGURE, "%.*f s", v < 9.995 ? 2 : v < 99.95 ? 1 : 0, s);
	else if (v >= 0.9995e-3)
		snprintf(text, PAGE_FIGURE, "%.3g ms", s * 1e3);
	else if (v >= 0.9995e-6)
		snprintf(text, PAGE_FIGURE, "%.3g us", s * 1e6);
	else
		snprintf(text, PAGE_FIGURE, "%.3g ns", s * 1e9);
	return text;
}

const char *report_seconds(char text[REPORT_SECONDS], double s)
{
	return page_seconds(text, s);
}

const char *page_run(char text[PAGE_RUN], const struct report *r)
{
	char seconds[PAGE_FIGURE];

	snprintf(text, PAGE_RUN, "%s%sthe run", isnan(r->run_seen) ? "" :
		page_seconds(seconds, r->run_seen), isnan(r->run_seen) ? "" : " of ");
	return text;
}
