/* SPDX-License-Identifier: BSD-3-Clause */
/* Verifies code once, so that the VM need not check it: every operand is within its bounds, every
 * jump within the code, and every object register of the class whose attribute is read.  All
 * registers begin undefined, so the order of their first writes does not matter.  Only OP_BACK and
 * OP_FILTER jump backwards, and the VM counts their steps.  Loops nest; they are entered at OP_LOOP
 * and left behind their last OP_BACK only.  The instructions of the verdict are outside of loops
 * and in order. */
#include "asl/code.h"

const struct op_info asl_ops[OP_COUNT] = {
#define OP(name, operands, meaning) { #name, operands, meaning },
#include "asl/ops.def"
};

static int check_operand(const struct asl_program *p, const struct code *code, int at, char kind,
	int v, struct err *err)
{
	const struct { char kind; int limit; const char *what; } limits[] = {
		{ 'N', code->nnum, "number register" }, { 'O', code->nobj, "object register" },
		{ 'S', code->nset, "set register" }, { 'T', code->ntext, "text register" },
		{ 'W', code->nnum - 2, "register triple" }, { 'K', p->nnumbers, "constant" },
		{ 'X', p->ntexts, "text constant" }, { 'A', p->nreads, "attribute" },
		{ 'E', p->nenums, "enumeration" }, { 'B', at, "way back" },
		{ 'L', code->ninsn, "way forward" },
	};

	if (kind == '-' && v)
		return err_set(err, "instruction %d: operand %d is not used", at, v);
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		if (kind == limits[i].kind && v >= limits[i].limit)
			return err_set(err, "instruction %d: no %s %d", at, limits[i].what, v);
	if (kind == 'L' && v <= at)
		return err_set(err, "instruction %d: way forward goes back to %d", at, v);
	return 0;
}

static int check_attr(const struct asl_program *p, const struct code *code, int at,
	const struct insn *i, struct err *err)
{
	const struct asl_read *r = &p->reads[i->c];
	const struct class_attr *a;
	bool fits;

	if (r->cls < 0 || r->cls >= p->nclasses || r->attr < 0
			|| r->attr >= p->classes[r->cls].nattrs)
		return err_set(err, "instruction %d: attribute %d of no class", at, i->c);
	if (!asl_class_is(p, code->obj_class[i->b], r->cls))
		return err_set(err, "instruction %d: object of another class", at);
	a = &p->classes[r->cls].attrs[r->attr];
	switch (i->op) {
	case OP_ATTRO:
		fits = a->kind == K_OBJECT && code->obj_class[i->a] == a->ref;
		break;
	case OP_ATTRT:
		fits = a->kind == K_STRING;
		break;
	case OP_ATTRS:
		fits = a->kind == K_SET;
		break;
	default:
		fits = a->kind == K_BOOL || a->kind == K_INT || a->kind == K_FLOAT
			|| a->kind == K_ENUM;
		fits = fits && a->array == (i->op == OP_ATTRI || i->op == OP_SAMPLESI
			|| i->op == OP_COVERAGEI);
	}
	return fits ? 0 : err_set(err, "instruction %d: attribute of another type", at);
}

static int check_rest(const struct asl_program *p, const struct code *code, int at,
	const struct insn *i, struct err *err)
{
	if (asl_op_is_attr(i->op))
		return check_attr(p, code, at, i, err);
	if ((i->op == OP_MOVO && !asl_class_is(p, code->obj_class[i->b], code->obj_class[i->a]))
			|| (i->op == OP_SELO
			&& !asl_class_is(p, code->obj_class[i->c], code->obj_class[i->a])))
		return err_set(err, "instruction %d: object of another class", at);
	if ((i->op == OP_ALT && i->b >= MAX_ALT) || (i->op == OP_GMAX && i->c > ALT_ALWAYS))
		return err_set(err, "instruction %d: no such alternative", at);
	if (i->op == OP_TEXT && (i->a == TEXT_ADVICE || i->a >= TEXT_COUNT))
		return err_set(err, "instruction %d: no text %d", at, i->a);
	if (i->op == OP_ADVN && i->b >= FORM_COUNT)
		return err_set(err, "instruction %d: no form %d", at, i->b);
	if (i->op == OP_PART && (i->b >= code->nparts || i->c >= ASL_NAGGREGATES))
		return err_set(err, "instruction %d: no part %d or fold %d", at, i->b, i->c);
	return 0;
}

/* --- order --- */
struct order {
	struct { int top, end; } loop[MAX_SET];         /* the open loops */
	int depth;
	bool held;              /* HOLDS was passed */
	bool advised;           /* an instruction of the texts was passed: only such may follow */
	bool part;              /* code of a part: gives a value instead of a verdict */
};

static int enter_loop(const struct code *code, struct order *o, int at, struct err *err)
{
	int end = code->insn[at].c, around = o->depth ? o->loop[o->depth - 1].end - 1 : code->ninsn;
	const struct insn *last = &code->insn[end - 1];

	if (end > around)
		return err_set(err, "instruction %d: loop ends outside the one around it", at);
	if (end < at + 3 || last->op != OP_BACK || last->a != at + 1)
		return err_set(err,
			"instruction %d: loop does not end with the way back to its begin", at);
	if (o->depth == MAX_SET)
		return err_set(err, "instruction %d: more than %d nested loops", at, MAX_SET);
	o->loop[o->depth].top = at + 1;
	o->loop[o->depth++].end = end;
	return 0;
}

static int check_inside(const struct insn *i, const struct order *o, int at, struct err *err)
{
	bool next = i->op == OP_NEXT || i->op == OP_NEXTO;

	if (!o->depth)
		return err_set(err, "instruction %d: %s outside a loop", at, asl_ops[i->op].name);
	if (next && i->c != o->loop[o->depth - 1].end)
		return err_set(err, "instruction %d: way out does not go to the end of the loop",
			at);
	if (!next && (i->op == OP_BACK ? i->a : i->c) != o->loop[o->depth - 1].top)
		return err_set(err, "instruction %d: way back does not go to the begin of the loop",
			at);
	return 0;
}

static int check_order(const struct code *code, struct order *o, int at, struct err *err)
{
	const struct insn *i = &code->insn[at];

	while (o->depth && o->loop[o->depth - 1].end == at)
		o->depth--;
	switch ((enum opcode)i->op) {
	case OP_LOOP:
		return enter_loop(code, o, at, err);
	case OP_NEXT: case OP_NEXTO: case OP_FILTER: case OP_BACK:
		return check_inside(i, o, at, err);
	case OP_RATE: case OP_ALT: case OP_HOLDS:
		if (o->depth || o->held)
			break;
		o->held = i->op == OP_HOLDS;
		return 0;
	case OP_GIVE:
		if (o->depth || !o->held || !o->part)
			break;
		return 0;
	case OP_GMAX: case OP_SEV: case OP_CONF:
		if (o->depth || !o->held || o->part || o->advised)
			break;
		return 0;
	case OP_TEXT: case OP_ADVX: case OP_ADVN: case OP_ADVT: case OP_ADVE:
		if (o->depth || !o->held || o->part)
			break;
		o->advised = true;
		return 0;
	case OP_END:
		if (o->depth || !o->held || at != code->ninsn - 1)
			break;
		return 0;
	default:
		return 0;
	}
	return err_set(err, "instruction %d: %s is out of place", at, asl_ops[i->op].name);
}

static int check_frame(const struct asl_program *p, const struct code *code, struct err *err)
{
	if (code->nnum < 0 || code->nnum > MAX_NUM || code->nobj < code->pub.nparams
			|| code->nobj > MAX_OBJ || code->nset < 0 || code->nset > MAX_SET
			|| code->ntext < 0 || code->ntext > MAX_TEXT)
		return err_set(err, "frame is too large");
	for (int i = 0; i < code->nobj; i++)
		if (code->obj_class[i] < 0 || code->obj_class[i] >= p->nclasses)
			return err_set(err, "object register %d has no class", i);
	for (int i = 0; i < code->pub.nparams; i++)
		if (code->pub.param_class[i] != code->obj_class[i])
			return err_set(err, "parameter %d has another class", i);
	if (code->ninsn < 1 || code->ninsn > MAX_CODE
			|| code->insn[code->ninsn - 1].op != OP_END)
		return err_set(err, "code does not end");
	return 0;
}

static int check_code(const struct asl_program *p, const struct code *code, bool is_part,
	struct err *err)
{
	struct order order = { .part = is_part };

	if (check_frame(p, code, err) < 0)
		return -1;
	for (int at = 0; at < code->ninsn; at++) {
		const struct insn *i = &code->insn[at];
		const int v[] = { i->a, i->b, i->c };

		if (i->op >= OP_COUNT)
			return err_set(err, "instruction %d: no operation %d", at, i->op);
		for (int k = 0; k < 3; k++)
			if (check_operand(p, code, at, asl_ops[i->op].operands[k], v[k], err) < 0)
				return -1;
		if (check_rest(p, code, at, i, err) < 0 || check_order(code, &order, at, err) < 0)
			return -1;
	}
	return 0;
}

/* Checks that the only parameter of part n is an element of a set attribute of the context, and
 * that the part has no parts itself. */
static int check_part(const struct asl_program *p, const struct code *code, int n, struct err *err)
{
	const struct part *part = &code->parts[n];
	const struct class_info *context = &p->classes[code->obj_class[0]];
	const struct class_attr *set;

	if (part->attr < 0 || part->attr >= context->nattrs)
		return err_set(err, "part %d: no attribute %d", n, part->attr);
	set = &context->attrs[part->attr];
	if (set->kind != K_SET || part->code.nparts || part->code.pub.nparams != 1
			|| part->code.pub.context != set->ref
			|| part->code.pub.param_class[0] != set->ref)
		return err_set(err, "part %d: not of the elements of '%s'", n, set->name);
	return check_code(p, &part->code, true, err);
}

int asl_verify(const struct asl_program *p, const struct code *code, struct err *err)
{
	if (check_code(p, code, false, err) < 0)
		return -1;
	if (code->nparts < 0 || code->nparts > ASL_MAX_PARTS
			|| (code->nparts && code->pub.nparams < 1))
		return err_set(err, "%d parts", code->nparts);
	for (int i = 0; i < code->nparts; i++)
		if (check_part(p, code, i, err) < 0)
			return -1;
	return 0;
}
