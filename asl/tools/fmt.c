/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the canonical layout of a source, statement by statement.
 *
 * One statement a line, tabs, at most one empty line, and exactly one around bodies of classes and
 * properties.  Comments behind consecutive statements are aligned, those of a class in column 41 or
 * beyond.  The words and their order never change; the result is checked for that. */
#include "asl/tools/outline.h"
#include "asl/tools/tools.h"

#include <ctype.h>
#include <string.h>

#define ATTR_COLUMN 40          /* of the comments behind attributes, from 0 */
#define COMMENT_GAP 2

struct line {                   /* layout of a statement */
	size_t from, to;        /* its text in fmt.text */
	int column;             /* after its last line */
	int comment;            /* column of the comments behind it */
	bool blank;             /* preceded by an empty line */
};

struct fmt {                    /* outside of the arena, whose exhaustion jumps out */
	struct buf *out, text;
	bool changed;           /* more than white space differs: an internal error */
};

static bool has_body(const struct stmt *s)
{
	return s->kind == ST_CLASS || s->kind == ST_PROP;
}

static bool opens(const struct stmt *s)
{
	return has_body(s) || s->kind == ST_ENUM || s->kind == ST_LET;
}

static bool has_words(const struct stmt *s)
{
	return s->kind != ST_COMMENT && s->kind != ST_MORE && s->kind != ST_VERBATIM;
}

static void lay_out(struct fmt *f, const struct outline *o, struct line *lines)
{
	for (size_t i = 0; i < o->nstmts; i++) {
		const struct stmt *s = &o->stmts[i];

		lines[i].from = f->text.len;
		if (has_words(s))
			lines[i].column = aslc_layout(o, s->kind, s->first, s->last, s->indent,
				s->indent * FMT_TAB, &f->text);
		else if (s->kind == ST_VERBATIM)
			buf_add(&f->text, o->text + s->at, s->end - s->at);
		else
			aslc_put_text(&f->text, o->text + s->at, s->end - s->at);
		lines[i].to = f->text.len;
	}
}

/* --- empty lines --- */
/* Whether statement i is a declaration with a body, or the comment directly above one. */
static bool leads_to_body(const struct outline *o, size_t i)
{
	while (i + 1 < o->nstmts && o->stmts[i].kind == ST_COMMENT && !o->stmts[i + 1].blank)
		i++;
	return has_body(&o->stmts[i]);
}

static void find_blanks(const struct outline *o, struct line *lines)
{
	bool body = false, ended = false;       /* ended: the previous statement ended a body */

	for (size_t i = 0; i < o->nstmts; i++) {
		const struct stmt *s = &o->stmts[i], *before = i ? s - 1 : NULL;

		body = has_body(s) || (body && s->kind != ST_ENUM);
		if (before && !opens(before) && s->kind != ST_CLOSE && s->kind != ST_IN
				&& s->kind != ST_MORE)
			lines[i].blank = s->blank || ended || (s->indent == 0
				&& before->kind != ST_COMMENT && leads_to_body(o, i));
		ended = body && s->kind == ST_CLOSE;
	}
}

/* --- columns of the comments behind statements --- */
static int widest(const struct outline *o, const struct line *lines, size_t from, size_t to)
{
	int column = 0;

	for (size_t i = from; i < to; i++)
		if (o->stmts[i].nbehind && lines[i].column + COMMENT_GAP > column)
			column = lines[i].column + COMMENT_GAP;
	return column;
}

/* One past the statements whose comments are aligned with those of i: the attributes of a class, or
 * consecutive statements with comments. */
static size_t end_of_run(const struct outline *o, const struct line *lines, size_t i)
{
	size_t end = i + 1;

	if (i && o->stmts[i - 1].kind == ST_CLASS) {
		while (o->stmts[end - 1].kind != ST_CLOSE)
			end++;
		return o->stmts[i].kind == ST_CLOSE ? end : end - 1;
	}
	while (end < o->nstmts && (o->stmts[end].kind == ST_MORE || (o->stmts[end].nbehind
			&& !lines[end].blank && o->stmts[end].indent == o->stmts[i].indent)))
		end++;
	return end;
}

static void find_columns(const struct outline *o, struct line *lines)
{
	for (size_t i = 0, end; i < o->nstmts; i = end) {
		int column;

		end = end_of_run(o, lines, i);
		column = widest(o, lines, i, end);
		if (i && o->stmts[i - 1].kind == ST_CLASS && column < ATTR_COLUMN)
			column = ATTR_COLUMN;
		for (size_t k = i; k < end; k++)
			lines[k].comment = column;
	}
}

/* --- writing --- */
static void pad(struct buf *out, int from, int to)
{
	for (; from < to; from++)
		buf_puts(out, " ");
}

static void put_behind(struct buf *out, const struct outline *o, const struct stmt *s, int from,
	int to)
{
	if (s->nbehind)
		pad(out, from, to);
	for (int i = 0; i < s->nbehind; i++) {
		if (i)
			buf_puts(out, " ");
		aslc_put_text(out, o->text + s->behind[i].at, s->behind[i].end - s->behind[i].at);
	}
}

static void put_indent(struct buf *out, int indent)
{
	for (int i = 0; i < indent; i++)
		buf_puts(out, "\t");
}

/* The statement that closes the enumeration at i; 0: it has comments inside. */
static size_t plain_enum(const struct outline *o, size_t i)
{
	if (o->stmts[i].kind != ST_ENUM || o->stmts[i].nbehind)
		return 0;
	for (i++; o->stmts[i].kind == ST_ITEM; i++) {
		const struct stmt *s = &o->stmts[i];

		if (s->nbehind || (s->last > s->first + 1 && o->words[s->first + 1].ncomments))
			return 0;
	}
	return o->stmts[i].kind == ST_CLOSE && o->words[o->stmts[i].first].ncomments == 0 ? i : 0;
}

/* Writes an enumeration on one line if it fits, else fills lines. */
static void put_enum(struct fmt *f, const struct outline *o, const struct line *lines, size_t i,
	size_t close)
{
	const char *text = buf_str(&f->text);
	int width = -1, column = 0;

	for (size_t k = i; k <= close; k++)
		width += 1 + aslc_width(text + lines[k].from, lines[k].to - lines[k].from);
	for (size_t k = i; k <= close; k++) {
		size_t n = lines[k].to - lines[k].from;
		int wide = aslc_width(text + lines[k].from, n);

		if (k > i && width > FMT_WIDTH
				&& (k == i + 1 || k == close || column + 1 + wide > FMT_WIDTH)) {
			buf_puts(f->out, k == close ? "\n" : "\n\t");
			column = k == close ? 0 : FMT_TAB;
		} else if (k > i) {
			buf_puts(f->out, " ");
			column++;
		}
		buf_add(f->out, text + lines[k].from, n);
		column += wide;
	}
	put_behind(f->out, o, &o->stmts[close], column, column + COMMENT_GAP);
}

static void put_all(struct fmt *f, const struct outline *o, const struct line *lines)
{
	for (size_t i = 0; i < o->nstmts; i++) {
		const struct stmt *s = &o->stmts[i];
		size_t close = plain_enum(o, i);

		if (s->kind == ST_CLOSE && opens(s - 1) && !s[-1].nbehind)
			buf_puts(f->out, " ");          /* an empty body */
		else if (i)
			buf_puts(f->out, "\n");
		if (lines[i].blank)
			buf_puts(f->out, "\n");
		if (close) {
			put_enum(f, o, lines, i, close);
			i = close;
			continue;
		}
		put_indent(f->out, s->indent);
		if (s->kind == ST_MORE)
			pad(f->out, s->indent * FMT_TAB, lines[i].comment);
		buf_add(f->out, buf_str(&f->text) + lines[i].from, lines[i].to - lines[i].from);
		put_behind(f->out, o, s, lines[i].column, lines[i].comment);
	}
	if (o->nstmts)
		buf_puts(f->out, "\n");
}

/* --- check: only white space differs --- */
static size_t skip_space(const char *s, size_t i, size_t n)
{
	while (i < n && isspace((unsigned char)s[i]))
		i++;
	return i;
}

static bool same_but_space(const char *a, size_t na, const char *b, size_t nb)
{
	size_t i = skip_space(a, 0, na), k = skip_space(b, 0, nb);

	while (i < na && k < nb && a[i] == b[k]) {
		i = skip_space(a, i + 1, na);
		k = skip_space(b, k + 1, nb);
	}
	return i == na && k == nb;
}

static void format(struct compile *c, void *user)
{
	struct fmt *f = user;
	size_t before = f->out->len;
	struct outline o;
	struct line *lines;

	aslc_outline(c, c->sources, &o);
	lines = asl_new(c, (o.nstmts + 1) * sizeof *lines);
	lay_out(f, &o, lines);
	if (f->text.failed)             /* offsets in lines are not valid then */
		return;
	find_blanks(&o, lines);
	find_columns(&o, lines);
	put_all(f, &o, lines);
	f->changed = !f->text.failed && !f->out->failed && !same_but_space(o.text, o.length,
		buf_str(f->out) + before, f->out->len - before);
	if (f->changed)
		asl_error(c, (struct pos){ 0, 0, 0 },
			"internal error: the layout would change more than white space");
}

int aslc_format(const struct asl_source *source, asl_diag_fn report, void *arg, struct buf *out)
{
	struct fmt f = { .out = out, .text = BUF_INIT };
	size_t before = out->len;
	int rc = aslc_parse_source(source, report, arg, format, &f);

	if (f.text.failed)
		out->failed = true;
	buf_free(&f.text);
	if (rc < 0 && !out->failed && out->data) {
		out->len = before;
		out->data[before] = '\0';
	}
	return rc;
}
