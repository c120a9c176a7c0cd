/* SPDX-License-Identifier: BSD-3-Clause */
/* Between emit.c (properties) and expr.c (expressions): the code of one property in the making.
 * Number registers of intermediate results are a stack; those of LET definitions and of the
 * context's attributes, which are read once, are numbered apart (PERMANENT) and moved below the
 * others at the end. */
#ifndef PSC_ASL_EMIT_H
#define PSC_ASL_EMIT_H

#include "asl/ast.h"

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
	int expanded;           /* calls gone into, nodes of sets fixed */
	bool measured;          /* samples(), coverage(): something measured was met */
	const struct node *rate; /* the comparison whose left side an alternative is known by */
	jmp_buf fail;
};

/* --- insn.c: each ends with a jump to e->fail where the property needs too much --- */
void asl_emit_too_large(struct emit *e, const char *what);      /* says so and jumps */
/* What comes to no instruction is bounded as well: functions that hand their arguments on. */
void asl_emit_expansion(struct emit *e);
int asl_emit_insn(struct emit *e, enum opcode op, int a, int b, int c);
int asl_emit_temp(struct emit *e);
int asl_emit_permanent(struct emit *e);
int asl_emit_object_register(struct emit *e, int cls);
int asl_emit_set_register(struct emit *e);
int asl_emit_text_register(struct emit *e);
/* The result r of an expression begun with `mark` temporaries in use becomes the next one. */
int asl_emit_settle(struct emit *e, int mark, int r);
int asl_emit_load(struct emit *e, double f);            /* a constant to a temporary */
int asl_emit_read(struct emit *e, int cls, int attr);     /* its number in the program */
int asl_emit_text_constant(struct emit *e, const char *s);
void asl_emit_move(struct emit *e, int to, int from, int mark);

/* --- expr.c: an expression's value, as the register it is in --- */
int asl_emit_number(struct emit *e, struct node *n);
int asl_emit_object(struct emit *e, struct node *n);
int asl_emit_text(struct emit *e, struct node *n);
/* Looks through names of sets to the expression that makes the set. */
struct node *asl_emit_set(struct node *n);

#endif
