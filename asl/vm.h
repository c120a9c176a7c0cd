/* SPDX-License-Identifier: BSD-3-Clause */
/* State and operations of the VM, for vm.c, verdict.c, why.c and evaluation.c.  Undefined is a NaN
 * whose payload is the instruction that caused it.  Arithmetic propagates the payload, so that a
 * verdict can name the cause at no cost. */
#ifndef PSC_ASL_VM_H
#define PSC_ASL_VM_H

#include <math.h>
#include <string.h>

#include "asl/code.h"

/* payloads: instruction number + 1; 0: unknown */
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

struct vm_text {
	const char *s;          /* NULL: undefined */
	unsigned cause;
};

struct set {
	struct asl_value value; /* ASL_SET, or ASL_INT for a range */
	double undefined;       /* NaN with the cause; 0: the set is defined */
	size_t i, n;
};

struct job {
	const struct asl_program *prog;
	const struct code *code;
	const struct asl_env *env;
};

struct frame {                  /* of one context */
	struct job job;
	const struct asl_part *parts;
	struct asl_verdict *out;
	double num[MAX_NUM];
	struct object obj[MAX_OBJ];
	struct vm_text text[MAX_TEXT];
	struct set set[MAX_SET];
	double unknown;         /* NaN of the first undefined alternative; 0: none */
	double rate;            /* left side of the alternative's first comparison; NAN: none */
	enum text_clause clause;        /* the text that is written */
	size_t length;          /* of it */
	bool advising;
	long steps;
};

/* The comparison that decided a truth value. */
struct decider {
	unsigned at;            /* instruction number + 1; 0: unknown */
	double left, right;     /* its sides; NaN: no numbers */
	double distance;        /* relative distance of the sides; infinite: no numbers */
};

struct trace {                  /* of a run that asl_explain() makes */
	struct decider of[MAX_NUM];     /* of the value of each number register */
	struct decider all;     /* of the alternatives so far, none of which holds */
};

/* vm.c: runs code whose parts are accumulated.  Subtracts the steps that it took from *steps, which
 * may end a little below 0. */
void asl_run(const struct asl_program *p, const struct code *code, const struct asl_env *env,
	void *const *objects, const struct asl_part *parts, long *steps, struct asl_verdict *out);
/* The same, recording in *trace what decided. */
void asl_run_traced(const struct asl_program *p, const struct code *code, const struct asl_env *env,
	void *const *objects, const struct asl_part *parts, long steps, struct trace *trace,
	struct asl_verdict *out);

/* why.c: updates the trace for instruction i, which is about to run; writes the result as text. */
void asl_trace(struct trace *t, const struct frame *f, const struct insn *i, unsigned at);
void asl_say_why(const struct trace *t, const struct asl_program *p, const struct code *code,
	char *text, size_t size);

/* verdict.c */
/* Begins the text of a clause; appends to the text. */
void asl_text_begin(struct frame *f, enum text_clause clause);
void asl_advise(struct frame *f, const char *s);
void asl_advise_text(struct frame *f, struct vm_text text);
void asl_advise_number(struct frame *f, double x, int form);
void asl_advise_enum(struct frame *f, double x, int which);
void asl_say_undecided(struct frame *f, double why);

/* --- undefined --- */
static inline double asl_undefined(unsigned cause)
{
	uint64_t bits = NAN_BITS | cause;
	double f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

static inline unsigned asl_cause(double f)
{
	uint64_t bits;

	memcpy(&bits, &f, sizeof bits);
	return (unsigned)(bits & 0x1ffff);
}

static inline bool asl_is_finite(double f)
{
	return f - f == 0;
}

/* --- operations; logic is three-valued, on 0, 1 and NaN --- */
static inline double asl_divide(double b, double c, unsigned at)
{
	return c != 0 ? b / c : isnan(b) ? b : asl_undefined(at);
}

static inline double asl_smaller(double b, double c)
{
	double least = c < b ? c : b;

	return isnan(b) ? b : isnan(c) ? c : least;
}

static inline double asl_larger(double b, double c)
{
	double most = c > b ? c : b;

	return isnan(b) ? b : isnan(c) ? c : most;
}

static inline double asl_not(double a)
{
	return isnan(a) ? a : a == 0;
}

static inline double asl_and(double a, double b)
{
	return a == 0 || b == 0 ? 0 : isnan(a) ? a : b;
}

static inline double asl_or(double a, double b)
{
	return a == 1 || b == 1 ? 1 : isnan(a) ? a : b;
}

static inline double asl_same_object(struct object a, struct object b)
{
	return !a.p ? asl_undefined(a.cause) : !b.p ? asl_undefined(b.cause) : a.p == b.p;
}

static inline double asl_same_text(struct vm_text a, struct vm_text b)
{
	return !a.s ? asl_undefined(a.cause) : !b.s ? asl_undefined(b.cause) : !strcmp(a.s, b.s);
}

/* a ? b : c */
static inline struct object asl_select_object(double a, struct object b, struct object c)
{
	return isnan(a) ? (struct object){ NULL, b.cls, asl_cause(a) } : a == 0 ? c : b;
}

static inline struct vm_text asl_select_text(double a, struct vm_text b, struct vm_text c)
{
	return isnan(a) ? (struct vm_text){ NULL, asl_cause(a) } : a == 0 ? c : b;
}

static inline struct object asl_unique_object(double n, struct object o, unsigned at)
{
	return n == 1 ? o : (struct object){ NULL, o.cls, isnan(n) ? asl_cause(n) : at };
}

/* --- values of a verdict --- */
static inline double asl_severity(double x)
{
	return asl_is_finite(x) ? x : NAN;
}

static inline double asl_confidence(double x)
{
	double least = x < 0 ? 0 : x, cut = least > 1 ? 1 : least;

	return isnan(x) ? NAN : cut;
}

/* --- answers of the environment, whose types are checked --- */
static inline void asl_ask(const struct job *j, const struct insn *i, struct object o,
	int64_t index, struct asl_value *v)
{
	v->type = ASL_UNDEFINED;
	v->samples = v->coverage = 0;
	j->env->attr(j->env->arg, o.cls, o.p, j->prog->reads[i->c].attr, index, v);
}

static inline double asl_number_in(const struct asl_value *v, double otherwise)
{
	if (__builtin_expect(v->type == ASL_FLOAT, 1))
		return asl_is_finite(v->v.f) ? v->v.f : otherwise;
	switch (v->type) {
	case ASL_INT:
	case ASL_ENUM:
		return (double)v->v.i;
	case ASL_BOOL:
		return v->v.b;
	default:
		return otherwise;
	}
}

/* The value of an attribute of o, at an index or at -1.  samples, coverage: the results of
 * OP_SAMPLES and OP_COVERAGE. */
struct reading {
	double number, samples, coverage;
};
static inline struct reading asl_read(const struct job *j, const struct insn *i, struct object o,
	int64_t index, unsigned at)
{
	struct asl_value v;
	double x;

	if (!o.p) {
		x = asl_undefined(o.cause);
		return (struct reading){ x, x, x };
	}
	asl_ask(j, i, o, index, &v);
	x = asl_number_in(&v, asl_undefined(at));
	if (isnan(x))
		return (struct reading){ x, x, x };
	return (struct reading){ x, v.samples > 0 ? v.samples : INFINITY, v.coverage > 0 ?
		v.coverage : 1 };
}

/* The same at an index that the program has computed. */
static inline struct reading asl_read_at(const struct job *j, const struct insn *i, struct object o,
	double index, unsigned at)
{
	double x = asl_undefined(at);

	if (o.p && isnan(index))
		x = index;
	else if (!o.p || (index >= 0 && index < 1e15))
		return asl_read(j, i, o, (int64_t)index, at);
	return (struct reading){ x, x, x };
}

static inline struct object asl_object_in(const struct job *j, const struct asl_value *v, int cls,
	unsigned at)
{
	if (v->type != ASL_OBJECT || !v->v.object || !asl_class_is(j->prog, v->cls, cls))
		return (struct object){ NULL, cls, at };
	return (struct object){ v->v.object, v->cls, at };
}

static inline struct object asl_read_object(const struct job *j, const struct insn *i,
	struct object o, unsigned at)
{
	struct asl_value v;
	int cls = j->code->obj_class[i->a];

	if (!o.p)
		return (struct object){ NULL, cls, o.cause };
	asl_ask(j, i, o, -1, &v);
	return asl_object_in(j, &v, cls, at);
}

static inline struct vm_text asl_read_text(const struct job *j, const struct insn *i,
	struct object o, unsigned at)
{
	struct asl_value v;

	if (!o.p)
		return (struct vm_text){ NULL, o.cause };
	asl_ask(j, i, o, -1, &v);
	return (struct vm_text){ v.type == ASL_STRING ? v.v.s : NULL, at };
}

static inline void asl_read_set(const struct job *j, const struct insn *i, struct object o,
	unsigned at, struct set *s)
{
	s->n = 0;
	s->undefined = asl_undefined(o.p ? at : o.cause);
	if (!o.p)
		return;
	asl_ask(j, i, o, -1, &s->value);
	if (s->value.type != ASL_SET)
		return;
	s->undefined = 0;
	s->n = s->value.v.set.n;
}

static inline void asl_make_range(double n, unsigned at, struct set *s)
{
	s->value.type = ASL_INT;
	s->undefined = isnan(n) ? n : n < 0 || n > 1e15 ? asl_undefined(at) : 0;
	s->n = s->undefined != 0 ? 0 : (size_t)n;
}

#endif
