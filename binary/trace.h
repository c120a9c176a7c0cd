/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows a pointer that a call has returned through the code behind the call. */
#ifndef PSC_BINARY_TRACE_H
#define PSC_BINARY_TRACE_H

#include "binary/locals.h"

/* What is known of a value. */
enum origin_kind {
	ORIGIN_REGISTER,        /* it is that of the register `reg` at the instruction `when`, of
				 * unknown origin */
	ORIGIN_POINTER,         /* it is the pointer that is followed */
	ORIGIN_ADDRESS,         /* it is the address of a place in memory */
	ORIGIN_VALUE            /* it was read from a place in memory */
};
/* A place is reg + offset, with the register's value at `when`. */
struct value_origin {
	enum origin_kind kind;
	unsigned reg;           /* REG_NONE: the place is the address `offset` of the file */
	int64_t offset;
	uint64_t when;
};

/* What holds the pointer. */
struct holder {
	bool in_register;
	unsigned reg;           /* in_register */
	struct value_origin base;       /* else in memory, `offset` behind the value of the base */
	int64_t offset;
	uint64_t when;          /* the instruction before which this is so */
};

struct pointer_trace {
	struct binary *b;
	const struct code_function *code;
	/* Is told of every holder, in order.  true: go on. */
	bool (*holder)(void *context, const struct holder *h);
	void *context;
};

/* Follows what a call that returns to `address` has returned.  true: the function returns it. */
bool trace_pointer(const struct pointer_trace *t, uint64_t address);
/* The same of a pointer that the call has stored in a place. */
bool trace_stored(const struct pointer_trace *t, uint64_t address,
	const struct value_origin *place);
/* The first argument of the call that returns to `address`.  false: not known. */
bool trace_argument(const struct pointer_trace *t, uint64_t address, struct value_origin *argument);
/* The function that the call before a return address names; 0: not known, or by a register. */
uint64_t trace_target(const struct binary *b, uint64_t address);

#endif
