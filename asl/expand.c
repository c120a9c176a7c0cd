/* SPDX-License-Identifier: BSD-3-Clause */
/* Separates the aggregates over processes from a property of the whole application, so that every
 * process can evaluate them on its own data.
 *
 * The property's tree is copied with its functions expanded.  An aggregate over a set attribute of
 * AppPerf becomes a part: a condition that selects an element, and a value.  Both may use the
 * element and constants only, because an agent evaluates them where no other data is available. */
#include "asl/ast.h"

#include <string.h>

#define MAX_NODES 60000         /* of one expanded property */
#define MAX_LEVELS 4000         /* depth of its tree: passes recurse over it */

/* The meaning of a name: an expanded tree, or a function. */
struct scope {
	const struct sym *sym;
	struct node *node;
	struct sym *fn;
	const struct scope *outer;
};

struct expand {
	struct compile *c;
	struct decl *prop;
	const struct sym *whole;        /* the first parameter */
	struct aggregates *aggregates;
	const char *quality;            /* inside samples() or coverage(): its name */
	bool only_quality;              /* expand only inside of samples() and coverage() */
	int inside;                     /* 1: inside of a part */
	const char *element;            /* there: the element's name in the text */
	const struct node *blame;       /* there: the expanded name in the property's text */
	int nodes, levels, calls;
	bool failed;
	jmp_buf give_up;
};

static struct node *expand(struct expand *x, struct node *n, const struct scope *scope);

bool asl_is_whole(const struct compile *c, int cls)
{
	int whole = asl_class_find(c->prog, "AppPerf");

	return whole >= 0 && asl_class_is(c->prog, cls, whole);
}

static void too_large(struct expand *x)
{
	asl_error(x->c, x->prop->pos, "property '%s' is too large once its functions are expanded; "
		"split it or use fewer function calls", x->prop->name);
	longjmp(x->give_up, 1);
}

static struct node *copy(struct expand *x, const struct node *n)
{
	struct node *new = asl_new(x->c, sizeof *new);

	if (++x->nodes > MAX_NODES)
		too_large(x);
	if (asl_work(x->c, x->prop))
		longjmp(x->give_up, 1);
	*new = *n;
	new->next = NULL;
	return new;
}

static struct node *bad(struct expand *x, const struct node *n)
{
	struct node *new = copy(x, n);

	x->failed = true;
	new->kind = N_BAD;
	return new;
}

/* --- names ----------------------------------------------------------------------------------- */

static const struct scope *find(const struct scope *scope, const struct sym *sym)
{
	while (scope && scope->sym != sym)
		scope = scope->outer;
	return scope;
}

static struct sym *fresh(struct expand *x, const struct sym *like)
{
	struct sym *s = asl_new(x->c, sizeof *s);

	s->kind = S_VAR;
	s->name = like ? like->name : "";
	s->type = like ? like->type : (struct type){ .kind = K_ERROR };
	s->value = x->inside;
	return s;
}

static struct node *name_of(struct expand *x, struct sym *s, struct pos pos)
{
	const struct node n = { .kind = N_NAME, .name = s->name, .sym = s, .type = s->type,
		.pos = pos };

	return copy(x, &n);
}

/* Reports a name inside a part that is known to the whole application only. */
static struct node *not_inside(struct expand *x, const struct node *n)
{
	const struct node *shown = x->blame ? x->blame : n;

	asl_error(x->c, shown->pos,
		"'%s' is not known to a single process, which folds only its own "
		"element: use attributes of '%s' and constants here, and '%s' outside of the aggregate",
		shown->name, x->element, shown->name);
	return bad(x, n);
}

static struct node *expand_let(struct expand *x, struct node *n)
{
	struct sym *s = n->sym;
	const struct node *before = x->blame;
	struct node *r;

	if (s->var->is_const) {
		r = copy(x, asl_constant(x->c, x->prop, s->var, s->type, s->var->init));
		r->pos = n->pos;
		return r;
	}
	/* A LET of the whole that is a number or a text is evaluated once and keeps its name; a set
	 * or an object may consist of processes and is expanded. */
	if (!x->inside && !x->quality && (x->only_quality
			|| (s->type.kind != K_SET && s->type.kind != K_OBJECT)))
		return copy(x, n);
	if (x->inside && !x->blame)
		x->blame = n;
	r = expand(x, s->var->init, NULL);
	x->blame = before;
	return r;
}

static struct node *expand_name(struct expand *x, struct node *n, const struct scope *scope)
{
	const struct scope *s = find(scope, n->sym);
	struct node *r;

	if (s && s->node) {     /* it may have been expanded outside of the part: check it again */
		if (x->inside && s->node->kind == N_NAME && s->node->sym->kind == S_VAR
				&& !s->node->sym->value)
			return not_inside(x, n);
		r = x->inside || x->quality ? expand(x, s->node, NULL) : copy(x, s->node);
		if (r->kind == N_NAME)
			r->pos = n->pos;
		return r;
	}
	switch (n->sym->kind) {
	case S_LET:
		return expand_let(x, n);
	case S_VAR:
		if (x->inside && !n->sym->value)
			return not_inside(x, n);
		return copy(x, n);
	case S_PARAM:
		return x->inside ? not_inside(x, n) : copy(x, n);
	default:
		return copy(x, n);
	}
}

/* --- calls ----------------------------------------------------------------------------------- */

static struct sym *function(const struct sym *s, const struct scope *scope)
{
	const struct scope *bound;

	if (s->kind == S_FUNC)
		return (struct sym *)(uintptr_t)s;
	bound = find(scope, s);
	return bound ? bound->fn : s->fn;
}

static const struct scope *bind_arguments(struct expand *x, struct sym *f, struct node *arg,
	const struct scope *scope)
{
	const struct scope *inner = NULL;

	for (struct var *p = f->decl->vars; p; p = p->next, arg = arg->next) {
		struct scope *s = asl_new(x->c, sizeof *s);

		s->sym = p->sym;
		s->outer = inner;
		if (p->sym->type.kind == K_FUNC)
			s->fn = function(arg->sym, scope);
		else
			s->node = expand(x, arg, scope);
		inner = s;
	}
	return inner;
}

/* --- functions that call samples() or coverage() --- */
static bool asks(struct sym *f);

/* Whether an expression of a list calls them. */
static bool asks_in(const struct node *n)
{
	for (; n; n = n->next) {
		struct sym *s = n->kind == N_NAME || n->kind == N_CALL ? n->sym : NULL;

		if (s && s->kind == S_FPARAM)
			s = s->fn;
		if (s && (s->kind == S_BUILTIN || (s->kind == S_FUNC && asks(s))))
			return true;
		if (asks_in(n->a) || asks_in(n->b) || asks_in(n->c))
			return true;
	}
	return false;
}

/* Whether f, or a function that it mentions, calls them. */
static bool asks(struct sym *f)
{
	enum { UNKNOWN, NO, YES };

	if (f->asks == UNKNOWN)
		f->asks = asks_in(f->decl->result.init) ? YES : NO;
	return f->asks == YES;
}

static bool call_asks(const struct node *n, const struct scope *scope)
{
	bool any = asks(function(n->sym, scope));

	for (const struct node *a = n->a; a && !any; a = a->next)
		any = a->type.kind == K_FUNC && asks(function(a->sym, scope));
	return any;
}

/* Copies a call without expanding the function. */
static struct node *keep_call(struct expand *x, struct node *n, const struct scope *scope)
{
	struct node *r = copy(x, n), **tail = &r->a;

	r->sym = function(n->sym, scope);
	for (struct node *a = n->a; a; a = a->next) {
		if (a->type.kind == K_FUNC) {
			*tail = copy(x, a);
			(*tail)->sym = function(a->sym, scope);
		} else {
			*tail = expand(x, a, scope);
		}
		tail = &(*tail)->next;
	}
	return r;
}

static struct node *expand_call(struct expand *x, struct node *n, const struct scope *scope)
{
	const char *before = x->quality;
	struct node *r;

	if (n->sym->kind == S_BUILTIN) {
		r = copy(x, n);
		x->quality = n->name;
		r->a = expand(x, n->a, scope);
		x->quality = before;
		return r;
	}
	if (x->only_quality && !x->quality && !call_asks(n, scope))
		return keep_call(x, n, scope);
	if (++x->calls > MAX_CALLS) {
		asl_error(x->c, x->prop->pos, "property '%s' nests more than %d function calls",
			x->prop->name, MAX_CALLS);
		longjmp(x->give_up, 1);
	}
	r = expand(x, function(n->sym, scope)->decl->result.init,
		bind_arguments(x, function(n->sym, scope), n->a, scope));
	x->calls--;
	r->was_call = true;
	return r;
}

/* --- sets and aggregates --------------------------------------------------------------------- */

static const struct scope *bind(struct expand *x, const struct sym *var, struct sym *to,
	struct pos pos, const struct scope *scope)
{
	struct scope *s;

	if (!var)
		return scope;
	s = asl_new(x->c, sizeof *s);
	s->sym = var;
	s->node = name_of(x, to, pos);
	s->outer = scope;
	return s;
}

static struct node *expand_set(struct expand *x, struct node *n, const struct scope *scope)
{
	struct node *r = copy(x, n);

	r->b = expand(x, n->b, scope);
	r->sym = fresh(x, n->sym);
	r->c = expand(x, n->c, bind(x, n->sym, r->sym, n->pos, scope));
	return r;
}

/* The attribute of AppPerf on which an expanded set is based; NULL: no set of processes. */
static const struct node *processes(const struct expand *x, const struct node *set)
{
	while (set->kind == N_SET)
		set = set->b;
	return set->kind == N_ATTR && set->type.kind == K_SET &&
		asl_is_whole(x->c, set->a->type.ref) ? set : NULL;
}

static struct node *operation(struct expand *x, enum node_kind kind, int op, struct node *a,
	struct node *b)
{
	const struct node n = { .kind = kind, .op = op, .pos = b ? b->pos : a->pos,
		.type = { .kind = K_BOOL }, .a = a, .b = b };

	return copy(x, &n);
}

static struct node *both(struct expand *x, struct node *a, struct node *b)
{
	return a && b ? operation(x, N_BIN, B_AND, a, b) : a ? a : b;
}

/* The condition that selects an element of the set: all its filters. */
static struct node *selection(struct expand *x, struct node *set, struct sym *element)
{
	struct node *inner;

	if (set->kind != N_SET)
		return NULL;
	inner = selection(x, set->b, element);
	x->element = set->sym->name;
	return both(x, inner, expand(x, set->c, bind(x, set->sym, element, set->pos, NULL)));
}

/* --- parts ----------------------------------------------------------------------------------- */

/* Whether two trees are equal up to the names of their variables. */
static bool same(const struct node *a, const struct node *b)
{
	for (; a && b; a = a->next, b = b->next) {
		if (a->kind != b->kind || a->op != b->op)
			return false;
		if ((a->kind == N_NUM || a->kind == N_BOOL) && a->num != b->num)
			return false;
		if (a->kind == N_STRING && strcmp(a->name, b->name) != 0)
			return false;
		if (a->kind == N_NAME && a->sym->kind == S_VAR ? a->sym->fn != b->sym
				: a->kind == N_NAME && a->sym != b->sym)
			return false;
		if (a->kind == N_CALL && a->sym != b->sym)
			return false;
		if (!same(a->b, b->b))
			return false;
		if ((a->kind == N_AGG || a->kind == N_SET) && a->sym && b->sym)
			a->sym->fn = b->sym;
		if (!same(a->a, b->a) || !same(a->c, b->c))
			return false;
	}
	return !a && !b;
}

/* Returns the number of the part.  Equal aggregates share a part; COUNT shares that of any
 * aggregate over the same elements. */
static int add_part(struct expand *x, const struct aggregate *aggregate)
{
	struct aggregates *all = x->aggregates;

	for (int i = 0; i < all->n; i++) {
		struct aggregate *f = &all->of[i];

		aggregate->element->fn = f->element;
		if (f->attr != aggregate->attr || !same(aggregate->with, f->with))
			continue;
		if (!aggregate->value || (f->value && same(aggregate->value, f->value)))
			return i;
		if (!f->value) {
			f->element = aggregate->element;
			f->with = aggregate->with;
			f->value = aggregate->value;
			return i;
		}
	}
	if (all->n == ASL_MAX_PARTS) {
		asl_error(x->c, x->prop->pos,
			"property '%s' has more than %d aggregates over processes", x->prop->name,
			ASL_MAX_PARTS);
		longjmp(x->give_up, 1);
	}
	all->of[all->n] = *aggregate;
	return all->n++;
}

/* Moves the filters of EXISTS and FORALL into the value, by Kleene's logic: an element whose
 * selection is undefined then matters only when it could change the result. */
static void quantify(struct expand *x, const struct node *n, struct aggregate *aggregate)
{
	if (aggregate->with && n->op == AGG_EXISTS)
		aggregate->value = both(x, aggregate->with, aggregate->value);
	else if (aggregate->with)
		aggregate->value = operation(x, N_BIN, B_OR,
			operation(x, N_NOT, 0, aggregate->with, NULL), aggregate->value);
	aggregate->with = NULL;
}

static bool may_aggregate(struct expand *x, const struct node *n, const struct node *set)
{
	if (n->op == AGG_UNIQUE) {
		asl_error(x->c, n->pos,
			"UNIQUE over processes cannot be merged; use COUNT, SUM, MIN, "
			"MAX, AVG, STDEV, EXISTS or FORALL");
	} else if (x->inside && x->blame) {
		not_inside(x, x->blame);
	} else if (x->inside) {
		asl_error(x->c, n->pos,
			"an aggregate over processes cannot stand inside another one: a "
			"single process folds only its own element; compare with it outside");
	} else if (x->quality) {
		asl_error(x->c, n->pos,
			"'%s' cannot look into what is folded over processes; fold what it "
			"says of each: MIN(%s(...) WHERE ...)", x->quality, x->quality);
	} else if (set && (set->a->kind != N_NAME || set->a->sym != x->whole)) {
		asl_error(x->c, set->pos,
			"only the sets of '%s', the property's first parameter, can be "
			"folded over processes", x->whole->name);
	} else {
		return true;
	}
	return false;
}

static struct node *expand_processes(struct expand *x, struct node *n, const struct scope *scope,
	struct node *set)
{
	static const enum asl_aggregate results[] = { [AGG_SUM] = ASL_SUM, [AGG_MIN] = ASL_MIN,
		[AGG_MAX] = ASL_MAX, [AGG_AVG] = ASL_AVG, [AGG_COUNT] = ASL_COUNT,
		[AGG_STDEV] = ASL_STDEV, [AGG_EXISTS] = ASL_EXISTS, [AGG_FORALL] = ASL_FORALL };
	const struct node *base = processes(x, set);
	struct aggregate aggregate = { .pos = n->pos };
	struct node *r;

	if (!may_aggregate(x, n, base))
		return bad(x, n);
	x->inside = 1;
	aggregate.attr = base->op;
	aggregate.element = fresh(x, n->sym);
	aggregate.element->type = (struct type){ .kind = K_OBJECT, .ref = base->type.ref };
	aggregate.with = selection(x, set, aggregate.element);
	x->element = n->name;
	scope = bind(x, n->sym, aggregate.element, n->pos, scope);
	aggregate.with = both(x, aggregate.with, expand(x, n->c, scope));
	aggregate.value = n->op == AGG_COUNT ? NULL : expand(x, n->a, scope);
	x->inside = 0;
	if (n->op == AGG_EXISTS || n->op == AGG_FORALL)
		quantify(x, n, &aggregate);
	r = copy(x, n);
	*r = (struct node){ .kind = N_PART, .op = results[n->op], .pos = n->pos, .type = n->type,
		.name = n->name };
	r->num = x->failed ? 0 : add_part(x, &aggregate);
	return r;
}

static struct node *expand_aggregate(struct expand *x, struct node *n, const struct scope *scope)
{
	struct node *set = expand(x, n->b, scope), *r;

	if (processes(x, set))
		return expand_processes(x, n, scope, set);
	r = copy(x, n);
	r->b = set;
	if (n->sym)
		r->sym = fresh(x, n->sym);
	scope = bind(x, n->sym, r->sym, n->pos, scope);
	r->a = n->op == AGG_COUNT ? NULL : expand(x, n->a, scope);
	r->c = expand(x, n->c, scope);
	return r;
}

/* --- the rest -------------------------------------------------------------------------------- */

static struct node *expand_list(struct expand *x, struct node *n, const struct scope *scope)
{
	struct node *head = NULL, **tail = &head;

	for (; n; n = n->next) {
		*tail = expand(x, n, scope);
		tail = &(*tail)->next;
	}
	return head;
}

static struct node *expand_kind(struct expand *x, struct node *n, const struct scope *scope)
{
	int inside = x->inside;
	struct node *r;

	switch (n->kind) {
	case N_NAME:
		return expand_name(x, n, scope);
	case N_CALL:
		return expand_call(x, n, scope);
	case N_SET:
		return expand_set(x, n, scope);
	case N_PART:            /* an argument that is used inside of another part */
		return may_aggregate(x, n, NULL) ? copy(x, n) : bad(x, n);
	case N_AGG:
		if (n->b)
			return expand_aggregate(x, n, scope);
		break;
	default:
		break;
	}
	r = copy(x, n);
	if (n->kind == N_ATTR && n->type.kind == K_SET && asl_is_whole(x->c, n->a->type.ref))
		x->inside = 0;          /* the aggregate over this set reports the error, once */
	r->a = expand_list(x, n->a, scope);
	x->inside = inside;
	r->b = expand(x, n->b, scope);
	r->c = expand(x, n->c, scope);
	return r;
}

static struct node *expand(struct expand *x, struct node *n, const struct scope *scope)
{
	struct node *r;

	if (!n)
		return NULL;
	if (++x->levels > MAX_LEVELS)
		too_large(x);
	r = expand_kind(x, n, scope);
	x->levels--;
	return r;
}

static struct var *expand_lets(struct expand *x, const struct var *v)
{
	struct var *head = NULL, **tail = &head;

	for (; v; v = v->next) {
		struct var *new = asl_new(x->c, sizeof *new);

		*new = *v;
		new->next = NULL;
		if (!v->is_const)
			new->init = expand(x, v->init, NULL);
		if (!x->only_quality && (v->sym->type.kind == K_SET ||
		    v->sym->type.kind == K_OBJECT))
			continue;       /* expanded in every use */
		*tail = new;
		tail = &new->next;
	}
	return head;
}

static struct piece *expand_texts(struct expand *x, const struct piece *p)
{
	struct piece *head = NULL, **tail = &head;

	for (; p; p = p->next) {
		struct piece *new = asl_new(x->c, sizeof *new);

		*new = *p;
		new->next = NULL;
		new->written = p;
		new->expr = expand(x, p->expr, NULL);
		*tail = new;
		tail = &new->next;
	}
	return head;
}

static struct decl *expand_property(struct expand *x, struct compile *c, struct decl *prop)
{
	const struct decl *d;
	struct decl *new;

	x->c = c;
	x->prop = prop;
	if (setjmp(x->give_up))
		return NULL;
	d = asl_body(prop);
	new = asl_new(c, sizeof *new);
	x->whole = d->vars->sym;
	*new = *d;
	new->lets = expand_lets(x, d->lets);
	new->alternatives = expand_list(x, d->alternatives, NULL);
	new->severity = expand(x, d->severity, NULL);
	new->confidence = expand(x, d->confidence, NULL);
	new->texts = expand_texts(x, d->texts);
	return x->failed ? NULL : new;
}

struct decl *asl_expand(struct compile *c, struct decl *prop, struct aggregates *out)
{
	struct expand *x = asl_new(c, sizeof *x);

	x->aggregates = out;
	out->n = 0;
	return expand_property(x, c, prop);
}

static bool property_asks(const struct decl *d)
{
	bool any = asks_in(d->alternatives) || asks_in(d->severity) || asks_in(d->confidence);

	for (const struct var *v = d->lets; v && !any; v = v->next)
		any = asks_in(v->init);
	for (const struct piece *p = d->texts; p && !any; p = p->next)
		any = asks_in(p->expr);
	return any;
}

struct decl *asl_expand_quality(struct compile *c, struct decl *prop)
{
	struct expand *x;

	if (!property_asks(asl_body(prop)))
		return asl_body(prop);
	x = asl_new(c, sizeof *x);
	x->only_quality = true;
	return expand_property(x, c, prop);
}
