/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a reference page of property files from their comments and their code.
 *
 * Comments and the text of code come from outlines of all sources.  Contexts, refinement and the
 * metrics that properties need come from the compiled program. */
#include "asl/tools/doc.h"
#include "asl/tools/tools.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "asl/parse.h"

#define MAX_BORROWED 16         /* functions of other files that one property shows */

static bool known(void *arg, const char *name, size_t n)
{
	const struct item *i = doc_find(arg, name, n);

	return i && i->wanted && i->kind != ST_CONST;
}

/* --- constants and parameters --- */
/* A constant's value as written; if it is a number that a setting overrides, the setting's. */
static const char *value_of(struct doc *d, const struct outline *o, const struct stmt *s,
	const char *name)
{
	size_t equals = doc_find_word(o, s, '=');
	const char *written = equals < s->last ? doc_code(d, o, ST_CLAUSE, equals + 1, s->last - 1) : "";
	char *end;
	double number = strtod(written, &end);

	for (int i = 0; s->kind == ST_CONST && i < d->prog->nconstants; i++) {
		const struct constant *c = &d->prog->constants[i];

		if (!strcmp(c->name, name) && (!*written || (!*end && strtod(c->value, NULL) != number)))
			return c->value;
	}
	return written;
}

static void constant_row(struct doc *d, const struct outline *o, size_t stmt, const char *owner,
	const char *name)
{
	const struct stmt *s = &o->stmts[stmt];
	const char *value = value_of(d, o, s, name);

	doc_clear(d);
	buf_printf(&d->text, "--set %s%s%s=…", owner, *owner ? "." : "", name);
	markup_row(&d->page);
	markup_cell_code(&d->page, name);
	if (*value)
		markup_cell_code(&d->page, value);
	else
		markup_cell(&d->page, "none: must be set");
	markup_cell(&d->page, doc_unit_of(d, o, s));
	markup_cell_code(&d->page, doc_taken(d));
	markup_cell(&d->page, doc_about(d, o, stmt));
	markup_end_row(&d->page);
}

/* A LET definition that can be set. */
static bool is_parameter(const struct outline *o, const struct stmt *s)
{
	return s->kind == ST_DEF && (o->words[s->first].kind == TOK_CONST
		|| doc_find_word(o, s, '=') == s->last);
}

static void constants(struct doc *d, const struct outline *o)
{
	static const char *const titles[] = { "name", "default", "unit", "change with", "", NULL };
	bool any = false;

	for (int pass = 0; pass < 2; pass++) {
		if (pass && any) {
			markup_heading(&d->page, 2, "Thresholds", NULL);
			markup_table(&d->page, titles);
		}
		for (const struct item *i = d->items; i; i = i->next) {
			if (i->o != o)
				continue;
			if (i->kind == ST_CONST && pass)
				constant_row(d, o, i->stmt, "", i->name);
			any = any || i->kind == ST_CONST;
			for (size_t k = i->stmt; i->kind == ST_PROP && k < doc_body_end(i); k++) {
				if (!is_parameter(o, &o->stmts[k]))
					continue;
				any = true;
				if (pass)
					constant_row(d, o, k, i->name,
						doc_word(d, o, doc_name_of(o, &o->stmts[k])));
			}
		}
		if (pass && any)
			markup_end_table(&d->page);
	}
}

/* --- classes --- */
static const struct item *class_item(const struct doc *d, int cls)
{
	const char *name = asl_class_name(d->prog, cls);

	return doc_find(d, name, strlen(name));
}

/* The statement that declares an attribute of a class or of one it extends; 0: none. */
static size_t attribute(struct doc *d, int cls, const char *name, const struct outline **o)
{
	for (; cls >= 0; cls = d->prog->classes[cls].base) {
		const struct item *i = class_item(d, cls);

		for (size_t k = i ? i->stmt + 1 : 0; i && k < doc_body_end(i); k++) {
			*o = i->o;
			if (i->o->stmts[k].kind == ST_ATTR
					&& !strcmp(doc_word(d, i->o, doc_name_of(i->o, &i->o->stmts[k])), name))
				return k;
		}
	}
	return 0;
}

/* Describes an object of a class, for the middle of a sentence, by the beginning of its comment. */
static const char *in_words(struct doc *d, int cls)
{
	const struct item *i = class_item(d, cls);
	const char *s = i ? doc_above(d, i->o, i->stmt) : "";
	char *text = (char *)doc_copy(d, s, strcspn(s, ".:;"));

	for (char *nl = text; (nl = strchr(nl, '\n')); )
		*nl = ' ';
	if (text[0] && !isupper((unsigned char)text[1]))
		text[0] = (char)tolower((unsigned char)text[0]);
	return text;
}

static void attributes(struct doc *d, const struct item *i)
{
	static const char *const titles[] = { "attribute", "type", "unit", "", NULL };
	const struct outline *o = i->o;
	bool any = false;

	for (size_t k = i->stmt + 1; k < doc_body_end(i); k++) {
		const struct stmt *s = &o->stmts[k];
		size_t name;

		if (s->kind != ST_ATTR)
			continue;
		name = doc_name_of(o, s);
		if (!any)
			markup_table(&d->page, titles);
		any = true;
		doc_clear(d);
		aslc_layout(o, ST_ATTR, s->first, name, 0, 0, &d->text);
		if (o->words[name + 1].kind == '[' && o->words[name + 2].kind == ']')
			buf_puts(&d->text, "[]");
		markup_row(&d->page);
		markup_cell_code(&d->page, doc_word(d, o, name));
		markup_cell_code(&d->page, doc_taken(d));
		markup_cell(&d->page, doc_unit_of(d, o, s));
		markup_cell(&d->page, doc_about(d, o, k));
		markup_end_row(&d->page);
	}
	if (any)
		markup_end_table(&d->page);
}

static void class_or_enum(struct doc *d, const struct item *i)
{
	const struct outline *o = i->o;
	const struct stmt *s = &o->stmts[i->stmt];
	const char *text = doc_above(d, o, i->stmt);

	markup_heading(&d->page, 3, i->name, i->name);
	markup_prose(&d->page, text);
	if (i->kind == ST_ENUM) {
		markup_open_paragraph(&d->page);
		for (size_t k = i->stmt + 1; k < doc_body_end(i); k++) {
			if (o->stmts[k].kind != ST_ITEM)
				continue;
			markup_text(&d->page, k > i->stmt + 1 ? ", " : "");
			markup_code(&d->page, doc_word(d, o, o->stmts[k].first));
		}
		markup_close_paragraph(&d->page);
		return;
	}
	if (doc_find_word(o, s, TOK_EXTENDS) < s->last) {
		markup_open_paragraph(&d->page);
		markup_text(&d->page, "Has all attributes of ");
		markup_code(&d->page, doc_word(d, o, doc_find_word(o, s, TOK_EXTENDS) + 1));
		markup_text(&d->page, ", and:");
		markup_close_paragraph(&d->page);
	}
	attributes(d, i);
}

static void classes(struct doc *d, const struct outline *o)
{
	bool any = false;
	size_t done = doc_header_end(o);

	for (const struct item *i = d->items; i; i = i->next) {
		if (i->o != o || (i->kind != ST_CLASS && i->kind != ST_ENUM))
			continue;
		if (!any)
			markup_heading(&d->page, 2, "Data model", NULL);
		any = true;
		for (; done < i->stmt; done++) {
			const char *title = doc_section(d, o, &o->stmts[done]);

			if (!title)
				continue;
			markup_open_paragraph(&d->page);
			markup_strong(&d->page, title);
			markup_close_paragraph(&d->page);
		}
		class_or_enum(d, i);
	}
}

/* --- functions --- */
static void functions(struct doc *d, const struct outline *o)
{
	bool any = false;

	for (const struct item *i = d->items; i; i = i->next) {
		if (i->o != o || i->kind != ST_FUNC)
			continue;
		if (!any)
			markup_heading(&d->page, 2, "Functions", NULL);
		any = true;
		markup_heading(&d->page, 3, i->name, i->name);
		markup_prose(&d->page, doc_about(d, o, i->stmt));
		markup_listing(&d->page, doc_code(d, o, ST_FUNC, o->stmts[i->stmt].first,
			o->stmts[i->stmt].last));
	}
}

/* --- properties --- */
static void tested_on(struct doc *d, const struct asl_property *q)
{
	struct markup *p = &d->page;
	const char *words = in_words(d, q->context), *sep = *words ? " (" : "";

	markup_open_paragraph(p);
	markup_strong(p, "Tested on");
	markup_text(p, " ");
	markup_text(p, words);
	markup_text(p, sep);
	markup_code(p, asl_class_name(d->prog, q->context));
	for (int i = 1; i < q->nparams; i++) {
		markup_text(p, ", ");
		markup_code(p, asl_class_name(d->prog, q->param_class[i]));
	}
	markup_text(p, *words ? ")." : ".");
	markup_close_paragraph(p);
}

static bool refines(const struct doc *d, const struct asl_property *child, const struct asl_property *q)
{
	for (int i = 0; i < child->nparents; i++)
		if (asl_property(d->prog, (size_t)child->parents[i]) == q)
			return true;
	return false;
}

static void refinement(struct doc *d, const struct asl_property *q)
{
	struct markup *p = &d->page;
	int n = 0;

	markup_open_paragraph(p);
	markup_text(p, q->severity_is_time ? "Its severity is a time." :
		"Its severity is a fraction, of the region's time.");
	for (int i = 0; i < q->nparents; i++) {
		markup_text(p, i ? ", " : " It is tested where this was found: ");
		markup_code(p, asl_property(d->prog, (size_t)q->parents[i])->name);
	}
	markup_text(p, q->nparents ? "." : "");
	for (size_t i = 0; i < asl_nproperties(d->prog); i++) {
		if (!refines(d, asl_property(d->prog, i), q))
			continue;
		markup_text(p, n++ ? ", " : " Where it is found, these are tested: ");
		markup_code(p, asl_property(d->prog, i)->name);
	}
	markup_text(p, n ? "." : "");
	markup_close_paragraph(p);
}

static void need(struct doc *d, int cls, int attr, bool context)
{
	const char *name = asl_attr_name(d->prog, cls, attr);
	const struct outline *o = NULL;
	size_t stmt = attribute(d, cls, name, &o);

	doc_clear(d);
	if (!context)
		buf_printf(&d->text, "%s.", asl_class_name(d->prog, cls));
	buf_puts(&d->text, name);
	markup_row(&d->page);
	markup_cell_code(&d->page, doc_taken(d));
	markup_cell(&d->page, doc_unit(asl_attr_unit(d->prog, cls, attr)));
	markup_cell(&d->page, stmt ? doc_about(d, o, stmt) : "");
	markup_end_row(&d->page);
}

static void needs(struct doc *d, const struct asl_property *q)
{
	static const char *const titles[] = { "needs", "unit", "", NULL };

	if (!q->nreads)
		return;
	markup_table(&d->page, titles);
	for (int i = 0; i < q->nmetrics; i++)
		need(d, q->context, q->metrics[i], true);
	for (int i = 0; i < q->nreads; i++)
		if (!asl_class_is(d->prog, q->context, q->reads[i].cls))
			need(d, q->reads[i].cls, q->reads[i].attr, false);
	markup_end_table(&d->page);
}

/* Shows the functions of other files that the words call, directly or indirectly, as written
 * there. */
static void borrowed(struct doc *d, const struct outline *o, size_t first, size_t last,
	const struct item **seen, size_t *nseen)
{
	for (size_t i = first; i < last; i++) {
		const char *name = o->words[i].kind == TOK_ID ? doc_word(d, o, i) : "";
		const struct item *f = doc_find(d, name, strlen(name));
		size_t k = 0;

		if (!f || f->wanted || f->kind != ST_FUNC || *nseen == MAX_BORROWED)
			continue;
		while (k < *nseen && seen[k] != f)
			k++;
		if (k < *nseen)
			continue;
		seen[(*nseen)++] = f;
		borrowed(d, f->o, f->o->stmts[f->stmt].first, f->o->stmts[f->stmt].last, seen, nseen);
	}
}

static void put_borrowed(struct doc *d, const struct item *i)
{
	const struct item *seen[MAX_BORROWED];
	size_t n = 0;
	const char *text;

	for (size_t k = i->stmt; k < (i->kind == ST_PROP ? doc_body_end(i) : i->stmt + 1); k++)
		borrowed(d, i->o, i->o->stmts[k].first, i->o->stmts[k].last, seen, &n);
	if (!n)
		return;
	markup_open_paragraph(&d->page);
	markup_text(&d->page, n > 1 ? "These functions of other files are called:"
		: "This function of another file is called:");
	markup_close_paragraph(&d->page);
	doc_clear(d);
	for (size_t k = 0; k < n; k++) {
		const struct stmt *s = &seen[k]->o->stmts[seen[k]->stmt];

		buf_puts(&d->text, k ? "\n" : "");
		aslc_layout(seen[k]->o, ST_FUNC, s->first, s->last, 0, 0, &d->text);
	}
	text = doc_taken(d);
	markup_listing(&d->page, text);
}

/* Shows a property's body in canonical layout, without the advice. */
static void body(struct doc *d, const struct item *i)
{
	const struct outline *o = i->o;
	bool defs = false;
	const char *text;

	doc_clear(d);
	for (size_t k = i->stmt + 1; k < doc_body_end(i); k++) {
		const struct stmt *s = &o->stmts[k];

		if ((s->kind != ST_DEF && s->kind != ST_CLAUSE) || o->words[s->first].kind == TOK_ADVICE)
			continue;
		if (d->text.len)
			buf_puts(&d->text, defs && s->kind == ST_CLAUSE ? "\n\n" : "\n");
		defs = s->kind == ST_DEF;
		aslc_layout(o, s->kind, s->first, s->last, 0, 0, &d->text);
	}
	text = doc_taken(d);
	markup_listing(&d->page, text);
}

static void advice(struct doc *d, const struct item *i)
{
	const struct outline *o = i->o;

	for (size_t k = i->stmt + 1; k < doc_body_end(i); k++) {
		const struct stmt *s = &o->stmts[k];

		if (s->kind != ST_CLAUSE || o->words[s->first].kind != TOK_ADVICE)
			continue;
		markup_quote(&d->page, "Advice:", doc_copy(d, o->text + o->words[s->first + 2].at + 1,
			o->words[s->first + 2].end - o->words[s->first + 2].at - 2));
	}
}

static void instances(struct doc *d, const struct item *tmpl)
{
	struct markup *p = &d->page;
	int n = 0;

	markup_open_paragraph(p);
	markup_text(p, "A template; its instances: ");
	for (const struct item *i = d->items; i; i = i->next) {
		if (i->kind != ST_INST || strcmp(doc_word(d, i->o, i->o->stmts[i->stmt].first + 1), tmpl->name))
			continue;
		markup_text(p, n++ ? ", " : "");
		markup_code(p, i->name);
	}
	markup_text(p, n ? "." : "none.");
	markup_close_paragraph(p);
}

static void one_property(struct doc *d, const struct item *i)
{
	const struct outline *o = i->o;
	const struct stmt *s = &o->stmts[i->stmt];
	const struct asl_property *q = doc_property(d, i->name);

	markup_heading(&d->page, 3, i->name, i->name);
	markup_prose(&d->page, *doc_above(d, o, i->stmt) ? doc_above(d, o, i->stmt) : doc_in_header(d, o, i->name));
	if (q)
		tested_on(d, q);
	else
		instances(d, i);
	if (i->kind == ST_INST || !q)
		markup_listing(&d->page, doc_code(d, o, i->kind, s->first, s->last - (i->kind == ST_PROP)));
	if (i->kind == ST_PROP)
		body(d, i);
	put_borrowed(d, i);
	advice(d, i);
	if (!q)
		return;
	refinement(d, q);
	needs(d, q);
}

/* Lists properties below those that they refine, each once; a property with its parents in other
 * files is at the top level. */
static void tree(struct doc *d, const struct outline *o, const struct asl_property *parent, int depth)
{
	for (const struct item *i = d->items; i && depth < 16; i = i->next) {
		const struct asl_property *q = i->kind == ST_PROP || i->kind == ST_INST
			? doc_property(d, i->name) : NULL, *first = NULL;

		if (i->o != o || !q)
			continue;
		for (int k = 0; k < q->nparents && !first; k++) {
			const struct asl_property *up = asl_property(d->prog, (size_t)q->parents[k]);
			const struct item *at = doc_find(d, up->name, strlen(up->name));

			first = at && at->o == o ? up : NULL;
		}
		if (first != parent)
			continue;
		markup_entry(&d->page, depth, i->name, in_words(d, q->context));
		tree(d, o, q, depth + 1);
	}
}

static void properties(struct doc *d, const struct outline *o)
{
	bool any = false;

	for (const struct item *i = d->items; i; i = i->next) {
		if (i->o != o || (i->kind != ST_PROP && i->kind != ST_INST))
			continue;
		if (!any) {
			markup_heading(&d->page, 2, "Properties", NULL);
			markup_open_list(&d->page);
			tree(d, o, NULL, 0);
			markup_close_list(&d->page);
		}
		any = true;
		one_property(d, i);
	}
}

/* --- the page --- */
static const char *title_of(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

static void one_file(struct doc *d, size_t i)
{
	const struct outline *o = d->outlines[i];

	markup_heading(&d->page, 1, title_of(d->sources[i].name), NULL);
	markup_prose(&d->page, doc_comments(d, o, 0, doc_header_end(o)));
	constants(d, o);
	properties(d, o);
	classes(d, o);
	functions(d, o);
}

static void write_page(struct doc *d)
{
	const char *title = NULL;

	/* an exhausted arena jumps to the innermost compile, whose failure ends the others */
	for (size_t i = 0; i < d->nsources; i++)
		d->outlines[i]->c = d->c;
	for (size_t i = 0; i < d->nsources; i++)
		doc_gather(d, d->outlines[i], d->wanted[i]);
	for (size_t i = 0; i < d->nsources && !title; i++)
		title = d->wanted[i] ? title_of(d->sources[i].name) : NULL;
	markup_begin(&d->page, title ? title : "");
	for (size_t i = 0; i < d->nsources; i++)
		if (d->wanted[i])
			one_file(d, i);
	markup_end(&d->page);
}

/* Takes a parsed source, then reads the next one inside of this call, which keeps the memory of
 * all. */
static void read_next(struct compile *c, void *user)
{
	struct doc *d = user;
	struct outline *o = asl_new(c, sizeof *o);

	aslc_outline(c, c->sources, true, o);
	d->outlines[d->at++] = o;
	d->c = c;
	if (d->at == d->nsources)
		write_page(d);
	else if (aslc_parse_source(&d->sources[d->at], d->report, d->arg, read_next, d) < 0)
		longjmp(c->nomem, 1);
}

int aslc_reference(const struct asl_program *p, const struct asl_source *sources, const bool *wanted, size_t n,
	bool as_html, asl_diag_fn report, void *arg, struct buf *out)
{
	struct doc d = { .prog = p, .sources = sources, .wanted = wanted, .nsources = n,
		.report = report, .arg = arg, .text = BUF_INIT };
	size_t before = out->len;
	int rc;

	if (n == 0 || n > MAX_DOCS)
		return -1;
	d.tail = &d.items;
	d.page = (struct markup){ .out = out, .html = as_html, .known = known, .arg = &d };
	rc = aslc_parse_source(&sources[0], report, arg, read_next, &d);
	out->failed = out->failed || d.failed || d.text.failed;
	buf_free(&d.text);
	if (rc < 0 && !out->failed && out->data) {
		out->len = before;
		out->data[before] = '\0';
	}
	return rc;
}
