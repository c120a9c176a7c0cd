/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of constants: settings first, then the declaration; arithmetic of literals. */
#include "asl/ast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
	double f;
	char *end;

	if (type.kind == K_BOOL && (!strcasecmp(s, "true") || !strcasecmp(s, "false")))
		return literal(c, N_BOOL, !strcasecmp(s, "true"), type);
	if (type.kind == K_STRING) {
		n = literal(c, N_STRING, 0, type);
		n->name = s;
		return n;
	}
	if (type.kind == K_INT || type.kind == K_FLOAT) {
		f = strtod(s, &end);
		if (end != s && !*end && isfinite(f) && (type.kind == K_FLOAT || f == floor(f)))
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
	return !strncmp(setting, owner->name, n) && setting[n] == '.' && !strcmp(setting + n + 1, name);
}

/* The last one given counts. */
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
static struct node *fold_constant(struct compile *c, struct sym *s)
{
	struct var *v = s->var;

	if (s->folded)
		return s->folded;
	s->folded = literal(c, N_NUM, 0, s->type);      /* after an error */
	if (v->init)
		v->init = asl_fold_node(c, v->init);
	v->init = asl_constant(c, NULL, v, s->type, v->init);
	if (!v->init)
		asl_error(c, v->pos, "constant '%s' has no value; give it one with --set %s=VALUE",
			v->name, v->name);
	else if (is_literal(v->init))
		s->folded = v->init;
	else if (v->init->type.kind != K_ERROR)
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
		*tail = asl_fold_node(c, n);
		tail = &(*tail)->next;
	}
	return head;
}

static struct node *fold_bin(struct compile *c, struct node *n)
{
	double a, b, r;

	if (n->a->kind != N_NUM || n->b->kind != N_NUM || n->op > B_DIV)
		return n;
	a = n->a->num;
	b = n->b->num;
	if (n->op == B_DIV && b == 0) {
		asl_error(c, n->pos, "division by zero");
		return n;
	}
	r = n->op == B_ADD ? a + b : n->op == B_SUB ? a - b : n->op == B_MUL ? a * b : a / b;
	return isfinite(r) ? copy_literal(c, literal(c, N_NUM, r, n->type), n) : n;
}

struct node *asl_fold_node(struct compile *c, struct node *n)
{
	if (!n)
		return NULL;
	if (n->kind == N_NAME) {
		if (n->sym && n->sym->kind == S_CONST)
			return copy_literal(c, fold_constant(c, n->sym), n);
		return n;
	}
	n->a = fold_list(c, n->a);
	n->b = asl_fold_node(c, n->b);
	n->c = asl_fold_node(c, n->c);
	if (n->kind == N_BIN)
		return fold_bin(c, n);
	if (n->kind == N_NEG && n->a && n->a->kind == N_NUM)
		return copy_literal(c, literal(c, N_NUM, -n->a->num, n->type), n);
	return n;
}

static void fold_property(struct compile *c, struct decl *d)
{
	for (struct var *v = d->lets; v; v = v->next) {
		v->init = asl_fold_node(c, v->init);
		if (v->is_const && v->init && !is_literal(v->init))
			asl_error(c, v->init->pos, "the value of constant '%s' is not constant", v->name);
	}
	d->alternatives = fold_list(c, d->alternatives);
	d->confidence = asl_fold_node(c, d->confidence);
	d->severity = asl_fold_node(c, d->severity);
	for (struct piece *p = d->advice; p; p = p->next)
		p->expr = asl_fold_node(c, p->expr);
	if (d->confidence && d->confidence->kind == N_NUM
			&& !(d->confidence->num >= 0 && d->confidence->num <= 1))
		asl_warn(c, d->confidence->pos, "a confidence is between 0 and 1: this one will be cut");
}

/* Open parameters of every property: bound, or an error that says how to bind them. */
static void bind_parameters(struct compile *c, struct decl *d)
{
	struct decl *body = asl_body(d);

	for (struct var *v = body ? body->lets : NULL; v; v = v->next)
		if (v->is_const && !asl_constant(c, d, v, v->sym->type, v->init))
			asl_error(c, v->pos, "parameter '%s' of '%s' has no value; give it one with "
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
			d->result.init = asl_fold_node(c, d->result.init);
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
