/* SPDX-License-Identifier: BSD-3-Clause */
/* Local variables by where they are: in a register, or in a slot of the stack. */
#ifndef PSC_BINARY_LOCALS_H
#define PSC_BINARY_LOCALS_H

#include "binary/internal.h"

struct local {
	Dwarf_Die die;          /* of the variable or parameter */
	uint64_t offset;        /* in it */
	uint32_t inlined;       /* in how many inlined functions it is */
};

/* Registers have the numbers of DWARF: 0 rax, 1 rdx, 2 rcx, 3 rbx, 4 rsi, 5
 * rdi, 6 rbp, 7 rsp, 8 to 15. */
enum { REG_RAX = 0, REG_RDI = 5, REG_RBP = 6, REG_RSP = 7, REG_NONE = 16 };

/* The variable that is in the register when the instruction at the address is executed. */
bool local_in_register(const struct code_function *c, uint64_t address, unsigned reg,
	struct local *found);
/* The variable that has the byte at reg + displacement then. */
bool local_in_slot(struct binary *b, const struct code_function *c, uint64_t address, unsigned reg,
	int64_t displacement, struct local *found);

#endif
