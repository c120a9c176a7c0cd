/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs verified code.  Undefined is a NaN whose payload is the instruction that made it, which
 * arithmetic hands on, so that a verdict can say what was undefined at no cost. */
#include "asl/code.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* payloads: instruction number + 1; 0 where the payload was lost */
#define STEPS_CAUSE 0x10000u
#define TEXT_OF(x) #x
#define STEPS_TEXT(n) "more than " TEXT_OF(n) " steps"
#define MANY_STEPS STEPS_TEXT(MAX_STEPS)
#define NAN_BITS 0x7ff8000000000000u

struct object {
	const void *p;          /* NULL: undefined */
	int cls;
	unsigned cause;
};

struct text {
	const char *s;          /* NULL: undefined */
	unsigned cause;
};

struct set {
	struct asl_value value; /* ASL_SET, or ASL_INT for a range */
	double undefined;       /* NaN with the cause, or 0 */
	size_t i, n;
};

struct frame {
	const struct asl_program *prog;
	const struct code *code;
	const struct asl_env *env;
	const struct asl_part *parts;
	struct asl_verdict *out;
	double num[MAX_NUM];
	struct object obj[MAX_OBJ];
	struct text text[MAX_TEXT];
	struct set set[MAX_SET];
	double unknown;         /* first undefined alternative, or 0 */
	double rate;            /* what the alternative at hand compares */
	size_t advice;
	long steps;
};

static double undefined(unsigned cause)
{
	uint64_t bits = NAN_BITS | cause;
	double f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

static unsigned cause_of(double f)
{
	uint64_t bits;

	memcpy(&bits, &f, sizeof bits);
	return (unsigned)(bits & 0x1ffff);
}

static bool is_finite(double f)
{
	return f - f == 0;
}

/* --- the environment's answers, which are not trusted to be of the declared type --- */
static const struct asl_read *ask(struct frame *f, const struct insn *i, int64_t index,
	struct asl_value *v)
{
	const struct asl_read *r = &f->prog->reads[i->c];
	const struct object *o = &f->obj[i->b];

	v->type = ASL_UNDEFINED;
	v->samples = v->coverage = 0;
	f->env->attr(f->env->arg, o->cls, o->p, r->attr, index, v);
	return r;
}

static double number_in(const struct asl_value *v, double otherwise)
{
	switch (v->type) {
	case ASL_FLOAT:
		return is_finite(v->v.f) ? v->v.f : otherwise;
	case ASL_INT:
	case ASL_ENUM:
		return (double)v->v.i;
	case ASL_BOOL:
		return v->v.b;
	default:
		return otherwise;
	}
}

/* ATTR, SAMPLES, COVERAGE and their indexed forms. */
static double read_number(struct frame *f, const struct insn *i, unsigned at)
{
	bool indexed = i->op == OP_ATTRI || i->op == OP_SAMPLESI || i->op == OP_COVERAGEI;
	double index = indexed ? f->num[i->a] : -1, x;
	struct asl_value v;

	if (!f->obj[i->b].p)
		return undefined(f->obj[i->b].cause);
	if (indexed && isnan(index))
		return index;
	if (indexed && !(index >= 0 && index < 1e15))
		return undefined(at);
	ask(f, i, (int64_t)index, &v);
	x = number_in(&v, undefined(at));
	if (i->op == OP_ATTR || i->op == OP_ATTRI || isnan(x))
		return x;
	if (i->op == OP_SAMPLES || i->op == OP_SAMPLESI)
		return v.samples > 0 ? v.samples : INFINITY;
	return v.coverage > 0 ? v.coverage : 1;
}

static struct object object_in(const struct frame *f, const struct asl_value *v, int cls,
	unsigned at)
{
	if (v->type != ASL_OBJECT || !v->v.object || !asl_class_is(f->prog, v->cls, cls))
		return (struct object){ NULL, cls, at };
	return (struct object){ v->v.object, v->cls, at };
}

static void read_object(struct frame *f, const struct insn *i, unsigned at)
{
	struct asl_value v;
	int cls = f->code->obj_class[i->a];

	if (!f->obj[i->b].p) {
		f->obj[i->a] = (struct object){ NULL, cls, f->obj[i->b].cause };
		return;
	}
	ask(f, i, -1, &v);
	f->obj[i->a] = object_in(f, &v, cls, at);
}

static void read_text(struct frame *f, const struct insn *i, unsigned at)
{
	struct asl_value v;

	f->text[i->a] = (struct text){ NULL, at };
	if (!f->obj[i->b].p) {
		f->text[i->a].cause = f->obj[i->b].cause;
		return;
	}
	ask(f, i, -1, &v);
	if (v.type == ASL_STRING)
		f->text[i->a].s = v.v.s;
}

static void read_set(struct frame *f, const struct insn *i, unsigned at)
{
	struct set *s = &f->set[i->a];

	s->n = 0;
	s->undefined = undefined(at);
	if (!f->obj[i->b].p) {
		s->undefined = undefined(f->obj[i->b].cause);
		return;
	}
	ask(f, i, -1, &s->value);
	if (s->value.type != ASL_SET)
		return;
	s->undefined = 0;
	s->n = s->value.v.set.n;
}

static void make_range(struct frame *f, const struct insn *i, unsigned at)
{
	struct set *s = &f->set[i->a];
	double n = f->num[i->b];

	s->value.type = ASL_INT;
	s->undefined = isnan(n) ? n : n < 0 || n > 1e15 ? undefined(at) : 0;
	s->n = s->undefined != 0 ? 0 : (size_t)n;
}

static void next_object(struct frame *f, const struct insn *i, unsigned at)
{
	struct set *s = &f->set[i->b];
	struct asl_value v = { .type = ASL_UNDEFINED };

	f->env->element(f->env->arg, &s->value, s->i++, &v);
	f->obj[i->a] = object_in(f, &v, f->code->obj_class[i->a], at);
}

/* --- three-valued logic on 0, 1 and NaN --- */
static double kleene_and(double a, double b)
{
	return a == 0 || b == 0 ? 0 : isnan(a) ? a : b;
}

static double kleene_or(double a, double b)
{
	return a == 1 || b == 1 ? 1 : isnan(a) ? a : b;
}

static double same_object(const struct object *a, const struct object *b)
{
	return !a->p ? undefined(a->cause) : !b->p ? undefined(b->cause) : a->p == b->p;
}

static double same_text(const struct text *a, const struct text *b)
{
	return !a->s ? undefined(a->cause) : !b->s ? undefined(b->cause) : !strcmp(a->s, b->s);
}

static double negate(double a)
{
	return isnan(a) ? a : a == 0;
}

/* Welford: mean, sum of squared differences, count. */
static void std_take(double *w, double x)
{
	double d = x - w[0];

	w[2] += 1;
	w[0] += d / w[2];
	w[1] += d * (x - w[0]);
}

static double std_give(const double *w, unsigned at)
{
	if (isnan(w[0]))
		return w[0];
	return w[2] > 0 ? sqrt(w[1] / w[2]) : undefined(at);
}

/* --- advice --- */
static void advise(struct frame *f, const char *s)
{
	size_t room = sizeof f->out->advice - 1 - f->advice, n = strlen(s);

	if (n > room) {
		n = room;
		while (n && ((unsigned char)s[n] & 0xc0) == 0x80)       /* no half character */
			n--;
	}
	memcpy(f->out->advice + f->advice, s, n);
	f->advice += n;
	f->out->advice[f->advice] = '\0';
}

static void scaled(char *s, size_t size, double x, const char *const *units, double step, int n)
{
	int k = 0;

	for (; k + 1 < n && fabs(x) >= step; k++)
		x /= step;
	snprintf(s, size, "%.3g %s", x, units[k]);
}

static void advise_number(struct frame *f, double x, int form)
{
	static const char *const times[] = { "ns", "us", "ms", "s" };
	static const char *const bytes[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	char s[64];

	if (isnan(x))
		snprintf(s, sizeof s, "?");
	else if (form == FORM_PERCENT)
		snprintf(s, sizeof s, "%.*f%%", fabs(x) < 0.0995 ? 1 : 0, 100 * x);
	else if (form == FORM_SECONDS)
		scaled(s, sizeof s, 1e9 * x, times, 1000, 4);
	else if (form == FORM_BYTES)
		scaled(s, sizeof s, x, bytes, 1024, 5);
	else if (form == FORM_TRUTH)
		snprintf(s, sizeof s, "%s", x != 0 ? "true" : "false");
	else
		snprintf(s, sizeof s, x == floor(x) && fabs(x) < 1e15 ? "%.0f" : "%.3g", x);
	advise(f, s);
}

static void advise_enum(struct frame *f, double x, int which)
{
	const struct enum_info *e = &f->prog->enums[which];

	advise(f, x >= 0 && x < e->nitems ? e->items[(int)x] : "?");
}

/* --- verdict --- */

/* Why a part is undefined; false: for want of elements. */
static bool say_part(char *s, size_t size, const struct asl_part *part, enum asl_fold fold)
{
	const char *why = part->unsure ? part->why_unsure : part->why_undefined;

	if (!part->unsure && (!part->undefined || fold == ASL_COUNT))
		return false;
	snprintf(s, size, "%s", *why ? why : "a value");
	return true;
}

static double read_part(const struct frame *f, const struct insn *i, unsigned at)
{
	double x = asl_part_fold(&f->parts[i->b], (enum asl_fold)i->c);

	return isnan(x) ? undefined(at) : x;
}

static void say_undecided(struct frame *f, double why)
{
	char *s = f->out->undecided;
	size_t size = sizeof f->out->undecided;
	unsigned cause = cause_of(why);
	const struct where *w;
	const struct insn *i;
	const char *what;

	if (cause == STEPS_CAUSE) {
		snprintf(s, size, "%s", MANY_STEPS);
		return;
	}
	if (cause == 0 || cause > (unsigned)f->code->ninsn) {
		snprintf(s, size, "a value");
		return;
	}
	i = &f->code->insn[cause - 1];
	w = &f->code->where[cause - 1];
	if (i->op == OP_PART && say_part(s, size, &f->parts[i->b], (enum asl_fold)i->c))
		return;
	if (asl_op_is_attr(i->op)) {
		const struct asl_read *r = &f->prog->reads[i->c];

		snprintf(s, size, "%s", f->prog->classes[r->cls].attrs[r->attr].name);
		return;
	}
	what = i->op == OP_DIV ? "division by zero" : i->op == OP_SOME || i->op == OP_STDFIN
		|| i->op == OP_PART ? "aggregate of an empty set" : i->op == OP_UNIQ || i->op == OP_UNIQO
		? "UNIQUE of not one element" : i->op == OP_RANGE ? "range below zero" : "value";
	snprintf(s, size, "%s at %s:%d", what, f->prog->files[w->file], w->line);
}

static void give(struct frame *f, double x)
{
	f->out->severity = x;
	if (isnan(x))
		say_undecided(f, x);
}

/* True when the property holds. */
static bool holds(struct frame *f)
{
	struct asl_verdict *out = f->out;

	if (out->alternatives) {
		out->holds = ASL_TRUE;
		return true;
	}
	out->holds = isnan(f->unknown) ? ASL_UNDECIDED : ASL_FALSE;
	if (out->holds == ASL_UNDECIDED)
		say_undecided(f, f->unknown);
	return false;
}

static void confide(struct frame *f, double x)
{
	f->out->clamped = x < 0 || x > 1;
	f->out->confidence = isnan(x) ? NAN : x < 0 ? 0 : x > 1 ? 1 : x;
}

/* --- the machine --- */
static void run(struct frame *f)
{
	const struct insn *const code = f->code->insn;
	const double *const k = f->prog->numbers;
	double *const num = f->num;
	struct object *const obj = f->obj;
	struct text *const txt = f->text;
	const struct insn *i;
	unsigned pc = 0;

#define A num[i->a]
#define B num[i->b]
#define C num[i->c]
	for (;;) {
		i = &code[pc++];        /* from here on pc is this one's cause */
		switch ((enum opcode)i->op) {
		case OP_END: return;
		case OP_LOADK: A = k[i->b]; break;
		case OP_MOV: A = B; break;
		case OP_LOADT: txt[i->a] = (struct text){ f->prog->texts[i->b], 0 }; break;
		case OP_ATTR: case OP_ATTRI: case OP_SAMPLES: case OP_SAMPLESI:
		case OP_COVERAGE: case OP_COVERAGEI:
			A = read_number(f, i, pc);
			break;
		case OP_ATTRO: read_object(f, i, pc); break;
		case OP_ATTRT: read_text(f, i, pc); break;
		case OP_ATTRS: read_set(f, i, pc); break;
		case OP_RANGE: make_range(f, i, pc); break;
		case OP_ADD: A = B + C; break;
		case OP_SUB: A = B - C; break;
		case OP_MUL: A = B * C; break;
		case OP_DIV: A = C == 0 ? (isnan(B) ? B : undefined(pc)) : B / C; break;
		case OP_NEG: A = -B; break;
		case OP_MINN: A = isnan(B) ? B : C < B || isnan(C) ? C : B; break;
		case OP_MAXN: A = isnan(B) ? B : C > B || isnan(C) ? C : B; break;
		case OP_LT: A = isunordered(B, C) ? B + C : B < C; break;
		case OP_LE: A = isunordered(B, C) ? B + C : B <= C; break;
		case OP_EQ: A = isunordered(B, C) ? B + C : B == C; break;
		case OP_NE: A = isunordered(B, C) ? B + C : B != C; break;
		case OP_EQO: A = same_object(&obj[i->b], &obj[i->c]); break;
		case OP_NEO: A = negate(same_object(&obj[i->b], &obj[i->c])); break;
		case OP_EQT: A = same_text(&txt[i->b], &txt[i->c]); break;
		case OP_NET: A = negate(same_text(&txt[i->b], &txt[i->c])); break;
		case OP_AND: A = kleene_and(B, C); break;
		case OP_OR: A = kleene_or(B, C); break;
		case OP_NOT: A = negate(B); break;
		case OP_SEL: A = isnan(A) ? A : A != 0 ? B : C; break;
		case OP_SELO:
			if (isnan(B))
				obj[i->a] = (struct object){ NULL, obj[i->a].cls, cause_of(B) };
			else if (B == 0)
				obj[i->a] = obj[i->c];
			break;
		case OP_SELT:
			if (isnan(B))
				txt[i->a] = (struct text){ NULL, cause_of(B) };
			else if (B == 0)
				txt[i->a] = txt[i->c];
			break;
		case OP_MOVO: obj[i->a] = obj[i->b]; break;
		case OP_MOVT: txt[i->a] = txt[i->b]; break;
		case OP_LOOP:
			f->set[i->a].i = 0;
			if (isnan(f->set[i->a].undefined)) {
				B = f->set[i->a].undefined;
				pc = i->c;
			}
			break;
		case OP_NEXT:
			if (f->set[i->b].i >= f->set[i->b].n)
				pc = i->c;
			else
				A = (double)f->set[i->b].i++;
			break;
		case OP_NEXTO:
			if (f->set[i->b].i >= f->set[i->b].n)
				pc = i->c;
			else
				next_object(f, i, pc);
			break;
		case OP_FILTER:
			if (A == 1)
				break;
			if (isnan(A))
				B = A;
			f->steps -= (long)(pc - i->c);
			pc = i->c;
			if (f->steps < 0)
				goto steps;
			break;
		case OP_BACK:
			f->steps -= (long)(pc - i->a);
			pc = i->a;
			if (f->steps < 0)
				goto steps;
			break;
		case OP_INC: A += 1; break;
		case OP_STDACC: std_take(&A, B); break;
		case OP_STDFIN: A = std_give(&B, pc); break;
		case OP_SOME: if (B == 0 && !isnan(A)) A = undefined(pc); break;
		case OP_UNIQ: if (B != 1) A = isnan(B) ? B : undefined(pc); break;
		case OP_UNIQO:
			if (B != 1)
				obj[i->a] = (struct object){ NULL, obj[i->a].cls,
					isnan(B) ? cause_of(B) : pc };
			break;
		case OP_PART: A = read_part(f, i, pc); break;
		case OP_GIVE: give(f, A); break;
		case OP_RATE: f->rate = A; break;
		case OP_ALT:
			if (i->b == 0 || (A == 1 && !f->out->alternatives))
				f->out->measure = isnan(f->rate) ? NAN : f->rate;
			f->rate = NAN;
			if (A == 1)
				f->out->alternatives |= (uint64_t)1 << i->b;
			else if (isnan(A) && f->unknown == 0)
				f->unknown = A;
			break;
		case OP_HOLDS:
			if (!holds(f))
				return;
			break;
		case OP_GMAX:
			if (i->c == ALT_ALWAYS || f->out->alternatives >> i->c & 1)
				A = isnan(A) ? A : B > A || isnan(B) ? B : A;
			break;
		case OP_GFIN: if (A == -INFINITY) A = undefined(pc); break;
		case OP_SEV: f->out->severity = is_finite(A) ? A : NAN; break;
		case OP_CONF: confide(f, A); break;
		case OP_ADVX: advise(f, f->prog->texts[i->a]); break;
		case OP_ADVN: advise_number(f, A, i->b); break;
		case OP_ADVT: advise(f, txt[i->a].s ? txt[i->a].s : "?"); break;
		case OP_ADVE: advise_enum(f, A, i->b); break;
		case OP_COUNT: return;
		}
	}
steps:
	f->out->holds = ASL_UNDECIDED;
	f->out->severity = f->out->confidence = NAN;
	f->out->alternatives = 0;
	say_undecided(f, undefined(STEPS_CAUSE));
#undef A
#undef B
#undef C
}

void asl_run(const struct asl_program *p, const struct code *code, const struct asl_env *env,
	void *const *objects, const struct asl_part *parts, long *steps, struct asl_verdict *out)
{
	struct frame f;

	f.prog = p;
	f.code = code;
	f.env = env;
	f.parts = parts;
	f.out = out;
	f.unknown = 0;
	f.rate = NAN;
	f.advice = 0;
	f.steps = *steps;
	for (int i = 0; i < code->nnum; i++)
		f.num[i] = undefined(0);
	for (int i = 0; i < code->nobj; i++)
		f.obj[i] = (struct object){ NULL, code->obj_class[i], 0 };
	for (int i = 0; i < code->pub.nparams; i++)
		f.obj[i].p = objects[i];
	for (int i = 0; i < code->ntext; i++)
		f.text[i] = (struct text){ NULL, 0 };
	for (int i = 0; i < code->nset; i++) {
		f.set[i].undefined = undefined(0);
		f.set[i].i = f.set[i].n = 0;
	}
	out->holds = ASL_UNDECIDED;
	out->confidence = out->severity = out->measure = NAN;
	out->alternatives = 0;
	out->clamped = false;
	out->advice[0] = out->undecided[0] = '\0';
	run(&f);
	*steps = f.steps;
}

/* Folds what env has of one set. */
static void fold_part(const struct asl_program *p, const struct code *code, const struct part *part,
	const struct asl_env *env, void *object, long *steps, struct asl_part *acc)
{
	int cls = code->pub.context;
	struct asl_value set = { .type = ASL_UNDEFINED };

	asl_part_init(acc);
	env->attr(env->arg, cls, object, part->attr, -1, &set);
	if (set.type != ASL_SET) {
		asl_part_miss(acc, p->classes[cls].attrs[part->attr].name);
		return;
	}
	for (size_t i = 0; i < set.v.set.n && *steps >= 0; i++) {
		struct asl_value v = { .type = ASL_UNDEFINED };

		env->element(env->arg, &set, i, &v);
		if (v.type == ASL_OBJECT && v.v.object
				&& asl_class_is(p, v.cls, part->code.pub.context))
			asl_part_run(p, &part->code, env, v.v.object, steps, acc);
		else
			asl_part_miss(acc, p->classes[cls].attrs[part->attr].name);
		*steps -= part->code.ninsn;
	}
	if (*steps < 0)
		asl_part_miss(acc, MANY_STEPS);
}

void asl_evaluate_parts(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *objects, const struct asl_part *parts, struct asl_verdict *out)
{
	long steps = MAX_STEPS;

	asl_run(p, &p->props[property], env, objects, parts, &steps, out);
}

static void evaluate_whole(const struct asl_program *p, const struct code *code,
	const struct asl_env *env, void *const *objects, struct asl_verdict *out)
{
	struct asl_part parts[ASL_MAX_PARTS];
	long steps = MAX_STEPS;

	for (int i = 0; i < code->nparts; i++)
		fold_part(p, code, &code->parts[i], env, objects[0], &steps, &parts[i]);
	asl_run(p, code, env, objects, parts, &steps, out);
}

void asl_evaluate(const struct asl_program *p, size_t property, const struct asl_env *env,
	void *const *objects, struct asl_verdict *out)
{
	const struct code *code = &p->props[property];

	if (code->nparts)
		evaluate_whole(p, code, env, objects, out);
	else
		asl_evaluate_parts(p, property, env, objects, NULL, out);
}
