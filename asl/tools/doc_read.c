/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads outlines of sources: comments without their marks, and declarations by name. */
#include "config.h"
#include "asl/tools/doc.h"

#include <ctype.h>
#include <string.h>
#include "asl/parse.h"

/* --- texts --- */
const char *doc_copy(struct doc *d, const char *s, size_t n)
{
	char *text = asl_new(d->c, n + 1);

	memcpy(text, s, n);
	return text;
}

const char *doc_taken(struct doc *d)
{
	const char *s = doc_copy(d, buf_str(&d->text), d->text.failed ? 0 : d->text.len);

	doc_clear(d);
	return s;
}

const char *doc_word(struct doc *d, const struct outline *o, size_t i)
{
	return doc_copy(d, o->text + o->words[i].at, o->words[i].end - o->words[i].at);
}

const char *doc_code(struct doc *d, const struct outline *o, enum stmt_kind kind, size_t first,
	size_t last)
{
	doc_clear(d);
	aslc_layout(o, kind, first, last, 0, 0, &d->text);
	return doc_taken(d);
}

/* Appends a comment without its marks, after `\n` unless it is the first. */
static void add_comment(struct doc *d, const struct outline *o, size_t at, size_t end)
{
	const char *s = o->text + at, *e = o->text + end;
	bool line = s[1] == '/';

	s += 2;
	e -= line ? 0 : 2;
	if (d->text.len)
		buf_puts(&d->text, "\n");
	for (;;) {
		const char *nl = memchr(s, '\n', (size_t)(e - s)), *stop = nl ? nl : e;

		while (!line && s < stop && (*s == ' ' || *s == '\t'))
			s++;
		s += !line && s < stop && *s == '*';
		s += s < stop && *s == ' ';
		while (stop > s && isspace((unsigned char)stop[-1]))
			stop--;
		buf_add(&d->text, s, (size_t)(stop - s));
		if (!nl)
			break;
		buf_puts(&d->text, "\n");
		s = nl + 1;
	}
}

static bool is_licence(const struct outline *o, const struct stmt *s)
{
	return memmem(o->text + s->at, s->end - s->at, "SPDX-License-Identifier", 23) != NULL;
}

const char *doc_section(struct doc *d, const struct outline *o, const struct stmt *s)
{
	const char *text, *end;

	if (s->kind != ST_COMMENT)
		return NULL;
	text = o->text + s->at + 2;
	end = o->text + s->end;
	text += strspn(text, " \t");
	if (end - text < 4 || memcmp(text, "---", 3) != 0)
		return NULL;
	text += strspn(text, "- ");
	while (end > text && strchr("- ", end[-1]))
		end--;
	return end > text ? doc_copy(d, text, (size_t)(end - text)) : NULL;
}

size_t doc_header_end(const struct outline *o)
{
	size_t i = 0, first;

	while (i < o->nstmts && o->stmts[i].kind == ST_COMMENT && is_licence(o, &o->stmts[i]))
		i++;
	for (first = i; i < o->nstmts && o->stmts[i].kind == ST_COMMENT
			&& (i == first || !o->stmts[i].blank); i++)
		;
	return i;
}

const char *doc_comments(struct doc *d, const struct outline *o, size_t from, size_t to)
{
	doc_clear(d);
	for (size_t i = from; i < to; i++)
		if (!is_licence(o, &o->stmts[i]))
			add_comment(d, o, o->stmts[i].at, o->stmts[i].end);
	return doc_taken(d);
}

const char *doc_above(struct doc *d, const struct outline *o, size_t stmt)
{
	size_t from = stmt, header = doc_header_end(o);

	while (from > header && !o->stmts[from].blank && o->stmts[from - 1].kind == ST_COMMENT
			&& !doc_section(d, o, &o->stmts[from - 1]))
		from--;
	return doc_comments(d, o, from, stmt);
}

const char *doc_in_header(struct doc *d, const struct outline *o, const char *name)
{
	const char *s = doc_comments(d, o, 0, doc_header_end(o));
	size_t n = strlen(name);
	bool on = false;

	for (; *s; s += strcspn(s, "\n"), s += *s == '\n') {
		size_t line = strcspn(s, "\n"), gap = markup_term(s, line);

		if (on && *s != ' ')
			break;
		on = on || (gap && !strncmp(s, name, n) && s[n] == ' ');
		if (!on)
			continue;
		gap = gap ? gap : strspn(s, " ");
		buf_add(&d->text, s + gap, line - gap);
		buf_puts(&d->text, "\n");
	}
	if (d->text.len)
		d->text.data[0] = (char)toupper((unsigned char)d->text.data[0]);
	return doc_taken(d);
}

/* The comment behind a statement, on one line. */
static const char *behind(struct doc *d, const struct outline *o, size_t stmt)
{
	const struct stmt *s = &o->stmts[stmt];
	char *text;

	doc_clear(d);
	for (int i = 0; i < s->nbehind; i++)
		add_comment(d, o, s->behind[i].at, s->behind[i].end);
	for (s++; s < o->stmts + o->nstmts && s->kind == ST_MORE; s++)
		add_comment(d, o, s->at, s->end);
	text = (char *)doc_taken(d);
	for (char *nl = text; (nl = strchr(nl, '\n')); )
		*nl = ' ';
	return text;
}

const char *doc_about(struct doc *d, const struct outline *o, size_t stmt)
{
	const char *s = behind(d, o, stmt);
	char *text;

	if (*s)
		return s;
	text = (char *)doc_above(d, o, stmt);
	for (char *nl = text; (nl = strchr(nl, '\n')); )
		*nl = ' ';
	return text;
}

/* --- declarations --- */
size_t doc_name_of(const struct outline *o, const struct stmt *s)
{
	size_t i = s->first, depth = 0;

	switch (s->kind) {
	case ST_CLASS: case ST_ENUM:
		return i + 1;
	case ST_PROP:
		return i + 1 + (o->words[i + 1].kind == TOK_TEMPLATE);
	case ST_INST:
		while (o->words[i].kind != '>')
			i++;
		return i + 1;
	default:                /* a type, then the name; an attribute has no const */
		for (; i < s->last; i++) {
			int kind = o->words[i].kind;

			if (kind == TOK_CONST || kind == TOK_SETOF)
				continue;
			if (depth++)
				return i;
		}
		return s->first;
	}
}

static bool is_declaration(enum stmt_kind kind)
{
	return kind == ST_CONST || kind == ST_FUNC || kind == ST_INST || kind == ST_ENUM
		|| kind == ST_CLASS || kind == ST_PROP;
}

void doc_gather(struct doc *d, const struct outline *o, bool wanted)
{
	for (size_t i = 0; i < o->nstmts; i++) {
		struct item *item;

		if (!is_declaration(o->stmts[i].kind))
			continue;
		item = asl_new(d->c, sizeof *item);
		*item = (struct item){ o, i, o->stmts[i].kind, doc_word(d, o, doc_name_of(o, &o->stmts[i])),
			wanted, NULL };
		*d->tail = item;
		d->tail = &item->next;
	}
}

const struct item *doc_find(const struct doc *d, const char *name, size_t n)
{
	for (const struct item *i = d->items; i; i = i->next)
		if (strlen(i->name) == n && !memcmp(i->name, name, n))
			return i;
	return NULL;
}

const struct asl_property *doc_property(const struct doc *d, const char *name)
{
	for (size_t i = 0; i < asl_nproperties(d->prog); i++)
		if (!strcmp(asl_property(d->prog, i)->name, name))
			return asl_property(d->prog, i);
	return NULL;
}

size_t doc_body_end(const struct item *i)
{
	size_t k = i->stmt + 1;

	while (k < i->o->nstmts && i->o->stmts[k].kind != ST_CLOSE)
		k++;
	return k;
}

size_t doc_find_word(const struct outline *o, const struct stmt *s, int kind)
{
	size_t i = s->first;

	while (i < s->last && o->words[i].kind != kind)
		i++;
	return i;
}

const char *doc_unit(const char *unit)
{
	return strcmp(unit, "1") ? unit : "count";
}

const char *doc_unit_of(struct doc *d, const struct outline *o, const struct stmt *s)
{
	size_t i = doc_find_word(o, s, '['), end;

	if (i < s->last && o->words[i + 1].kind == ']')         /* an array */
		i += 2;
	if (i >= doc_find_word(o, s, '=') || i >= s->last || o->words[i].kind != '[')
		return "";
	for (end = i; o->words[end].kind != ']'; end++)
		;
	return doc_unit(doc_copy(d, o->text + o->words[i].end, o->words[end].at - o->words[i].end));
}
