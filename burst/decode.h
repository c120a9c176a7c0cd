/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of the program's code, decoded: its instructions, what they access, and two registers
 * that none of them uses.  A block begins anywhere and ends behind its first jump, call or return,
 * before an instruction that is not translated, or where no two registers would be left. */
#ifndef PSC_BURST_DECODE_H
#define PSC_BURST_DECODE_H

#include "burst/encode.h"
#include "burst/slot.h"

enum { PLAN_INSTRUCTIONS = 32, PLAN_ACCESSES = 80 };

enum ending {
	ENDING_NEXT,            /* the block was cut: the next one follows */
	ENDING_JUMP, ENDING_BRANCH, ENDING_CALL,        /* the target is known */
	ENDING_LOOP,            /* jrcxz, loop: branches of a short form alone */
	ENDING_JUMP_INDIRECT, ENDING_CALL_INDIRECT, ENDING_RETURN,
	ENDING_SYSTEM,          /* a system call follows */
	ENDING_NONE             /* the first instruction cannot be translated */
};

/* An access, with the operand by which translated code computes its address. */
struct plan_access {
	struct burst_access row;
	struct address at;
	int mask, index;        /* BURST_LANES: registers */
	uint16_t mask_bytes, index_bytes; /* of them; 0: a mask register */
};

struct plan_instruction {
	ZydisDecodedInstruction in;
	ZydisDecodedOperand op[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t ip;
	uint16_t first, accesses;
	int relative;           /* number of the operand that is relative to rip; -1: none */
};

struct block_plan {
	uint64_t ip;
	uint64_t next;          /* behind the block */
	uint64_t target;        /* of ENDING_JUMP, ENDING_BRANCH, ENDING_LOOP, ENDING_CALL */
	enum ending ending;
	bool no_file;           /* ENDING_NONE: the code is in no range */
	uint16_t instructions, accesses, words, stack;
	int address_register;   /* scratch: rax, rcx, rdx, rbx, rsi or rdi, for addresses */
	int words_register;     /* scratch: where the block's words are */
	struct plan_instruction instruction[PLAN_INSTRUCTIONS];
	struct plan_access access[PLAN_ACCESSES];
	struct emitter emitter;
	uint8_t again[16 << 10]; /* a block translated once more, for its marks */
};

void burst_decoder_start(void);
/* `stack`: record the accesses of push, pop, call and return. */
void burst_decode(struct block_plan *p, uint64_t ip, bool stack);

/* The general register that contains `reg`; -1: none. */
int burst_register(ZydisRegister reg);

#endif
