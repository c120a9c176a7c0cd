/* SPDX-License-Identifier: BSD-3-Clause */
/* A compiled program, private to asl/.  The program's arena owns all of it. */
#ifndef PSC_ASL_CODE_H
#define PSC_ASL_CODE_H

#include "asl/asl.h"
#include "base/arena.h"

enum opcode {
#define OP(name, operands, meaning) OP_##name,
#include "asl/ops.def"
	OP_COUNT
};

struct insn {
	uint16_t op;
	uint16_t a, b, c;
};

struct op_info {
	const char *name, *operands, *meaning;
};
extern const struct op_info asl_ops[OP_COUNT];

/* Limits of one property; its registers are a frame on the stack. */
#define MAX_NUM 256
#define MAX_OBJ ASL_MAX_PARAMS  /* parameters are objects */
#define MAX_SET 64
#define MAX_TEXT 256
#define MAX_CODE 60000
#define MAX_ALT 64
#define ALT_ALWAYS 64
#define MAX_STEPS 20000000      /* instructions of one evaluation that backward jumps repeat */

enum text_clause { TEXT_ADVICE, TEXT_WHY, TEXT_DO, TEXT_COUNT };
enum text_form { FORM_PLAIN, FORM_PERCENT, FORM_SECONDS, FORM_BYTES, FORM_TRUTH, FORM_COUNT };

enum kind { K_ERROR, K_BOOL, K_INT, K_FLOAT, K_STRING, K_ENUM, K_OBJECT, K_SET, K_RANGE, K_FUNC };

/* Exponents of the compile's base units.  `any`: a bare number, which fits every unit. */
#define MAX_UNITS 8
struct unit {
	int8_t e[MAX_UNITS];
	bool any;
};

struct class_attr {
	const char *name;
	struct unit unit;
	enum kind kind;
	int ref;                /* class or enumeration */
	bool array;
};

struct class_info {
	const char *name;
	int base;               /* class number, before or after this one; -1: none */
	int nattrs;             /* inherited ones first: a number holds in every extension */
	struct class_attr *attrs;
};

struct enum_info {
	const char *name;
	int nitems;
	const char **items;
};

struct constant {               /* shown by the dump only */
	const char *name, *value, *origin;
};

struct code {
	struct asl_property pub;
	struct insn *insn;
	struct where { int file, line, col; } *where;   /* source position of each instruction */
	int ninsn;
	int nnum, nobj, nset, ntext;
	int *obj_class;         /* declared class of each object register */
	struct part *parts;     /* of a property of AppPerf: operands of OP_PART */
	int nparts;
};

/* An aggregate over processes, as code that is run on one element: the condition decides whether
 * the element is selected, OP_GIVE gives its value. */
struct part {
	int attr;               /* the set: an attribute of the property's context */
	struct code code;
};

struct asl_program {
	struct arena *arena;
	long max_steps;         /* MAX_STEPS; fewer in the fuzzers */
	int nclasses, nenums;
	struct class_info *classes;
	struct enum_info *enums;
	int nprops;
	struct code *props;
	int nnumbers, ntexts, nreads, nconstants;
	double *numbers;
	const char **texts;
	struct asl_read *reads; /* attribute references */
	struct constant *constants;
	int nfiles;
	const char **files;
};

/* Adds one value to an accumulator.  NAN: undefined; `why` is the cause, "" when unknown. */
void asl_part_add(struct asl_part *acc, double value, const char *why);

enum asl_aggregate {
	ASL_COUNT, ASL_SUM, ASL_MIN, ASL_MAX, ASL_AVG, ASL_STDEV, ASL_EXISTS, ASL_FORALL,
	ASL_NAGGREGATES
};
/* The aggregate of the accumulated values.  NAN: undefined.  COUNT counts the selected elements.
 * EXISTS and FORALL expect values 0 and 1. */
double asl_part_result(const struct asl_part *acc, enum asl_aggregate aggregate);

/* Checks code: 0, or -1 with the place of the fault.  Code that passes is safe on any
 * environment. */
int asl_verify(const struct asl_program *p, const struct code *code, struct err *err);

static inline bool asl_op_is_attr(int op)
{
	return (op >= OP_ATTR && op <= OP_ATTRS);
}

#endif
