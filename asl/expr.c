/* SPDX-License-Identifier: BSD-3-Clause */
/* Emits expressions.  Functions are expanded where they are called: the language has no recursion,
 * so the code is finite, and MAX_CODE bounds both the code and the work to make it. */
#include "asl/emit.h"

#include <math.h>
#include <string.h>

/* The values of a function's parameters before the call. */
struct binding {
	int reg;
	struct node *set;
	struct sym *fn;
};

struct element_loop {
	int set, element;       /* registers */
	bool numbers;
	int top;                /* instruction that takes the next element */
	int ends[2];            /* jumps to the end of the loop */
	int poison;
	int selected;           /* register: whether the element is selected; -1: no filter */
	int quality, least;     /* for samples(), coverage(): opcode, register; else 0 */
	struct sym *var[MAX_CALLS];     /* bound to the element, and their former registers */
	int var_reg[MAX_CALLS];
	int nvars;
};

static bool quality(struct emit *e, struct node *n, int op, int least, enum opcode how);

/* --- calls --- */
static struct sym *function(const struct node *n)
{
	struct sym *s = n->sym;

	return s->kind == S_FUNC ? s : s->fn;
}

struct node *asl_emit_set(struct node *n)
{
	while (n->kind == N_NAME && n->sym->set)
		n = n->sym->set;
	return n;
}

static void bind(struct sym *s, const struct binding *b)
{
	s->reg = b->reg;
	s->set = b->set;
	s->fn = b->fn;
}

/* Variables that a set binds itself. */
struct bound {
	const struct sym *var;
	const struct bound *outer;
};

/* Copies a set that is passed as an argument and binds its names to their present meaning: the set
 * is evaluated inside of the called function, where its names, and the parameters of the present
 * function if that is called again as an argument, may have another one. */
static struct node *fix(struct emit *e, const struct node *n, const struct bound *bound)
{
	const struct bound inner = { n->kind == N_SET || n->kind == N_AGG ? n->sym : NULL, bound };
	struct node *r, **tail;

	if (n->kind == N_NAME && n->sym->set)
		return n->sym->set;     /* copied before, or a constant */
	asl_emit_expansion(e);
	r = asl_new(e->c, sizeof *r);
	*r = *n;
	r->next = r->a = NULL;
	while (n->kind == N_NAME && bound && bound->var != n->sym)
		bound = bound->outer;
	if (n->kind == N_NAME || n->kind == N_CALL) {
		if (n->sym->fn)
			r->sym = n->sym->fn;
		else if (!bound && (n->sym->kind == S_PARAM || n->sym->kind == S_VAR))
			r->sym = memcpy(asl_new(e->c, sizeof *r->sym), n->sym, sizeof *r->sym);
	}
	tail = &r->a;
	for (const struct node *a = n->a; a; a = a->next) {
		*tail = fix(e, a, &inner);
		tail = &(*tail)->next;
	}
	r->b = n->b ? fix(e, n->b, &inner) : NULL;
	r->c = n->c ? fix(e, n->c, &inner) : NULL;
	return r;
}

/* Binds the parameters of f to the arguments; returns their former values. */
static struct binding *enter(struct emit *e, struct sym *f, struct node *args)
{
	struct binding *now, *saved;
	struct var *p;
	int n = 0, i = 0;

	asl_emit_expansion(e);
	if (++e->calls > MAX_CALLS) {
		asl_error(e->c, e->prop->pos, "property '%s' nests more than %d function calls",
			e->prop->name, MAX_CALLS);
		longjmp(e->fail, 1);
	}
	for (p = f->decl->vars; p; p = p->next)
		n++;
	now = asl_new(e->c, (size_t)n * sizeof *now);
	saved = asl_new(e->c, (size_t)n * sizeof *saved);
	for (p = f->decl->vars; p; p = p->next, args = args->next, i++) {
		switch (p->sym->type.kind) {
		case K_FUNC:
			now[i].fn = function(args);
			break;
		case K_SET:
			now[i].set = fix(e, asl_emit_set(args), NULL);
			break;
		case K_OBJECT:
			now[i].reg = asl_emit_object(e, args);
			break;
		case K_STRING:
			now[i].reg = asl_emit_text(e, args);
			break;
		default:
			now[i].reg = asl_emit_number(e, args);
		}
	}
	for (p = f->decl->vars, i = 0; p; p = p->next, i++) {
		saved[i] = (struct binding){ p->sym->reg, p->sym->set, p->sym->fn };
		bind(p->sym, &now[i]);
	}
	return saved;
}

static void leave(struct emit *e, struct sym *f, const struct binding *saved)
{
	int i = 0;

	for (struct var *p = f->decl->vars; p; p = p->next)
		bind(p->sym, &saved[i++]);
	e->calls--;
}

static int call(struct emit *e, struct node *n, int (*body)(struct emit *, struct node *))
{
	struct sym *f = function(n);
	struct binding *saved = enter(e, f, n->a);
	int r = body(e, f->decl->result.init);

	leave(e, f, saved);
	return r;
}

/* --- attributes --- */
static int attribute(struct emit *e, struct node *n, enum opcode op)
{
	int obj = asl_emit_object(e, n->a), cls = n->a->type.ref;
	int read = asl_emit_read(e, cls, n->op), reg;
	bool once = obj < e->nparams && op != OP_ATTRS;

	for (int i = 0; once && i < e->ncache; i++)
		if (e->cache[i].obj == obj && e->cache[i].read == read)
			return e->cache[i].reg;
	once = once && e->loops == 0;
	e->pos = n->pos;
	switch (op) {
	case OP_ATTRO:
		reg = asl_emit_object_register(e, n->type.ref);
		break;
	case OP_ATTRT:
		reg = asl_emit_text_register(e);
		break;
	case OP_ATTRS:
		reg = asl_emit_set_register(e);
		break;
	default:
		reg = once ? asl_emit_permanent(e) : asl_emit_temp(e);
	}
	asl_emit_insn(e, op, reg, obj, read);
	if (once && e->ncache < (int)(sizeof e->cache / sizeof *e->cache))
		e->cache[e->ncache++] = (struct cached){ obj, read, reg };
	return reg;
}

static int element(struct emit *e, struct node *n, enum opcode op)
{
	int mark = e->ntemp, r = asl_emit_temp(e), obj, read;

	asl_emit_move(e, r, asl_emit_number(e, n->b), r + 1);
	obj = asl_emit_object(e, n->a->a);
	read = asl_emit_read(e, n->a->a->type.ref, n->a->op);
	e->pos = n->pos;
	asl_emit_insn(e, op, r, obj, read);
	return asl_emit_settle(e, mark, r);
}

/* --- loops over sets --- */
static void loop_var(struct element_loop *l, struct sym *var)
{
	l->var[l->nvars] = var;
	l->var_reg[l->nvars++] = var->reg;
	var->reg = l->element;
}

/* Joins filters by Kleene's AND: an element for which one filter is false is not selected, even if
 * another is undefined. */
static void loop_filter(struct emit *e, struct element_loop *l, struct node *pred)
{
	int mark = e->ntemp, r;

	if (!pred)
		return;
	if (l->quality)
		quality(e, pred, l->quality, l->least, OP_LEAST);
	r = asl_emit_number(e, pred);
	if (l->selected >= 0) {
		asl_emit_insn(e, OP_AND, l->selected, l->selected, r);
		e->ntemp = mark;
	} else {
		e->ntemp = mark;
		l->selected = asl_emit_temp(e);
		asl_emit_move(e, l->selected, r, mark);
	}
}

/* Skips an element that is not selected. */
static void loop_select(struct emit *e, const struct element_loop *l)
{
	if (l->selected >= 0)
		asl_emit_insn(e, OP_FILTER, l->selected, l->poison, l->top);
}

/* Begins the loop over set n.  An undefined set, or an undefined selection of an element, makes
 * register l->poison undefined. */
static void loop_open(struct emit *e, struct element_loop *l, struct node *n)
{
	n = asl_emit_set(n);
	if (l->nvars + 2 > MAX_CALLS)
		asl_emit_too_large(e, "nested sets");
	if (n->kind == N_SET) {
		loop_open(e, l, n->b);
		loop_var(l, n->sym);
		loop_filter(e, l, n->c);
		return;
	}
	if (n->kind == N_CALL && n->type.kind == K_SET) {
		struct sym *f = function(n);
		struct binding *saved = enter(e, f, n->a);

		loop_open(e, l, f->decl->result.init);
		leave(e, f, saved);     /* the arguments' registers stay in use */
		return;
	}
	l->numbers = n->type.kind != K_SET;
	if (l->quality)
		quality(e, l->numbers ? n : n->a, l->quality, l->least, OP_MINN);
	if (l->numbers) {
		int r = asl_emit_number(e, n);

		l->set = asl_emit_set_register(e);
		asl_emit_insn(e, OP_RANGE, l->set, r, 0);
		l->element = asl_emit_temp(e);
	} else {
		if (asl_is_whole(e->c, n->a->type.ref)) {
			asl_error(e->c, n->pos, "processes are folded for a property of the whole "
				"application only: its first parameter must be AppPerf, and the set "
				"one of its attributes");
			longjmp(e->fail, 1);
		}
		l->set = attribute(e, n, OP_ATTRS);
		l->element = asl_emit_object_register(e, n->type.ref);
	}
	l->ends[0] = asl_emit_insn(e, OP_LOOP, l->set, l->poison, 0);
	l->top = l->ends[1] = asl_emit_insn(e, l->numbers ? OP_NEXT : OP_NEXTO, l->element, l->set,
		0);
	e->loops++;
}

static void loop_close(struct emit *e, struct element_loop *l)
{
	asl_emit_insn(e, OP_BACK, l->top, 0, 0);
	e->insn[l->ends[0]].c = (uint16_t)e->n;
	e->insn[l->ends[1]].c = (uint16_t)e->n;
	while (l->nvars-- > 0)
		l->var[l->nvars]->reg = l->var_reg[l->nvars];
	e->loops--;
}

/* --- aggregates --- */
struct accumulator {
	int value, count, poison;
};

static struct accumulator accumulator(struct emit *e, int op)
{
	static const double first[] = { [AGG_MIN] = INFINITY, [AGG_MAX] = -INFINITY,
		[AGG_FORALL] = 1 };
	struct accumulator a = { .count = -1 };

	a.value = asl_emit_load(e, (size_t)op < sizeof first / sizeof *first ? first[op] : 0);
	a.poison = a.value;
	if (op == AGG_STDEV) {
		asl_emit_load(e, 0);
		asl_emit_load(e, 0);
	} else if (op == AGG_MIN || op == AGG_MAX || op == AGG_AVG) {
		a.count = asl_emit_load(e, 0);
	} else if (op == AGG_EXISTS || op == AGG_FORALL) {
		a.poison = asl_emit_load(e, op == AGG_FORALL);
	}
	return a;
}

/* EXISTS: x is selected and holds; FORALL: x is not selected, or holds. */
static int quantified(struct emit *e, const struct node *n, const struct element_loop *l, int x)
{
	if (l->selected < 0)
		return x;
	if (n->op == AGG_FORALL)
		asl_emit_insn(e, OP_NOT, l->selected, l->selected, 0);
	asl_emit_insn(e, n->op == AGG_FORALL ? OP_OR : OP_AND, l->selected, l->selected, x);
	return l->selected;
}

static void accumulate(struct emit *e, struct node *n, const struct accumulator *a,
	const struct element_loop *l)
{
	int mark = e->ntemp, x = n->op == AGG_COUNT || n->op == AGG_UNIQUE ? 0 :
		asl_emit_number(e, n->a);

	e->pos = n->pos;
	if (n->op == AGG_EXISTS || n->op == AGG_FORALL)
		x = quantified(e, n, l, x);
	switch (n->op) {
	case AGG_MIN:
		asl_emit_insn(e, OP_MINN, a->value, a->value, x);
		break;
	case AGG_MAX:
		asl_emit_insn(e, OP_MAXN, a->value, a->value, x);
		break;
	case AGG_SUM:
	case AGG_AVG:
		asl_emit_insn(e, OP_ADD, a->value, a->value, x);
		break;
	case AGG_STDEV:
		asl_emit_insn(e, OP_STDACC, a->value, x, 0);
		break;
	case AGG_EXISTS:
		asl_emit_insn(e, OP_OR, a->value, a->value, x);
		break;
	case AGG_FORALL:
		asl_emit_insn(e, OP_AND, a->value, a->value, x);
		break;
	default:
		asl_emit_insn(e, OP_INC, a->value, 0, 0);
	}
	if (a->count >= 0)
		asl_emit_insn(e, OP_INC, a->count, 0, 0);
	e->ntemp = mark;
}

static void conclude(struct emit *e, struct node *n, const struct accumulator *a)
{
	e->pos = n->pos;
	if (a->count >= 0)
		asl_emit_insn(e, OP_SOME, a->value, a->count, 0);
	if (n->op == AGG_AVG)
		asl_emit_insn(e, OP_DIV, a->value, a->value, a->count);
	else if (n->op == AGG_STDEV)
		asl_emit_insn(e, OP_STDFIN, a->value, a->value, 0);
	else if (n->op == AGG_EXISTS)
		asl_emit_insn(e, OP_OR, a->value, a->value, a->poison);
	else if (n->op == AGG_FORALL)
		asl_emit_insn(e, OP_AND, a->value, a->value, a->poison);
}

static int aggregate(struct emit *e, struct node *n)
{
	int mark = e->ntemp;
	struct accumulator a = accumulator(e, n->op);
	struct element_loop l = { .poison = a.poison, .selected = -1 };

	loop_open(e, &l, n->b);
	if (n->sym)
		loop_var(&l, n->sym);
	loop_filter(e, &l, n->c);
	if (n->op != AGG_EXISTS && n->op != AGG_FORALL)
		loop_select(e, &l);
	accumulate(e, n, &a, &l);
	loop_close(e, &l);
	conclude(e, n, &a);
	e->ntemp = mark + 1;
	return a.value;
}

/* UNIQUE: the last element, if the count is 1. */
static int unique(struct emit *e, struct node *n, bool numbers)
{
	int mark = e->ntemp, r = numbers ? asl_emit_load(e, 0) : asl_emit_object_register(e,
		n->type.ref);
	struct accumulator a = accumulator(e, AGG_UNIQUE);
	struct element_loop l = { .poison = a.poison, .selected = -1 };

	loop_open(e, &l, n->b);
	loop_select(e, &l);
	asl_emit_insn(e, numbers ? OP_MOV : OP_MOVO, r, l.element, 0);
	accumulate(e, n, &a, &l);
	loop_close(e, &l);
	e->pos = n->pos;
	asl_emit_insn(e, numbers ? OP_UNIQ : OP_UNIQO, r, a.value, 0);
	e->ntemp = numbers ? mark + 1 : mark;
	return r;
}

static int extreme(struct emit *e, struct node *n)
{
	int mark = e->ntemp, r = asl_emit_temp(e);
	struct node *a = n->a;

	asl_emit_move(e, r, asl_emit_number(e, a), r + 1);
	for (a = a->next; a; a = a->next) {
		e->ntemp = r + 1;
		asl_emit_insn(e, n->op == AGG_MAX ? OP_MAXN : OP_MINN, r, r, asl_emit_number(e, a));
	}
	return asl_emit_settle(e, mark, r);
}

/* --- numbers --- */
static int compare_equal(struct emit *e, struct node *n)
{
	int mark = e->ntemp, a, b, op, r;

	if (n->a->type.kind == K_OBJECT) {
		op = n->op == B_EQ ? OP_EQO : OP_NEO;
		a = asl_emit_object(e, n->a);
		b = asl_emit_object(e, n->b);
	} else if (n->a->type.kind == K_STRING) {
		op = n->op == B_EQ ? OP_EQT : OP_NET;
		a = asl_emit_text(e, n->a);
		b = asl_emit_text(e, n->b);
	} else {
		if (n->a->type.kind == K_ENUM || n->a->type.kind == K_BOOL)
			op = n->op == B_EQ ? OP_EQE : OP_NEE;
		else
			op = n->op == B_EQ ? OP_EQ : OP_NE;
		a = asl_emit_number(e, n->a);
		b = asl_emit_number(e, n->b);
	}
	e->ntemp = mark;
	r = asl_emit_temp(e);
	e->pos = n->pos;
	asl_emit_insn(e, (enum opcode)op, r, a, b);
	return r;
}

static int binary(struct emit *e, struct node *n)
{
	static const enum opcode ops[] = { OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_LT, OP_LE, OP_GT,
		OP_GE, OP_EQ, OP_NE, OP_AND, OP_OR };
	int mark = e->ntemp, a, b, r;

	if (n->op == B_EQ || n->op == B_NE)
		return compare_equal(e, n);
	a = asl_emit_number(e, n->a);
	if (n == e->rate)
		asl_emit_insn(e, OP_RATE, a, 0, 0);
	b = asl_emit_number(e, n->b);
	e->ntemp = mark;
	r = asl_emit_temp(e);
	e->pos = n->pos;
	asl_emit_insn(e, ops[n->op], r, a, b);
	return r;
}

static int unary(struct emit *e, struct node *n, enum opcode op)
{
	int mark = e->ntemp, a = asl_emit_number(e, n->a), r;

	e->ntemp = mark;
	r = asl_emit_temp(e);
	asl_emit_insn(e, op, r, a, 0);
	return r;
}

static int choose(struct emit *e, struct node *n)
{
	int r = asl_emit_temp(e), b, c;

	asl_emit_move(e, r, asl_emit_number(e, n->a), r + 1);
	b = asl_emit_number(e, n->b);
	c = asl_emit_number(e, n->c);
	asl_emit_insn(e, OP_SEL, r, b, c);
	e->ntemp = r + 1;
	return r;
}

/* The initial minimum: not a sample (infinite), full coverage (1). */
static int quality_of_nothing(struct emit *e, int op)
{
	return asl_emit_load(e, op == OP_SAMPLES ? INFINITY : 1);
}

static int num_call(struct emit *e, struct node *n)
{
	int mark = e->ntemp;

	if (n->sym->kind == S_BUILTIN) {
		int op = n->sym->value ? OP_COVERAGE : OP_SAMPLES, r = quality_of_nothing(e, op);

		if (!quality(e, n->a, op, r, OP_MINN)) {
			asl_error(e->c, n->pos, "'%s' needs a measured attribute in its argument",
				n->name);
			longjmp(e->fail, 1);
		}
		return r;
	}
	return asl_emit_settle(e, mark, call(e, n, asl_emit_number));
}

static int num_name(struct emit *e, struct node *n)
{
	if (n->sym->kind == S_ITEM)
		return asl_emit_load(e, n->sym->value);
	if (n->sym->set)        /* a constant of LET */
		return asl_emit_number(e, n->sym->set);
	return n->sym->reg;
}

int asl_emit_number(struct emit *e, struct node *n)
{
	e->pos = n->pos;
	switch (n->kind) {
	case N_NUM:
	case N_BOOL:
		return asl_emit_load(e, n->num);
	case N_NAME:
		return num_name(e, n);
	case N_ATTR:
		return attribute(e, n, OP_ATTR);
	case N_INDEX:
		return element(e, n, OP_ATTRI);
	case N_CALL:
		return num_call(e, n);
	case N_NEG:
		return unary(e, n, OP_NEG);
	case N_NOT:
		return unary(e, n, OP_NOT);
	case N_BIN:
		return binary(e, n);
	case N_COND:
		return choose(e, n);
	case N_ALT:
	case N_ENTRY:
		return asl_emit_number(e, n->a);
	case N_PART: {
		int r = asl_emit_temp(e);

		asl_emit_insn(e, OP_PART, r, (int)n->num, n->op);
		return r;
	}
	default:
		if (!n->b)
			return extreme(e, n);
		return n->op == AGG_UNIQUE ? unique(e, n, true) : aggregate(e, n);
	}
}

/* --- samples(), coverage(): the minimum over the measured attributes in the expression ---
 *
 * expand.c has expanded the argument: it has no calls and no LET definitions. */

static bool quality_of_choice(struct emit *e, struct node *n, int op, int least, enum opcode how)
{
	int mark = e->ntemp, b = quality_of_nothing(e, op), c = quality_of_nothing(e, op),
		r = asl_emit_temp(e);
	bool any = quality(e, n->a, op, least, OP_LEAST);

	any |= quality(e, n->b, op, b, OP_MINN);
	any |= quality(e, n->c, op, c, OP_MINN);
	asl_emit_move(e, r, asl_emit_number(e, n->a), r + 1);
	asl_emit_insn(e, OP_SEL, r, b, c);
	asl_emit_insn(e, how, least, least, r);
	e->ntemp = mark;
	return any;
}

/* The minimum over the values of the selected elements and the filters of all elements. */
static bool quality_of_set(struct emit *e, struct node *n, int op, int least, enum opcode how)
{
	int mark = e->ntemp;
	struct element_loop l = { .selected = -1, .quality = op, .least = least };
	bool before = e->measured, any;

	e->measured = false;
	l.poison = asl_emit_load(e, 0);
	loop_open(e, &l, n->b);
	if (n->sym)
		loop_var(&l, n->sym);
	loop_filter(e, &l, n->c);
	loop_select(e, &l);
	if (n->op == AGG_EXISTS || n->op == AGG_FORALL)
		how = OP_LEAST;
	if (n->op != AGG_COUNT)
		quality(e, n->a, op, least, how);
	loop_close(e, &l);
	e->ntemp = mark;
	any = e->measured;
	e->measured = before || any;
	return any;
}

/* Updates register `least` with the minimum over the attributes that n reads.  how: OP_MINN, or
 * OP_LEAST where an undefined operand need not make the result undefined.  False: n reads none. */
static bool quality(struct emit *e, struct node *n, int op, int least, enum opcode how)
{
	int mark = e->ntemp;
	bool any = false;

	if (!n)
		return false;
	if (n->kind == N_COND)
		return quality_of_choice(e, n, op, least, how);
	if (n->kind == N_AGG && n->b)
		return quality_of_set(e, n, op, least, how);
	if (n->kind == N_BIN && (n->op == B_AND || n->op == B_OR))
		how = OP_LEAST;
	if (n->kind == N_INDEX) {
		quality(e, n->a->a, op, least, how);
		quality(e, n->b, op, least, how);
		asl_emit_insn(e, how, least, least,
			element(e, n, op == OP_SAMPLES ? OP_SAMPLESI : OP_COVERAGEI));
		any = true;
	} else {
		for (struct node *a = n->a; a; a = a->next)
			any |= quality(e, a, op, least, how);
		any |= quality(e, n->b, op, least, how);
		any |= quality(e, n->c, op, least, how);
	}
	if (n->kind == N_ATTR && n->type.kind != K_OBJECT && n->type.kind != K_STRING) {
		int obj = asl_emit_object(e, n->a), r = asl_emit_temp(e);

		e->pos = n->pos;
		asl_emit_insn(e, (enum opcode)op, r, obj, asl_emit_read(e, n->a->type.ref, n->op));
		asl_emit_insn(e, how, least, least, r);
		any = true;
	}
	e->ntemp = mark;
	e->measured |= any;
	return any;
}

/* --- objects and texts --- */
static int choose_other(struct emit *e, struct node *n, bool objects)
{
	int mark = e->ntemp, cond = asl_emit_number(e, n->a), r, b, c;

	b = objects ? asl_emit_object(e, n->b) : asl_emit_text(e, n->b);
	c = objects ? asl_emit_object(e, n->c) : asl_emit_text(e, n->c);
	r = objects ? asl_emit_object_register(e, n->type.ref) : asl_emit_text_register(e);
	asl_emit_insn(e, objects ? OP_MOVO : OP_MOVT, r, b, 0);
	asl_emit_insn(e, objects ? OP_SELO : OP_SELT, r, cond, c);
	e->ntemp = mark;
	return r;
}

int asl_emit_object(struct emit *e, struct node *n)
{
	int mark = e->ntemp, r;

	e->pos = n->pos;
	switch (n->kind) {
	case N_ATTR:
		return attribute(e, n, OP_ATTRO);
	case N_CALL:
		r = call(e, n, asl_emit_object);
		break;
	case N_COND:
		return choose_other(e, n, true);
	case N_AGG:
		r = unique(e, n, false);
		break;
	default:
		return n->sym->reg;
	}
	e->ntemp = mark;
	return r;
}

int asl_emit_text(struct emit *e, struct node *n)
{
	int mark = e->ntemp, r;

	e->pos = n->pos;
	switch (n->kind) {
	case N_STRING:
		r = asl_emit_text_register(e);
		asl_emit_insn(e, OP_LOADT, r, asl_emit_text_constant(e, n->name), 0);
		return r;
	case N_ATTR:
		return attribute(e, n, OP_ATTRT);
	case N_CALL:
		r = call(e, n, asl_emit_text);
		e->ntemp = mark;
		return r;
	case N_COND:
		return choose_other(e, n, false);
	default:
		return n->sym->set ? asl_emit_text(e, n->sym->set) : n->sym->reg;
	}
}

