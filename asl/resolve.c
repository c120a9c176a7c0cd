/* SPDX-License-Identifier: BSD-3-Clause */
/* Resolves names: global symbols, the class table, scopes, guards; rejects recursion. */
#include "asl/ast.h"
#include "asl/parse.h"

#include <string.h>
#include <strings.h>

static void resolve(struct compile *c, struct node *n);

/* --- symbols --- */
static struct sym *new_sym(struct compile *c, enum sym_kind kind, const char *name, struct pos pos)
{
	struct sym *s = asl_new(c, sizeof *s);

	s->kind = kind;
	s->name = name;
	s->pos = pos;
	return s;
}

static bool is_aggregate(const char *name)
{
	static const char *const aggregates[] = { "sum", "min", "max", "avg", "count", "stdev",
		"unique", "exists", "forall" };

	for (size_t i = 0; i < sizeof aggregates / sizeof *aggregates; i++)
		if (!strcasecmp(name, aggregates[i]))
			return true;
	return false;
}

/* Reports the later declaration in the text, in whichever order the two were found. */
static void declared_twice(struct compile *c, const char *name, struct pos a, struct pos b)
{
	bool swap = a.file != b.file ? a.file > b.file : a.line != b.line ? a.line > b.line
		: a.col > b.col;

	asl_error(c, swap ? a : b, "'%s' is declared twice", name);
	asl_note(c, swap ? b : a, "first declared here");
}

static struct sym *declare(struct compile *c, enum sym_kind kind, const char *name, struct pos pos,
	struct decl *d)
{
	struct sym *old = asl_global(c, name), *s = new_sym(c, kind, name, pos);

	s->decl = d;
	if (old && old->kind == S_BUILTIN) {
		asl_error(c, pos, "'%s' is a function of the language", name);
	} else if (kind == S_FUNC && is_aggregate(name)) {
		asl_error(c, pos,
			"'%s(' begins an aggregate of the language: it could not be called", name);
	} else if (old) {
		declared_twice(c, name, old->pos, pos);
	} else {
		asl_add_global(c, s);
	}
	return s;
}

/* Declares a local name.  `until`: the first name of the enclosing scopes, which may be hidden. */
static struct sym *declare_local(struct compile *c, enum sym_kind kind, const char *name,
	struct pos pos, const struct sym *until)
{
	struct sym *s = new_sym(c, kind, name, pos);

	for (struct sym *o = c->locals; o != until; o = o->outer)
		if (!strcmp(o->name, name)) {
			o->used = s->used = true;
			asl_error(c, pos, "'%s' is declared twice", name);
			asl_note(c, o->pos, "first declared here");
			break;
		}
	s->outer = c->locals;
	c->locals = s;
	return s;
}

static struct sym *find_local(const struct compile *c, const char *name)
{
	struct sym *s = c->locals;

	while (s && strcmp(s->name, name) != 0)
		s = s->outer;
	return s;
}

/* Counts one more declaration in a chain of dependent ones; the caller decrements c->chain
 * afterwards. The limit keeps any text from overflowing the compiler's stack. */
static bool chain_ok(struct compile *c, struct pos pos)
{
	if (++c->chain <= MAX_CHAIN)
		return true;
	asl_error(c, pos, "more than %d declarations depend on one another in a row", MAX_CHAIN);
	return false;
}

static const char *sym_kind_text(const struct sym *s)
{
	static const char *const text[] = {
		[S_ENUM] = "an enum", [S_ITEM] = "an enumerator", [S_CLASS] = "a class",
		[S_CONST] = "a constant", [S_FUNC] = "a function", [S_PROP] = "a property",
		[S_PARAM] = "a parameter", [S_LET] = "a LET definition", [S_VAR] = "a variable",
		[S_FPARAM] = "a function parameter", [S_BUILTIN] = "a function",
	};

	return text[s->kind];
}

/* --- unknown names: suggestions --- */
#define BIT(kind) (1u << (kind))
#define VALUES (BIT(S_ITEM) | BIT(S_CONST) | BIT(S_PARAM) | BIT(S_LET) | BIT(S_VAR))
#define FUNCS (BIT(S_FUNC) | BIT(S_FPARAM) | BIT(S_BUILTIN))
#define TYPES (BIT(S_CLASS) | BIT(S_ENUM))

static const char *const basic_types[] = { "float", "int", "bool", "string" };

static const char *suggest(struct compile *c, const char *name, unsigned kinds)
{
	struct suggest s = { .c = c, .word = name };

	if (asl_foreign(c, name, kinds == TYPES))
		return asl_foreign(c, name, kinds == TYPES);
	if (!asl_may_suggest(c))
		return "";
	for (const struct sym *o = c->locals; o; o = o->outer)
		if (kinds & BIT(o->kind))
			asl_suggest(&s, o->name);
	for (int i = 0; i < NSYMS; i++)
		for (const struct sym *g = c->globals[i]; g; g = g->next)
			if (kinds & BIT(g->kind))
				asl_suggest(&s, g->name);
	for (size_t i = 0; kinds == TYPES && i < sizeof basic_types / sizeof *basic_types; i++)
		asl_suggest(&s, basic_types[i]);
	return asl_suggestion(c, &s);
}

static void unknown(struct compile *c, struct pos pos, const char *what, const char *name,
	unsigned kinds)
{
	for (const struct var *v = c->pending; v; v = v->next)
		if (!strcmp(v->name, name)) {
			asl_error(c, pos, "'%s' is used before its definition", name);
			return;
		}
	if (!c->missing && !asl_maybe_broken(c, name))
		asl_error(c, pos, "unknown %s '%s'%s", what, name, suggest(c, name, kinds));
}

static struct type resolve_type(struct compile *c, const struct typeref *ref)
{
	static const enum kind kinds[] = { K_FLOAT, K_INT, K_BOOL, K_STRING };
	struct type t = { .kind = K_ERROR };
	struct sym *s;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!strcasecmp(ref->name, basic_types[i])) {
			t.kind = kinds[i];
			if (ref->setof) {
				asl_error(c, ref->pos, "sets hold objects: '%s' is not a class",
					ref->name);
				t.kind = K_ERROR;
			}
			return t;
		}
	s = asl_global(c, ref->name);
	if (!s) {
		unknown(c, ref->pos, "type", ref->name, TYPES);
	} else if (s->kind == S_CLASS) {
		t = (struct type){ .kind = ref->setof ? K_SET : K_OBJECT, .ref = s->decl->number };
	} else if (s->kind == S_ENUM && !ref->setof) {
		t = (struct type){ .kind = K_ENUM, .ref = s->decl->number };
	} else {
		asl_error(c, ref->pos, ref->setof ? "sets hold objects: '%s' is %s"
			: "'%s' is %s, not a type", ref->name, sym_kind_text(s));
	}
	return t;
}

/* --- classes and enumerations --- */
static void declare_enum(struct compile *c, struct decl *d)
{
	struct enum_info *e = &c->prog->enums[d->number];
	int n = 0;

	for (const struct node *i = d->names; i; i = i->next)
		n++;
	e->name = asl_keep_text(c, d->name);
	e->items = asl_keep(c, (size_t)n, sizeof *e->items);
	for (const struct node *i = d->names; i; i = i->next) {
		struct sym *s = declare(c, S_ITEM, i->name, i->pos, d);

		s->type = (struct type){ .kind = K_ENUM, .ref = d->number };
		s->value = e->nitems;
		e->items[e->nitems++] = asl_keep_text(c, i->name);
	}
}

static bool has_attr(const struct class_info *cls, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(cls->attrs[i].name, name))
			return true;
	return false;
}

static void add_attrs(struct compile *c, struct decl *d, struct class_info *cls)
{
	for (struct var *v = d->vars; v; v = v->next) {
		struct class_attr *a = &cls->attrs[cls->nattrs];
		struct type t = resolve_type(c, &v->type);

		if (has_attr(cls, cls->nattrs, v->name)) {
			asl_error(c, v->pos, "class '%s' already has an attribute '%s'", d->name,
				v->name);
			continue;
		}
		if (v->array && t.kind != K_ERROR && t.kind != K_FLOAT && t.kind != K_INT
				&& t.kind != K_BOOL) {
			asl_error(c, v->type.pos,
				"arrays hold numbers; for objects write 'setof %s'", v->type.name);
			t.kind = K_ERROR;
		}
		a->name = asl_keep_text(c, v->name);
		a->kind = t.kind;
		a->ref = t.ref;
		a->array = v->array;
		a->unit = asl_unit_of(c, v->unit);
		cls->nattrs++;
	}
}

static void build_class(struct compile *c, struct decl *d)
{
	struct class_info *cls = &c->prog->classes[d->number];
	const struct class_info *base = NULL;
	struct sym *s;
	int n = 0;

	if (d->sym->mark == 2)
		return;
	d->sym->mark = 1;
	s = d->base && chain_ok(c, d->pos) ? asl_global(c, d->base->name) : NULL;
	if (d->base && !s && c->chain <= MAX_CHAIN) {
		unknown(c, d->base->pos, "class", d->base->name, BIT(S_CLASS));
	} else if (s && s->kind != S_CLASS) {
		asl_error(c, d->base->pos, "'%s' is %s, not a class", s->name, sym_kind_text(s));
	} else if (s && s->mark == 1) {
		asl_error(c, d->base->pos, "class '%s' extends itself", d->name);
	} else if (s) {
		build_class(c, s->decl);
		cls->base = s->decl->number;
		base = &c->prog->classes[cls->base];
		n = base->nattrs;
	}
	for (const struct var *v = d->vars; v; v = v->next)
		n++;
	c->nattrs += n;
	if (n > MAX_ATTRS || c->nattrs > MAX_ALL_ATTRS) {
		asl_error(c, d->pos, n > MAX_ATTRS ? "class '%s' has more than %d attributes"
			: "all classes to '%s' have more than %d attributes together", d->name,
			n > MAX_ATTRS ? MAX_ATTRS : MAX_ALL_ATTRS);
		c->nattrs -= n;
		n = 0;
		base = NULL;
		d->vars = NULL;
		d->broken = true;
	}
	cls->attrs = asl_keep(c, (size_t)n, sizeof *cls->attrs);
	if (base && base->nattrs) {
		memcpy(cls->attrs, base->attrs, (size_t)base->nattrs * sizeof *cls->attrs);
		cls->nattrs = base->nattrs;
	}
	add_attrs(c, d, cls);
	c->chain -= d->base != NULL;
	d->sym->mark = 2;
}

/* --- expressions --- */
static void resolve_name(struct compile *c, struct node *n)
{
	struct sym *s = find_local(c, n->name);

	if (!s)
		s = asl_global(c, n->name);
	if (!s) {
		unknown(c, n->pos, "name", n->name, VALUES | FUNCS);
		return;
	}
	if (!(BIT(s->kind) & (VALUES | FUNCS)) || s->kind == S_BUILTIN) {
		asl_error(c, n->pos, "'%s' is %s, not a value%s", n->name, sym_kind_text(s),
			s->kind == S_ENUM ? "; its enumerators stand alone" : "");
		return;
	}
	s->used = true;
	n->sym = s;
}

static void resolve_call(struct compile *c, struct node *n)
{
	struct sym *s = find_local(c, n->name);

	if (!s)
		s = asl_global(c, n->name);
	for (struct node *a = n->a; a; a = a->next)
		resolve(c, a);
	if (!s) {
		unknown(c, n->pos, "function", n->name, FUNCS);
	} else if (!(BIT(s->kind) & FUNCS) && s->type.kind != K_FUNC) {
		asl_error(c, n->pos, "'%s' is %s, not a function", n->name, sym_kind_text(s));
	} else {
		s->used = true;
		n->sym = s;
	}
}

static void resolve_bound(struct compile *c, struct node *n)
{
	struct sym *outer = c->locals;

	resolve(c, n->b);
	if (n->name) {
		n->sym = declare_local(c, S_VAR, n->name, n->pos, outer);
		n->sym->used = true;
	}
	resolve(c, n->a);
	resolve(c, n->c);
	c->locals = outer;
}

static void resolve(struct compile *c, struct node *n)
{
	if (!n)
		return;
	switch (n->kind) {
	case N_NAME:
		resolve_name(c, n);
		break;
	case N_CALL:
		resolve_call(c, n);
		break;
	case N_SET:
		resolve_bound(c, n);
		break;
	case N_AGG:
		if (n->b)
			resolve_bound(c, n);
		else
			for (struct node *a = n->a; a; a = a->next)
				resolve(c, a);
		break;
	case N_ALT:
		asl_error(c, n->pos, "a guard stands before an alternative of CONDITION only");
		resolve(c, n->a);
		break;
	case N_ENTRY:
		asl_error(c, n->pos, "'(%s) ->' stands in CONFIDENCE or SEVERITY only: "
			"alone or in MAX(...)", n->name);
		resolve(c, n->a);
		break;
	default:
		resolve(c, n->a);
		resolve(c, n->b);
		resolve(c, n->c);
	}
}

/* --- properties --- */

/* Splits a condition `a OR b OR c` into a list of alternatives. */
static void split(struct compile *c, struct node *n, struct nodes *list, int *count)
{
	if (n->kind == N_BIN && n->op == B_OR) {
		split(c, n->a, list, count);
		split(c, n->b, list, count);
		return;
	}
	for (const struct node *o = list->head; o && n->kind == N_ALT; o = o->next)
		if (o->kind == N_ALT && !strcmp(o->name, n->name))
			asl_error(c, n->pos, "second alternative '%s'", n->name);
	if (++*count == MAX_ALT + 1)
		asl_error(c, n->pos, "more than %d alternatives", MAX_ALT);
	if (list->tail)
		list->tail->next = n;
	else
		list->head = n;
	list->tail = n;
}

static void resolve_guard(struct compile *c, const struct decl *d, struct node *entry)
{
	struct suggest s = { .c = c, .word = entry->name };
	int i = 0;

	resolve(c, entry->a);
	for (const struct node *alt = d->alternatives; alt; alt = alt->next, i++) {
		if (alt->kind != N_ALT)
			continue;
		if (!strcmp(alt->name, entry->name)) {
			entry->op = i;
			return;
		}
		asl_suggest(&s, alt->name);
	}
	if (!d->broken)
		asl_error(c, entry->pos, "no alternative of CONDITION is called '%s'%s",
			entry->name, asl_suggestion(c, &s));
}

static void resolve_entries(struct compile *c, const struct decl *d, struct node *n)
{
	if (!n)
		return;
	if (n->kind == N_ENTRY) {
		resolve_guard(c, d, n);
	} else if (n->kind == N_AGG && n->op == AGG_MAX && !n->b) {
		for (struct node *a = n->a; a; a = a->next) {
			if (a->kind == N_ENTRY)
				resolve_guard(c, d, a);
			else
				resolve(c, a);
		}
	} else {
		resolve(c, n);
	}
}

/* Reports and drops the entries of a list beyond the first `max`. */
static void limit(struct compile *c, struct var **list, int max, const char *what)
{
	struct var **v = list;

	for (int n = 0; *v && n < max; n++)
		v = &(*v)->next;
	if (!*v)
		return;
	asl_error(c, (*v)->pos, "more than %d %s", max, what);
	c->missing = true;
	*v = NULL;
}

static void declare_param(struct compile *c, struct var *v, enum sym_kind kind)
{
	v->sym = declare_local(c, kind, v->name, v->pos, NULL);
	v->sym->var = v;
	v->sym->type = resolve_type(c, &v->type);
	if (!v->is_func)
		return;
	v->sym->unit.any = true;
	v->sym->fn_result = v->sym->type;
	v->sym->type = (struct type){ .kind = K_FUNC, .sig = v };
	limit(c, &v->args, MAX_ARGS, "parameters");
	for (struct var *a = v->args; a; a = a->next) {
		a->sym = new_sym(c, S_PARAM, a->name ? a->name : "", a->pos);
		a->sym->type = resolve_type(c, &a->type);
	}
}

static struct type constant_type(struct compile *c, const struct var *v)
{
	struct type t = resolve_type(c, &v->type);

	if (t.kind != K_OBJECT && t.kind != K_SET)
		return t;
	asl_error(c, v->type.pos, "a constant is a number, a truth value, a text or an "
		"enumerator; '%s' is a class", v->type.name);
	t.kind = K_ERROR;
	return t;
}

static void resolve_lets(struct compile *c, struct decl *d)
{
	for (struct var *v = d->lets; v; v = v->next) {
		struct sym *before = c->locals;
		struct sym *s;

		c->pending = v;
		resolve(c, v->init);
		c->locals = before;
		s = declare_local(c, S_LET, v->name, v->pos, NULL);
		s->var = v;
		s->type = v->is_const ? constant_type(c, v) : resolve_type(c, &v->type);
		s->unit = asl_unit_of(c, v->unit);
		v->sym = s;
	}
	c->pending = NULL;
}

static void missing_clauses(struct compile *c, const struct decl *d)
{
	const struct { const void *have; const char *name; } need[] = {
		{ d->condition, "CONDITION" }, { d->confidence, "CONFIDENCE" },
		{ d->severity, "SEVERITY" },
	};

	for (int i = 0; i < 3; i++)
		if (!need[i].have && !d->broken)
			asl_error(c, d->pos, "property '%s' has no %s", d->name, need[i].name);
}

#define MOST_FIXES 32   /* bits of asl_property.fixes */

static bool is_fix(const struct compile *c, const struct sym *s)
{
	return s->kind == S_ITEM && s->value < MOST_FIXES &&
		strcmp(c->prog->enums[s->type.ref].name, "Fix") == 0;
}

static void unknown_fix(struct compile *c, const struct node *n)
{
	struct suggest s = { .c = c, .word = n->name };

	for (int i = 0; i < NSYMS; i++)
		for (const struct sym *g = c->globals[i]; g; g = g->next)
			if (is_fix(c, g))
				asl_suggest(&s, g->name);
	asl_error(c, n->pos, "'%s' is not a value of the enumeration Fix%s", n->name,
		asl_suggestion(c, &s));
}

static void resolve_fix(struct compile *c, struct decl *d)
{
	for (const struct node *n = d->fix; n; n = n->next) {
		const struct sym *s = asl_global(c, n->name);

		if (s && is_fix(c, s))
			d->fixes |= UINT32_C(1) << s->value;
		else
			unknown_fix(c, n);
	}
}

static void resolve_property(struct compile *c, struct decl *d)
{
	struct nodes alternatives = { 0 };
	int count = 0;

	c->locals = NULL;
	limit(c, &d->fparams, MAX_ARGS, "functions");
	limit(c, &d->vars, MAX_ARGS, "parameters");
	limit(c, &d->lets, MAX_LETS, "LET definitions");
	for (struct var *v = d->fparams; v; v = v->next)
		declare_param(c, v, S_FPARAM);
	for (struct var *v = d->vars; v; v = v->next) {
		declare_param(c, v, S_PARAM);
		if (v->is_func)
			asl_error(c, v->pos, "a property takes functions between '<' and '>' only");
		else if (v->sym->type.kind != K_OBJECT && v->sym->type.kind != K_ERROR)
			asl_error(c, v->type.pos,
				"a property's parameter is an object, '%s' is no class",
				v->type.name);
	}
	if (!d->vars && !d->broken)
		asl_error(c, d->pos, "property '%s' has no context: it needs a parameter", d->name);
	resolve_lets(c, d);
	missing_clauses(c, d);
	if (d->condition)
		split(c, d->condition, &alternatives, &count);
	d->alternatives = alternatives.head;
	for (struct node *n = d->alternatives; n; n = n->next)
		resolve(c, n->kind == N_ALT ? n->a : n);
	resolve_entries(c, d, d->confidence);
	resolve_entries(c, d, d->severity);
	for (struct piece *p = d->texts; p; p = p->next)
		resolve(c, p->expr);
	resolve_fix(c, d);
	for (struct var *v = d->lets; v && !d->broken; v = v->next)
		if (!v->sym->used)
			asl_warn(c, v->pos, "'%s' is never used", v->name);
	c->locals = NULL;
}

static void resolve_function(struct compile *c, struct decl *d)
{
	c->locals = NULL;
	limit(c, &d->vars, MAX_ARGS, "parameters");
	for (struct var *v = d->vars; v; v = v->next)
		declare_param(c, v, S_PARAM);
	d->sym->var = &d->result;
	d->result.args = d->vars;
	d->sym->type = (struct type){ .kind = K_FUNC, .sig = &d->result };
	d->result.sym = new_sym(c, S_LET, d->name, d->pos);
	d->result.sym->type = resolve_type(c, &d->result.type);
	resolve(c, d->result.init);
	c->locals = NULL;
}

static void resolve_instance(struct compile *c, struct decl *d)
{
	struct sym *s = asl_global(c, d->base->name);
	struct node *arg = d->names;
	int have = 0, want = 0;

	if (!s) {
		unknown(c, d->base->pos, "template", d->base->name, BIT(S_PROP));
		return;
	}
	if (s->kind != S_PROP || !s->decl->is_template) {
		asl_error(c, d->base->pos, "'%s' is %s, not a property template", s->name,
			sym_kind_text(s));
		return;
	}
	d->tmpl = s->decl;
	for (const struct node *n = d->names; n; n = n->next)
		have++;
	for (const struct var *v = d->tmpl->fparams; v; v = v->next)
		want++;
	if (have != want) {
		asl_error(c, d->pos, "template '%s' takes %d function%s, %d given", d->tmpl->name,
			want, want == 1 ? "" : "s", have);
		d->tmpl = NULL;
		return;
	}
	for (; arg; arg = arg->next) {
		struct sym *f = asl_global(c, arg->name);

		if (!f)
			unknown(c, arg->pos, "function", arg->name, BIT(S_FUNC));
		else if (f->kind != S_FUNC)
			asl_error(c, arg->pos, "'%s' is %s, not a function", arg->name,
				sym_kind_text(f));
		else
			arg->sym = f;
	}
}

/* --- recursion: every mention of a function counts, also as an argument --- */
static void visit(struct compile *c, struct sym *s);

static void visit_node(struct compile *c, struct node *n)
{
	for (; n; n = n->next) {
		if (n->sym && (n->sym->kind == S_FUNC || n->sym->kind == S_CONST)) {
			if (n->sym->mark == 1) {
				asl_error(c, n->pos, "'%s' depends on itself", n->sym->name);
				n->sym = NULL;
			} else {
				visit(c, n->sym);
			}
		}
		visit_node(c, n->a);
		visit_node(c, n->b);
		visit_node(c, n->c);
	}
}

static void visit(struct compile *c, struct sym *s)
{
	if (s->mark == 2)
		return;
	s->mark = 1;
	if (chain_ok(c, s->pos)) {
		visit_node(c, s->decl->result.init);
	} else if (s->decl->result.init) {      /* later passes must not recurse deeper either */
		*s->decl->result.init = (struct node){ .kind = N_BAD, .pos = s->pos };
	}
	c->chain--;
	s->mark = 2;
}

/* --- refinement --- */
static void resolve_refines(struct compile *c, struct decl *d)
{
	for (struct node *n = d->refines; n; n = n->next) {
		struct sym *s = asl_global(c, n->name);

		if (!s)
			unknown(c, n->pos, "property", n->name, BIT(S_PROP));
		else if (s->kind != S_PROP)
			asl_error(c, n->pos, "'%s' is %s, not a property", n->name,
				sym_kind_text(s));
		else if (s->decl->is_template)
			asl_error(c, n->pos, "'%s' is a template; name one of its instances",
				n->name);
		else
			n->sym = s;
	}
}

/* The REFINES list of an instance, or of its template if the instance has none. */
static struct node *refines_of(const struct decl *d)
{
	return d->refines || !d->tmpl ? d->refines : d->tmpl->refines;
}

static void visit_refines(struct compile *c, struct decl *d)
{
	d->sym->mark = 1;
	for (struct node *n = chain_ok(c, d->pos) ? refines_of(d) : NULL; n; n = n->next) {
		if (!n->sym || n->sym->mark == 2)
			continue;
		if (n->sym->mark == 1) {
			asl_error(c, n->pos, "'%s' refines itself%s%s", n->name,
				n->sym->decl == d ? "" : " by way of ", n->sym->decl == d ? "" :
				d->name);
			n->sym = NULL;
		} else {
			visit_refines(c, n->sym->decl);
		}
	}
	c->chain--;
	d->sym->mark = 2;
}

/* --- the pass --- */
static void declare_all(struct compile *c)
{
	static const enum sym_kind kinds[] = { S_ENUM, S_CLASS, S_CONST, S_FUNC, S_PROP, S_PROP };
	static const char *const builtins[] = { "samples", "coverage" };
	int nclasses = 0, nenums = 0;

	for (int i = 0; i < 2; i++)
		declare(c, S_BUILTIN, builtins[i], (struct pos){ 0, 0, 0 }, NULL)->value = i;
	for (struct decl *d = c->decls; d; d = d->next) {
		d->sym = declare(c, kinds[d->kind], d->name, d->pos, d);
		if (d->kind == D_CLASS)
			d->number = nclasses++;
		else if (d->kind == D_ENUM)
			d->number = nenums++;
	}
	c->prog->classes = asl_keep(c, (size_t)nclasses, sizeof *c->prog->classes);
	c->prog->enums = asl_keep(c, (size_t)nenums, sizeof *c->prog->enums);
	c->prog->nclasses = nclasses;
	c->prog->nenums = nenums;
	for (struct decl *d = c->decls; d; d = d->next) {
		if (d->kind == D_ENUM)
			declare_enum(c, d);
		if (d->kind == D_CLASS) {
			c->prog->classes[d->number].name = asl_keep_text(c, d->name);
			c->prog->classes[d->number].base = -1;
		}
	}
}

static void resolve_decl(struct compile *c, struct decl *d)
{
	switch (d->kind) {
	case D_CONST:
		d->sym->type = constant_type(c, &d->result);
		d->sym->var = &d->result;
		d->sym->unit = asl_unit_of(c, d->result.unit);
		d->result.sym = d->sym;
		resolve(c, d->result.init);
		break;
	case D_FUNC:
		resolve_function(c, d);
		break;
	case D_PROP:
		resolve_property(c, d);
		break;
	case D_INST:
		resolve_instance(c, d);
		break;
	default:
		break;
	}
}

void asl_names(struct compile *c)
{
	declare_all(c);
	for (struct decl *d = c->decls; d; d = d->next)
		if (d->kind == D_CLASS)
			build_class(c, d);
	for (struct decl *d = c->decls; d; d = d->next)
		resolve_decl(c, d);
	for (struct decl *d = c->decls; d; d = d->next)
		if (d->kind == D_CONST || d->kind == D_FUNC)
			visit(c, d->sym);
	for (struct decl *d = c->decls; d; d = d->next)
		if (d->kind == D_PROP || d->kind == D_INST)
			resolve_refines(c, d);
	for (struct decl *d = c->decls; d; d = d->next)
		if ((d->kind == D_PROP || d->kind == D_INST) && d->sym->mark == 0)
			visit_refines(c, d);
}
