/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks and derives units.  Products and quotients combine units, sums and comparisons need equal
 * ones, a bare number fits any.  The units of a function depend on its arguments, so its body is
 * checked once for every new combination of argument units. */
#include "asl/ast.h"

#include <string.h>

struct memo {
	const struct unit *args;
	struct sym **fns;
	struct unit result;
	struct memo *next;
};

static const struct unit u_any = { .any = true };
static const struct unit u_plain = { .any = false };

static struct unit unit_of(struct compile *c, struct node *n);

static bool same(struct unit a, struct unit b)
{
	return !memcmp(a.e, b.e, sizeof a.e);
}

struct unit asl_unit_of(struct compile *c, const struct node *list)
{
	struct unit u = { .any = list == NULL };
	int i, factors = 0;

	for (const struct node *n = list; n; n = n->next) {
		if (++factors > MAX_FACTORS) {
			asl_error(c, n->pos, "a unit has at most %d factors", MAX_FACTORS);
			break;
		}
		if (!strcmp(n->name, "1"))
			continue;
		for (i = 0; i < c->nunits && strcmp(c->units[i], n->name) != 0; i++)
			;
		if (i == MAX_UNITS) {
			asl_error(c, n->pos, "more than %d different units", MAX_UNITS);
			return u_any;
		}
		if (i == c->nunits)
			c->units[c->nunits++] = n->name;
		u.e[i] = (int8_t)(u.e[i] + (n->op ? -1 : 1));
	}
	return u;
}

const char *asl_unit_text(struct compile *c, struct unit u)
{
	const char *s = "";

	for (int sign = 1; sign >= -1; sign -= 2)
		for (int i = 0; i < c->nunits && s; i++)
			for (int k = 0; k < u.e[i] * sign && s; k++)
				s = arena_printf(c->scratch, "%s%s%s", s, sign < 0 ? *s ? "/" : "1/"
					: *s ? "*" : "", c->units[i]);
	if (!s)
		longjmp(c->nomem, 1);
	return *s ? s : "1";
}

/* --- functions --- */
static struct sym *function_of(const struct node *arg)
{
	struct sym *s = arg->sym;

	if (!s || s->type.kind != K_FUNC)
		return NULL;
	return s->kind == S_FUNC ? s : s->fn;
}

static const struct memo *recall(const struct sym *f, const struct unit *args, struct sym **fns,
	size_t n)
{
	const struct memo *m = f->memo;

	while (m && (memcmp(m->args, args, n * sizeof *args) ||
	       memcmp(m->fns, fns, n * sizeof *fns)))
		m = m->next;
	return m;
}

/* Restores the parameters afterwards: a function that was passed as an argument may call f
 * again. */
static struct unit unit_of_body(struct compile *c, struct sym *f, const struct unit *units,
	struct sym *const *fns)
{
	struct unit saved_unit[MAX_ARGS], result;
	struct sym *saved_fn[MAX_ARGS];
	size_t i = 0;

	for (struct var *p = f->decl->vars; p; p = p->next, i++) {
		saved_unit[i] = p->sym->unit;
		saved_fn[i] = p->sym->fn;
		p->sym->unit = units[i];
		p->sym->fn = fns[i];
	}
	/* emission reports deeper nesting (MAX_CALLS) */
	result = ++c->chain > MAX_CHAIN ? u_any : unit_of(c, f->decl->result.init);
	c->chain--;
	i = 0;
	for (struct var *p = f->decl->vars; p; p = p->next, i++) {
		p->sym->unit = saved_unit[i];
		p->sym->fn = saved_fn[i];
	}
	return result;
}

static struct unit call(struct compile *c, struct sym *f, struct node *args)
{
	struct unit *units;
	struct sym **fns;
	struct memo *memo;
	size_t n = 0, i = 0;

	for (struct node *a = args; a; a = a->next)
		n++;
	units = asl_new(c, n * sizeof *units);
	fns = asl_new(c, n * sizeof *fns);
	for (struct node *a = args; a; a = a->next, i++) {
		units[i] = unit_of(c, a);
		fns[i] = function_of(a);
	}
	if (recall(f, units, fns, n))
		return recall(f, units, fns, n)->result;
	if (++c->nmemos > MAX_MEMOS) {
		if (c->nmemos == MAX_MEMOS + 1)
			asl_error(c, f->pos,
				"functions are called with more than %d combinations of units",
				MAX_MEMOS);
		return u_any;
	}
	memo = asl_new(c, sizeof *memo);
	memo->args = units;
	memo->fns = fns;
	memo->result = unit_of_body(c, f, units, fns);
	memo->next = f->memo;
	f->memo = memo;
	return memo->result;
}

static struct unit unit_of_call(struct compile *c, struct node *n)
{
	struct sym *f = n->sym->kind == S_FUNC ? n->sym : n->sym->fn;

	if (f && f->kind == S_FUNC)
		return call(c, f, n->a);
	for (struct node *a = n->a; a; a = a->next)
		unit_of(c, a);
	return u_any;
}

/* --- expressions --- */
/* The base unit, when one of two units is a multiple or another spelling of it; NULL: neither.
 * Programs have base units only. */
static const char *scale_hint(const char *a, const char *b)
{
	static const char *const multiples[][2] = { { "ms", "s" }, { "us", "s" }, { "ns", "s" },
		{ "sec", "s" }, { "S", "s" }, { "min", "s" }, { "h", "s" }, { "kB", "B" },
			{ "KB", "B" },
		{ "MB", "B" }, { "GB", "B" }, { "KiB", "B" }, { "MiB", "B" }, { "GiB", "B" },
		{ "b", "B" }, { "bytes", "B" }, { "cycles", "cycle" } };

	for (size_t i = 0; i < sizeof multiples / sizeof *multiples; i++)
		if ((!strcmp(a, multiples[i][0]) && !strcmp(b, multiples[i][1]))
				|| (!strcmp(b, multiples[i][0]) && !strcmp(a, multiples[i][1])))
			return multiples[i][1];
	return NULL;
}

static struct unit agree(struct compile *c, struct node *n, struct unit a, struct unit b)
{
	if (a.any)
		return b;
	if (!b.any && !same(a, b)) {
		const char *left = asl_unit_text(c, a), *right = asl_unit_text(c, b);
		const char *base = scale_hint(left, right);

		asl_error(c, n->pos, "units differ: [%s] and [%s]%s%s%s", left, right,
			base ? "; nothing is converted: write it in [" : "", base ? base : "",
			base ? "]" : "");
	}
	return a;
}

static struct unit product(struct unit a, struct unit b, int sign)
{
	struct unit u = { .any = a.any && b.any };

	for (int i = 0; i < MAX_UNITS; i++) {
		int e = a.e[i] + sign * b.e[i];

		u.e[i] = (int8_t)(e > 100 ? 100 : e < -100 ? -100 : e);
	}
	return u;
}

static struct unit unit_of_bin(struct compile *c, struct node *n)
{
	struct unit a = unit_of(c, n->a), b = unit_of(c, n->b);

	switch (n->op) {
	case B_MUL:
		return product(a, b, 1);
	case B_DIV:
		return product(a, b, -1);
	case B_AND:
	case B_OR:
		return u_any;
	case B_ADD:
	case B_SUB:
		return agree(c, n, a, b);
	default:
		agree(c, n, a, b);
		return u_any;
	}
}

static struct unit unit_of_agg(struct compile *c, struct node *n)
{
	struct unit u = u_any;

	if (!n->b) {
		for (struct node *a = n->a; a; a = a->next)
			u = agree(c, n, u, unit_of(c, a));
		return u;
	}
	unit_of(c, n->b);
	if (n->c)
		unit_of(c, n->c);
	if (n->a)
		u = unit_of(c, n->a);
	if (n->op == AGG_COUNT)
		return u_plain;
	return n->op == AGG_EXISTS || n->op == AGG_FORALL || n->op == AGG_UNIQUE ? u_any : u;
}

static struct unit unit_of_attr(struct compile *c, struct node *n)
{
	const struct class_attr *a;

	unit_of(c, n->a);
	a = &c->prog->classes[n->a->type.ref].attrs[n->op];
	if (a->kind != K_INT && a->kind != K_FLOAT)
		return u_any;
	return a->unit.any ? u_plain : a->unit;
}

static struct unit unit_of(struct compile *c, struct node *n)
{
	switch (n->kind) {
	case N_NAME:
		return n->sym->kind == S_FUNC || n->sym->kind == S_ITEM ? u_any : n->sym->unit;
	case N_ATTR:
		return unit_of_attr(c, n);
	case N_INDEX:
		unit_of(c, n->b);
		return unit_of(c, n->a);
	case N_CALL:
		return unit_of_call(c, n);
	case N_NEG:
	case N_ALT:
	case N_ENTRY:
		return unit_of(c, n->a);
	case N_NOT:
		unit_of(c, n->a);
		return u_any;
	case N_BIN:
		return unit_of_bin(c, n);
	case N_COND: {
		struct unit b, d;

		unit_of(c, n->a);
		b = unit_of(c, n->b);
		d = unit_of(c, n->c);
		return agree(c, n, b, d);
	}
	case N_AGG:
		return unit_of_agg(c, n);
	case N_SET:
		unit_of(c, n->b);
		if (n->c)
			unit_of(c, n->c);
		return u_any;
	default:
		return u_any;
	}
}

struct unit asl_expr_unit(struct compile *c, struct node *n)
{
	return unit_of(c, n);
}

/* --- declarations --- */
static void check_var(struct compile *c, struct var *v)
{
	struct unit have, want = asl_unit_of(c, v->unit);

	if (!v->init) {
		v->sym->unit = want;
		return;
	}
	have = unit_of(c, v->init);
	if (!want.any && !have.any && !same(have, want))
		asl_error(c, v->init->pos, "'%s' is declared [%s], but its value is [%s]", v->name,
			asl_unit_text(c, want), asl_unit_text(c, have));
	v->sym->unit = want.any ? have : want;
}

static bool is_seconds(const struct compile *c, struct unit u)
{
	for (int i = 0; i < c->nunits; i++)
		if (u.e[i] != (strcmp(c->units[i], "s") == 0))
			return false;
	for (int i = 0; i < c->nunits; i++)
		if (u.e[i] == 1)
			return true;
	return false;
}

/* Binds the template's function parameters to the functions of an instance.  Does nothing for other
 * properties. */
static void bind_template(const struct decl *inst)
{
	const struct node *n = inst->names;

	if (inst->kind != D_INST)
		return;
	for (struct var *f = inst->tmpl->fparams; f && n; f = f->next, n = n->next)
		f->sym->fn = n->sym;
}

void asl_prop_units(struct compile *c, struct decl *prop)
{
	struct decl *d = asl_body(prop);

	bind_template(prop);
	for (struct var *v = d->lets; v; v = v->next)
		check_var(c, v);
	for (struct node *n = d->alternatives; n; n = n->next)
		unit_of(c, n);
	unit_of(c, d->confidence);
	prop->severity_unit = unit_of(c, d->severity);
	for (struct piece *p = d->texts; p; p = p->next)
		if (p->expr)
			unit_of(c, p->expr);
	if (!same(prop->severity_unit, u_plain) && !is_seconds(c, prop->severity_unit))
		asl_error(c, d->severity->pos,
			"a severity is a time [s] or a plain fraction, not [%s]",
			asl_unit_text(c, prop->severity_unit));
}

static void check_constants_in(struct compile *c, const struct node *n);

/* Checks the constants that a constant mentions first; the names pass has excluded cycles. */
static void check_constant(struct compile *c, struct decl *d)
{
	if (d->sym->mark == 3)
		return;
	d->sym->mark = 3;
	check_constants_in(c, d->result.init);
	check_var(c, &d->result);
}

static void check_constants_in(struct compile *c, const struct node *n)
{
	for (; n; n = n->next) {
		if (n->kind == N_NAME && n->sym && n->sym->kind == S_CONST)
			check_constant(c, n->sym->decl);
		check_constants_in(c, n->a);
		check_constants_in(c, n->b);
		check_constants_in(c, n->c);
	}
}

void asl_units(struct compile *c)
{
	for (struct decl *d = c->decls; d; d = d->next)
		if (d->kind == D_CONST)
			check_constant(c, d);
	for (struct decl *d = c->decls; d; d = d->next) {
		if (d->kind != D_FUNC)
			continue;
		for (struct var *v = d->vars; v; v = v->next) {
			v->sym->unit = u_any;
			v->sym->fn = NULL;
		}
		unit_of(c, d->result.init);
	}
	for (struct decl *d = c->decls; d; d = d->next)
		if (d->kind == D_INST || (d->kind == D_PROP && !d->is_template))
			asl_prop_units(c, d);
}
