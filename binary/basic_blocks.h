/* SPDX-License-Identifier: BSD-3-Clause */
/* The control flow of a function: its instructions, basic blocks and natural loops. */
#ifndef PSC_BINARY_BASIC_BLOCKS_H
#define PSC_BINARY_BASIC_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOW_NONE UINT32_MAX

struct flow_code {              /* a piece of a function; pieces are in order of their addresses */
	uint64_t address;
	const unsigned char *bytes;
	size_t size;
};

enum flow_kind {
	FLOW_PLAIN,
	FLOW_NOP,
	FLOW_CALL,
	FLOW_BRANCH,            /* conditional jump */
	FLOW_JUMP,
	FLOW_INDIRECT,          /* jump to an address in a register or in memory */
	FLOW_END                /* return, trap, padding, or no instruction at all */
};
struct flow_insn {
	uint64_t address;
	uint64_t target;        /* of a direct jump or call; 0 none */
	uint8_t length;
	uint8_t kind;           /* enum flow_kind */
	uint32_t block;
};
struct flow_block {
	uint32_t first, n;      /* instructions */
	uint32_t loop;          /* innermost loop; FLOW_NONE */
};
struct flow_loop {
	uint32_t header;        /* block */
	uint32_t latch;         /* instruction: the backward jump, the last one of them by
				 * address */
	uint32_t parent;        /* loop; FLOW_NONE */
};
struct code_flow {
	struct flow_insn *insns;        /* by address */
	uint32_t ninsns;
	struct flow_block *blocks;      /* by address */
	uint32_t nblocks;
	struct flow_loop *loops;        /* an outer loop before those inside it */
	uint32_t nloops;
	uint32_t entry;                 /* block */
};

/* entry: the address at which the function begins.  0; -1: out of memory. */
int code_flow_make(struct code_flow *f, const struct flow_code *code, uint32_t ncode,
	uint64_t entry);
void code_flow_free(struct code_flow *f);
/* The instruction that has the address; FLOW_NONE. */
uint32_t flow_insn_at(const struct code_flow *f, uint64_t address);

/* flow_loops.c: finds the loops.  succ: the successors of block b are to[from[b]]
 * up to to[from[b + 1]] - 1. */
struct flow_edges {
	uint32_t *from, *to;
};
int flow_loops(struct code_flow *f, const struct flow_edges *succ);

#endif
