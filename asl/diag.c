/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects the messages of a compile and reports them in source order. */
#include "asl/ast.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool said_already(const struct compile *c, const struct asl_diag *diag)
{
	for (const struct diag *d = c->diags; d; d = d->next)
		if (d->pub.line == diag->line && d->pub.column == diag->column
				&& !strcmp(d->pub.file, diag->file) &&
				!strcmp(d->pub.text, diag->text))
			return true;
	return false;
}

/* The column after the word, number, string, operator or character that begins at `column`. */
static int end_of(const char *line, int column)
{
	const char *s, *e;

	if (!line || column < 1 || (size_t)column > strlen(line))
		return column;
	s = e = line + column - 1;
	if (*s == '"')
		for (e++; *e && *e != '"'; e++)
			e += *e == '\\' && e[1];
	else
		while (isalnum((unsigned char)*e) || *e == '_' ||
		       (*e == '.' && isdigit((unsigned char)*s)))
			e++;
	if (e == s || *s == '"')
		e += *e != '\0';
	if (e == s + 1 && *e && strchr("=>&|", *e) && strchr("<>=!&|-", *s))
		e++;
	while ((*e & 0xc0) == 0x80)
		e++;
	return (int)(e - line) + 1;
}

/* Whether an error beyond the limit was counted before.  Remembers hashes in a table of fixed size:
 * an error that another one has displaced is counted again. */
static bool counted_already(struct compile *c, struct pos pos, const char *fmt)
{
	enum { SLOTS = 16384 };
	const uint64_t parts[] = { (uint64_t)pos.file, (uint64_t)pos.line, (uint64_t)pos.col,
		(uintptr_t)fmt };
	uint64_t hash = 1469598103934665603u;
	bool seen;

	for (int i = 0; i < 4; i++)
		hash = (hash ^ parts[i]) * 1099511628211u;
	if (!c->unshown)
		c->unshown = asl_new(c, SLOTS * sizeof *c->unshown);
	seen = c->unshown[(hash >> 20) % SLOTS] == hash;
	c->unshown[(hash >> 20) % SLOTS] = hash;
	return seen;
}

/* Whether to keep a message; errors beyond the limit are counted only. */
static bool room_for(struct compile *c, enum asl_severity severity, struct pos pos, const char *fmt)
{
	if (severity == ASL_NOTE)       /* shares the fate of the message that it explains */
		return c->said;
	if (severity == ASL_WARNING)
		return c->nwarnings < MAX_ERRORS;
	if (c->nerrors < MAX_ERRORS)
		return true;
	c->nerrors += !counted_already(c, pos, fmt);
	return false;
}

static void say(struct compile *c, enum asl_severity severity, const char *file, struct pos pos,
	const char *fmt, va_list ap)
{
	char text[512];
	const char *suggestion = c->suggestion;
	struct diag *d;

	c->suggestion = NULL;   /* even if the message is dropped */
	c->said = room_for(c, severity, pos, fmt);
	if (!c->said)
		return;
	vsnprintf(text, sizeof text, fmt, ap);
	d = asl_new(c, sizeof *d);
	d->pub = (struct asl_diag){ .severity = severity, .file = file, .line = pos.line,
		.column = pos.col, .text = arena_strdup(c->scratch, text),
		.suggestion = suggestion };
	if (!d->pub.text)
		longjmp(c->nomem, 1);
	c->said = !said_already(c, &d->pub);
	if (!c->said)
		return;
	c->nerrors += severity == ASL_ERROR;
	c->nwarnings += severity == ASL_WARNING;
	d->key = severity == ASL_NOTE && c->diags ? c->diags->key : pos;
	d->pos = pos;
	d->order = c->ndiags++;
	d->next = c->diags;
	c->diags = d;
}

void asl_error(struct compile *c, struct pos pos, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(c, ASL_ERROR, c->sources[pos.file].name, pos, fmt, ap);
	va_end(ap);
}

void asl_warn(struct compile *c, struct pos pos, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(c, ASL_WARNING, c->sources[pos.file].name, pos, fmt, ap);
	va_end(ap);
}

void asl_note(struct compile *c, struct pos pos, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	say(c, ASL_NOTE, c->sources[pos.file].name, pos, fmt, ap);
	va_end(ap);
}

void asl_setting_error(struct compile *c, size_t n, const char *fmt, ...)
{
	const char *origin = c->settings[n].origin;
	va_list ap;

	va_start(ap, fmt);
	say(c, ASL_ERROR, origin ? origin : "setting", (struct pos){ -1, 0, 0 }, fmt, ap);
	va_end(ap);
}

const char *asl_pos_text(struct compile *c, struct pos pos)
{
	const char *s = arena_printf(c->scratch, "%s:%d", c->sources[pos.file].name, pos.line);

	if (!s)
		longjmp(c->nomem, 1);
	return s;
}

static int by_place(const void *va, const void *vb)
{
	const struct diag *a = *(struct diag *const *)va, *b = *(struct diag *const *)vb;

	if (a->key.file != b->key.file)
		return a->key.file < b->key.file ? -1 : 1;
	if (a->key.line != b->key.line)
		return a->key.line < b->key.line ? -1 : 1;
	if (a->key.col != b->key.col)
		return a->key.col < b->key.col ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

/* The beginning of a line, from which to search for the next one. */
struct line_start {
	int file, line;
	const char *at;
};

/* The source line, cut to LINE_SHOWN; NULL: none.  Control characters become '?', because a
 * terminal would obey them. */
static const char *line_text(struct compile *c, struct pos pos, struct line_start *p)
{
	const struct asl_source *src;
	const char *end, *nl;
	char *text;
	size_t n;

	if (pos.file < 0 || pos.line < 1)
		return NULL;
	src = &c->sources[pos.file];
	end = src->text + src->length;
	if (p->file != pos.file || p->line > pos.line)
		*p = (struct line_start){ pos.file, 1, src->text };
	for (; p->line < pos.line; p->line++) {
		nl = memchr(p->at, '\n', (size_t)(end - p->at));
		if (!nl)
			return NULL;
		p->at = nl + 1;
	}
	nl = memchr(p->at, '\n', (size_t)(end - p->at));
	n = (size_t)((nl ? nl : end) - p->at);
	n -= n && p->at[n - 1] == '\r';
	if (pos.col > LINE_SHOWN)
		return NULL;
	if (n > LINE_SHOWN)
		for (n = LINE_SHOWN; n && (p->at[n] & 0xc0) == 0x80; n--)    /* whole characters */
			;
	text = asl_new(c, n + 1);
	for (size_t i = 0; i < n; i++)
		text[i] = (unsigned char)p->at[i] < 32 && p->at[i] != '\t' ? '?' : p->at[i];
	return text;
}

static void show_line(struct compile *c, struct diag *d, struct line_start *place)
{
	d->pub.line_text = line_text(c, d->pos, place);
	d->pub.end_column = end_of(d->pub.line_text, d->pos.col);
}

void asl_give_diags(struct compile *c, asl_diag_fn report, void *arg)
{
	struct diag **all = asl_new(c, ((size_t)c->ndiags + 1) * sizeof *all);
	struct line_start place = { .file = -1 };
	char text[64];
	int n = 0;

	for (struct diag *d = c->diags; d; d = d->next)
		all[n++] = d;
	qsort(all, (size_t)n, sizeof *all, by_place);
	for (int i = 0; i < n; i++)
		show_line(c, all[i], &place);
	for (int i = 0; report && i < n; i++)
		report(arg, &all[i]->pub);
	if (report && c->nerrors > MAX_ERRORS) {
		snprintf(text, sizeof text, "%d more errors are not shown",
			c->nerrors - MAX_ERRORS);
		report(arg, &(struct asl_diag){ .severity = ASL_NOTE, .text = text });
	}
}

void asl_diag_print(void *arg, const struct asl_diag *diag)
{
	static const char *const words[] = { "error", "warning", "note" };
	FILE *f = arg;

	if (diag->file)
		fprintf(f, "%s:", diag->file);
	if (diag->line > 0)
		fprintf(f, "%d:%d:", diag->line, diag->column);
	fprintf(f, "%s%s: %s\n", diag->file ? " " : "", words[diag->severity], diag->text);
	if (!diag->line_text)
		return;
	fprintf(f, "    %s\n    ", diag->line_text);
	for (int i = 1; i < diag->column && diag->line_text[i - 1]; i++) {
		unsigned char ch = (unsigned char)diag->line_text[i - 1];

		if ((ch & 0xc0) != 0x80)        /* one caret column per character */
			fputc(ch == '\t' ? '\t' : ' ', f);
	}
	fputs("^\n", f);
}

void asl_out_of_memory(asl_diag_fn report, void *arg)
{
	const struct asl_diag diag = { .severity = ASL_ERROR, .text = "out of memory" };

	if (report)
		report(arg, &diag);
}
