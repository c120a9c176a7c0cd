/* SPDX-License-Identifier: BSD-3-Clause */
#include "asl/ast.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- memory --- */
void *asl_new(struct compile *c, size_t size)
{
	void *p = arena_alloc(c->scratch, size);

	if (!p)
		longjmp(c->nomem, 1);
	return p;
}

void *asl_keep(struct compile *c, size_t n, size_t size)
{
	void *p = arena_array(c->keep, n, size);

	if (!p)
		longjmp(c->nomem, 1);
	return p;
}

const char *asl_keep_text(struct compile *c, const char *s)
{
	char *p = arena_strdup(c->keep, s);

	if (!p)
		longjmp(c->nomem, 1);
	return p;
}

/* --- messages: gathered, then given in the order of the source --- */
static const char *line_text(struct compile *c, struct pos pos)
{
	const struct asl_source *src;
	const char *s, *end, *nl;
	char *text;

	if (pos.file < 0 || pos.line < 1)
		return NULL;
	src = &c->sources[pos.file];
	s = src->text;
	end = s + src->length;
	for (int line = 1; line < pos.line; line++) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if (!nl)
			return NULL;
		s = nl + 1;
	}
	nl = memchr(s, '\n', (size_t)(end - s));
	text = arena_strndup(c->scratch, s, (size_t)((nl ? nl : end) - s));
	if (!text)
		longjmp(c->nomem, 1);
	return text;
}

static bool said_already(const struct compile *c, const struct asl_diag *diag)
{
	for (const struct diag *d = c->diags; d; d = d->next)
		if (d->pub.line == diag->line && d->pub.column == diag->column
				&& !strcmp(d->pub.file, diag->file) && !strcmp(d->pub.text, diag->text))
			return true;
	return false;
}

/* One past what begins at the column: a word, a number, a string, an operator, a character. */
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
		while (isalnum((unsigned char)*e) || *e == '_' || (*e == '.' && isdigit((unsigned char)*s)))
			e++;
	if (e == s || *s == '"')
		e += *e != '\0';
	if (e == s + 1 && *e && strchr("=>&|", *e) && strchr("<>=!&|-", *s))
		e++;
	while ((*e & 0xc0) == 0x80)
		e++;
	return (int)(e - line) + 1;
}

static void say(struct compile *c, enum asl_severity severity, const char *file, struct pos pos,
	const char *fmt, va_list ap)
{
	char text[512];
	const char *suggestion = c->suggestion;
	struct diag *d;

	c->suggestion = NULL;
	vsnprintf(text, sizeof text, fmt, ap);
	d = asl_new(c, sizeof *d);
	d->pub = (struct asl_diag){ .severity = severity, .file = file, .line = pos.line,
		.column = pos.col, .text = arena_strdup(c->scratch, text), .suggestion = suggestion };
	if (!d->pub.text)
		longjmp(c->nomem, 1);
	if (severity == ASL_ERROR && c->nerrors++ >= MAX_ERRORS)
		return;
	if (said_already(c, &d->pub))
		return;
	d->pub.line_text = line_text(c, pos);
	d->pub.end_column = end_of(d->pub.line_text, pos.col);
	d->key = severity == ASL_NOTE && c->diags ? c->diags->key : pos;
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

static void give_diags(struct compile *c, asl_diag_fn report, void *arg)
{
	struct diag **all = asl_new(c, ((size_t)c->ndiags + 1) * sizeof *all);
	int n = 0;

	for (struct diag *d = c->diags; d; d = d->next)
		all[n++] = d;
	qsort(all, (size_t)n, sizeof *all, by_place);
	for (int i = 0; report && i < n; i++)
		report(arg, &all[i]->pub);
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

/* --- the passes in order --- */
static bool check_code(struct compile *c)
{
	struct err err;

	for (int i = 0; i < c->prog->nprops; i++) {
		const struct code *code = &c->prog->props[i];

		if (asl_verify(c->prog, code, &err) < 0) {
			asl_error(c, (struct pos){ 0, 0, 0 }, "internal error: code of '%s': %s",
				code->pub.name, err.text);
			return false;
		}
	}
	return true;
}

static void run_passes(struct compile *c)
{
	for (size_t i = 0; i < c->nsources; i++)
		asl_parse(c, (int)i);
	asl_names(c);
	asl_types(c);
	if (c->nerrors == 0)
		asl_units(c);
	asl_fold(c);
	if (c->nerrors > 0)
		return;
	asl_emit(c);
	if (c->nerrors == 0)
		check_code(c);
}

static void out_of_memory(asl_diag_fn report, void *arg)
{
	const struct asl_diag diag = { .severity = ASL_ERROR, .text = "out of memory" };

	if (report)
		report(arg, &diag);
}

static struct compile *open_compile(struct arena *scratch, const struct asl_source *sources,
	size_t nsources)
{
	struct compile *c = scratch ? arena_alloc(scratch, sizeof *c) : NULL;

	if (!c)
		return NULL;
	c->scratch = scratch;
	c->sources = sources;
	c->nsources = nsources;
	c->decls_tail = &c->decls;
	return c;
}

int asl_read(const struct asl_source *source, asl_diag_fn report, void *arg,
	void (*then)(struct compile *c, void *user), void *user)
{
	struct arena *scratch = arena_new();
	struct compile *c = open_compile(scratch, source, 1);
	int rc;

	if (!c || setjmp(c->nomem)) {
		out_of_memory(report, arg);
		arena_free(scratch);
		return -1;
	}
	asl_parse(c, 0);
	if (c->nerrors == 0)
		then(c, user);
	give_diags(c, report, arg);
	rc = c->nerrors ? -1 : 0;
	arena_free(scratch);
	return rc;
}

struct asl_program *asl_compile(const struct asl_source *sources, size_t nsources,
	const struct asl_setting *settings, size_t nsettings, asl_diag_fn report, void *arg)
{
	struct arena *scratch = arena_new(), *keep = arena_new();
	struct asl_program *prog = NULL;
	struct compile *c;

	c = keep ? open_compile(scratch, sources, nsources) : NULL;
	if (!c || setjmp(c->nomem)) {
		out_of_memory(report, arg);
		arena_free(scratch);
		arena_free(keep);
		return NULL;
	}
	c->keep = keep;
	c->settings = settings;
	c->nsettings = nsettings;
	c->setting_used = asl_new(c, nsettings * sizeof *c->setting_used);
	c->prog = asl_keep(c, 1, sizeof *c->prog);
	c->prog->arena = keep;
	c->prog->max_steps = MAX_STEPS;
	run_passes(c);
	give_diags(c, report, arg);
	if (c->nerrors == 0)
		prog = c->prog;
	else
		arena_free(keep);
	arena_free(scratch);
	return prog;
}

void asl_free(struct asl_program *p)
{
	if (p)
		arena_free(p->arena);
}

/* --- what a program holds --- */
size_t asl_nclasses(const struct asl_program *p)
{
	return (size_t)p->nclasses;
}

int asl_class_find(const struct asl_program *p, const char *name)
{
	for (int i = 0; i < p->nclasses; i++)
		if (!strcmp(p->classes[i].name, name))
			return i;
	return -1;
}

const char *asl_class_name(const struct asl_program *p, int cls)
{
	return p->classes[cls].name;
}

bool asl_class_is(const struct asl_program *p, int cls, int base)
{
	while (cls >= 0 && cls < p->nclasses) {
		if (cls == base)
			return true;
		cls = p->classes[cls].base;
	}
	return false;
}

int asl_nattrs(const struct asl_program *p, int cls)
{
	return p->classes[cls].nattrs;
}

const char *asl_attr_name(const struct asl_program *p, int cls, int attr)
{
	return p->classes[cls].attrs[attr].name;
}

const char *asl_attr_unit(const struct asl_program *p, int cls, int attr)
{
	return p->classes[cls].attrs[attr].unit_text;
}

void asl_attr_type(const struct asl_program *p, int cls, int attr, struct asl_attr_type *out)
{
	static const enum asl_type types[] = {
		[K_BOOL] = ASL_BOOL, [K_INT] = ASL_INT, [K_FLOAT] = ASL_FLOAT,
		[K_STRING] = ASL_STRING, [K_ENUM] = ASL_ENUM, [K_OBJECT] = ASL_OBJECT,
		[K_SET] = ASL_SET,
	};
	const struct class_attr *a = &p->classes[cls].attrs[attr];

	out->type = types[a->kind];
	out->cls = a->ref;
	out->array = a->array;
}

int asl_enum_find(const struct asl_program *p, const char *name)
{
	for (int i = 0; i < p->nenums; i++)
		if (!strcmp(p->enums[i].name, name))
			return i;
	return -1;
}

int asl_enum_value(const struct asl_program *p, int enumeration, const char *item)
{
	const struct enum_info *e = &p->enums[enumeration];

	for (int i = 0; i < e->nitems; i++)
		if (!strcmp(e->items[i], item))
			return i;
	return -1;
}

size_t asl_nproperties(const struct asl_program *p)
{
	return (size_t)p->nprops;
}

const struct asl_property *asl_property(const struct asl_program *p, size_t number)
{
	return &p->props[number].pub;
}

int asl_parts(const struct asl_program *p, size_t property)
{
	return p->props[property].nparts;
}

struct asl_part_source asl_part_source(const struct asl_program *p, size_t property, int part)
{
	const struct part *q = &p->props[property].parts[part];

	return (struct asl_part_source){ q->attr, q->code.pub.context };
}
