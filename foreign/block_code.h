/* SPDX-License-Identifier: BSD-3-Clause */
/* What the simulator needs to know of the program's blocks of code: for each block that the
 * recorder has translated, descriptors of records (base/abi.h), one for each piece
 * with one context and line. */
#ifndef PSC_FOREIGN_BLOCK_CODE_H
#define PSC_FOREIGN_BLOCK_CODE_H

#include "burst/shared/burst.h"
#include "foreign/block_flow.h"
#include "foreign/branch_predictor.h"
#include "foreign/code_contexts.h"

/* A piece of a block. */
struct code_piece {
	uint32_t context;       /* or PLACE_CALLER */
	uint32_t first, n;      /* its accesses: places in the block's */
	uint32_t words;         /* of the block's; its number belongs to the first piece */
	uint64_t word;          /* begins its records: the descriptor */
};
struct code_block {
	struct code_piece *piece;       /* owned, with the descriptors behind it; NULL: not made
					 * yet */
	uint32_t npieces;
	struct burst_access *access;    /* owned copy */
	uint32_t naccesses, words;
	struct executed_block flow;
	uint16_t made_with;     /* executions that `flow` had seen when the descriptors were made */
	uint16_t instructions;
	uint64_t ip, next;              /* next: of the code behind it */
	uint32_t branches, mispredicted;        /* of the branch at its end */
};

/* The blocks of a thread's slot. */
struct block_code {
	struct code_contexts *places;   /* borrowed */
	struct code_block *block;       /* by number; owned */
	uint32_t room;
	uint32_t generation;            /* of the recorder's tables */
	uint32_t changes;               /* grows when descriptors are made anew */
	struct branch_predictor *predictor;     /* owned; NULL: no memory */
	uint64_t unknown;               /* accesses whose address is not recorded, of the blocks
					 * made so far */
};

void block_code_begin(struct block_code *c, struct code_contexts *places);
void block_code_end(struct block_code *c);
/* The tables have begun anew, or places have changed. */
void block_code_forget(struct block_code *c);
/* The block of this number; slot: the thread's part of the shared memory.  NULL: the number or what
 * the tables say is impossible, or there is no memory. */
const struct code_block *block_code_at(struct block_code *c, const void *slot, uint64_t number);
/* Learns from the first words of a burst how instructions depend on one another, until that is
 * known of all blocks there; then makes their descriptors anew.  Not while the
 * simulator has records of theirs. */
void block_code_learn(struct block_code *c, const void *slot, const uint64_t *from,
	const uint64_t *end);
/* Says that code at `to` was executed after the block of this number. */
void block_code_branch(struct block_code *c, uint64_t number, uint64_t to);
/* Puts into the descriptors how often branches were mispredicted. */
void block_code_tell_branches(struct block_code *c);
/* Appends the records of one execution of the block to *out, which has room for
 * BLOCK_CODE_WORDS more.  words: behind the block's number.  *context: of the code that called, and
 * of the block when it is known. */
enum { BLOCK_CODE_WORDS = 8 * BURST_BLOCK_WORDS };
void block_code_records(const struct code_block *b, const uint64_t *words, uint64_t fs,
	uint32_t *context, uint64_t **out);
/* Calls `each` with every single access of one execution whose address is recorded; strings of
 * elements and gathers are left out. */
void block_code_accesses(const struct code_block *b, const uint64_t *words, uint64_t fs,
	void (*each)(void *to, const struct burst_access *a, uint64_t address), void *to);

#endif
