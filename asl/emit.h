/* SPDX-License-Identifier: BSD-3-Clause */
/* The code of one property while it is emitted: shared by emit.c (properties), expr.c (expressions)
 * and insn.c (instructions).  Number registers of intermediate results are a stack.  Registers of
 * LET definitions and of the context's attributes, each read once, are numbered separately from
 * PERMANENT on and moved below the others at the end. */
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
	int expanded;           /* functions expanded and set nodes copied, against MAX_CODE */
	bool measured;          /* inside samples(), coverage(): an attribute was read */
	const struct node *rate; /* the comparison whose left side is the alternative's rate */
	jmp_buf fail;
};

/* --- insn.c: each reports an error and jumps to e->fail when the property exceeds a limit --- */
void asl_emit_too_large(struct emit *e, const char *what);      /* "needs too many WHAT" */
/* Counts an expansion that emits no instruction, such as a function that passes its arguments on:
 * without a limit their number may grow exponentially. */
void asl_emit_expansion(struct emit *e);
int asl_emit_insn(struct emit *e, enum opcode op, int a, int b, int c);
int asl_emit_temp(struct emit *e);
int asl_emit_permanent(struct emit *e);
int asl_emit_object_register(struct emit *e, int cls);
int asl_emit_set_register(struct emit *e);
int asl_emit_text_register(struct emit *e);
/* Moves the result r of an expression that began with `mark` temporaries in use to temporary
 * `mark`. A register outside of the temporaries above `mark` is returned as it is. */
int asl_emit_settle(struct emit *e, int mark, int r);
int asl_emit_load(struct emit *e, double f);            /* a constant into a temporary */
int asl_emit_read(struct emit *e, int cls, int attr);   /* number of an attribute reference */
int asl_emit_text_constant(struct emit *e, const char *s);
/* Registers below `mark` belong to parameters and variables and keep their values. */
void asl_emit_move(struct emit *e, int to, int from, int mark);

/* --- expr.c: emits an expression and returns the register of its value --- */
int asl_emit_number(struct emit *e, struct node *n);
int asl_emit_object(struct emit *e, struct node *n);
int asl_emit_text(struct emit *e, struct node *n);
/* The expression that defines a set; names of sets are followed. */
struct node *asl_emit_set(struct node *n);

#endif
