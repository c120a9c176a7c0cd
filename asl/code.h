/* SPDX-License-Identifier: BSD-3-Clause */
/* A compiled program, private to asl/: what emit.c writes, verify.c checks, vm.c runs and dump.c
 * prints.  Everything is owned by the program's arena. */
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

/* Limits of one property: what fits a frame on the stack. */
#define MAX_NUM 256
#define MAX_OBJ ASL_MAX_PARAMS  /* parameters are objects */
#define MAX_SET 64
#define MAX_TEXT 64
#define MAX_CODE 60000
#define MAX_ALT 64
#define ALT_ALWAYS 64
#define MAX_STEPS 20000000      /* instructions on backward ways of one evaluation */

enum advice_form { FORM_PLAIN, FORM_PERCENT, FORM_SECONDS, FORM_BYTES, FORM_TRUTH, FORM_COUNT };

enum kind { K_ERROR, K_BOOL, K_INT, K_FLOAT, K_STRING, K_ENUM, K_OBJECT, K_SET, K_RANGE, K_FUNC };

/* Exponents of the compile's base units.  `any`: a bare number, fits everything. */
#define MAX_UNITS 8
struct unit {
	int8_t e[MAX_UNITS];
	bool any;
};

struct class_attr {
	const char *name;
	const char *unit_text;
	struct unit unit;
	enum kind kind;
	int ref;                /* class or enumeration */
	bool array;
};

struct class_info {
	const char *name;
	int base;               /* -1 none; always declared in the table, in any order */
	int nattrs;             /* inherited first, so that numbers hold in every extension */
	struct class_attr *attrs;
};

struct enum_info {
	const char *name;
	int nitems;
	const char **items;
};

struct constant {               /* for the dump */
	const char *name, *value, *origin;
};

struct code {
	struct asl_property pub;
	struct insn *insn;
	struct where { int file, line, col; } *where;   /* of each instruction */
	int ninsn;
	int nnum, nobj, nset, ntext;
	int *obj_class;         /* declared class of each object register */
	struct part *parts;     /* of a property of AppPerf: OP_PART's */
	int nparts;
};

/* Code of one element of a set of processes: the condition says whether it counts, OP_GIVE its value. */
struct part {
	int attr;               /* the set: an attribute of the property's context */
	struct code code;
};

struct asl_program {
	struct arena *arena;
	long max_steps;         /* MAX_STEPS; less in the fuzzers */
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

/* Adds one value to an accumulator.  NAN is undefined: `why` names what was, "" when that is unknown. */
void asl_part_add(struct asl_part *acc, double value, const char *why);

enum asl_aggregate {
	ASL_COUNT, ASL_SUM, ASL_MIN, ASL_MAX, ASL_AVG, ASL_STDEV, ASL_EXISTS, ASL_FORALL, ASL_NAGGREGATES
};
/* The aggregate of the accumulated values.  NAN: undefined.  COUNT: of the selected elements.  EXISTS,
 * FORALL: of values 0 and 1. */
double asl_part_result(const struct asl_part *acc, enum asl_aggregate aggregate);

/* 0, or -1 and where it is broken.  Code that passes can be run on any environment. */
int asl_verify(const struct asl_program *p, const struct code *code, struct err *err);

static inline bool asl_op_is_attr(int op)
{
	return (op >= OP_ATTR && op <= OP_ATTRS);
}

#endif
