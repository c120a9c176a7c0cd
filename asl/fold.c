/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds constants: their values from settings or declarations, and arithmetic of literals. */
#include "asl/ast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static struct node *fold_node(struct compile *c, struct node *n);

static bool is_literal(const struct node *n)
{
	return n && (n->kind == N_NUM || n->kind == N_BOOL || n->kind == N_STRING
		|| (n->kind == N_NAME && n->sym && n->sym->kind == S_ITEM));
}

static struct node *literal(struct compile *c, enum node_kind kind, double num, struct type type)
{
	struct node *n = asl_new(c, sizeof *n);

	n->kind = kind;
	n->num = num;
	n->type = type;
	n->op = type.kind == K_INT;
	return n;
}

/* --- settings --- */
static struct node *setting_value(struct compile *c, size_t i, struct type type)
{
	const char *s = c->settings[i].value;
	struct node *n;
	struct sym *item;
	double f;
	char *end;

	if (type.kind == K_BOOL && (!strcasecmp(s, "true") || !strcasecmp(s, "false")))
		return literal(c, N_BOOL, !strcasecmp(s, "true"), type);
	if (type.kind == K_STRING) {
		n = literal(c, N_STRING, 0, type);
		n->name = s;
		return n;
	}
	if (type.kind == K_ENUM) {
		item = asl_global(c, s);
		if (item && item->kind == S_ITEM && item->type.ref == type.ref) {
			n = literal(c, N_NAME, 0, type);
			n->name = item->name;
			n->sym = item;
			return n;
		}
	}
	if (type.kind == K_INT || type.kind == K_FLOAT) {
		f = strtod(s, &end);
		if (end != s && !*end && isfinite(f) && (type.kind == K_FLOAT
				|| (f == floor(f) && fabs(f) <= MAX_WHOLE)))
			return literal(c, N_NUM, f, type);
	}
	asl_setting_error(c, i, "'%s' is no value for '%s', which is %s", s, c->settings[i].name,
		asl_type_text(c, type));
	return literal(c, N_NUM, 0, type);
}

static bool names(const char *setting, const struct decl *owner, const char *name)
{
	size_t n;

	if (!owner)
		return !strcmp(setting, name);
	n = strlen(owner->name);
	return !strncmp(setting, owner->name, n) && setting[n] == '.' &&
		!strcmp(setting + n + 1, name);
}

/* The last matching setting wins. */
static struct node *find_setting(struct compile *c, const struct decl *owner, const struct var *var,
	struct type type)
{
	struct node *n = NULL;

	for (size_t i = 0; i < c->nsettings; i++)
		if (names(c->settings[i].name, owner, var->name)) {
			c->setting_used[i] = true;
			n = setting_value(c, i, type);
		}
	return n;
}

struct node *asl_constant(struct compile *c, const struct decl *owner, struct var *var,
	struct type type, struct node *init)
{
	struct node *n = NULL;

	if (owner && owner->tmpl)
		n = find_setting(c, owner->tmpl, var, type);
	if (find_setting(c, owner, var, type))
		n = find_setting(c, owner, var, type);
	return n ? n : init;
}

/* --- folding --- */

/* Whether an error in n was reported before. */
static bool has_error(const struct node *n)
{
	for (; n; n = n->next)
		if (n->kind == N_BAD || ((n->kind == N_NAME || n->kind == N_CALL) && !n->sym)
				|| has_error(n->a) || has_error(n->b) || has_error(n->c))
			return true;
	return false;
}

static struct node *fold_constant(struct compile *c, struct sym *s)
{
	struct var *v = s->var;

	if (s->folded)
		return s->folded;
	s->folded = literal(c, N_NUM, 0, s->type);      /* after an error */
	if (v->init)
		v->init = fold_node(c, v->init);
	v->init = asl_constant(c, NULL, v, s->type, v->init);
	if (!v->init && s->type.kind != K_ERROR)
		asl_error(c, v->pos, "constant '%s' has no value; give it one with --set %s=VALUE",
			v->name, v->name);
	else if (is_literal(v->init))
		s->folded = v->init;
	else if (v->init && v->init->type.kind != K_ERROR && !has_error(v->init))
		asl_error(c, v->init->pos, "the value of constant '%s' is not constant", v->name);
	return s->folded;
}

static struct node *copy_literal(struct compile *c, const struct node *value,
	const struct node *place)
{
	struct node *n = asl_new(c, sizeof *n);

	*n = *value;
	n->pos = place->pos;
	n->next = place->next;
	return n;
}

static struct node *fold_list(struct compile *c, struct node *n)
{
	struct node *head = NULL, **tail = &head;

	for (struct node *next; n; n = next) {
		next = n->next;
		*tail = fold_node(c, n);
		tail = &(*tail)->next;
	}
	return head;
}

static struct node *folded(struct compile *c, struct node *n, enum node_kind kind, double value)
{
	if (isfinite(value))
		return copy_literal(c, literal(c, kind, value, n->type), n);
	asl_error(c, n->pos, "the result is too large for a number");
	return copy_literal(c, literal(c, kind, 0, n->type), n);
}

static double arithmetic(int op, double a, double b)
{
	switch (op) {
	case B_ADD: return a + b;
	case B_SUB: return a - b;
	case B_MUL: return a * b;
	default: return a / b;
	}
}

static bool comparison(int op, double a, double b)
{
	switch (op) {
	case B_LT: return a < b;
	case B_LE: return a <= b;
	case B_GT: return a > b;
	case B_GE: return a >= b;
	case B_EQ: return a == b;
	default: return a != b;
	}
}

static struct node *fold_bin(struct compile *c, struct node *n)
{
	double a = n->a->num, b = n->b->num;

	if (n->type.kind == K_ERROR)
		return n;
	if (n->a->kind == N_BOOL && n->b->kind == N_BOOL && n->op >= B_AND)
		return folded(c, n, N_BOOL, n->op == B_AND ? a && b : a || b);
	if (n->a->kind != N_NUM || n->b->kind != N_NUM || n->op >= B_AND)
		return n;
	if (n->op > B_DIV)
		return folded(c, n, N_BOOL, comparison(n->op, a, b));
	if (n->op == B_DIV && b == 0) {
		asl_error(c, n->pos, "division by zero");
		return n;
	}
	return folded(c, n, N_NUM, arithmetic(n->op, a, b));
}

/* MIN and MAX of plain arguments. */
static struct node *fold_extreme(struct compile *c, struct node *n)
{
	double best = n->a->num;

	for (const struct node *a = n->a; a; a = a->next) {
		if (a->kind != N_NUM)
			return n;
		best = n->op == AGG_MAX ? fmax(best, a->num) : fmin(best, a->num);
	}
	return folded(c, n, N_NUM, best);
}

static struct node *fold_cond(struct compile *c, struct node *n)
{
	struct node *chosen = n->a->num ? n->b : n->c;

	if (n->a->kind != N_BOOL || !is_literal(n->b) || !is_literal(n->c))
		return n;
	chosen = copy_literal(c, chosen, n);
	chosen->type = n->type;
	return chosen;
}

static struct node *fold_node(struct compile *c, struct node *n)
{
	if (!n)
		return NULL;
	if (n->kind == N_NAME) {
		if (n->sym && n->sym->kind == S_CONST)
			return copy_literal(c, fold_constant(c, n->sym), n);
		return n;
	}
	n->a = fold_list(c, n->a);
	n->b = fold_node(c, n->b);
	n->c = fold_node(c, n->c);
	if (n->kind == N_BIN)
		return fold_bin(c, n);
	if (n->kind == N_COND)
		return fold_cond(c, n);
	if (n->kind == N_AGG && !n->b && (n->op == AGG_MIN || n->op == AGG_MAX))
		return fold_extreme(c, n);
	if (n->kind == N_NEG && n->a->kind == N_NUM)
		return folded(c, n, N_NUM, -n->a->num);
	if (n->kind == N_NOT && n->a->kind == N_BOOL)
		return folded(c, n, N_BOOL, !n->a->num);
	return n;
}

/* Checks every constant value that the confidence may have. */
static void check_confidence(struct compile *c, struct decl *d, const struct node *n)
{
	const struct node *value = n;

	if (!n)
		return;
	if (n->kind == N_ENTRY) {
		check_confidence(c, d, n->a);
	} else if (n->kind == N_COND) {
		check_confidence(c, d, n->b);
		check_confidence(c, d, n->c);
	} else if (n->kind == N_AGG && n->op == AGG_MAX && !n->b) {
		for (const struct node *a = n->a; a; a = a->next)
			check_confidence(c, d, a);
	} else if (n->kind == N_NAME && n->sym && n->sym->kind == S_LET && n->sym->var->is_const) {
		value = asl_constant(c, d, n->sym->var, n->sym->type, n->sym->var->init);
	}
	if (value && value->kind == N_NUM && !(value->num >= 0 && value->num <= 1))
		asl_warn(c, n->pos, "a confidence is between 0 and 1: this one will be cut");
}

static const struct node *alternative(const struct decl *d, int number)
{
	const struct node *n = d->alternatives;

	while (n && number-- > 0)
		n = n->next;
	return n;
}

static void check_entry(struct compile *c, const struct decl *d, const struct node *entry)
{
	const struct node *alt = entry->kind == N_ENTRY ? alternative(d, entry->op) : NULL;

	if (alt && alt->kind == N_ALT && alt->a->kind == N_BOOL && !alt->a->num)
		asl_warn(c, entry->pos, "'(%s) ->' never counts: its alternative never holds",
			entry->name);
}

/* Warns of alternatives that never hold, and of the entries that they guard. */
static void check_alternatives(struct compile *c, const struct decl *d)
{
	const struct node *clauses[] = { d->confidence, d->severity };

	for (const struct node *n = d->alternatives; n; n = n->next)
		if (n->kind == N_ALT && n->a->kind == N_BOOL && !n->a->num)
			asl_warn(c, n->pos, "alternative '%s' never holds", n->name);
	for (int i = 0; i < 2; i++) {
		bool list = clauses[i] && clauses[i]->kind == N_AGG && !clauses[i]->b;

		for (const struct node *a = list ? clauses[i]->a : clauses[i]; a;
				a = list ? a->next : NULL)
			check_entry(c, d, a);
	}
}

static void fold_property(struct compile *c, struct decl *d)
{
	for (struct var *v = d->lets; v; v = v->next) {
		v->init = fold_node(c, v->init);
		if (v->is_const && v->init && !is_literal(v->init) && !has_error(v->init))
			asl_error(c, v->init->pos, "the value of constant '%s' is not constant",
				v->name);
	}
	d->alternatives = fold_list(c, d->alternatives);
	d->confidence = fold_node(c, d->confidence);
	d->severity = fold_node(c, d->severity);
	for (struct piece *p = d->texts; p; p = p->next)
		p->expr = fold_node(c, p->expr);
	check_confidence(c, d, d->confidence);
	check_alternatives(c, d);
}

/* Sets the open parameters of a property from settings, or reports how to set them. */
static void bind_parameters(struct compile *c, struct decl *d)
{
	struct decl *body = asl_body(d);

	for (struct var *v = body ? body->lets : NULL; v; v = v->next)
		if (v->is_const && v->sym->type.kind != K_ERROR &&
		    !asl_constant(c, d, v, v->sym->type, v->init))
			asl_error(c, v->pos,
				"parameter '%s' of '%s' has no value; give it one with "
				"--set %s.%s=VALUE", v->name, body->name, body->name, v->name);
}

/* --- settings that name nothing --- */
static void suggest_setting(struct compile *c, struct suggest *s, const struct decl *d)
{
	const struct decl *body = d->kind == D_INST ? d->tmpl : d;

	for (const struct var *v = body ? body->lets : NULL; v; v = v->next) {
		const char *name = arena_printf(c->scratch, "%s.%s", d->name, v->name);

		if (!name)
			longjmp(c->nomem, 1);
		if (v->is_const)
			asl_suggest(s, name);
	}
}

static void unused_setting(struct compile *c, size_t i)
{
	struct suggest s = { .c = c, .word = c->settings[i].name };

	for (struct decl *d = c->decls; d; d = d->next) {
		if (d->kind == D_CONST)
			asl_suggest(&s, d->name);
		else if (d->kind == D_PROP || d->kind == D_INST)
			suggest_setting(c, &s, d);
	}
	asl_setting_error(c, i, "no constant or parameter is called '%s'%s", c->settings[i].name,
		asl_suggestion(c, &s));
}

void asl_fold(struct compile *c)
{
	for (struct decl *d = c->decls; d; d = d->next)
		if (d->kind == D_CONST)
			fold_constant(c, d->sym);
	for (struct decl *d = c->decls; d; d = d->next) {
		if (d->kind == D_FUNC)
			d->result.init = fold_node(c, d->result.init);
		else if (d->kind == D_PROP)
			fold_property(c, d);
	}
	for (struct decl *d = c->decls; d; d = d->next)
		if (d->kind == D_INST || (d->kind == D_PROP && !d->is_template))
			bind_parameters(c, d);
	for (size_t i = 0; i < c->nsettings; i++)
		if (!c->setting_used[i] && !c->any_broken && !c->missing)
			unused_setting(c, i);
}
