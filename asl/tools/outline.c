/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the outline of a source: words, comments, and statements. */
#include "asl/tools/outline.h"

#include <string.h>
#include "asl/parse.h"

/* --- words and the comments before them --- */
/* The column of an offset.  Offsets must increase from call to call: counting each line from its
 * start would be quadratic. */
static int column_of(struct outline *o, size_t at)
{
	for (; o->seen < at; o->seen++) {
		char ch = o->text[o->seen];

		if (ch == '\n')
			o->column = 0;
		else if (ch == '\t')
			o->column += FMT_TAB - o->column % FMT_TAB;
		else if ((ch & 0xc0) != 0x80)
			o->column++;
	}
	return o->column;
}

static size_t comment_end(const char *text, size_t at, size_t to)
{
	size_t i = at + 2;

	if (text[at + 1] == '/') {
		while (i < to && text[i] != '\n')
			i++;
		while (strchr(" \t\r\f", text[i - 1]))
			i--;
		return i;
	}
	while (i + 1 < to && !(text[i] == '*' && text[i + 1] == '/'))
		i++;
	return i + 2;
}

static bool is_switch(const struct outline *o, const struct comment *k, const char *word)
{
	const char *s = o->text + k->at + 2, *end = o->text + k->end;

	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	return k->line && (size_t)(end - s) == strlen(word) && !memcmp(s, word, strlen(word));
}

/* Reads the comments before word w, from offset `from` on. */
static void read_gap(struct outline *o, struct word *w, size_t from)
{
	struct comment *list;
	int n = 0;

	for (size_t i = from; i + 1 < w->at; i++)
		n += o->text[i] == '/';
	w->comments = list = n ? asl_new(o->c, (size_t)n * sizeof *list) : NULL;
	for (size_t i = from; i < w->at; ) {
		struct comment *k = list + w->ncomments;

		if (o->text[i] != '/') {
			w->lines += o->text[i++] == '\n';
			continue;
		}
		k->at = i;
		k->end = i = comment_end(o->text, i, w->at);
		k->lines = w->lines;
		k->line = o->text[k->at + 1] == '/';
		k->tall = memchr(o->text + k->at, '\n', k->end - k->at) != NULL;
		k->column = column_of(o, k->at);
		w->lines = 0;
		w->ncomments++;
	}
}

static void read_words(struct outline *o, int file)
{
	const struct token *t;
	size_t from = 0;

	o->c->ntokens = 0;              /* these words were counted when it was parsed */
	t = asl_lex(o->c, o->text, o->length, (struct pos){ file, 1, 1 }, &o->nwords);
	o->words = asl_new(o->c, (o->nwords + 1) * sizeof *o->words);
	for (size_t i = 0; i <= o->nwords; i++) {
		struct word *w = &o->words[i];

		w->kind = t[i].kind;
		w->at = i < o->nwords ? t[i].at : o->length;
		w->end = i < o->nwords ? t[i].end : o->length;
		read_gap(o, w, from);
		from = w->end;
	}
}

/* --- statements --- */
static struct stmt *add(struct outline *o, enum stmt_kind kind, int indent)
{
	struct stmt *s;

	if (o->nstmts == o->cap) {
		size_t cap = o->cap ? o->cap * 2 : 128;
		struct stmt *p = asl_new(o->c, cap * sizeof *p);

		if (o->nstmts)
			memcpy(p, o->stmts, o->nstmts * sizeof *p);
		o->stmts = p;
		o->cap = cap;
	}
	s = &o->stmts[o->nstmts++];
	*s = (struct stmt){ .kind = kind, .indent = indent };
	return s;
}

/* Number of comments before word w that are behind the previous word, on its line. */
static int behind(const struct word *w)
{
	int n = 0;

	while (n < w->ncomments && w->comments[n].lines == 0 && !w->comments[n].tall)
		n++;
	if (n == 0 || w->kind == 0)
		return n;
	if ((n < w->ncomments ? w->comments[n].lines : w->lines) > 0)
		return n;
	return w->comments[n - 1].line ? n : 0;
}

/* Whether k continues the comment behind the previous line: it begins in the same column. */
static bool goes_on(const struct outline *o, const struct comment *k)
{
	const struct stmt *last = o->nstmts ? &o->stmts[o->nstmts - 1] : NULL;

	if (!last || k->lines != 1 || !k->line)
		return false;
	if (last->kind == ST_MORE)
		return last->column == k->column;
	return last->nbehind && last->behind[last->nbehind - 1].line
		&& last->behind[0].column == k->column && last->nbehind == 1;
}

/* Adds the comments before w, up to comment `to`, as statements. */
static void add_comments(struct outline *o, struct word *w, int to, int indent)
{
	for (; w->taken < to; w->taken++) {
		const struct comment *k = &w->comments[w->taken];
		bool more = goes_on(o, k);
		struct stmt *s = add(o, more ? ST_MORE : ST_COMMENT, indent);

		s->at = k->at;
		s->end = k->end;
		s->column = k->column;
		s->blank = k->lines > 1;
	}
}

static void leading(struct outline *o, size_t i, int indent)
{
	add_comments(o, &o->words[i], o->words[i].ncomments, indent);
}

/* Adds a statement of words [first, last) with the comments behind it. */
static void statement(struct outline *o, enum stmt_kind kind, int indent, size_t first, size_t last)
{
	struct word *w = &o->words[first], *next = &o->words[last];
	struct stmt *s = add(o, kind, indent);

	s->first = first;
	s->last = last;
	s->blank = w->lines > 1;
	s->behind = next->comments;
	s->nbehind = next->taken = behind(next);
}

/* One past the ';' that ends the statement from word i on. */
static size_t to_semicolon(const struct outline *o, size_t i)
{
	int depth = 0;

	for (; i < o->nwords; i++) {
		int kind = o->words[i].kind;

		depth += (kind == '{') - (kind == '}');
		if (kind == ';' && depth <= 0)
			return i + 1;
	}
	return i;
}

static size_t to_kind(const struct outline *o, size_t i, int kind)
{
	while (i < o->nwords && o->words[i].kind != kind)
		i++;
	return i < o->nwords ? i + 1 : i;
}

static size_t simple(struct outline *o, enum stmt_kind kind, size_t i, int indent)
{
	size_t end = to_semicolon(o, i);

	leading(o, i, indent);
	statement(o, kind, indent, i, end);
	return end;
}

static size_t word(struct outline *o, enum stmt_kind kind, size_t i, int indent, int comments)
{
	leading(o, i, comments);
	statement(o, kind, indent, i, i + 1);
	return i + 1;
}

static size_t body_of_property(struct outline *o, size_t i)
{
	bool let = false;

	while (i < o->nwords && o->words[i].kind != '}') {
		int kind = o->words[i].kind;

		if (kind == TOK_LET && !let) {
			i = word(o, ST_LET, i, 1, 1);
			let = true;
		} else if (kind == TOK_IN && let) {
			i = word(o, ST_IN, i, 1, 2);
			let = false;
		} else {
			i = simple(o, let ? ST_DEF : ST_CLAUSE, i, let ? 2 : 1);
		}
	}
	return i;
}

static size_t body_of_enum(struct outline *o, size_t i)
{
	while (i < o->nwords && o->words[i].kind != '}') {
		size_t end = i + 1 + (o->words[i + 1].kind == ',');

		leading(o, i, 1);
		statement(o, ST_ITEM, 1, i, end);
		i = end;
	}
	return i;
}

static size_t declaration(struct outline *o, size_t i)
{
	int kind = o->words[i].kind;
	enum stmt_kind what = kind == TOK_PROPERTY ? ST_PROP : kind == TOK_CLASS ? ST_CLASS :
		ST_ENUM;
	size_t open = to_kind(o, i, '{'), end = to_semicolon(o, i);

	if (kind == TOK_PROPERTY && to_kind(o, i, ';') <= open)
		return simple(o, ST_INST, i, 0);
	leading(o, i, 0);
	statement(o, what, 0, i, open);
	i = open;
	if (what == ST_PROP)
		i = body_of_property(o, i);
	else if (what == ST_ENUM)
		i = body_of_enum(o, i);
	else
		while (i < o->nwords && o->words[i].kind != '}')
			i = simple(o, ST_ATTR, i, 1);
	leading(o, i, 1);
	end = i + 1 + (o->words[i + 1].kind == ';');
	statement(o, ST_CLOSE, 0, i, end);
	return end;
}

static enum stmt_kind kind_of(const struct outline *o, size_t i, size_t end)
{
	if (end == i + 1)
		return ST_EMPTY;
	if (o->words[i].kind == TOK_INCLUDE)
		return ST_INCLUDE;
	for (; i < end; i++) {
		if (o->words[i].kind == '=')
			return ST_CONST;
		if (o->words[i].kind == '(')
			return ST_FUNC;
	}
	return ST_CONST;
}

static size_t top(struct outline *o, size_t i)
{
	int kind = o->words[i].kind;

	if (kind == TOK_PROPERTY || kind == TOK_CLASS || kind == TOK_ENUM)
		return declaration(o, i);
	return simple(o, kind_of(o, i, to_semicolon(o, i)), i, 0);
}

/* --- `// fmt: off` to `// fmt: on`, between declarations --- */
static int find_switch(const struct outline *o, const struct word *w, int from, const char *name)
{
	while (from < w->ncomments && !is_switch(o, &w->comments[from], name))
		from++;
	return from;
}

/* Adds the text from `fmt: off`, the next comment before word i, to `fmt: on` as one statement.
 * Returns the word after the comment `fmt: on`. */
static size_t switched_off(struct outline *o, size_t i)
{
	const struct comment *off = &o->words[i].comments[o->words[i].taken];
	size_t kept = o->nstmts, end = o->length;
	int on = find_switch(o, &o->words[i], o->words[i].taken + 1, "fmt: on");
	struct stmt *s;

	while (on == o->words[i].ncomments && o->words[i].kind) {
		i = top(o, i);          /* to find the end; the statements are dropped */
		on = find_switch(o, &o->words[i], o->words[i].taken, "fmt: on");
	}
	if (on < o->words[i].ncomments)
		end = o->words[i].comments[on].at;
	o->words[i].taken = on;
	o->nstmts = kept;
	while (end > off->end && strchr(" \t\r\n\f", o->text[end - 1]))
		end--;
	s = add(o, ST_VERBATIM, 0);
	s->at = off->at;
	s->end = end;
	s->blank = off->lines > 1;
	return i;
}

void aslc_outline(struct compile *c, const struct asl_source *source, struct outline *o)
{
	size_t i = 0;

	*o = (struct outline){ .c = c, .text = source->text, .length = source->length };
	read_words(o, (int)(source - c->sources));
	for (;;) {
		struct word *w = &o->words[i];
		int off = find_switch(o, w, w->taken, "fmt: off");

		add_comments(o, w, off, 0);
		if (off < w->ncomments)
			i = switched_off(o, i);
		else if (w->kind)
			i = top(o, i);
		else
			break;
	}
}

void aslc_put_text(struct buf *out, const char *s, size_t n)
{
	while (n > 0) {
		const char *nl = memchr(s, '\n', n);
		size_t len = nl ? (size_t)(nl - s) : n, used = len;

		while (used && strchr(" \t\r\f", s[used - 1]))
			used--;
		buf_add(out, s, used);
		if (!nl)
			break;
		buf_puts(out, "\n");
		s += len + 1;
		n -= len + 1;
	}
}
