/* SPDX-License-Identifier: BSD-3-Clause */
/* Lays out one statement: white space between words, and line breaks when it is too long.
 *
 * A text that does not fit is broken at its loosest operators, with each part one tab further in; a
 * part that does not fit is broken in turn.  OR, AND, WHERE and ?: are broken at all their places
 * or at none; lists and sums fill lines.  Comments keep their place and may force a break. */
#include "asl/tools/outline.h"

#include <string.h>
#include "asl/parse.h"

enum looseness {
	L_ASSIGN, L_REFINES, L_LIST, L_ARROW, L_WHERE, L_CHOICE, L_OR, L_AND, L_COMPARE, L_SUM,
	L_PRODUCT, L_NONE
};

struct layout {
	const struct outline *o;
	const struct word *w;   /* the outline's */
	bool header;            /* of a property: < and > are brackets */
	size_t first, last;
	unsigned char *gap;     /* for each word from `first` on: 1: a blank before it */
	unsigned char *loose;   /* enum looseness of a break at this word */
	int *indent;            /* of the line that begins with this word; 0: no line does */
	size_t *partner;        /* of a bracket: its partner */
};

int aslc_width(const char *s, size_t n)
{
	int columns = 0;

	for (size_t i = 0; i < n; i++)
		columns += (s[i] & 0xc0) != 0x80;
	return columns;
}

/* --- gaps between words, partners of brackets --- */
static bool ends_operand(int kind)
{
	switch (kind) {
	case TOK_ID: case TOK_NUMBER: case TOK_STRING: case TOK_TRUE: case TOK_FALSE:
	case ')': case ']': case '}':
		return true;
	default:
		return false;
	}
}

static bool is_sign(const struct layout *l, size_t i)
{
	return (l->w[i].kind == '-' || l->w[i].kind == '+')
		&& (i == l->first || !ends_operand(l->w[i - 1].kind));
}

static enum looseness looseness(const struct layout *l, size_t i)
{
	switch (l->w[i].kind) {
	case '=':
		return L_ASSIGN;
	case TOK_REFINES:
		return L_REFINES;
	case ',':
		return L_LIST;
	case TOK_ARROW:
		return L_ARROW;
	case TOK_WHERE: case TOK_WITH:
		return L_WHERE;
	case '?':
		return L_CHOICE;
	case ':':
		return i > l->first && asl_is_clause(l->w[i - 1].kind) ? L_NONE : L_CHOICE;
	case TOK_OR:
		return L_OR;
	case TOK_AND:
		return L_AND;
	case '<': case '>':
		return l->header ? L_NONE : L_COMPARE;
	case TOK_LE: case TOK_GE: case TOK_EQ: case TOK_NE:
		return L_COMPARE;
	case '+': case '-':
		return is_sign(l, i) ? L_NONE : L_SUM;
	case '*': case '/':
		return L_PRODUCT;
	case '(':       /* the parameters of a template begin a line */
		return l->header && i > l->first && l->w[i - 1].kind == '>' ? L_PRODUCT : L_NONE;
	default:
		return L_NONE;
	}
}

static int closes(const struct layout *l, int kind)
{
	return kind == '(' ? ')' : kind == '[' ? ']' : kind == '{' ? '}'
		: kind == '<' && l->header ? '>' : 0;
}

static void find_partners(struct layout *l)
{
	size_t n = l->last - l->first, depth = 0;
	size_t *open = asl_new(l->o->c, n * sizeof *open);

	for (size_t i = l->first; i < l->last; i++) {
		if (closes(l, l->w[i].kind)) {
			open[depth++] = i;
		} else if (depth && l->w[i].kind == closes(l, l->w[open[depth - 1]].kind)) {
			depth--;
			l->partner[i - l->first] = open[depth];
			l->partner[open[depth] - l->first] = i;
		}
	}
}

static bool blank_between(const struct layout *l, size_t i, bool unit)
{
	int p = l->w[i - 1].kind, k = l->w[i].kind;

	if (k == ',' || k == ';' || k == ')' || k == ']' || p == '(' || p == '[')
		return false;
	if (k == '.')
		return p == TOK_NUMBER;         /* else it would become part of the number */
	if (p == '.' || (p == '{' && k == '}') || (i > l->first && is_sign(l, i - 1)))
		return false;
	if (k == ':')
		return !asl_is_clause(p);
	if (l->header && (k == '<' || k == '>' || p == '<'))
		return false;
	if (unit && (k == '*' || k == '/' || p == '*' || p == '/'))
		return false;
	if (k == '(')
		return !(p == TOK_ID || p == TOK_AGG || p == TOK_UNIQUE || p == TOK_QUANT
			|| (l->header && p == '>'));
	return true;
}

/* In a declaration, before its value, a unit [s] is preceded by a blank; [] and a[i] are not. */
static void find_gaps(struct layout *l, enum stmt_kind kind)
{
	bool head = kind == ST_ATTR || kind == ST_CONST || kind == ST_DEF, unit = false;

	for (size_t i = l->first + 1; i < l->last; i++) {
		bool gap = blank_between(l, i, unit);

		if (l->w[i].kind == '=')
			head = false;
		if (l->w[i].kind == '[') {
			unit = head && l->w[i + 1].kind != ']';
			gap = unit;
		}
		l->gap[i - l->first] = gap;
		if (unit)
			l->loose[i - l->first] = L_NONE;
		if (l->w[i].kind == ']')
			unit = false;
	}
}

/* --- comments between words --- */
enum side { BEHIND, ALONE, BEFORE };

/* The place of comment k before word w: at the end of a line, on its own line, or before the
 * word. */
static enum side side(const struct word *w, int k)
{
	const struct comment *c = &w->comments[k];
	int after = k + 1 < w->ncomments ? c[1].lines : w->lines;

	if (c->tall || (c->lines && (after || c->line)))
		return ALONE;
	return after || c->line ? BEHIND : BEFORE;
}

/* Whether a comment requires a new line between words i - 1 and i. */
static bool must_break(const struct layout *l, size_t i)
{
	const struct word *w = &l->w[i];

	for (int k = 0; k < w->ncomments; k++)
		if (w->comments[k].line || side(w, k) == ALONE)
			return true;
	return false;
}

static bool must_break_in(const struct layout *l, size_t from, size_t to)
{
	for (size_t i = from + 1; i < to; i++)
		if (must_break(l, i))
			return true;
	return false;
}

static int width_of_comments(const struct layout *l, size_t i)
{
	const struct word *w = &l->w[i];
	int width = 0;

	for (int k = 0; k < w->ncomments; k++)
		width += 1 + aslc_width(l->o->text + w->comments[k].at,
			w->comments[k].end - w->comments[k].at);
	return width;
}

/* Width of words [from, to) on one line. */
static int width(const struct layout *l, size_t from, size_t to)
{
	int sum = 0;

	for (size_t i = from; i < to; i++) {
		sum += aslc_width(l->o->text + l->w[i].at, l->w[i].end - l->w[i].at);
		if (i > from)
			sum += l->gap[i - l->first] + width_of_comments(l, i);
	}
	return sum;
}

/* --- breaking --- */
struct parts {                  /* of a range of words, at its loosest operators */
	enum looseness loose;
	size_t n, *begin;       /* first words of all parts but the first */
	bool arrows;            /* an entry has a guard */
};

/* A line is broken after `=`, `,` and `->`, and before other operators. */
static bool ends_line(enum looseness loose)
{
	return loose == L_ASSIGN || loose == L_LIST || loose == L_ARROW;
}

/* The first word of the next part if word i may divide [from, to), else 0. */
static size_t part_after(const struct layout *l, size_t from, size_t to, size_t i)
{
	enum looseness loose = l->loose[i - l->first];
	size_t begin = i + ends_line(loose);

	return loose == L_NONE || begin == from || begin >= to ? 0 : begin;
}

static size_t skip_brackets(const struct layout *l, size_t i, size_t to)
{
	size_t close = l->partner[i - l->first];

	return close > i && close < to ? close : i;
}

static struct parts cut(const struct layout *l, size_t from, size_t to)
{
	struct parts p = { .loose = L_NONE };

	for (size_t i = from; i < to; i = skip_brackets(l, i, to) + 1) {
		enum looseness loose = l->loose[i - l->first];

		p.arrows = p.arrows || loose == L_ARROW;
		if (part_after(l, from, to, i) && loose < p.loose)
			p.loose = loose;
	}
	if (p.loose == L_NONE)
		return p;
	p.begin = asl_new(l->o->c, (to - from) * sizeof *p.begin);
	for (size_t i = from; i < to; i = skip_brackets(l, i, to) + 1) {
		size_t begin = part_after(l, from, to, i);

		if (begin && l->loose[i - l->first] == p.loose)
			p.begin[p.n++] = begin;
	}
	return p;
}

static bool all_or_none(const struct parts *p)
{
	return p->loose == L_WHERE || p->loose == L_CHOICE || p->loose == L_OR || p->loose == L_AND
		|| (p->loose == L_LIST && p->arrows);
}

static bool begins_line(const struct word *w)
{
	if (w->lines > 0)
		return true;
	for (int k = 0; k < w->ncomments; k++)
		if (w->comments[k].lines > 0)
			return true;
	return false;
}

/* Whether the source has the parts of a condition or of a choice, or the entries of a list with
 * guards, on lines of their own: they stay so. */
static bool kept_apart(const struct layout *l, size_t from, size_t to)
{
	struct parts p = cut(l, from, to);

	if (from < to && l->loose[from - l->first] == L_WHERE)
		return false;
	if (p.loose == L_NONE) {
		for (size_t i = from; i < to; i++)
			if (l->w[i].kind == '(' && l->partner[i - l->first] > i)
				return kept_apart(l, i + 1, l->partner[i - l->first]);
		return false;
	}
	if (p.loose == L_ASSIGN || p.loose == L_ARROW)
		return kept_apart(l, p.begin[0], to);
	if (p.loose == L_WHERE || !all_or_none(&p))
		return false;
	for (size_t i = 0; i < p.n; i++)
		if (begins_line(&l->w[p.begin[i]])
				|| begins_line(&l->w[p.begin[i] + (ends_line(p.loose) ? -1 : 1)]))
			return true;
	return false;
}

static int place(struct layout *l, size_t from, size_t to, int indent, int column, int tail);

static int new_line(struct layout *l, size_t i, int indent)
{
	l->indent[i - l->first] = indent;
	return indent * FMT_TAB;
}

/* Width of the text after word i, up to the next pair of brackets or the end. */
static int tail_of(const struct layout *l, size_t i, size_t to, int tail)
{
	size_t next = i + 1;

	while (next < to && l->partner[next - l->first] <= next)
		next++;
	return width(l, i, next) + (next == to ? tail : l->gap[next - l->first] + 1);
}

/* Places a text with brackets at its top level; breaks inside of those that do not fit. */
static int place_brackets(struct layout *l, size_t from, size_t to, int indent, int column,
	int tail)
{
	size_t done = from;     /* words before it are placed */

	for (size_t i = from; i < to; i++) {
		size_t close = skip_brackets(l, i, to);

		if (i > from && must_break(l, i)) {
			column = new_line(l, i, indent + 1);
			done = i;
		}
		if (close == i)
			continue;
		if (done > from && !l->indent[done - l->first])
			column += l->gap[done - l->first];
		column += width(l, done, i + 1) + l->gap[i + 1 - l->first];
		column = place(l, i + 1, close, indent, column,
			l->gap[close - l->first] + tail_of(l, close, to, tail));
		done = i = close;
	}
	if (done > from && !l->indent[done - l->first])
		column += l->gap[done - l->first];
	return column + width(l, done, to);
}

/* Places `a = b` or `(id) -> b`: b begins a new line if it fits there, else it is broken. */
static int place_value(struct layout *l, const struct parts *p, size_t from, size_t to, int indent,
	int column, int tail)
{
	size_t value = p->begin[0];
	int apart = (indent + 1) * FMT_TAB + width(l, value, to) + tail;

	column = place(l, from, value, indent, column, 0);
	if (must_break(l, value) || (apart <= FMT_WIDTH && !must_break_in(l, value, to)
			&& !kept_apart(l, value, to)))
		column = new_line(l, value, indent + 1);
	else
		column += l->gap[value - l->first];
	return place(l, value, to, indent, column, tail);
}

static int place_parts(struct layout *l, const struct parts *p, size_t from, size_t to, int indent,
	int column, int tail)
{
	bool all = all_or_none(p);

	for (size_t i = 0; i <= p->n; i++) {
		size_t begin = i ? p->begin[i - 1] : from, end = i < p->n ? p->begin[i] : to;
		int rest = i < p->n ? 0 : tail, gap = l->gap[begin - l->first]
			+ width_of_comments(l, begin);
		bool apart = i && (all || must_break(l, begin)
			|| column + gap + width(l, begin, end) + rest > FMT_WIDTH);

		if (apart)
			column = new_line(l, begin, indent + 1);
		else if (i)
			column += gap;
		column = place(l, begin, end, indent + (all || i > 0), column, rest);
	}
	return column;
}

/* Places words [from, to) from `column` on; `tail` more columns follow on the last line.  Returns
 * the column after the words. */
static int place(struct layout *l, size_t from, size_t to, int indent, int column, int tail)
{
	int wide = width(l, from, to);
	struct parts p;

	if (from >= to)
		return column;
	if (column + wide + tail <= FMT_WIDTH && !must_break_in(l, from, to)
			&& !kept_apart(l, from, to))
		return column + wide;
	p = cut(l, from, to);
	if (p.n == 0)
		return place_brackets(l, from, to, indent, column, tail);
	if (p.loose == L_ASSIGN || p.loose == L_ARROW)
		return place_value(l, &p, from, to, indent, column, tail);
	return place_parts(l, &p, from, to, indent, column, tail);
}

/* --- writing --- */
static void put_line(struct buf *out, int indent)
{
	while (out->len && out->data[out->len - 1] == ' ')
		out->len--;
	buf_puts(out, "\n");
	for (int i = 0; i < indent; i++)
		buf_puts(out, "\t");
}

/* Writes the comments before word i and the white space around them. */
static void put_between(const struct layout *l, size_t i, int base, struct buf *out)
{
	const struct word *w = &l->w[i];
	int indent = l->indent[i - l->first];
	bool fresh = false;             /* at the beginning of a line */

	if (!indent && must_break(l, i))
		indent = base + 1;
	for (int k = 0; k < w->ncomments; k++) {
		enum side where = side(w, k);

		if (where != BEHIND && indent && !fresh) {
			put_line(out, indent);
			fresh = true;
		}
		if (!fresh)
			buf_puts(out, " ");
		aslc_put_text(out, l->o->text + w->comments[k].at,
			w->comments[k].end - w->comments[k].at);
		fresh = false;
		if (w->comments[k].line || where == ALONE) {
			put_line(out, indent);
			fresh = true;
		}
	}
	if (fresh)
		return;
	if (w->ncomments && side(w, w->ncomments - 1) == BEFORE)
		buf_puts(out, " ");
	else if (indent)
		put_line(out, indent);
	else if (l->gap[i - l->first] || w->ncomments)
		buf_puts(out, " ");
}

int aslc_layout(const struct outline *o, enum stmt_kind kind, size_t first, size_t last, int indent,
	int column, struct buf *out)
{
	size_t n = last - first + 1;
	struct layout l = { .o = o, .w = o->words, .first = first, .last = last,
		.header = kind == ST_PROP || kind == ST_INST };

	l.gap = asl_new(o->c, n);
	l.loose = asl_new(o->c, n);
	l.indent = asl_new(o->c, n * sizeof *l.indent);
	l.partner = asl_new(o->c, n * sizeof *l.partner);
	for (size_t i = first; i < last; i++)
		l.loose[i - first] = (unsigned char)looseness(&l, i);
	find_partners(&l);
	find_gaps(&l, kind);
	if (kind == ST_CLAUSE && last - first > 2) {
		column += width(&l, first, first + 2) + 1;
		if (must_break(&l, first + 1) || must_break(&l, first + 2))
			column = new_line(&l, first + 2, indent + 1);
		column = place(&l, first + 2, last, indent, column, 0);
	} else {
		column = place(&l, first, last, indent, column, 0);
	}
	for (size_t i = first; i < last; i++) {
		if (i > first)
			put_between(&l, i, indent, out);
		buf_add(out, o->text + o->words[i].at, o->words[i].end - o->words[i].at);
	}
	return column;
}
