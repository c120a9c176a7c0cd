/* SPDX-License-Identifier: BSD-3-Clause */
/* The endings of blocks: jumps, calls, returns, system calls, and how translated code asks for the
 * recorder.
 *
 * Return addresses are the program's own.  A call writes its return address below the stack pointer
 * first and moves the pointer last, so that an interrupted thread is either before the call or at
 * its target. */
#include "burst/emit_block.h"
#include "burst/translate.h"

static const struct plan_instruction *last(const struct block_plan *p)
{
	return &p->instruction[p->instructions - 1];
}

void emit_exit(struct emitter *e, uint32_t code, uint32_t kind, uint64_t target, uint32_t patch)
{
	/* behind this instruction of 12 bytes and the jump of 8 */
	emit_set32(e, THREAD_FIELD(exit), code + emit_offset(e) + 12 + 8);
	emit_jump_field(e, THREAD_FIELD(thunk));
	emit_u64(e, target);
	emit_u32(e, patch);
	emit_u32(e, kind);
}

void emit_restore(struct emitter *e, const struct block_plan *p)
{
	emit_load(e, p->address_register, scratch_field(p->address_register, 0));
	emit_load(e, p->words_register, scratch_field(p->words_register, 1));
}

/* A jump of 5 bytes or a branch of 6, whose distance is filled in later.  Returns its place. */
static uint8_t *distance(struct emitter *e)
{
	emit_u32(e, 0);
	return e->at - 4;
}

/* What a jump does until its target is known. */
static void edge(struct emitter *e, const struct block_place *place, uint8_t *jump, uint64_t target,
	uint16_t words)
{
	if (!e->full)
		emit_patch(jump, e->at);
	emit_mark(e, MARK_NATIVE, target, words);
	emit_exit(e, place->code, EXIT_EDGE, target, place->code + (uint32_t)(jump - e->start));
}

static void jump(
	struct emitter *e, const struct block_place *place, uint64_t target, uint16_t words)
{
	uint8_t *at;

	emit_u8(e, 0xe9);
	at = distance(e);
	edge(e, place, at, target, words);
}

static void branch(struct emitter *e, const struct block_plan *p, const struct block_place *place)
{
	uint8_t *taken, *next;

	emit_u8(e, 0x0f);
	emit_u8(e, 0x80u | (last(p)->in.opcode & 15));
	taken = distance(e);
	emit_u8(e, 0xe9);
	next = distance(e);
	edge(e, place, next, p->next, p->words);
	edge(e, place, taken, p->target, p->words);
}

/* The short branch skips a short jump: to the long one of its target. */
static void loop(struct emitter *e, const struct block_plan *p, const struct block_place *place)
{
	uint8_t *taken, *next;

	emit_bytes(e, (const void *)last(p)->ip, last(p)->in.length - 1u);
	emit_u8(e, 2);
	emit_mark(e, MARK_NATIVE, p->next, p->words);
	emit_bytes(e, (const uint8_t[]){ 0xeb, 5 }, 2);
	emit_mark(e, MARK_NATIVE, p->target, p->words);
	emit_u8(e, 0xe9);
	taken = distance(e);
	emit_mark(e, MARK_NATIVE, p->next, p->words);
	emit_u8(e, 0xe9);
	next = distance(e);
	edge(e, place, next, p->next, p->words);
	edge(e, place, taken, p->target, p->words);
}

/* movl low,-8(%rsp); movl high,-4(%rsp); lea -8(%rsp),%rsp */
static void push_return(struct emitter *e, uint64_t address)
{
	emit_bytes(e, (const uint8_t[]){ 0xc7, 0x44, 0x24, 0xf8 }, 4);
	emit_u32(e, (uint32_t)address);
	emit_bytes(e, (const uint8_t[]){ 0xc7, 0x44, 0x24, 0xfc }, 4);
	emit_u32(e, (uint32_t)(address >> 32));
	emit_bytes(e, (const uint8_t[]){ 0x48, 0x8d, 0x64, 0x24, 0xf8 }, 5);
}

static int register_or_none(ZydisRegister reg)
{
	return reg == ZYDIS_REGISTER_NONE ? -1 : burst_register(reg);
}

static struct address address_of(const struct plan_instruction *i, const ZydisDecodedOperand *op)
{
	return (struct address){
		.base = register_or_none(op->mem.base), .index = register_or_none(op->mem.index),
		.scale = op->mem.scale, .narrow = i->in.address_width == 32,
		.displacement = (int32_t)op->mem.disp.value
	};
}

/* Puts the target of an indirect jump or call into the scratch register. */
static void load_target(struct emitter *e, const struct block_plan *p)
{
	const struct plan_instruction *i = last(p);
	const ZydisDecodedOperand *op = &i->op[0];
	int reg = p->address_register;
	struct address at = { .base = reg, .index = -1 };

	if (op->type == ZYDIS_OPERAND_TYPE_REGISTER) {
		emit_mov_register(e, reg, burst_register(op->reg.value));
		return;
	}
	if (i->relative >= 0)
		emit_mov_constant(e, reg, p->next + (uint64_t)op->mem.disp.value);
	else
		at = address_of(i, op);
	emit_mov_from(e, reg, &at, op->mem.segment == ZYDIS_REGISTER_FS);
}

static void to_jumps(struct emitter *e, const struct block_plan *p, const struct block_place *place)
{
	uint8_t *at;

	emit_mark(e, MARK_TARGET, 0, p->words);
	emit_u8(e, 0xe9);
	at = distance(e);
	if (!e->full)
		emit_patch(at, e->start + ((int64_t)place->jumps - (int64_t)place->code));
}

static void indirect(struct emitter *e, const struct block_plan *p, const struct block_place *place)
{
	load_target(e, p);
	emit_save(e, p->address_register, THREAD_FIELD(target));
	emit_restore(e, p);
	emit_mark(e, MARK_NATIVE, last(p)->ip, p->words);
	if (p->ending == ENDING_CALL_INDIRECT)
		push_return(e, p->next);
	to_jumps(e, p, place);
}

static void ret(struct emitter *e, const struct block_plan *p, const struct block_place *place)
{
	const ZydisDecodedOperand *op = &last(p)->op[0];
	uint32_t pops = op->type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? (uint32_t)op->imm.value.u : 0;

	emit_mov_from(e, p->address_register, &(struct address){ .base = RSP, .index = -1 }, false);
	emit_save(e, p->address_register, THREAD_FIELD(target));
	emit_restore(e, p);
	emit_mark(e, MARK_NATIVE, last(p)->ip, p->words);
	emit_bytes(e, (const uint8_t[]){ 0x48, 0x8d, 0xa4, 0x24 }, 4);
	emit_u32(e, 8 + pops);
	to_jumps(e, p, place);
}

static void call(struct emitter *e, const struct block_plan *p, const struct block_place *place)
{
	push_return(e, p->next);
	emit_mark(e, MARK_NATIVE, p->target, p->words);
	jump(e, place, p->target, p->words);
}

/* The burst ends before a system call, or the recorder decides. */
static void system_call(struct emitter *e, const struct block_plan *p,
	const struct block_place *place)
{
	if (place->flags & BURST_THROUGH_CALLS) {
		emit_exit(e, place->code, EXIT_SYSTEM, p->next, 0);
		emit_mark(e, MARK_NATIVE, p->next, p->words);
		emit_bytes(e, (const uint8_t[]){ 0x0f, 0x05 }, 2);
		emit_mark(e, MARK_NATIVE, p->next + 2, p->words);
		emit_set32(e, THREAD_FIELD(in_call), 0);
		jump(e, place, p->next + 2, p->words);
		return;
	}
	emit_set32(e, THREAD_FIELD(status), BURST_END_CALL);
	emit_jump_far(e, p->next);
}

void emit_ending(struct emitter *e, const struct block_plan *p, const struct block_place *place)
{
	if (p->ending == ENDING_JUMP_INDIRECT || p->ending == ENDING_CALL_INDIRECT) {
		indirect(e, p, place);
		return;
	}
	if (p->ending == ENDING_RETURN) {
		ret(e, p, place);
		return;
	}
	if (p->instructions > 0)
		emit_restore(e, p);
	emit_mark(e, MARK_NATIVE,
		p->ending == ENDING_NEXT || p->ending == ENDING_SYSTEM ? p->next : last(p)->ip,
		p->words);
	switch (p->ending) {
	case ENDING_BRANCH: branch(e, p, place); break;
	case ENDING_LOOP: loop(e, p, place); break;
	case ENDING_CALL: call(e, p, place); break;
	case ENDING_SYSTEM: system_call(e, p, place); break;
	case ENDING_JUMP: jump(e, place, p->target, p->words); break;
	default: jump(e, place, p->next, p->words); break;
	}
}

/* movzwl %ax,%ecx */
static void low_half(struct emitter *e)
{
	emit_bytes(e, (const uint8_t[]){ 0x0f, 0xb7, 0xc8 }, 3);
}

/* mov %gs:table(,%rcx,8),%rcx */
static void look_up(struct emitter *e, uint32_t table)
{
	emit_bytes(e, (const uint8_t[]){ 0x65, 0x48, 0x8b, 0x0c, 0xcd }, 5);
	emit_u32(e, table);
}

static void restore_two(struct emitter *e)
{
	emit_load(e, RAX, THREAD_FIELD(saved_rax));
	emit_load(e, RCX, THREAD_FIELD(saved_rcx));
}

/* The tables are indexed by the target's low 16 bits.  `targets` has the negative target, so that
 * their sum is 0 for the right one. */
void emit_jumps(struct emitter *e, uint32_t code)
{
	uint8_t *hit;

	_Static_assert(BURST_TARGETS == 1 << 16, "an index is the low half of eax");
	emit_mark(e, MARK_TARGET, 0, 0);
	emit_save(e, RAX, THREAD_FIELD(saved_rax));
	emit_save(e, RCX, THREAD_FIELD(saved_rcx));
	emit_mark(e, MARK_JUMPS, 0, 0);
	emit_load(e, RAX, THREAD_FIELD(target));
	low_half(e);
	look_up(e, THREAD_FIELD(targets));
	emit_bytes(e, (const uint8_t[]){ 0x48, 0x8d, 0x0c, 0x01 }, 4);  /* lea (%rcx,%rax),%rcx */
	emit_bytes(e, (const uint8_t[]){ 0xe3, 0 }, 2);                 /* jrcxz hit */
	hit = e->at;
	restore_two(e);
	emit_mark(e, MARK_TARGET, 0, 0);
	emit_exit(e, code, EXIT_INDIRECT, 0, 0);
	hit[-1] = (uint8_t)(e->at - hit);
	emit_mark(e, MARK_JUMPS, 0, 0);
	low_half(e);
	look_up(e, THREAD_FIELD(entries));
	emit_save(e, RCX, THREAD_FIELD(entry));
	restore_two(e);
	emit_mark(e, MARK_TARGET, 0, 0);
	emit_jump_field(e, THREAD_FIELD(entry));
}
