/* SPDX-License-Identifier: BSD-3-Clause */
/* Emits properties and derives their public description (struct asl_property); expr.c emits
 * expressions. */
#include "asl/emit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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
		s->set = asl_emit_set(v->init);
		break;
	case K_OBJECT:
		s->reg = asl_emit_object(e, v->init);
		break;
	case K_STRING:
		s->reg = asl_emit_text(e, v->init);
		break;
	default:
		reg = asl_emit_number(e, v->init);
		s->reg = reg;
		if (reg < PERMANENT) {
			s->reg = asl_emit_permanent(e);
			asl_emit_move(e, s->reg, reg, 0);
		}
		e->ntemp = 0;
	}
}

/* Marks the LET definitions that the condition uses, directly or through others. */
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

/* The first ordering comparison of an alternative, outside of functions and sets. */
static const struct node *first_comparison(const struct node *n)
{
	const struct node *found;

	if (!n || n->was_call)
		return NULL;
	if (n->kind == N_ALT || n->kind == N_NOT)
		return first_comparison(n->a);
	if (n->kind != N_BIN)
		return NULL;
	if (n->op >= B_LT && n->op <= B_GE)
		return n;
	if (n->op != B_AND && n->op != B_OR)
		return NULL;
	found = first_comparison(n->a);
	return found ? found : first_comparison(n->b);
}

static void emit_condition(struct emit *e, struct decl *d)
{
	int i = 0;

	for (struct var *v = d->lets; v; v = v->next)
		v->sym->in_condition = false;
	mark_lets(d->alternatives);
	emit_lets(e, d, true);
	for (struct node *n = d->alternatives; n; n = n->next) {
		int r;

		e->rate = first_comparison(n);
		r = asl_emit_number(e, n);
		e->rate = NULL;
		e->pos = n->pos;
		asl_emit_insn(e, OP_ALT, r, i++, 0);
		e->ntemp = 0;
	}
	asl_emit_insn(e, OP_HOLDS, 0, 0, 0);
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
		r = asl_emit_number(e, n);
	} else {
		one.next = NULL;
		r = asl_emit_load(e, -INFINITY);
		for (struct node *a = max ? n->a : &one; a; a = a->next) {
			int x = asl_emit_number(e, a);

			asl_emit_insn(e, OP_GMAX, r, x, a->kind == N_ENTRY ? a->op : ALT_ALWAYS);
			e->ntemp = r + 1;
		}
		asl_emit_insn(e, OP_GFIN, r, 0, 0);
	}
	e->pos = n->pos;
	asl_emit_insn(e, op, r, 0, 0);
	e->ntemp = 0;
}

static enum text_form form_of(struct emit *e, const struct piece *p)
{
	const char *unit;

	if (p->percent)
		return FORM_PERCENT;
	if (p->expr->type.kind == K_BOOL)
		return FORM_TRUTH;
	unit = asl_unit_text(e->c, asl_expr_unit(e->c, p->written ? p->written->expr : p->expr));
	return !strcmp(unit, "s") ? FORM_SECONDS : !strcmp(unit, "B") ? FORM_BYTES : FORM_PLAIN;
}

static void emit_texts(struct emit *e, const struct piece *p)
{
	enum text_clause clause = TEXT_ADVICE;

	for (; p; p = p->next) {
		if (p->clause != clause)
			asl_emit_insn(e, OP_TEXT, clause = p->clause, 0, 0);
		if (!p->expr)
			asl_emit_insn(e, OP_ADVX, asl_emit_text_constant(e, p->text), 0, 0);
		else if (p->expr->type.kind == K_STRING)
			asl_emit_insn(e, OP_ADVT, asl_emit_text(e, p->expr), 0, 0);
		else if (p->expr->type.kind == K_ENUM)
			asl_emit_insn(e, OP_ADVE, asl_emit_number(e, p->expr), p->expr->type.ref,
				0);
		else
			asl_emit_insn(e, OP_ADVN, asl_emit_number(e, p->expr), (int)form_of(e, p),
				0);
		e->ntemp = 0;
	}
}

/* --- the public description --- */
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

static void mark_read(struct emit *e, int read)
{
	e->c->severity_reads[read] = e->c->nseen;
}

/* Marks the attributes on which a severity depends, also through LET definitions and functions.
 * A guard only selects an entry: the attributes of its alternative do not count. */
static void mark_reads(struct emit *e, const struct code *code, const struct node *n)
{
	for (; n; n = n->next) {
		const struct code *part = n->kind == N_PART ? &code->parts[(int)n->num].code : NULL;
		struct sym *s = n->kind == N_NAME || n->kind == N_CALL ? n->sym : NULL;

		if (s && s->kind == S_FPARAM)
			s = s->fn;
		if (s && (s->kind == S_FUNC || s->kind == S_LET) && s->read_by != e->c->nseen) {
			s->read_by = e->c->nseen;
			mark_reads(e, code, s->kind == S_FUNC ? s->decl->result.init :
				s->var->init);
		}
		if (n->kind == N_ATTR)
			mark_read(e, asl_emit_read(e, n->a->type.ref, n->op));
		for (int i = 0; part && i < part->ninsn; i++)
			if (asl_op_is_attr(part->insn[i].op))
				mark_read(e, part->insn[i].c);
		if (n->kind != N_AGG || n->op != AGG_COUNT)
			mark_reads(e, code, n->a);
		mark_reads(e, code, n->b);
		mark_reads(e, code, n->c);
	}
}

static void add_read(struct emit *e, struct code *code, int read)
{
	const struct asl_program *prog = e->c->prog;
	const struct asl_read *r = &prog->reads[read];
	int ctx = code->pub.context;

	if (e->c->seen_reads[read] == e->c->nseen)
		return;
	e->c->seen_reads[read] = e->c->nseen;
	((struct asl_read *)(uintptr_t)code->pub.reads)[code->pub.nreads++] = *r;
	if ((!asl_class_is(prog, r->cls, ctx) && !asl_class_is(prog, ctx, r->cls))
			|| r->attr >= prog->classes[ctx].nattrs)
		return;
	for (int k = 0; k < code->pub.nmetrics; k++)
		if (code->pub.metrics[k] == r->attr)
			return;
	((int *)(uintptr_t)code->pub.metrics)[code->pub.nmetrics++] = r->attr;
}

static size_t count_reads(const struct insn *insn, int n)
{
	size_t reads = 0;

	for (int i = 0; i < n; i++)
		reads += asl_op_is_attr(insn[i].op);
	return reads;
}

static void add_reads(struct emit *e, struct code *code, const struct insn *insn, int n)
{
	for (int i = 0; i < n; i++)
		if (asl_op_is_attr(insn[i].op))
			add_read(e, code, insn[i].c);
}

static void derive_severity_reads(struct emit *e, struct code *code, const struct node *severity)
{
	struct asl_property *pub = &code->pub;
	struct asl_read *reads = asl_keep(e->c, (size_t)pub->nreads, sizeof *reads);

	mark_reads(e, code, severity);
	for (int i = 0; i < pub->nreads; i++)
		if (e->c->severity_reads[asl_emit_read(e, pub->reads[i].cls, pub->reads[i].attr)]
				== e->c->nseen)
			reads[pub->nseverity_reads++] = pub->reads[i];
	pub->severity_reads = reads;
}

/* Lists the attributes that the property and its parts read. */
static void derive_reads(struct emit *e, struct code *code)
{
	size_t most = count_reads(e->insn, e->n) + (size_t)code->nparts;

	if (!e->c->seen_reads) {
		e->c->seen_reads = asl_new(e->c, UINT16_MAX * sizeof *e->c->seen_reads);
		e->c->severity_reads = asl_new(e->c, UINT16_MAX * sizeof *e->c->severity_reads);
	}
	e->c->nseen++;
	for (int i = 0; i < code->nparts; i++)
		most += count_reads(code->parts[i].code.insn, code->parts[i].code.ninsn);
	code->pub.reads = asl_keep(e->c, most, sizeof *code->pub.reads);
	code->pub.metrics = asl_keep(e->c, most, sizeof *code->pub.metrics);
	for (int i = 0; i < code->nparts; i++) {
		const struct part *part = &code->parts[i];

		add_read(e, code, asl_emit_read(e, code->pub.context, part->attr));
		add_reads(e, code, part->code.insn, part->code.ninsn);
	}
	add_reads(e, code, e->insn, e->n);
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
	pub->fixes = d->fixes;
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

/* --- parts: code of a property of one element, whose severity is the value --- */
static void describe_part(struct emit *e, const struct aggregate *f, int number, struct code *code)
{
	struct asl_property *pub = &code->pub;
	int *class = asl_keep(e->c, 1, sizeof *class);
	const char *name = arena_printf(e->c->scratch, "%s, part %d", e->prop->name, number);

	if (!name)
		longjmp(e->c->nomem, 1);
	*class = f->element->type.ref;
	pub->name = asl_keep_text(e->c, name);
	pub->file = e->c->prog->files[f->pos.file];
	pub->line = f->pos.line;
	pub->basis = -1;
	pub->context = *class;
	pub->nparams = 1;
	pub->param_class = class;
}

static bool emit_part(struct compile *c, struct decl *prop, const struct aggregate *f, int number,
	struct part *out)
{
	struct emit *e = asl_new(c, sizeof *e);

	e->c = c;
	e->prop = prop;
	e->pos = f->pos;
	if (setjmp(e->fail))
		return false;
	f->element->reg = asl_emit_object_register(e, f->element->type.ref);
	e->nparams = e->nobj;
	asl_emit_insn(e, OP_ALT, f->with ? asl_emit_number(e, f->with) : asl_emit_load(e, 1), 0, 0);
	e->ntemp = 0;
	asl_emit_insn(e, OP_HOLDS, 0, 0, 0);
	asl_emit_insn(e, OP_GIVE, f->value ? asl_emit_number(e, f->value) : asl_emit_load(e, 0), 0,
		0);
	asl_emit_insn(e, OP_END, 0, 0, 0);
	out->attr = f->attr;
	describe_part(e, f, number, &out->code);
	keep_code(e, &out->code);
	derive_reads(e, &out->code);
	return true;
}

/* The body to emit.  For a property of the whole application, emits its parts first.  NULL: an
 * error. */
static struct decl *prepare(struct compile *c, struct decl *prop, struct code *code)
{
	struct decl *d = asl_body(prop);
	struct aggregates *aggregates;

	if (!asl_is_whole(c, d->vars->sym->type.ref))
		return asl_expand_quality(c, prop);
	aggregates = asl_new(c, sizeof *aggregates);
	d = asl_expand(c, prop, aggregates);
	code->parts = asl_keep(c, (size_t)aggregates->n, sizeof *code->parts);
	for (int i = 0; d && i < aggregates->n; i++)
		if (!emit_part(c, prop, &aggregates->of[i], i, &code->parts[code->nparts++]))
			return NULL;
	return d;
}

/* Rejects a property of a process that refines one of the whole application, which is decided
 * later. */
static void check_refines(struct compile *c, const struct decl *prop)
{
	const struct decl *d = asl_body((struct decl *)(uintptr_t)prop);

	for (const struct node *r = prop->refines ? prop->refines : d->refines; r; r = r->next) {
		const struct decl *parent = asl_body(r->sym->decl);

		if (asl_is_whole(c, parent->vars->sym->type.ref)
				&& !asl_is_whole(c, d->vars->sym->type.ref))
			asl_error(c, r->pos,
				"'%s' is about all processes and is decided after '%s', which "
				"is about one: it cannot be refined by it", r->name, prop->name);
	}
}

static void emit_body(struct emit *e, struct decl *d, struct code *code)
{
	if (setjmp(e->fail))
		return;
	for (struct var *v = d->vars; v; v = v->next)
		v->sym->reg = asl_emit_object_register(e, v->sym->type.ref);
	e->nparams = e->nobj;
	emit_condition(e, d);
	emit_lets(e, d, false);
	emit_entries(e, d->severity, OP_SEV);
	emit_entries(e, d->confidence, OP_CONF);
	emit_texts(e, d->texts);
	asl_emit_insn(e, OP_END, 0, 0, 0);
	describe(e, code);
	keep_code(e, code);
	derive_reads(e, code);
	derive_severity_reads(e, code, d->severity);
}

/* Reuses the memory of the previous property. */
static struct emit *open_emit(struct compile *c)
{
	struct emit *e = c->emit;
	struct insn *insn;
	struct where *where;
	int cap;

	if (!e)
		return c->emit = asl_new(c, sizeof *e);
	insn = e->insn;
	where = e->where;
	cap = e->cap;
	memset(e, 0, sizeof *e);
	e->insn = insn;
	e->where = where;
	e->cap = cap;
	return e;
}

static void emit_property(struct compile *c, struct decl *prop)
{
	struct emit *e = open_emit(c);
	struct code *code = &c->prog->props[prop->number];
	struct decl *d;

	e->c = c;
	e->prop = prop;
	e->pos = prop->pos;
	check_refines(c, prop);
	asl_prop_units(c, prop);        /* binds the template's functions too */
	d = prepare(c, prop, code);
	if (d)
		emit_body(e, d, code);
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
		snprintf(value, sizeof value, v->kind == N_BOOL ? v->num ? "true" : "false" :
			"%.10g", v->num);
		k->name = asl_keep_text(c, d->name);
		k->value = asl_keep_text(c, v->kind == N_STRING || v->kind == N_NAME ? v->name :
			value);
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
	for (struct decl *d = c->decls; d && c->nerrors < MAX_ERRORS && c->work <= MAX_ALL_CODE;
			d = d->next)
		if (d->kind == D_INST || (d->kind == D_PROP && !d->is_template))
			emit_property(c, d);
	keep_constants(c);
}
