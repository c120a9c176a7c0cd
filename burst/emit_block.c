/* SPDX-License-Identifier: BSD-3-Clause */
/* A block: its head (room for its words), its instructions, each behind what records its accesses,
 * its ending. Two registers that the block does not use hold an address and the place of the words;
 * they are saved in the head and come back before the block is left. */
#include <string.h>
#include "burst/emit_block.h"
#include "burst/translate.h"

uint32_t scratch_field(int reg, int which)
{
	if (reg == RCX)
		return THREAD_FIELD(saved_rcx);
	return which == 0 ? THREAD_FIELD(saved[0]) : THREAD_FIELD(saved[1]);
}

/* The burst ends: the thread goes on in its own code. */
static void leave(struct emitter *e, const struct block_plan *p, const struct block_place *place)
{
	emit_load(e, RCX, THREAD_FIELD(saved_rcx));
	emit_mark(e, MARK_NATIVE, p->ip, 0);
	if (place->flags & BURST_FOREVER) {
		emit_exit(e, place->code, EXIT_FULL, p->ip, 0);
		return;
	}
	emit_set32(e, THREAD_FIELD(status), BURST_END_FULL);
	emit_jump_far(e, p->ip);
}

/* Bits 24 and up of `offset` are 0 before BURST_WORDS_END.  jrcxz tests that without changing a
 * flag. */
static void test_room(struct emitter *e, const struct block_plan *p,
	const struct block_place *place)
{
	uint8_t *skip;

	emit_mark(e, MARK_NATIVE, p->ip, 0);
	emit_save(e, RCX, THREAD_FIELD(saved_rcx));
	emit_mark(e, MARK_RCX, p->ip, 0);
	emit_bytes(e, (const uint8_t[]){ 0x65, 0x8b, 0x0c, 0x25 }, 4);
	emit_u32(e, THREAD_FIELD(offset) + 3);
	emit_u8(e, 0xe3);
	emit_u8(e, 0);
	skip = e->at;
	leave(e, p, place);
	if (!e->full)
		skip[-1] = (uint8_t)(e->at - skip);
	emit_mark(e, MARK_RCX, p->ip, 0);
}

static void head(struct emitter *e, const struct block_plan *p, const struct block_place *place)
{
	int address = p->address_register, words = p->words_register;

	test_room(e, p, place);
	if (address != RCX && words != RCX) {
		emit_load(e, RCX, THREAD_FIELD(saved_rcx));
		emit_mark(e, MARK_NATIVE, p->ip, 0);
	}
	if (address != RCX)
		emit_save(e, address, scratch_field(address, 0));
	if (words != RCX)
		emit_save(e, words, scratch_field(words, 1));
	emit_mark(e, MARK_SCRATCH, p->ip, 0);
	emit_load(e, words, THREAD_FIELD(offset));
	emit_word_constant(e, place->number, words, 0);
	emit_lea(e, address,
		&(struct address){ .base = words, .index = -1, .displacement = 8 * p->words });
	emit_save(e, address, THREAD_FIELD(offset));
}

static void record_lanes(
	struct emitter *e, const struct block_plan *p, const struct plan_access *x, int32_t at)
{
	if (x->mask_bytes == 0)
		emit_word_mask(e, x->mask, p->words_register, at);
	else
		emit_word_vector(e, x->mask, x->mask_bytes, p->words_register, at);
	at += x->mask_bytes != 0 ? x->mask_bytes : 8;
	emit_word_vector(e, x->index, x->index_bytes, p->words_register, at);
}

static void record(
	struct emitter *e, const struct block_plan *p, const struct plan_access *x, uint16_t word)
{
	if (x->row.words == 0)
		return;
	emit_lea(e, p->address_register, &x->at);
	emit_word(e, p->address_register, p->words_register, 8 * word);
	if (x->row.kind == BURST_LANES)
		record_lanes(e, p, x, 8 * (word + 1));
}

/* A rep instruction's address afterwards. */
static void record_end(
	struct emitter *e, const struct block_plan *p, const struct plan_access *x, uint16_t word)
{
	if (x->row.kind != BURST_STRING)
		return;
	emit_lea(e, p->address_register, &x->at);
	emit_word(e, p->address_register, p->words_register, 8 * (word + 1));
}

/* Bits of a prefix extend the base register; rip has none, and the register in its place has none
 * either. */
static void clear_extension(uint8_t *copy, const ZydisDecodedInstruction *in)
{
	if (in->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX)
		copy[in->raw.evex.offset + 1] |= 0x60;
	else if (in->encoding == ZYDIS_INSTRUCTION_ENCODING_XOP)
		copy[in->raw.xop.offset + 1] |= 0x20;
	else if (in->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX && in->raw.vex.size == 3)
		copy[in->raw.vex.offset + 1] |= 0x20;
	else if (in->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY &&
		in->attributes & ZYDIS_ATTRIB_HAS_REX)
		copy[in->raw.rex.offset] &= 0xfe;
}

/* Copies an instruction whose operand is relative to rip: the operand's address is in the scratch
 * register. */
static void copy_relative(struct emitter *e, const struct block_plan *p,
	const struct plan_instruction *i)
{
	const ZydisDecodedInstruction *in = &i->in;
	uint8_t copy[ZYDIS_MAX_INSTRUCTION_LENGTH];
	uint32_t modrm = in->raw.modrm.offset, rest = in->raw.disp.offset + 4u;

	memcpy(copy, (const void *)i->ip, in->length);
	clear_extension(copy, in);
	copy[modrm] = (uint8_t)((copy[modrm] & 0x38) | p->address_register);
	emit_mov_constant(e, p->address_register,
		i->ip + in->length + (uint64_t)i->op[i->relative].mem.disp.value);
	emit_bytes(e, copy, modrm + 1);
	emit_bytes(e, copy + rest, in->length - rest);
}

static bool has_strings(const struct block_plan *p, const struct plan_instruction *i)
{
	return i->accesses > 0 && p->access[i->first].row.kind == BURST_STRING;
}

/* One that is not the block's ending, behind what records it.  Returns the number of words so
 * far. */
static uint16_t instruction(struct emitter *e, const struct block_plan *p,
	const struct plan_instruction *i, uint16_t words, bool copies)
{
	uint16_t word = words;

	emit_mark(e, MARK_SCRATCH, i->ip, words);
	for (uint16_t k = i->first; k < i->first + i->accesses;
		word = (uint16_t)(word + p->access[k++].row.words))
		record(e, p, &p->access[k], word);
	if (!copies)
		return word;
	if (i->relative >= 0)
		copy_relative(e, p, i);
	else
		emit_bytes(e, (const void *)i->ip, i->in.length);
	if (!has_strings(p, i))
		return word;
	emit_mark(e, MARK_SCRATCH, i->ip + i->in.length, words);
	word = words;
	for (uint16_t k = i->first; k < i->first + i->accesses;
		word = (uint16_t)(word + p->access[k++].row.words))
		record_end(e, p, &p->access[k], word);
	return word;
}

void emit_block(struct emitter *e, const struct block_plan *p, const struct block_place *place)
{
	bool ends = p->ending != ENDING_NEXT && p->ending != ENDING_SYSTEM;
	uint16_t words = 1;

	if (p->instructions > 0)
		head(e, p, place);
	for (uint16_t k = 0; k < p->instructions; k++)
		words = instruction(
			e, p, &p->instruction[k], words, !ends || k + 1 < p->instructions);
	if (!ends && p->instructions > 0)
		emit_mark(e, MARK_SCRATCH, p->next, words);
	emit_ending(e, p, place);
}
