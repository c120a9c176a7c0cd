/* SPDX-License-Identifier: BSD-3-Clause */
/* Infers and checks the type of every expression.  A type that is unknown after an error is
 * K_ERROR, which fits everywhere. */
#include "asl/ast.h"

#include <string.h>

static struct type infer(struct compile *c, struct node *n);
static bool type_fits(const struct compile *c, struct type have, struct type want);

static const struct type t_error = { .kind = K_ERROR };
static const struct type t_bool = { .kind = K_BOOL };
static const struct type t_int = { .kind = K_INT };
static const struct type t_float = { .kind = K_FLOAT };

/* The result type of a function.  A function's symbol has it as its type; the type of a function
 * parameter's symbol is K_FUNC. */
static struct type result_of(const struct var *sig)
{
	return sig->sym->type.kind == K_FUNC ? sig->sym->fn_result : sig->sym->type;
}

/* For example float(MRIParPerf, int). */
static const char *signature_text(struct compile *c, const struct var *sig)
{
	const char *s = sig->sym ? asl_type_text(c, result_of(sig)) : "?";

	s = arena_printf(c->scratch, "%s(", s);
	for (const struct var *a = sig->args; a && s; a = a->next)
		s = arena_printf(c->scratch, "%s%s%s", s, a == sig->args ? "" : ", ",
			a->sym ? asl_type_text(c, a->sym->type) : "?");
	s = s ? arena_printf(c->scratch, "%s)", s) : NULL;
	if (!s)
		longjmp(c->nomem, 1);
	return s;
}

const char *asl_type_text(struct compile *c, struct type t)
{
	static const char *const text[] = {
		[K_ERROR] = "unknown", [K_BOOL] = "bool", [K_INT] = "int", [K_FLOAT] = "float",
		[K_STRING] = "string", [K_RANGE] = "set of int",
	};
	const char *s;

	if (t.array)
		return "array";
	if (t.kind == K_ENUM)
		return c->prog->enums[t.ref].name;
	if (t.kind == K_OBJECT)
		return c->prog->classes[t.ref].name;
	if (t.kind == K_FUNC)
		return signature_text(c, t.sig);
	if (t.kind != K_SET)
		return text[t.kind];
	s = arena_printf(c->scratch, "setof %s", c->prog->classes[t.ref].name);
	if (!s)
		longjmp(c->nomem, 1);
	return s;
}

static bool is_number(struct type t)
{
	return !t.array && (t.kind == K_ERROR || t.kind == K_INT || t.kind == K_FLOAT);
}

static bool class_is(const struct compile *c, int cls, int base)
{
	return asl_class_is(c->prog, cls, base);
}

static bool signature_fits(const struct compile *c, const struct var *have, const struct var *want)
{
	const struct var *h = have->args, *w = want->args;

	if (have->sym && want->sym && !type_fits(c, result_of(have), result_of(want)))
		return false;
	for (; h && w; h = h->next, w = w->next)
		if (h->is_func != w->is_func || (!h->is_func && h->sym && w->sym
				&& !type_fits(c, w->sym->type, h->sym->type)))
			return false;
	return !h && !w;
}

static bool type_fits(const struct compile *c, struct type have, struct type want)
{
	if (have.kind == K_ERROR || want.kind == K_ERROR)
		return true;
	if (have.array || want.array)
		return false;
	if (want.kind == K_FLOAT)
		return have.kind == K_FLOAT || have.kind == K_INT;
	if (have.kind != want.kind)
		return false;
	if (have.kind == K_OBJECT || have.kind == K_SET)
		return class_is(c, have.ref, want.ref);
	if (have.kind == K_FUNC)
		return signature_fits(c, have.sig, want.sig);
	return have.kind != K_ENUM || have.ref == want.ref;
}

static struct type need(struct compile *c, struct node *n, struct type want, const char *what)
{
	struct type t = infer(c, n);

	if (!type_fits(c, t, want))
		asl_error(c, n->pos, "%s must be %s, not %s", what, asl_type_text(c, want),
			asl_type_text(c, t));
	return t;
}

static struct type need_number(struct compile *c, struct node *n, const char *what)
{
	struct type t = infer(c, n);

	if (is_number(t))
		return t;
	if (t.array && n->kind == N_ATTR)
		asl_error(c, n->pos, "'%s' is an array: write %s[i]", n->name, n->name);
	else
		asl_error(c, n->pos, "%s must be a number, not %s", what, asl_type_text(c, t));
	return t_error;
}

/* --- by kind of node --- */
static struct type type_of_attr(const struct class_attr *a)
{
	return (struct type){ .kind = a->kind, .ref = a->ref, .array = a->array };
}

static struct type infer_attr(struct compile *c, struct node *n)
{
	struct type t = infer(c, n->a);
	struct suggest s = { .c = c, .word = n->name };
	const struct class_info *cls;
	const struct sym *sym;

	if (t.kind == K_ERROR)
		return t_error;
	if (t.kind != K_OBJECT) {
		asl_error(c, n->pos, "'.%s' needs an object before it, not %s", n->name,
			asl_type_text(c, t));
		return t_error;
	}
	cls = &c->prog->classes[t.ref];
	for (int i = 0; i < cls->nattrs; i++) {
		if (!strcmp(cls->attrs[i].name, n->name)) {
			n->op = i;
			return type_of_attr(&cls->attrs[i]);
		}
	}
	sym = asl_global(c, cls->name);
	if (!sym || !sym->decl || sym->decl->broken)
		return t_error;
	for (int i = 0; i < cls->nattrs; i++)
		asl_suggest(&s, cls->attrs[i].name);
	asl_error(c, n->pos, "class '%s' has no attribute '%s'%s", cls->name, n->name,
		asl_suggestion(c, &s));
	return t_error;
}

static struct type infer_index(struct compile *c, struct node *n)
{
	struct type t = infer(c, n->a);

	if (n->a->kind == N_NUM) {
		asl_error(c, n->pos, "a number has no unit of its own: it fits any");
		return t_error;
	}
	need(c, n->b, t_int, "an index");
	if (t.kind == K_ERROR)
		return t_error;
	if (!t.array) {
		asl_error(c, n->pos, "%s%s%s is not an array", n->a->name ? "'" : "",
			n->a->name ? n->a->name : "what stands before '['", n->a->name ? "'" : "");
		return t_error;
	}
	t.array = false;
	return t;
}

static struct type infer_builtin(struct compile *c, struct node *n)
{
	if (!n->a || n->a->next)
		asl_error(c, n->pos, "'%s' takes one argument", n->name);
	for (struct node *a = n->a; a; a = a->next)
		need_number(c, a, "the argument");
	return t_float;
}

static struct type infer_call(struct compile *c, struct node *n)
{
	const struct var *sig, *param;
	struct node *arg = n->a;
	int have = 0, want = 0;

	if (!n->sym || n->sym->type.kind != K_FUNC) {
		if (n->sym && n->sym->kind == S_BUILTIN)
			return infer_builtin(c, n);
		for (; arg; arg = arg->next)
			infer(c, arg);
		return t_error;
	}
	sig = n->sym->type.sig;
	param = sig->args;
	for (; arg; arg = arg->next) {
		struct type t = infer(c, arg);

		have++;
		if (param && param->sym && !type_fits(c, t, param->sym->type))
			asl_error(c, arg->pos, "argument %d of '%s' must be %s, not %s", have,
				n->name, asl_type_text(c, param->sym->type), asl_type_text(c, t));
		param = param ? param->next : NULL;
	}
	for (param = sig->args; param; param = param->next)
		want++;
	if (have != want)
		asl_error(c, n->pos, "'%s' takes %d argument%s, %d given", n->name, want,
			want == 1 ? "" : "s", have);
	return sig->sym ? result_of(sig) : t_error;
}

static struct type infer_bin(struct compile *c, struct node *n)
{
	static const char *const name[] = { "'+'", "'-'", "'*'", "'/'", "'<'", "'<='", "'>'",
		"'>='",
		"'=='", "'!='", "AND", "OR" };
	char what[32] = "operand of ";
	struct type a, b;

	strcat(what, name[n->op]);
	if (n->op == B_AND || n->op == B_OR) {
		need(c, n->a, t_bool, what);
		need(c, n->b, t_bool, what);
		return t_bool;
	}
	if (n->op == B_EQ || n->op == B_NE) {
		a = infer(c, n->a);
		b = infer(c, n->b);
		if (a.kind == K_SET || a.kind == K_FUNC || a.array
				|| (!type_fits(c, a, b) && !type_fits(c, b, a)))
			asl_error(c, n->pos, "%s and %s cannot be compared%s", asl_type_text(c, a),
				asl_type_text(c, b), (a.kind == K_ENUM && b.kind == K_STRING)
					|| (a.kind == K_STRING && b.kind == K_ENUM)
				? "; enumerators are written without quotes" : "");
		return t_bool;
	}
	a = need_number(c, n->a, what);
	b = need_number(c, n->b, what);
	if (n->op >= B_LT)
		return t_bool;
	return n->op != B_DIV && a.kind == K_INT && b.kind == K_INT ? t_int : t_float;
}

static struct type infer_cond(struct compile *c, struct node *n)
{
	struct type a, b;

	need(c, n->a, t_bool, "what stands before '?'");
	a = infer(c, n->b);
	b = infer(c, n->c);
	if (a.kind == K_SET || a.kind == K_RANGE || a.kind == K_FUNC || a.array) {
		asl_error(c, n->pos, "'?' cannot choose a %s", asl_type_text(c, a));
		return t_error;
	}
	if (type_fits(c, a, b))
		return b;
	if (type_fits(c, b, a))
		return a;
	asl_error(c, n->pos, "'?' would be %s or %s", asl_type_text(c, a), asl_type_text(c, b));
	return t_error;
}

/* The type of the elements of set n->b; becomes the type of the variable. */
static struct type infer_set(struct compile *c, struct node *n)
{
	struct type set = infer(c, n->b), element = t_error;

	if (set.kind == K_INT && !set.array)
		set = (struct type){ .kind = K_RANGE };
	if (set.kind == K_RANGE)
		element = t_int;
	else if (set.kind == K_SET)
		element = (struct type){ .kind = K_OBJECT, .ref = set.ref };
	else if (set.kind != K_ERROR)
		asl_error(c, n->b->pos, "after IN stands a set or an int, not %s",
			asl_type_text(c, set));
	if (n->sym && n->sym->kind == S_VAR) {
		n->sym->type = element;
		n->sym->unit.any = true;
	}
	return set;
}

/* Whether a set is of processes, over which UNIQUE cannot be merged from parts. */
static bool over_processes(const struct compile *c, const struct node *set)
{
	while (set && set->kind == N_SET)
		set = set->b;
	return set && set->kind == N_ATTR && set->a->type.kind == K_OBJECT
		&& !strcmp(c->prog->classes[set->a->type.ref].name, "AppPerf");
}

static const char *agg_name(int op)
{
	static const char *const names[] = { [AGG_SUM] = "SUM", [AGG_MIN] = "MIN",
		[AGG_MAX] = "MAX",
		[AGG_AVG] = "AVG", [AGG_COUNT] = "COUNT", [AGG_STDEV] = "STDEV" };

	return names[op];
}

static struct type infer_agg(struct compile *c, struct node *n)
{
	struct type t = t_int, set;

	if (!n->b) {
		if (n->op != AGG_MAX && n->op != AGG_MIN)
			asl_error(c, n->pos, "%s needs a set: %s(value WHERE x IN set)",
				agg_name(n->op), agg_name(n->op));
		for (struct node *a = n->a; a; a = a->next) {
			struct type arg = need_number(c, a->kind == N_ENTRY ? a->a : a,
				"an argument");

			a->type = arg;
			if (arg.kind != K_INT)
				t = t_float;
		}
		return t;
	}
	set = infer_set(c, n);
	if (n->c)
		need(c, n->c, t_bool, "what selects");
	switch (n->op) {
	case AGG_UNIQUE:
		if (over_processes(c, n->b))
			asl_error(c, n->pos,
				"UNIQUE over processes cannot be merged; use COUNT, SUM, MIN, "
				"MAX, AVG, STDEV, EXISTS or FORALL");
		return set.kind == K_RANGE ? t_int : set.kind == K_SET
			? (struct type){ .kind = K_OBJECT, .ref = set.ref } : t_error;
	case AGG_COUNT:
		infer(c, n->a);
		return t_int;
	case AGG_EXISTS:
	case AGG_FORALL:
		need(c, n->a, t_bool, "what stands after WITH");
		return t_bool;
	case AGG_AVG:
	case AGG_STDEV:
		need_number(c, n->a, "what is aggregated");
		return t_float;
	default:
		return need_number(c, n->a, "what is aggregated");
	}
}

static struct type infer_name(struct node *n)
{
	return n->sym ? n->sym->type : t_error;
}

static struct type infer_kind(struct compile *c, struct node *n)
{
	switch (n->kind) {
	case N_NUM:
		return n->op ? t_int : t_float;
	case N_STRING:
		return (struct type){ .kind = K_STRING };
	case N_BOOL:
		return t_bool;
	case N_NAME:
		return infer_name(n);
	case N_ATTR:
		return infer_attr(c, n);
	case N_INDEX:
		return infer_index(c, n);
	case N_CALL:
		return infer_call(c, n);
	case N_NEG:
		return need_number(c, n->a, "operand of '-'");
	case N_NOT:
		need(c, n->a, t_bool, "operand of NOT");
		return t_bool;
	case N_BIN:
		return infer_bin(c, n);
	case N_COND:
		return infer_cond(c, n);
	case N_AGG:
		return infer_agg(c, n);
	case N_SET: {
		struct type set = infer_set(c, n);

		if (n->c)
			need(c, n->c, t_bool, "what stands after WITH");
		return set;
	}
	case N_ALT:
	case N_ENTRY:
		return infer(c, n->a);
	case N_PART:            /* expand.c makes them later */
	case N_BAD:
		break;
	}
	return t_error;
}

static struct type infer(struct compile *c, struct node *n)
{
	n->type = infer_kind(c, n);
	return n->type;
}

/* --- declarations --- */
static void check_init(struct compile *c, const struct var *v, struct type want)
{
	struct type t;

	if (!v->init)
		return;
	t = infer(c, v->init);
	if (t.kind == K_RANGE || !type_fits(c, t, want))
		v->init->type = t_error;        /* no further errors about it */
	if (t.kind == K_RANGE)
		asl_error(c, v->init->pos, "a set of int cannot have a name");
	else if (!type_fits(c, t, want))
		asl_error(c, v->init->pos, "'%s' is declared %s, but its value is %s", v->name,
			asl_type_text(c, want), asl_type_text(c, t));
}

static void check_property(struct compile *c, struct decl *d)
{
	for (struct var *v = d->lets; v; v = v->next)
		check_init(c, v, v->sym->type);
	for (struct node *n = d->alternatives; n; n = n->next)
		need(c, n->kind == N_ALT ? n->a : n, t_bool, "a condition");
	if (d->confidence)
		need_number(c, d->confidence, "a confidence");
	if (d->severity)
		need_number(c, d->severity, "a severity");
	for (struct piece *p = d->texts; p; p = p->next) {
		struct type t = p->expr ? infer(c, p->expr) : t_float;

		if (t.kind == K_OBJECT || t.kind == K_SET || t.kind == K_RANGE || t.kind == K_FUNC
				|| t.array)
			asl_error(c, p->expr->pos, "a field of %s cannot be %s; name one of its "
				"attributes", asl_text_name(p->clause), asl_type_text(c, t));
		else if (p->percent && !is_number(t))
			asl_error(c, p->expr->pos, "'%%' needs a number, not %s",
				asl_type_text(c, t));
	}
}

static void check_instance(struct compile *c, struct decl *d)
{
	const struct var *f = d->tmpl ? d->tmpl->fparams : NULL;

	for (struct node *n = d->names; n && f; n = n->next, f = f->next)
		if (n->sym && !type_fits(c, n->sym->type, f->sym->type)) {
			asl_error(c, n->pos, "'%s' is %s, but template '%s' wants %s", n->name,
				asl_type_text(c, n->sym->type), d->tmpl->name,
				asl_type_text(c, f->sym->type));
		}
}

void asl_types(struct compile *c)
{
	for (struct decl *d = c->decls; d; d = d->next)
		if (d->kind == D_FUNC)
			check_init(c, &d->result, d->result.sym->type);
		else if (d->kind == D_CONST)
			check_init(c, &d->result, d->sym->type);
		else if (d->kind == D_PROP)
			check_property(c, d);
		else if (d->kind == D_INST)
			check_instance(c, d);
}
