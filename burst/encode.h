/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes x86-64 instructions that change neither flags nor memory of the program.  Numbers of
 * registers: slot.h. */
#ifndef PSC_BURST_ENCODE_H
#define PSC_BURST_ENCODE_H

#include <Zydis/Zydis.h>
#include <stdbool.h>
#include <stdint.h>

/* What an interrupted thread's registers mean at a place of translated code. */
enum mark_state {
	MARK_NATIVE,            /* all are the program's */
	MARK_RCX,               /* rcx is in `saved_rcx` */
	MARK_SCRATCH,           /* the block's scratch registers are saved, too */
	MARK_TARGET,            /* all are the program's; the ip is in `target` */
	MARK_JUMPS              /* rax and rcx are saved; the ip is in `target` */
};
/* From `offset` on, until the next mark. */
struct mark {
	uint32_t offset;        /* from the block's first instruction */
	enum mark_state state;
	uint64_t ip;            /* where the program's own code goes on */
	uint16_t words;         /* of the block, that are recorded there; 0: it has not begun */
};

enum { MARKS = 160 };

struct emitter {
	uint8_t *start, *at, *end;
	bool full;
	struct mark marks[MARKS];
	uint32_t nmarks;
};

/* A memory operand; no register: -1. */
struct address {
	int base, index;
	uint8_t scale;
	bool narrow;            /* of 32 bits */
	int32_t displacement;
};

void emit_begin(struct emitter *e, uint8_t *at, uint8_t *end);
void emit_mark(struct emitter *e, enum mark_state state, uint64_t ip, uint16_t words);
void emit_bytes(struct emitter *e, const void *bytes, uint32_t n);
void emit_u8(struct emitter *e, unsigned byte);
void emit_u32(struct emitter *e, uint32_t value);
void emit_u64(struct emitter *e, uint64_t value);
static inline uint32_t emit_offset(const struct emitter *e) { return (uint32_t)(e->at - e->start); }

/* Fields of struct burst_thread, by %gs. */
void emit_save(struct emitter *e, int reg, uint32_t field);
void emit_load(struct emitter *e, int reg, uint32_t field);
void emit_set32(struct emitter *e, uint32_t field, uint32_t value);
/* jmp *%gs:field */
void emit_jump_field(struct emitter *e, uint32_t field);

/* %gs:disp(reg): words of the burst.  Neither rsp nor r12. */
void emit_word(struct emitter *e, int value, int base, int32_t displacement);
void emit_word_constant(struct emitter *e, uint32_t value, int base, int32_t displacement);
void emit_word_mask(struct emitter *e, int mask, int base, int32_t displacement);
/* `bytes`: 16, 32 or 64; numbers from 0 to 31. */
void emit_word_vector(
	struct emitter *e, int vector, uint32_t bytes, int base, int32_t displacement);

/* `address` NULL-free; both return without writing if a register is none of the general ones. */
void emit_lea(struct emitter *e, int reg, const struct address *address);
void emit_mov_from(struct emitter *e, int reg, const struct address *address, bool fs);
void emit_mov_register(struct emitter *e, int to, int from);
void emit_mov_constant(struct emitter *e, int reg, uint64_t value);
/* jmp to any address, by eight bytes that follow */
void emit_jump_far(struct emitter *e, uint64_t target);
/* Writes a relative jump's or branch's distance once its target is known. */
void emit_patch(uint8_t *field, const uint8_t *target);

#endif
