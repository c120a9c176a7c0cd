/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes one block and chooses its scratch registers. */
#include "burst/accesses.h"
#include "burst/sys.h"

static ZydisDecoder decoder;

void burst_decoder_start(void)
{
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

int burst_register(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15
		? (int)(whole - ZYDIS_REGISTER_RAX)
		: -1;
}

static unsigned bit(ZydisRegister reg)
{
	int n = reg == ZYDIS_REGISTER_NONE ? -1 : burst_register(reg);

	return n < 0 ? 0 : 1u << n;
}

/* All general registers that the instruction names, reads or writes. */
static unsigned registers_of(const struct plan_instruction *i)
{
	unsigned used = 0;

	for (int k = 0; k < i->in.operand_count; k++) {
		const ZydisDecodedOperand *op = &i->op[k];

		if (op->type == ZYDIS_OPERAND_TYPE_REGISTER)
			used |= bit(op->reg.value);
		else if (op->type == ZYDIS_OPERAND_TYPE_MEMORY)
			used |= bit(op->mem.base) | bit(op->mem.index);
	}
	return used;
}

/* The address register must do without a REX prefix, because it takes the place of rip in copied
 * instructions; the words register without a SIB byte.  rcx serves first: the block's head has
 * saved it anyway. */
static bool choose_scratch(struct block_plan *p, unsigned used)
{
	static const int8_t words[] = {
		RCX, R8, R9, R10, R11, RSI, RDI, RDX, RAX, RBX, R13, R14, R15, RBP
	};
	static const int8_t address[] = { RAX, RDX, RSI, RDI, RBX, RCX };
	int a = -1, w = -1;

	for (unsigned k = 0; k < sizeof address && a < 0; k++)
		if ((used & 1u << address[k]) == 0)
			a = address[k];
	for (unsigned k = 0; k < sizeof words && w < 0; k++)
		if ((used & 1u << words[k]) == 0 && words[k] != a)
			w = words[k];
	if (a < 0 || w < 0)
		return false;
	p->address_register = a;
	p->words_register = w;
	return true;
}

/* Whether the instruction changes a segment register: the bases of %fs and %gs with it. */
static bool changes_segment(const struct plan_instruction *i)
{
	for (int k = 0; k < i->in.operand_count; k++)
		if (i->op[k].type == ZYDIS_OPERAND_TYPE_REGISTER &&
			i->op[k].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
			ZydisRegisterGetClass(i->op[k].reg.value) == ZYDIS_REGCLASS_SEGMENT)
			return true;
	return false;
}

/* F3 90 with REX.B: the decoder says pause, processors exchange eax and r8d. */
static bool pause_or_exchange(const ZydisDecodedInstruction *in)
{
	return in->mnemonic == ZYDIS_MNEMONIC_PAUSE && in->attributes & ZYDIS_ATTRIB_HAS_REX &&
		in->raw.rex.B;
}

/* Instructions that the program's own code must execute. */
static bool own_code_only(const ZydisDecodedInstruction *in)
{
	switch (in->mnemonic) {
	case ZYDIS_MNEMONIC_WRFSBASE:
	case ZYDIS_MNEMONIC_WRGSBASE:
	case ZYDIS_MNEMONIC_RDGSBASE:
	case ZYDIS_MNEMONIC_HLT:
	case ZYDIS_MNEMONIC_UD0:
	case ZYDIS_MNEMONIC_UD1:
	case ZYDIS_MNEMONIC_UD2:
	case ZYDIS_MNEMONIC_XBEGIN:
	case ZYDIS_MNEMONIC_XABORT:
	case ZYDIS_MNEMONIC_SYSENTER:
		return true;
	default:
		return in->meta.category == ZYDIS_CATEGORY_INTERRUPT ||
			in->meta.branch_type == ZYDIS_BRANCH_TYPE_FAR ||
			(in->meta.category == ZYDIS_CATEGORY_RET &&
				in->mnemonic != ZYDIS_MNEMONIC_RET) ||
			(in->attributes & ZYDIS_ATTRIB_IS_PRIVILEGED) != 0 || pause_or_exchange(in);
	}
}

/* jcxz, jecxz, jrcxz, loop, loope, loopne. */
static bool is_loop(const ZydisDecodedInstruction *in)
{
	return in->opcode_map == ZYDIS_OPCODE_MAP_DEFAULT && in->opcode >= 0xe0 &&
		in->opcode <= 0xe3;
}

static enum ending ending_of(const struct plan_instruction *i)
{
	bool known = i->op[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;

	switch (i->in.meta.category) {
	case ZYDIS_CATEGORY_RET:
		return ENDING_RETURN;
	case ZYDIS_CATEGORY_CALL:
		return known ? ENDING_CALL : ENDING_CALL_INDIRECT;
	case ZYDIS_CATEGORY_COND_BR:
		return is_loop(&i->in) ? ENDING_LOOP : ENDING_BRANCH;
	case ZYDIS_CATEGORY_UNCOND_BR:
		return known ? ENDING_JUMP : ENDING_JUMP_INDIRECT;
	default:
		return ENDING_NEXT;
	}
}

/* Bytes that may be read at `ip`.  Another library may have taken the place of what the range says,
 * and end earlier. */
static uint64_t room_at(uint64_t ip, uint64_t high)
{
	uint64_t room = high - ip < ZYDIS_MAX_INSTRUCTION_LENGTH ? high - ip
								 : ZYDIS_MAX_INSTRUCTION_LENGTH;
	uint64_t page = (ip | 4095) + 1;

	return ip + room <= page || burst_stopped() || sys_readable(page) ? room : page - ip;
}

static int decode_one(struct plan_instruction *i, uint64_t ip, uint64_t high)
{
	uint64_t room = room_at(ip, high);

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, (const void *)ip, room, &i->in, i->op)))
		return -1;
	i->ip = ip;
	return 0;
}

/* Takes the instruction at p->next into the block.  ENDING_NEXT: it goes on. */
static enum ending take(struct block_plan *p, unsigned *used, uint64_t high, bool stack)
{
	struct plan_instruction *i = &p->instruction[p->instructions];
	struct { uint16_t accesses, words, stack; } before = { p->accesses, p->words, p->stack };
	unsigned all;

	if (decode_one(i, p->next, high) != 0)
		return ENDING_NONE;
	if (i->in.mnemonic == ZYDIS_MNEMONIC_SYSCALL)
		return ENDING_SYSTEM;
	all = *used | registers_of(i);
	if (own_code_only(&i->in) || changes_segment(i) || !choose_scratch(p, all) ||
		burst_accesses(p, i, stack) != 0) {
		p->accesses = before.accesses;
		p->words = before.words;
		p->stack = before.stack;
		choose_scratch(p, *used);
		return ENDING_NONE;
	}
	*used = all;
	p->instructions++;
	p->next += i->in.length;
	if (i->op[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && i->op[0].imm.is_relative)
		p->target = p->next + (uint64_t)i->op[0].imm.value.s;
	return ending_of(i);
}

void burst_decode(struct block_plan *p, uint64_t ip, bool stack)
{
	struct burst_range range;
	unsigned used = 1u << RSP;

	p->ip = p->next = ip;
	p->instructions = p->accesses = p->stack = 0;
	p->words = 1;
	p->ending = ENDING_NONE;
	p->no_file = !burst_range_of(ip, &range);
	if (p->no_file)
		return;
	choose_scratch(p, used);
	do
		p->ending = take(p, &used, range.high, stack);
	while (p->ending == ENDING_NEXT && p->instructions < PLAN_INSTRUCTIONS &&
		p->accesses < PLAN_ACCESSES - ACCESSES_EACH);
	if (p->ending == ENDING_NONE && p->instructions > 0)
		p->ending = ENDING_NEXT;
}
