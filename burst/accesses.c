/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the decoder's memory operands into rows of the access table, and into addresses that
 * translated code can compute. */
#include "burst/accesses.h"

/* Instructions that name memory and do not access it as data. */
static bool accesses_nothing(const ZydisDecodedInstruction *in)
{
	switch (in->meta.category) {
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_PREFETCH:
	case ZYDIS_CATEGORY_CLFLUSHOPT:
	case ZYDIS_CATEGORY_CLWB:
		return true;
	default:
		return in->mnemonic == ZYDIS_MNEMONIC_CLFLUSH ||
			in->mnemonic == ZYDIS_MNEMONIC_INVLPG;
	}
}

static bool repeats(const ZydisDecodedInstruction *in)
{
	const ZydisInstructionAttributes prefixes =
		ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;

	return (in->attributes & prefixes) != 0;
}

/* A bit of memory that a register numbers may be far from the operand's address. */
static bool bit_string(const struct plan_instruction *i)
{
	switch (i->in.mnemonic) {
	case ZYDIS_MNEMONIC_BT: case ZYDIS_MNEMONIC_BTC: case ZYDIS_MNEMONIC_BTR: case ZYDIS_MNEMONIC_BTS:
		return i->op[1].type == ZYDIS_OPERAND_TYPE_REGISTER;
	default:
		return false;
	}
}

/* An operand of push, pop, call, return, enter, leave that the instruction does not write out. */
static bool implicit_stack(const ZydisDecodedOperand *op)
{
	return op->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
		op->mem.base == ZYDIS_REGISTER_RSP;
}

static uint8_t does(const ZydisDecodedOperand *op)
{
	return (uint8_t)((op->actions & ZYDIS_OPERAND_ACTION_MASK_READ ? BURST_LOAD : 0) |
		(op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE ? BURST_STORE : 0));
}

/* -1: the operand's registers are not general ones of its width. */
static int general(
	struct address *a, const ZydisDecodedInstruction *in, const ZydisDecodedOperand *op)
{
	bool narrow = in->address_width == 32;
	ZydisRegisterClass class = narrow ? ZYDIS_REGCLASS_GPR32 : ZYDIS_REGCLASS_GPR64;
	ZydisRegister base = op->mem.base, index = op->mem.index;

	if ((base != ZYDIS_REGISTER_NONE && ZydisRegisterGetClass(base) != class) ||
	    (index != ZYDIS_REGISTER_NONE && ZydisRegisterGetClass(index) != class))
		return -1;
	*a = (struct address){
		.base = base == ZYDIS_REGISTER_NONE ? -1 : burst_register(base),
		.index = index == ZYDIS_REGISTER_NONE ? -1 : burst_register(index),
		.scale = op->mem.scale, .narrow = narrow,
		.displacement = (int32_t)op->mem.disp.value
	};
	return 0;
}

/* A push stores below the stack pointer; leave loads from rbp. */
static void stack_access(
	struct plan_access *x, const ZydisDecodedInstruction *in, const ZydisDecodedOperand *op)
{
	bool stores = (op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;

	x->row.kind = in->mnemonic == ZYDIS_MNEMONIC_ENTER ? BURST_UNKNOWN : BURST_STACK;
	x->row.words = x->row.kind == BURST_STACK;
	x->at = (struct address){
		.base = in->mnemonic == ZYDIS_MNEMONIC_LEAVE ? RBP : RSP, .index = -1,
		.displacement = stores ? -(int32_t)x->row.size : 0
	};
}

/* Elements of a gather or scatter: as many as both the data and the indices have. */
static uint8_t lanes_of(const ZydisDecodedInstruction *in, uint32_t size, uint32_t index)
{
	uint32_t bytes = in->avx.vector_length / 8u;

	return (uint8_t)(bytes / (size > index ? size : index));
}

static uint32_t vector_bytes(ZydisRegister reg)
{
	return ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, reg) / 8u;
}

/* AVX-512: a mask register; AVX2: the vector register that is the last operand. */
static void lanes_mask(struct plan_access *x, const struct plan_instruction *i)
{
	ZydisRegister vector;

	if (i->in.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX) {
		x->mask = ZydisRegisterGetId(i->in.avx.mask.reg);
		return;
	}
	vector = i->op[2].reg.value;
	x->mask = ZydisRegisterGetId(vector);
	x->mask_bytes = (uint16_t)vector_bytes(vector);
	x->row.mask_bytes = (uint8_t)x->row.size;
}

/* The opcodes 90, 92, A0, A2 have indices of 32 bits; 91, 93, A1, A3 of 64. */
static int lanes_access(
	struct plan_access *x, const struct plan_instruction *i, const ZydisDecodedOperand *op)
{
	ZydisDecodedOperand base = *op;

	base.mem.index = ZYDIS_REGISTER_NONE;
	if (general(&x->at, &i->in, &base) != 0 || op->element_size == 0)
		return -1;
	x->row.kind = BURST_LANES;
	x->row.size = op->element_size / 8u;
	x->row.index_bytes = i->in.opcode & 1 ? 8 : 4;
	x->row.scale = op->mem.scale;
	x->row.lanes = lanes_of(&i->in, x->row.size, x->row.index_bytes);
	x->index = ZydisRegisterGetId(op->mem.index);
	x->index_bytes = (uint16_t)vector_bytes(op->mem.index);
	lanes_mask(x, i);
	x->row.words = (uint8_t)(1 + (x->mask_bytes != 0 ? x->mask_bytes / 8 : 1) +
		x->index_bytes / 8);
	return 0;
}

/* An address that the instruction alone determines. */
static void fixed_access(
	struct plan_access *x, const struct plan_instruction *i, const ZydisDecodedOperand *op)
{
	bool relative = op->mem.base == ZYDIS_REGISTER_RIP;

	x->row.kind = op->mem.segment == ZYDIS_REGISTER_FS ? BURST_FIXED_FS : BURST_FIXED;
	x->row.address = (relative ? i->ip + i->in.length : 0) + (uint64_t)op->mem.disp.value;
}

/* pop adds to rsp before it computes the address of its operand. */
static void adjust_pop(struct plan_access *x, const struct plan_instruction *i)
{
	if (i->in.mnemonic == ZYDIS_MNEMONIC_POP && x->at.base == RSP)
		x->at.displacement += i->in.operand_width / 8;
}

static void word_access(
	struct plan_access *x, const struct plan_instruction *i, const ZydisDecodedOperand *op)
{
	if (general(&x->at, &i->in, op) != 0) {
		x->row.kind = BURST_UNKNOWN;
		return;
	}
	adjust_pop(x, i);
	x->row.kind = op->mem.segment == ZYDIS_REGISTER_FS ? BURST_WORD_FS : BURST_WORD;
	x->row.words = 1;
	if (repeats(&i->in) && i->in.meta.category == ZYDIS_CATEGORY_STRINGOP) {
		x->row.kind = BURST_STRING;
		x->row.words = 2;
	}
}

static void memory_access(
	struct plan_access *x, const struct plan_instruction *i, const ZydisDecodedOperand *op)
{
	*x = (struct plan_access){ .row = { .ip = i->ip, .size = op->size / 8u,
		.does = does(op) } };
	if (implicit_stack(op))
		stack_access(x, &i->in, op);
	else if (op->mem.type == ZYDIS_MEMOP_TYPE_VSIB) {
		if (lanes_access(x, i, op) != 0)
			x->row.kind = BURST_UNKNOWN;
	} else if (op->mem.type != ZYDIS_MEMOP_TYPE_MEM || bit_string(i))
		x->row.kind = BURST_UNKNOWN;
	else if (op->mem.base == ZYDIS_REGISTER_RIP ||
		 (op->mem.base == ZYDIS_REGISTER_NONE && op->mem.index == ZYDIS_REGISTER_NONE))
		fixed_access(x, i, op);
	else
		word_access(x, i, op);
}

/* Appends the access, or counts it alone. */
static void add(
	struct block_plan *p, struct plan_instruction *i, const ZydisDecodedOperand *op, bool stack)
{
	struct plan_access *x = &p->access[p->accesses];

	if (implicit_stack(op) && !stack) {
		p->stack++;
		return;
	}
	memory_access(x, i, op);
	p->words = (uint16_t)(p->words + x->row.words);
	p->accesses++;
	i->accesses++;
}

int burst_accesses(struct block_plan *p, struct plan_instruction *i, bool stack)
{
	i->first = p->accesses;
	i->accesses = 0;
	i->relative = -1;
	for (int k = 0; k < i->in.operand_count; k++) {
		const ZydisDecodedOperand *op = &i->op[k];

		if (op->type != ZYDIS_OPERAND_TYPE_MEMORY)
			continue;
		if (op->mem.base == ZYDIS_REGISTER_EIP || op->mem.segment == ZYDIS_REGISTER_GS)
			return -1;
		if (op->mem.base == ZYDIS_REGISTER_RIP)
			i->relative = k;
		if (op->mem.type != ZYDIS_MEMOP_TYPE_AGEN && !accesses_nothing(&i->in))
			add(p, i, op, stack);
	}
	return 0;
}
