/* SPDX-License-Identifier: BSD-3-Clause */
/* The translated code of a planned block, and the code that all blocks share. */
#ifndef PSC_BURST_EMIT_BLOCK_H
#define PSC_BURST_EMIT_BLOCK_H

#include "burst/decode.h"

/* What a block's code depends on besides its plan. */
struct block_place {
	uint32_t number;
	uint32_t code;          /* offset of the block in the code cache */
	uint32_t jumps;         /* of the code that looks up targets */
	uint32_t flags;         /* of struct burst_header */
};

#define THREAD_FIELD(name) ((uint32_t)offsetof(struct burst_thread, name))

uint32_t scratch_field(int reg, int which);
void emit_block(struct emitter *e, const struct block_plan *p, const struct block_place *place);
/* The code that looks up the targets of indirect jumps.  `code`: its offset. */
void emit_jumps(struct emitter *e, uint32_t code);

/* emit_endings.c; the block's scratch registers are still saved. */
void emit_ending(struct emitter *e, const struct block_plan *p, const struct block_place *place);
void emit_exit(struct emitter *e, uint32_t code, uint32_t kind, uint64_t target, uint32_t patch);
void emit_restore(struct emitter *e, const struct block_plan *p);

#endif
