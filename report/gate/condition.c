/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses and evaluates conditions over the figures of a report. */
#include "report/gate/condition.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/real_text.h"
#include "base/word_distance.h"

enum { DEEPEST = 50, LONGEST = 240 };
enum node_kind { NODE_OR, NODE_AND, NODE_NOT, NODE_COMPARES };
enum operator { OP_LESS, OP_LESS_EQUAL, OP_MORE, OP_MORE_EQUAL, OP_EQUAL, OP_UNLIKE };

struct operand {
	const char *figure;     /* NULL: a constant */
	const char *text;       /* of a text constant; NULL: a number */
	bool is_text;
	double number;
};

struct condition_node {
	enum node_kind kind;
	const struct condition_node *left, *right;
	enum operator op;
	struct operand a, b;
};

struct parser {
	const char *text, *at;
	struct arena *arena;
	struct condition *condition;
	struct err *err;
	int depth;
	bool failed;
};

const struct field *const *condition_tables(enum condition_scope scope)
{
	static const struct field *const tables[][CONDITION_TABLES] = {
		[SCOPE_FINDING] = { node_fields, finding_fields, cost_fields },
		[SCOPE_PROBLEM] = { problem_fields, NULL, NULL },
		[SCOPE_PHASE] = { report_fields, phase_fields, cost_fields },
		[SCOPE_STRUCTURE] = { cost_fields, NULL, NULL },
	};

	return tables[scope];
}

/* --- errors ---------------------------------------------------------------------------------- */

/* Describes an error at a place of the text; only the first one is kept. */
static void fail(struct parser *p, const char *at, const char *what)
{
	int column = (int)(at - p->text);

	if (!p->failed)
		err_set(p->err, "column %d: %s\n  %s\n  %*s^", column + 1, what, p->text, column,
			"");
	p->failed = true;
}

static void fail_memory(struct parser *p)
{
	if (!p->failed)
		err_nomem(p->err);
	p->failed = true;
}

static const struct field *find_field(enum condition_scope scope, const char *name, int *table)
{
	const struct field *const *tables = condition_tables(scope);

	for (*table = 0; *table < CONDITION_TABLES && tables[*table]; ++*table)
		for (const struct field *f = tables[*table]; f->name; f++)
			if (strcmp(f->name, name) == 0)
				return f;
	return NULL;
}

static void fail_unknown(struct parser *p, const char *at, const char *name)
{
	const struct field *const *tables = condition_tables(p->condition->scope);
	const char *best = NULL;
	int least = 4;
	struct err what;

	for (int t = 0; t < CONDITION_TABLES && tables[t]; t++)
		for (const struct field *f = tables[t]; f->name; f++) {
			int d = word_distance(name, f->name, 4);

			if (d < least) {
				least = d;
				best = f->name;
			}
		}
	err_set(&what, "no figure '%.60s' here%s%s%s", name, best ? "; did you mean '" : "",
		best ? best : "", best ? "'?" :
		" (docs/compare.md lists them; texts stand in quotes)");
	fail(p, at, what.text);
}

/* --- words ----------------------------------------------------------------------------------- */

static void skip_blanks(struct parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
}

static bool take(struct parser *p, const char *mark)
{
	size_t n = strlen(mark);

	skip_blanks(p);
	if (strncmp(p->at, mark, n) != 0)
		return false;
	p->at += n;
	return true;
}

static size_t word_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '.' || s[n] == '$' ||
	       (unsigned char)s[n] >= 0x80)
		n++;
	return n;
}

static const char *take_word(struct parser *p)
{
	size_t n = word_length(p->at);
	const char *word = arena_strndup(p->arena, p->at, n);

	p->at += n;
	if (!word)
		fail_memory(p);
	return word;
}

/* A text in quotes of either kind; a backslash takes the next character as it is. */
static const char *take_text(struct parser *p)
{
	const char *start = p->at;
	char quote = *p->at++, *text = arena_strdup(p->arena, p->at), *to = text;

	while (text && *p->at && *p->at != quote) {
		if (*p->at == '\\' && p->at[1])
			p->at++;
		*to++ = *p->at++;
	}
	if (!text)
		fail_memory(p);
	else if (*p->at != quote)
		fail(p, start, "this text does not end");
	else
		p->at++;
	if (text)
		*to = '\0';
	return text;
}

static void take_number(struct parser *p, double *v)
{
	static const struct { const char *suffix; double by; } units[] = { { "%", 0.01 },
		{ "ns", 1e-9 },
		{ "us", 1e-6 }, { "ms", 1e-3 }, { "s", 1 }, { "k", 1e3 }, { "M", 1e6 },
			{ "G", 1e9 }, { "", 1 } };
	const char *start = p->at;
	char *end;
	size_t n;

	*v = strtod(p->at, &end);
	if (end == p->at || !isfinite(*v)) {
		fail(p, start, "a figure, a number or a text in quotes is expected here");
		return;
	}
	p->at = end;
	n = *p->at == '%' ? 1 : word_length(p->at);
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strlen(units[i].suffix) == n && strncmp(units[i].suffix, p->at, n) == 0) {
			*v *= units[i].by;
			p->at += n;
			return;
		}
	fail(p, p->at, "a number ends in one of %, k, M, G, ns, us, ms, s, or nothing");
}

/* --- expressions ----------------------------------------------------------------------------- */

static void parse_operand(struct parser *p, struct operand *o)
{
	const char *start;
	const struct field *f;
	int table;

	*o = (struct operand){ 0 };
	skip_blanks(p);
	start = p->at;
	if (*p->at == '"' || *p->at == '\'') {
		o->is_text = true;
		o->text = take_text(p);
	} else if (isalpha((unsigned char)*p->at) || *p->at == '_') {
		o->figure = take_word(p);
		if (!o->figure)
			return;
		f = find_field(p->condition->scope, o->figure, &table);
		if (!f)
			fail_unknown(p, start, o->figure);
		o->is_text = f && (field_is_text(f) || f->kind == FIELD_REGION ||
			f->kind == FIELD_OUTCOME);
	} else {
		take_number(p, &o->number);
	}
}

static bool take_operator(struct parser *p, enum operator *op)
{
	static const struct { const char *mark; enum operator op; } marks[] =
		{ { "<=", OP_LESS_EQUAL },
		{ ">=", OP_MORE_EQUAL }, { "==", OP_EQUAL }, { "!=", OP_UNLIKE }, { "<", OP_LESS },
			{ ">", OP_MORE } };

	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (take(p, marks[i].mark)) {
			*op = marks[i].op;
			return true;
		}
	return false;
}

static struct condition_node *new_node(struct parser *p, enum node_kind kind)
{
	struct condition_node *n = arena_alloc(p->arena, sizeof *n);

	if (!n)
		fail_memory(p);
	else
		n->kind = kind;
	return n;
}

static struct condition_node *parse_comparison(struct parser *p)
{
	struct condition_node *n = new_node(p, NODE_COMPARES);
	const char *at;

	if (!n)
		return NULL;
	parse_operand(p, &n->a);
	skip_blanks(p);
	at = p->at;
	if (!p->failed && !take_operator(p, &n->op))
		fail(p, at, "a comparison is expected here: < <= > >= == !=");
	if (p->failed)
		return NULL;
	parse_operand(p, &n->b);
	if (!p->failed && n->a.is_text != n->b.is_text)
		fail(p, at, "a text and a number cannot be compared");
	if (!p->failed && n->a.is_text && n->op != OP_EQUAL && n->op != OP_UNLIKE)
		fail(p, at, "texts compare with == and != only");
	return n;
}

static struct condition_node *parse_or(struct parser *p);

static struct condition_node *parse_one(struct parser *p)
{
	struct condition_node *n;

	skip_blanks(p);
	if (p->failed || p->depth == DEEPEST) {
		fail(p, p->at, "too many parentheses and negations");
		return NULL;
	}
	p->depth++;
	if (take(p, "(")) {
		n = parse_or(p);
		if (!p->failed && !take(p, ")"))
			fail(p, p->at, "a closing parenthesis is expected here");
	} else if (take(p, "!")) {
		n = new_node(p, NODE_NOT);
		if (n)
			n->left = parse_one(p);
	} else {
		n = parse_comparison(p);
	}
	p->depth--;
	return n;
}

/* A chain of `next` joined by the mark. */
static struct condition_node *parse_chain(struct parser *p, const char *mark, enum node_kind kind,
	struct condition_node *(*next)(struct parser *))
{
	struct condition_node *left = next(p), *n;

	while (!p->failed && take(p, mark)) {
		n = new_node(p, kind);
		if (!n)
			return NULL;
		n->left = left;
		n->right = next(p);
		left = n;
	}
	return left;
}

static struct condition_node *parse_and(struct parser *p)
{
	return parse_chain(p, "&&", NODE_AND, parse_one);
}

static struct condition_node *parse_or(struct parser *p)
{
	return parse_chain(p, "||", NODE_OR, parse_and);
}

/* --- the whole ------------------------------------------------------------------------------- */

static bool take_name(struct parser *p, const char *name)
{
	size_t n = strlen(name);

	skip_blanks(p);
	if (word_length(p->at) != n || strncmp(p->at, name, n) != 0)
		return false;
	p->at += n;
	return true;
}

static void parse_structure_name(struct parser *p)
{
	struct condition *c = p->condition;

	c->scope = SCOPE_STRUCTURE;
	skip_blanks(p);
	if (take(p, "*"))
		return;
	if (*p->at == '"' || *p->at == '\'')
		c->structure = take_text(p);
	else if (word_length(p->at))
		c->structure = take_word(p);
	else
		fail(p, p->at, "the name of a data structure, or *, is expected here");
}

/* The scope; without a colon behind it the word is a figure of a finding. */
static void parse_scope(struct parser *p)
{
	const char *start = p->at;
	bool named = false;

	p->condition->scope = SCOPE_FINDING;
	if (take_name(p, "phase")) {
		p->condition->scope = SCOPE_PHASE;
	} else if (take_name(p, "problem")) {
		p->condition->scope = SCOPE_PROBLEM;
	} else if (take_name(p, "structure")) {
		skip_blanks(p);
		named = *p->at != '=' && *p->at != '!' && *p->at != '<' && *p->at != '>';
		if (named)
			parse_structure_name(p);
	} else {
		take_name(p, "finding");
	}
	if (p->failed || take(p, ":"))
		return;
	if (named) {
		fail(p, p->at, "a colon is expected here: structure NAME: l2_misses > 1e6");
		return;
	}
	p->condition->scope = SCOPE_FINDING;
	p->at = start;
}

struct condition *condition_parse(const char *text, struct arena *arena, struct err *err)
{
	struct condition *c = arena_alloc(arena, sizeof *c);
	struct parser p = { .text = text, .at = text, .arena = arena, .condition = c, .err = err };

	if (!c) {
		err_nomem(err);
		return NULL;
	}
	if (strlen(text) > LONGEST || strchr(text, '\n')) {
		err_set(err, "a condition is one line of at most %d characters", LONGEST);
		return NULL;
	}
	c->text = text;
	parse_scope(&p);
	if (!p.failed)
		c->root = parse_or(&p);
	skip_blanks(&p);
	if (!p.failed && *p.at)
		fail(&p, p.at, "the end, && or || is expected here");
	return p.failed ? NULL : c;
}

/* --- evaluation ------------------------------------------------------------------------------ */

struct value {
	bool known;
	double number;
	const char *text;
};

static struct value value_of(const struct condition *c, const struct operand *o,
	const struct condition_subject *s)
{
	const struct field *f;
	const void *object;
	int table;

	if (!o->figure)
		return (struct value){ true, o->number, o->text };
	if (c->scope == SCOPE_FINDING && strcmp(o->figure, "structure") == 0)
		return (struct value){ true, 0, s->structure };
	f = find_field(c->scope, o->figure, &table);
	object = f ? s->object[table] : NULL;
	if (!object)
		return (struct value){ false, 0, "" };
	if (field_is_text(f))
		return (struct value){ true, 0, field_text(f, object) };
	if (f->kind == FIELD_REGION)
		return (struct value){ true, 0, region_type_name((int)field_int(f, object)) };
	if (f->kind == FIELD_OUTCOME)
		return (struct value){ true, 0,
			report_outcome_name((enum report_outcome)field_int(f, object)) };
	if (f->kind != FIELD_REAL)
		return (struct value){ true, (double)field_int(f, object), NULL };
	return (struct value){ !isnan(field_real(f, object)), field_real(f, object), NULL };
}

static enum condition_truth compares(const struct condition *c, const struct condition_node *n,
	const struct condition_subject *s)
{
	struct value a = value_of(c, &n->a, s), b = value_of(c, &n->b, s);
	bool equal;

	if (!a.known || !b.known)
		return CONDITION_UNKNOWN;
	equal = n->a.is_text ? strcmp(a.text ? a.text : "", b.text ? b.text : "") == 0 :
		!(a.number < b.number) && !(a.number > b.number);
	switch (n->op) {
	case OP_LESS: return a.number < b.number;
	case OP_LESS_EQUAL: return a.number <= b.number;
	case OP_MORE: return a.number > b.number;
	case OP_MORE_EQUAL: return a.number >= b.number;
	case OP_EQUAL: return equal;
	default: return !equal;
	}
}

static enum condition_truth test(const struct condition *c, const struct condition_node *n,
	const struct condition_subject *s)
{
	enum condition_truth a, b, decides;

	if (n->kind == NODE_COMPARES)
		return compares(c, n, s);
	a = test(c, n->left, s);
	if (n->kind == NODE_NOT)
		return a == CONDITION_UNKNOWN ? a : a == CONDITION_TRUE ? CONDITION_FALSE :
			CONDITION_TRUE;
	b = test(c, n->right, s);
	decides = n->kind == NODE_OR ? CONDITION_TRUE : CONDITION_FALSE;
	if (a == decides || b == decides)
		return decides;
	return a == CONDITION_UNKNOWN ? a : b;
}

enum condition_truth condition_test(const struct condition *c, const struct condition_subject *s)
{
	return test(c, c->root, s);
}

static void add_figure(const struct condition *c, const struct operand *o,
	const struct condition_subject *s, struct buf *out)
{
	struct value v;

	if (!o->figure)
		return;
	v = value_of(c, o, s);
	buf_printf(out, "%s%s ", out->len ? ", " : "", o->figure);
	if (!v.known)
		buf_puts(out, "not measured");
	else if (o->is_text)
		buf_printf(out, "\"%s\"", v.text ? v.text : "");
	else
		buf_printf(out, "%.6g", v.number);
}

static void add_figures(const struct condition *c, const struct condition_node *n,
	const struct condition_subject *s, struct buf *out)
{
	if (n->kind == NODE_COMPARES) {
		add_figure(c, &n->a, s, out);
		add_figure(c, &n->b, s, out);
		return;
	}
	add_figures(c, n->left, s, out);
	if (n->right)
		add_figures(c, n->right, s, out);
}

void condition_figures(const struct condition *c, const struct condition_subject *s,
	struct buf *out)
{
	struct buf figures = BUF_INIT;

	add_figures(c, c->root, s, &figures);
	buf_add_buf(out, &figures);
	buf_free(&figures);
}
