/* SPDX-License-Identifier: BSD-3-Clause */
/* Tree to code.  Functions are expanded where they are called: there is no recursion, so the
 * result is finite, and MAX_CODE bounds it.  Number registers of intermediate results are a
 * stack; those of LET definitions and of the context's attributes, which are read once, are
 * numbered apart (PERMANENT) and moved below the others at the end. */
#include "asl/ast.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PERMANENT 0x8000

struct cached {
	int obj, read, reg;
};

struct emit {
	struct compile *c;
	struct decl *prop;
	struct insn *insn;
	struct where *where;
	int n, cap;
	struct pos pos;         /* of the node being emitted */
	int ntemp, max_temp, nperm;
	int nobj, nset, ntext, nparams;
	int obj_class[MAX_OBJ];
	struct cached cache[MAX_NUM + MAX_OBJ];
	int ncache;
	int loops, calls;
	jmp_buf fail;
};

/* What a function's parameters stood for before the call. */
struct binding {
	int reg;
	struct node *set;
	struct sym *fn;
};

struct loop {
	int set, element;       /* registers */
	bool numbers;
	int top;                /* instruction that takes the next element */
	int ends[2];            /* instructions to be pointed behind the loop */
	int poison;
	struct sym *var[MAX_CALLS];     /* variables bound to the element, and their registers before */
	int var_reg[MAX_CALLS];
	int nvars;
	struct { struct sym *fn; struct binding *saved; } call[MAX_CALLS];
	int ncalls;
};

static int num(struct emit *e, struct node *n);
static int object(struct emit *e, struct node *n);
static int text(struct emit *e, struct node *n);
static int quality(struct emit *e, struct node *n, int op);

/* --- code and registers --- */
static void too_large(struct emit *e, const char *what)
{
	asl_error(e->c, e->prop->pos, "property '%s' needs too many %s; split it or use fewer "
		"function calls", e->prop->name, what);
	longjmp(e->fail, 1);
}

static int emit(struct emit *e, enum opcode op, int a, int b, int c)
{
	if (e->n == MAX_CODE)
		too_large(e, "instructions");
	if (e->n == e->cap) {
		int cap = e->cap ? e->cap * 2 : 64;
		struct insn *insn = asl_new(e->c, (size_t)cap * sizeof *insn);
		struct where *where = asl_new(e->c, (size_t)cap * sizeof *where);

		if (e->n) {
			memcpy(insn, e->insn, (size_t)e->n * sizeof *insn);
			memcpy(where, e->where, (size_t)e->n * sizeof *where);
		}
		e->insn = insn;
		e->where = where;
		e->cap = cap;
	}
	e->insn[e->n] = (struct insn){ (uint16_t)op, (uint16_t)a, (uint16_t)b, (uint16_t)c };
	e->where[e->n] = (struct where){ e->pos.file, e->pos.line };
	return e->n++;
}

static int temp(struct emit *e)
{
	int r = e->ntemp++;

	if (e->ntemp > e->max_temp)
		e->max_temp = e->ntemp;
	if (e->max_temp + e->nperm > MAX_NUM)
		too_large(e, "intermediate numbers");
	return r;
}

static int permanent(struct emit *e)
{
	if (e->max_temp + e->nperm >= MAX_NUM)
		too_large(e, "numbers");
	return PERMANENT + e->nperm++;
}

static int new_object(struct emit *e, int cls)
{
	if (e->nobj == MAX_OBJ)
		too_large(e, "objects");
	e->obj_class[e->nobj] = cls;
	return e->nobj++;
}

static int new_set(struct emit *e)
{
	if (e->nset == MAX_SET)
		too_large(e, "sets");
	return e->nset++;
}

static int new_text(struct emit *e)
{
	if (e->ntext == MAX_TEXT)
		too_large(e, "texts");
	return e->ntext++;
}

/* --- pools --- */
static void *pool_grow(struct compile *c, const void *old, int n, size_t size)
{
	void *p;

	if (n & (n - 1) || n > UINT16_MAX)      /* full at powers of two only */
		return (void *)(uintptr_t)old;
	p = asl_keep(c, n ? (size_t)n * 2 : 1, size);
	if (n)
		memcpy(p, old, (size_t)n * size);
	return p;
}

static int number_constant(struct emit *e, double f)
{
	struct asl_program *p = e->c->prog;

	for (int i = 0; i < p->nnumbers; i++)
		if (!memcmp(&p->numbers[i], &f, sizeof f))
			return i;
	p->numbers = pool_grow(e->c, p->numbers, p->nnumbers, sizeof *p->numbers);
	if (p->nnumbers == UINT16_MAX)
		too_large(e, "constants");
	p->numbers[p->nnumbers] = f;
	return p->nnumbers++;
}

static int text_constant(struct emit *e, const char *s)
{
	struct asl_program *p = e->c->prog;

	for (int i = 0; i < p->ntexts; i++)
		if (!strcmp(p->texts[i], s))
			return i;
	p->texts = pool_grow(e->c, p->texts, p->ntexts, sizeof *p->texts);
	if (p->ntexts == UINT16_MAX)
		too_large(e, "texts");
	p->texts[p->ntexts] = asl_keep_text(e->c, s);
	return p->ntexts++;
}

static int read_ref(struct emit *e, int cls, int attr)
{
	struct asl_program *p = e->c->prog;

	for (int i = 0; i < p->nreads; i++)
		if (p->reads[i].cls == cls && p->reads[i].attr == attr)
			return i;
	p->reads = pool_grow(e->c, p->reads, p->nreads, sizeof *p->reads);
	if (p->nreads == UINT16_MAX)
		too_large(e, "attributes");
	p->reads[p->nreads] = (struct asl_read){ cls, attr };
	return p->nreads++;
}

static int load_number(struct emit *e, double f)
{
	int r = temp(e);

	emit(e, OP_LOADK, r, number_constant(e, f), 0);
	return r;
}

/* Brings `from` to register `to`: by making the last instruction write there, where it can.
 * Registers under `mark` are others' (parameters, variables) and stay as they are. */
static void move(struct emit *e, int to, int from, int mark)
{
	struct insn *last = e->n ? &e->insn[e->n - 1] : NULL;

	if (to == from)
		return;
	if (last && last->a == from && from >= mark && from < PERMANENT && (last->op == OP_LOADK || last->op == OP_MOV
			|| last->op == OP_ATTR || (last->op >= OP_ADD && last->op <= OP_NOT)))
		last->a = (uint16_t)to;
	else
		emit(e, OP_MOV, to, from, 0);
}

/* The result r of an expression begun with `mark` temporaries in use becomes the next one. */
static int settle(struct emit *e, int mark, int r)
{
	e->ntemp = mark;
	if (r < mark || r >= PERMANENT)
		return r;
	temp(e);
	move(e, mark, r, mark);
	return mark;
}

/* --- calls --- */
static struct sym *function(const struct node *n)
{
	struct sym *s = n->sym;

	return s->kind == S_FUNC ? s : s->fn;
}

/* Looks through names of sets to the expression that makes the set. */
static struct node *set_node(struct node *n)
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

/* Gives the parameters of f the arguments; returns what they were. */
static struct binding *enter(struct emit *e, struct sym *f, struct node *args)
{
	struct binding *now, *saved;
	struct var *p;
	int n = 0, i = 0;

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
			now[i].set = set_node(args);
			break;
		case K_OBJECT:
			now[i].reg = object(e, args);
			break;
		case K_STRING:
			now[i].reg = text(e, args);
			break;
		default:
			now[i].reg = num(e, args);
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
	int obj = object(e, n->a), cls = n->a->type.ref;
	int read = read_ref(e, cls, n->op), reg;
	bool once = obj < e->nparams && op != OP_ATTRS;

	for (int i = 0; once && i < e->ncache; i++)
		if (e->cache[i].obj == obj && e->cache[i].read == read)
			return e->cache[i].reg;
	once = once && e->loops == 0;
	e->pos = n->pos;
	switch (op) {
	case OP_ATTRO:
		reg = new_object(e, n->type.ref);
		break;
	case OP_ATTRT:
		reg = new_text(e);
		break;
	case OP_ATTRS:
		reg = new_set(e);
		break;
	default:
		reg = once ? permanent(e) : temp(e);
	}
	emit(e, op, reg, obj, read);
	if (once && e->ncache < (int)(sizeof e->cache / sizeof *e->cache))
		e->cache[e->ncache++] = (struct cached){ obj, read, reg };
	return reg;
}

static int element(struct emit *e, struct node *n, enum opcode op)
{
	int mark = e->ntemp, r = temp(e), obj, read;

	move(e, r, num(e, n->b), r + 1);
	obj = object(e, n->a->a);
	read = read_ref(e, n->a->a->type.ref, n->a->op);
	e->pos = n->pos;
	emit(e, op, r, obj, read);
	return settle(e, mark, r);
}

/* --- loops over sets --- */
static void loop_var(struct loop *l, struct sym *var)
{
	l->var[l->nvars] = var;
	l->var_reg[l->nvars++] = var->reg;
	var->reg = l->element;
}

static void loop_filter(struct emit *e, struct loop *l, struct node *pred)
{
	int mark = e->ntemp;

	if (!pred)
		return;
	emit(e, OP_FILTER, num(e, pred), l->poison, l->top);
	e->ntemp = mark;
}

/* Begins the loop over set n; where the set, or whether an element is in it, is undefined,
 * register l->poison becomes undefined. */
static void loop_open(struct emit *e, struct loop *l, struct node *n)
{
	n = set_node(n);
	if (l->nvars + 2 > MAX_CALLS || l->ncalls + 1 > MAX_CALLS)
		too_large(e, "nested sets");
	if (n->kind == N_SET) {
		loop_open(e, l, n->b);
		loop_var(l, n->sym);
		loop_filter(e, l, n->c);
		return;
	}
	if (n->kind == N_CALL && n->type.kind == K_SET) {
		struct sym *f = function(n);

		l->call[l->ncalls].fn = f;
		l->call[l->ncalls++].saved = enter(e, f, n->a);
		loop_open(e, l, f->decl->result.init);
		return;
	}
	l->numbers = n->type.kind != K_SET;
	if (l->numbers) {
		int r = num(e, n);

		l->set = new_set(e);
		emit(e, OP_RANGE, l->set, r, 0);
		l->element = temp(e);
	} else {
		l->set = attribute(e, n, OP_ATTRS);
		l->element = new_object(e, n->type.ref);
	}
	l->ends[0] = emit(e, OP_LOOP, l->set, l->poison, 0);
	l->top = l->ends[1] = emit(e, l->numbers ? OP_NEXT : OP_NEXTO, l->element, l->set, 0);
	e->loops++;
}

static void loop_close(struct emit *e, struct loop *l)
{
	emit(e, OP_BACK, l->top, 0, 0);
	e->insn[l->ends[0]].c = (uint16_t)e->n;
	e->insn[l->ends[1]].c = (uint16_t)e->n;
	while (l->nvars-- > 0)
		l->var[l->nvars]->reg = l->var_reg[l->nvars];
	while (l->ncalls-- > 0)
		leave(e, l->call[l->ncalls].fn, l->call[l->ncalls].saved);
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

	a.value = load_number(e, (size_t)op < sizeof first / sizeof *first ? first[op] : 0);
	a.poison = a.value;
	if (op == AGG_STDEV) {
		load_number(e, 0);
		load_number(e, 0);
	} else if (op == AGG_MIN || op == AGG_MAX || op == AGG_AVG) {
		a.count = load_number(e, 0);
	} else if (op == AGG_EXISTS || op == AGG_FORALL) {
		a.poison = load_number(e, op == AGG_FORALL);
	}
	return a;
}

static void accumulate(struct emit *e, struct node *n, const struct accumulator *a)
{
	int mark = e->ntemp, x = n->op == AGG_COUNT || n->op == AGG_UNIQUE ? 0 : num(e, n->a);

	e->pos = n->pos;
	switch (n->op) {
	case AGG_MIN:
		emit(e, OP_MINN, a->value, a->value, x);
		break;
	case AGG_MAX:
		emit(e, OP_MAXN, a->value, a->value, x);
		break;
	case AGG_SUM:
	case AGG_AVG:
		emit(e, OP_ADD, a->value, a->value, x);
		break;
	case AGG_STDEV:
		emit(e, OP_STDACC, a->value, x, 0);
		break;
	case AGG_EXISTS:
		emit(e, OP_OR, a->value, a->value, x);
		break;
	case AGG_FORALL:
		emit(e, OP_AND, a->value, a->value, x);
		break;
	default:
		emit(e, OP_INC, a->value, 0, 0);
	}
	if (a->count >= 0)
		emit(e, OP_INC, a->count, 0, 0);
	e->ntemp = mark;
}

static void conclude(struct emit *e, struct node *n, const struct accumulator *a)
{
	e->pos = n->pos;
	if (a->count >= 0)
		emit(e, OP_SOME, a->value, a->count, 0);
	if (n->op == AGG_AVG)
		emit(e, OP_DIV, a->value, a->value, a->count);
	else if (n->op == AGG_STDEV)
		emit(e, OP_STDFIN, a->value, a->value, 0);
	else if (n->op == AGG_EXISTS)
		emit(e, OP_OR, a->value, a->value, a->poison);
	else if (n->op == AGG_FORALL)
		emit(e, OP_AND, a->value, a->value, a->poison);
}

static int aggregate(struct emit *e, struct node *n)
{
	int mark = e->ntemp;
	struct accumulator a = accumulator(e, n->op);
	struct loop l = { .poison = a.poison };

	loop_open(e, &l, n->b);
	if (n->sym)
		loop_var(&l, n->sym);
	loop_filter(e, &l, n->c);
	accumulate(e, n, &a);
	loop_close(e, &l);
	conclude(e, n, &a);
	e->ntemp = mark + 1;
	return a.value;
}

/* UNIQUE: the last element, if it was the first as well. */
static int unique(struct emit *e, struct node *n, bool numbers)
{
	int mark = e->ntemp, r = numbers ? load_number(e, 0) : new_object(e, n->type.ref);
	struct accumulator a = accumulator(e, AGG_UNIQUE);
	struct loop l = { .poison = a.poison };

	loop_open(e, &l, n->b);
	emit(e, numbers ? OP_MOV : OP_MOVO, r, l.element, 0);
	accumulate(e, n, &a);
	loop_close(e, &l);
	e->pos = n->pos;
	emit(e, numbers ? OP_UNIQ : OP_UNIQO, r, a.value, 0);
	e->ntemp = numbers ? mark + 1 : mark;
	return r;
}

static int extreme(struct emit *e, struct node *n)
{
	int mark = e->ntemp, r = temp(e);
	struct node *a = n->a;

	move(e, r, num(e, a), r + 1);
	for (a = a->next; a; a = a->next) {
		e->ntemp = r + 1;
		emit(e, n->op == AGG_MAX ? OP_MAXN : OP_MINN, r, r, num(e, a));
	}
	return settle(e, mark, r);
}

/* --- numbers --- */
static int compare_equal(struct emit *e, struct node *n)
{
	int mark = e->ntemp, a, b, op, r;

	if (n->a->type.kind == K_OBJECT) {
		op = n->op == B_EQ ? OP_EQO : OP_NEO;
		a = object(e, n->a);
		b = object(e, n->b);
	} else if (n->a->type.kind == K_STRING) {
		op = n->op == B_EQ ? OP_EQT : OP_NET;
		a = text(e, n->a);
		b = text(e, n->b);
	} else {
		op = n->op == B_EQ ? OP_EQ : OP_NE;
		a = num(e, n->a);
		b = num(e, n->b);
	}
	e->ntemp = mark;
	r = temp(e);
	e->pos = n->pos;
	emit(e, (enum opcode)op, r, a, b);
	return r;
}

static int binary(struct emit *e, struct node *n)
{
	static const enum opcode ops[] = { OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_LT, OP_LE, OP_LT, OP_LE,
		OP_EQ, OP_NE, OP_AND, OP_OR };
	bool swap = n->op == B_GT || n->op == B_GE;
	int mark = e->ntemp, a, b, r;

	if (n->op == B_EQ || n->op == B_NE)
		return compare_equal(e, n);
	a = num(e, n->a);
	b = num(e, n->b);
	e->ntemp = mark;
	r = temp(e);
	e->pos = n->pos;
	emit(e, ops[n->op], r, swap ? b : a, swap ? a : b);
	return r;
}

static int unary(struct emit *e, struct node *n, enum opcode op)
{
	int mark = e->ntemp, a = num(e, n->a), r;

	e->ntemp = mark;
	r = temp(e);
	emit(e, op, r, a, 0);
	return r;
}

static int choose(struct emit *e, struct node *n)
{
	int r = temp(e), b, c;

	move(e, r, num(e, n->a), r + 1);
	b = num(e, n->b);
	c = num(e, n->c);
	emit(e, OP_SEL, r, b, c);
	e->ntemp = r + 1;
	return r;
}

static int num_call(struct emit *e, struct node *n)
{
	int mark = e->ntemp;

	if (n->sym->kind == S_BUILTIN) {
		int r = quality(e, n->a, n->sym->value ? OP_COVERAGE : OP_SAMPLES);

		if (r < 0) {
			asl_error(e->c, n->pos, "'%s' needs a measured attribute in its argument", n->name);
			longjmp(e->fail, 1);
		}
		return settle(e, mark, r);
	}
	return settle(e, mark, call(e, n, num));
}

static int num_name(struct emit *e, struct node *n)
{
	if (n->sym->kind == S_ITEM)
		return load_number(e, n->sym->value);
	if (n->sym->set)        /* a constant of LET */
		return num(e, n->sym->set);
	return n->sym->reg;
}

static int num(struct emit *e, struct node *n)
{
	e->pos = n->pos;
	switch (n->kind) {
	case N_NUM:
	case N_BOOL:
		return load_number(e, n->num);
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
		return num(e, n->a);
	default:
		if (!n->b)
			return extreme(e, n);
		return n->op == AGG_UNIQUE ? unique(e, n, true) : aggregate(e, n);
	}
}

/* --- samples(), coverage(): the least of the measured attributes in the expression --- */
static int least(struct emit *e, int a, int b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	emit(e, OP_MINN, a, a, b);
	return a;
}

static int quality(struct emit *e, struct node *n, int op)
{
	int r = -1;

	if (!n)
		return -1;
	e->pos = n->pos;
	switch (n->kind) {
	case N_ATTR: {
		int obj = object(e, n->a);

		r = temp(e);
		emit(e, (enum opcode)op, r, obj, read_ref(e, n->a->type.ref, n->op));
		return r;
	}
	case N_INDEX:
		return element(e, n, op == OP_SAMPLES ? OP_SAMPLESI : OP_COVERAGEI);
	case N_NAME:
		return n->sym->kind == S_LET ? quality(e, n->sym->var->init, op) : -1;
	case N_CALL:
	case N_SET:
		return -1;
	default:
		if (n->kind == N_AGG && n->b)
			return -1;
		r = quality(e, n->a, op);
		for (struct node *a = n->a ? n->a->next : NULL; a; a = a->next)
			r = least(e, r, quality(e, a, op));
		r = least(e, r, quality(e, n->b, op));
		return least(e, r, quality(e, n->c, op));
	}
}

/* --- objects and texts --- */
static int choose_other(struct emit *e, struct node *n, bool objects)
{
	int mark = e->ntemp, cond = num(e, n->a), r, b, c;

	b = objects ? object(e, n->b) : text(e, n->b);
	c = objects ? object(e, n->c) : text(e, n->c);
	r = objects ? new_object(e, n->type.ref) : new_text(e);
	emit(e, objects ? OP_MOVO : OP_MOVT, r, b, 0);
	emit(e, objects ? OP_SELO : OP_SELT, r, cond, c);
	e->ntemp = mark;
	return r;
}

static int object(struct emit *e, struct node *n)
{
	int mark = e->ntemp, r;

	e->pos = n->pos;
	switch (n->kind) {
	case N_ATTR:
		return attribute(e, n, OP_ATTRO);
	case N_CALL:
		r = call(e, n, object);
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

static int text(struct emit *e, struct node *n)
{
	int mark = e->ntemp, r;

	e->pos = n->pos;
	switch (n->kind) {
	case N_STRING:
		r = new_text(e);
		emit(e, OP_LOADT, r, text_constant(e, n->name), 0);
		return r;
	case N_ATTR:
		return attribute(e, n, OP_ATTRT);
	case N_CALL:
		r = call(e, n, text);
		e->ntemp = mark;
		return r;
	case N_COND:
		return choose_other(e, n, false);
	default:
		return n->sym->set ? text(e, n->sym->set) : n->sym->reg;
	}
}

/* --- properties --- */
static void emit_let(struct emit *e, struct var *v)
{
	struct sym *s = v->sym;
	int reg;

	s->set = NULL;
	if (v->is_const) {
		s->set = asl_constant(e->c, e->prop, v, s->type, v->init);
		return;
	}
	switch (s->type.kind) {
	case K_SET:
		s->set = set_node(v->init);
		break;
	case K_OBJECT:
		s->reg = object(e, v->init);
		break;
	case K_STRING:
		s->reg = text(e, v->init);
		break;
	default:
		reg = num(e, v->init);
		s->reg = reg;
		if (reg < PERMANENT) {
			s->reg = permanent(e);
			move(e, s->reg, reg, 0);
		}
		e->ntemp = 0;
	}
}

/* LET definitions that the condition needs, also by way of others. */
static void mark_lets(struct node *n)
{
	for (; n; n = n->next) {
		if (n->kind == N_NAME && n->sym->kind == S_LET && !n->sym->in_condition) {
			n->sym->in_condition = true;
			mark_lets(n->sym->var->init);
		}
		mark_lets(n->a);
		mark_lets(n->b);
		mark_lets(n->c);
	}
}

static void emit_lets(struct emit *e, struct decl *d, bool in_condition)
{
	for (struct var *v = d->lets; v; v = v->next)
		if (v->sym->in_condition == in_condition)
			emit_let(e, v);
}

static void emit_condition(struct emit *e, struct decl *d)
{
	int i = 0;

	for (struct var *v = d->lets; v; v = v->next)
		v->sym->in_condition = false;
	mark_lets(d->alternatives);
	emit_lets(e, d, true);
	for (struct node *n = d->alternatives; n; n = n->next) {
		int r = num(e, n);

		e->pos = n->pos;
		emit(e, OP_ALT, r, i++, 0);
		e->ntemp = 0;
	}
	emit(e, OP_HOLDS, 0, 0, 0);
}

/* CONFIDENCE or SEVERITY. */
static void emit_entries(struct emit *e, struct node *n, enum opcode op)
{
	bool max = n->kind == N_AGG && n->op == AGG_MAX && !n->b, guarded = n->kind == N_ENTRY;
	struct node one = *n;
	int r;

	for (struct node *a = max ? n->a : NULL; a; a = a->next)
		guarded = guarded || a->kind == N_ENTRY;
	if (!guarded) {
		r = num(e, n);
	} else {
		one.next = NULL;
		r = load_number(e, -INFINITY);
		for (struct node *a = max ? n->a : &one; a; a = a->next) {
			int x = num(e, a);

			emit(e, OP_GMAX, r, x, a->kind == N_ENTRY ? a->op : ALT_ALWAYS);
			e->ntemp = r + 1;
		}
		emit(e, OP_GFIN, r, 0, 0);
	}
	e->pos = n->pos;
	emit(e, op, r, 0, 0);
	e->ntemp = 0;
}

static enum advice_form form_of(struct emit *e, const struct piece *p)
{
	const char *unit;

	if (p->percent)
		return FORM_PERCENT;
	if (p->expr->type.kind == K_BOOL)
		return FORM_TRUTH;
	unit = asl_unit_text(e->c, asl_expr_unit(e->c, p->expr));
	return !strcmp(unit, "s") ? FORM_SECONDS : !strcmp(unit, "B") ? FORM_BYTES : FORM_PLAIN;
}

static void emit_advice(struct emit *e, const struct piece *p)
{
	for (; p; p = p->next) {
		if (!p->expr)
			emit(e, OP_ADVX, text_constant(e, p->text), 0, 0);
		else if (p->expr->type.kind == K_STRING)
			emit(e, OP_ADVT, text(e, p->expr), 0, 0);
		else if (p->expr->type.kind == K_ENUM)
			emit(e, OP_ADVE, num(e, p->expr), p->expr->type.ref, 0);
		else
			emit(e, OP_ADVN, num(e, p->expr), (int)form_of(e, p), 0);
		e->ntemp = 0;
	}
}

/* --- what the property shows to the outside --- */
static void renumber(struct emit *e)
{
	for (int i = 0; i < e->n; i++) {
		uint16_t *operand[] = { &e->insn[i].a, &e->insn[i].b, &e->insn[i].c };

		for (int k = 0; k < 3; k++) {
			char kind = asl_ops[e->insn[i].op].operands[k];

			if (kind != 'N' && kind != 'W')
				continue;
			if (*operand[k] >= PERMANENT)
				*operand[k] = (uint16_t)(*operand[k] - PERMANENT);
			else
				*operand[k] = (uint16_t)(*operand[k] + e->nperm);
		}
	}
}

static void derive_reads(struct emit *e, struct code *code)
{
	const struct asl_program *prog = e->c->prog;
	bool *seen = asl_new(e->c, (size_t)prog->nreads * sizeof *seen);
	struct asl_read *reads = asl_keep(e->c, (size_t)prog->nreads, sizeof *reads);
	int *metrics = asl_keep(e->c, (size_t)prog->nreads, sizeof *metrics);
	int ctx = code->pub.context;

	for (int i = 0; i < e->n; i++) {
		const struct asl_read *r;
		bool mine = true;

		if (!asl_op_is_attr(e->insn[i].op) || seen[e->insn[i].c])
			continue;
		r = &prog->reads[e->insn[i].c];
		seen[e->insn[i].c] = true;
		reads[code->pub.nreads++] = *r;
		if ((!asl_class_is(prog, r->cls, ctx) && !asl_class_is(prog, ctx, r->cls))
				|| r->attr >= prog->classes[ctx].nattrs)
			continue;
		for (int k = 0; k < code->pub.nmetrics; k++)
			mine = mine && metrics[k] != r->attr;
		if (mine)
			metrics[code->pub.nmetrics++] = r->attr;
	}
	code->pub.reads = reads;
	code->pub.metrics = metrics;
}

static void describe(struct emit *e, struct code *code)
{
	struct decl *d = asl_body(e->prop);
	struct node *refines = e->prop->refines || d == e->prop ? e->prop->refines : d->refines;
	struct asl_property *pub = &code->pub;
	int *classes = asl_keep(e->c, (size_t)e->nparams, sizeof *classes), *parents;
	int n = 0;

	pub->name = asl_keep_text(e->c, e->prop->name);
	pub->file = e->c->prog->files[e->prop->pos.file];
	pub->line = e->prop->pos.line;
	pub->basis = -1;
	for (struct var *v = d->vars; v; v = v->next, n++) {
		classes[n] = v->sym->type.ref;
		if (n > 0 && !strcmp(v->name, "Basis")
				&& !strcmp(e->c->prog->classes[classes[n]].name, "Region"))
			pub->basis = n;
	}
	pub->context = classes[0];
	pub->nparams = n;
	pub->param_class = classes;
	n = 0;
	for (struct node *r = refines; r; r = r->next)
		n++;
	parents = asl_keep(e->c, (size_t)n, sizeof *parents);
	for (struct node *r = refines; r; r = r->next)
		parents[pub->nparents++] = r->sym->decl->number;
	pub->parents = parents;
	pub->severity_is_time = false;
	for (int i = 0; i < MAX_UNITS; i++)
		pub->severity_is_time = pub->severity_is_time || e->prop->severity_unit.e[i];
}

static void keep_code(struct emit *e, struct code *code)
{
	size_t n = (size_t)e->n;

	renumber(e);
	code->ninsn = e->n;
	code->insn = memcpy(asl_keep(e->c, n, sizeof *e->insn), e->insn, n * sizeof *e->insn);
	code->where = memcpy(asl_keep(e->c, n, sizeof *e->where), e->where, n * sizeof *e->where);
	code->nnum = e->nperm + e->max_temp;
	code->nobj = e->nobj;
	code->nset = e->nset;
	code->ntext = e->ntext;
	code->obj_class = asl_keep(e->c, (size_t)e->nobj, sizeof *code->obj_class);
	memcpy(code->obj_class, e->obj_class, (size_t)e->nobj * sizeof *code->obj_class);
}

static void emit_property(struct compile *c, struct decl *prop)
{
	struct emit *e = asl_new(c, sizeof *e);
	struct decl *d = asl_body(prop);

	e->c = c;
	e->prop = prop;
	e->pos = prop->pos;
	if (setjmp(e->fail))
		return;
	asl_prop_units(c, prop);        /* binds the template's functions too */
	for (struct var *v = d->vars; v; v = v->next)
		v->sym->reg = new_object(e, v->sym->type.ref);
	e->nparams = e->nobj;
	emit_condition(e, d);
	emit_lets(e, d, false);
	emit_entries(e, d->severity, OP_SEV);
	emit_entries(e, d->confidence, OP_CONF);
	emit_advice(e, d->advice);
	emit(e, OP_END, 0, 0, 0);
	describe(e, &c->prog->props[prop->number]);
	keep_code(e, &c->prog->props[prop->number]);
	derive_reads(e, &c->prog->props[prop->number]);
}

static void keep_constants(struct compile *c)
{
	struct asl_program *p = c->prog;
	int n = 0;

	for (struct decl *d = c->decls; d; d = d->next)
		n += d->kind == D_CONST;
	p->constants = asl_keep(c, (size_t)n, sizeof *p->constants);
	for (struct decl *d = c->decls; d; d = d->next) {
		struct constant *k = &p->constants[p->nconstants];
		const struct node *v = d->sym->folded;
		char value[64];

		if (d->kind != D_CONST)
			continue;
		snprintf(value, sizeof value, v->kind == N_BOOL ? v->num ? "true" : "false" : "%.10g",
			v->num);
		k->name = asl_keep_text(c, d->name);
		k->value = asl_keep_text(c, v->kind == N_STRING || v->kind == N_NAME ? v->name : value);
		k->origin = asl_keep_text(c, asl_pos_text(c, d->pos));
		p->nconstants++;
	}
}

void asl_emit(struct compile *c)
{
	struct asl_program *p = c->prog;

	p->nfiles = (int)c->nsources;
	p->files = asl_keep(c, c->nsources, sizeof *p->files);
	for (int i = 0; i < p->nfiles; i++)
		p->files[i] = asl_keep_text(c, c->sources[i].name);
	for (struct decl *d = c->decls; d; d = d->next)
		if (d->kind == D_INST || (d->kind == D_PROP && !d->is_template))
			d->number = p->nprops++;
	p->props = asl_keep(c, (size_t)p->nprops, sizeof *p->props);
	for (struct decl *d = c->decls; d; d = d->next)
		if (d->kind == D_INST || (d->kind == D_PROP && !d->is_template))
			emit_property(c, d);
	keep_constants(c);
}
