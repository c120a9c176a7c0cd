/* SPDX-License-Identifier: BSD-3-Clause */
/* Interprets the moves of the code behind a call: which registers, slots of the stack and variables
 * hold the pointer that the call has returned.  The way is the one on which the pointer is not
 * NULL; loops are not repeated. */
#include "binary/trace.h"

#include <string.h>
#include <Zydis/Zydis.h>

/* Instructions behind the call that are looked at, and slots of the stack
 * that are known to hold it. */
#define MOST_STEPS 400
#define MOST_SLOTS 16
#define REGISTERS 32            /* 16 general ones, 16 vectors */

struct slot {
	unsigned reg;
	int64_t offset;
};

struct state {
	const struct pointer_trace *t;
	struct value_origin reg[REGISTERS];
	struct slot slots[MOST_SLOTS];
	uint32_t nslots;
	bool tested;            /* the flags say whether the pointer is NULL */
	bool status;            /* eax is 0 where the call has stored a pointer */
	bool status_tested;     /* the flags say whether it is 0 */
	bool jumped;            /* the way has turned back */
	uint64_t exit;          /* the target of the last branch forward that was not taken; 0
				 * none */
	bool stop;
	ZydisDecoder decoder;
};

struct step {
	ZydisDecodedInstruction i;
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
	uint64_t address, next;
};

/* DWARF's numbers of Zydis' general registers. */
static const uint8_t general[16] = { 0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15 };

/* The number of a register of 8 bytes or a vector; REGISTERS: another, or a part of one. */
static unsigned number(ZydisRegister r, bool *whole)
{
	ZydisRegister all = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r);
	ZydisRegisterClass class = ZydisRegisterGetClass(all);
	ZyanI8 id = ZydisRegisterGetId(all);

	*whole = r == all || ZydisRegisterGetClass(r) == ZYDIS_REGCLASS_XMM;
	if (class == ZYDIS_REGCLASS_GPR64 && id >= 0 && id < 16)
		return general[id];
	if ((class == ZYDIS_REGCLASS_XMM || class == ZYDIS_REGCLASS_YMM ||
	    class == ZYDIS_REGCLASS_ZMM) && id >= 0 && id < 16)
		return 16 + (unsigned)id;
	return REGISTERS;
}

static bool decode(const struct state *s, uint64_t address, struct step *st)
{
	size_t left;
	const unsigned char *p = binary_bytes(s->t->b, address, &left);

	if (!p || ZYAN_FAILED(ZydisDecoderDecodeFull(&s->decoder, p, left, &st->i, st->o)))
		return false;
	st->address = address;
	st->next = address + st->i.length;
	return true;
}

static bool in_code(const struct pointer_trace *t, uint64_t address)
{
	for (uint32_t i = 0; i < t->code->nspans; i++)
		if (address >= t->code->spans[i].low && address < t->code->spans[i].high)
			return true;
	return false;
}

/* What an operand of memory adds its displacement to.  false: it has an
 * index, or is of a thread. */
static bool base_of(const struct state *s, const struct step *st, const ZydisDecodedOperand *o,
	struct value_origin *base, int64_t *offset)
{
	bool whole;
	unsigned r;

	if (o->mem.index != ZYDIS_REGISTER_NONE || o->mem.segment == ZYDIS_REGISTER_FS ||
	    o->mem.segment == ZYDIS_REGISTER_GS)
		return false;
	*offset = o->mem.disp.has_displacement ? o->mem.disp.value : 0;
	if (o->mem.base == ZYDIS_REGISTER_RIP || o->mem.base == ZYDIS_REGISTER_NONE) {
		*base = (struct value_origin){ ORIGIN_ADDRESS, REG_NONE, 0, st->address };
		*offset += o->mem.base == ZYDIS_REGISTER_RIP ? (int64_t)st->next : 0;
		return true;
	}
	r = number(o->mem.base, &whole);
	if (r >= 16)
		return false;
	*base = s->reg[r].kind == ORIGIN_REGISTER ? (struct value_origin){ ORIGIN_REGISTER, r, 0,
		st->address } : s->reg[r];
	return true;
}

/* The same as a place.  false: the base is itself a value from memory. */
static bool place_of(const struct state *s, const struct step *st, const ZydisDecodedOperand *o,
	enum origin_kind kind, struct value_origin *place)
{
	int64_t offset;

	if (!base_of(s, st, o, place, &offset) || place->kind == ORIGIN_VALUE ||
	    place->kind == ORIGIN_POINTER)
		return false;
	place->offset = (place->kind == ORIGIN_ADDRESS ? place->offset : 0) + offset;
	place->kind = kind;
	return true;
}

static bool is_stack(const struct value_origin *place)
{
	return place->reg == REG_RSP || place->reg == REG_RBP;
}

static bool slot_holds(const struct state *s, unsigned reg, int64_t offset)
{
	for (uint32_t i = 0; i < s->nslots; i++)
		if (s->slots[i].reg == reg && s->slots[i].offset == offset)
			return true;
	return false;
}

static void slot_set(struct state *s, unsigned reg, int64_t offset, bool holds)
{
	for (uint32_t i = 0; i < s->nslots; i++)
		if (s->slots[i].reg == reg && s->slots[i].offset == offset) {
			if (!holds)
				s->slots[i] = s->slots[--s->nslots];
			return;
		}
	if (holds && s->nslots < MOST_SLOTS)
		s->slots[s->nslots++] = (struct slot){ reg, offset };
}

static void tell(struct state *s, const struct holder *h)
{
	if (s->t->holder && !s->t->holder(s->t->context, h))
		s->stop = true;
}

static void tell_register(struct state *s, unsigned reg, uint64_t when)
{
	struct holder h = { .in_register = true, .reg = reg, .when = when };

	if (reg < 16)
		tell(s, &h);
}

static void set_register(struct state *s, unsigned to, struct value_origin o, const struct step *st)
{
	s->reg[to] = o;
	if (o.kind == ORIGIN_POINTER)
		tell_register(s, to, st->next);
}

static struct value_origin unknown(unsigned reg, uint64_t when)
{
	return (struct value_origin){ ORIGIN_REGISTER, reg, 0, when };
}

/* A value comes from memory. */
static void load(struct state *s, unsigned to, const struct step *st,
	const ZydisDecodedOperand *from)
{
	struct value_origin place;

	if (!place_of(s, st, from, ORIGIN_VALUE, &place))
		place = unknown(to, st->next);
	else if (is_stack(&place) && slot_holds(s, place.reg, place.offset))
		place.kind = ORIGIN_POINTER;
	set_register(s, to, place, st);
}

static void store(struct state *s, const struct step *st, const ZydisDecodedOperand *to,
	bool pointer)
{
	struct holder h = { .when = st->next };
	struct value_origin place;

	if (place_of(s, st, to, ORIGIN_ADDRESS, &place) && is_stack(&place))
		slot_set(s, place.reg, place.offset, pointer);
	if (pointer && base_of(s, st, to, &h.base, &h.offset) && h.base.kind != ORIGIN_POINTER)
		tell(s, &h);
}

static void take_address(struct state *s, unsigned to, const struct step *st)
{
	struct value_origin place;

	if (!place_of(s, st, &st->o[1], ORIGIN_ADDRESS, &place))
		place = unknown(to, st->next);
	set_register(s, to, place, st);
}

/* Moves of 8 bytes and more, the lowest of which are looked at. */
static bool is_move(ZydisMnemonic m)
{
	switch (m) {
	case ZYDIS_MNEMONIC_MOV:
	case ZYDIS_MNEMONIC_MOVQ:
	case ZYDIS_MNEMONIC_VMOVQ:
	case ZYDIS_MNEMONIC_MOVAPS:
	case ZYDIS_MNEMONIC_MOVUPS:
	case ZYDIS_MNEMONIC_MOVAPD:
	case ZYDIS_MNEMONIC_MOVUPD:
	case ZYDIS_MNEMONIC_MOVDQA:
	case ZYDIS_MNEMONIC_MOVDQU:
	case ZYDIS_MNEMONIC_VMOVAPS:
	case ZYDIS_MNEMONIC_VMOVUPS:
	case ZYDIS_MNEMONIC_VMOVDQA:
	case ZYDIS_MNEMONIC_VMOVDQU:
	case ZYDIS_MNEMONIC_MOVLPS:
	case ZYDIS_MNEMONIC_MOVLPD:
		return true;
	default:
		return false;
	}
}

/* Instructions that leave the lowest 8 bytes of their first register as they are. */
static bool keeps_low(const struct step *st)
{
	return st->i.mnemonic == ZYDIS_MNEMONIC_PUNPCKLQDQ ||
		st->i.mnemonic == ZYDIS_MNEMONIC_MOVHPS ||
		st->i.mnemonic == ZYDIS_MNEMONIC_MOVHPD ||
		st->i.mnemonic == ZYDIS_MNEMONIC_MOVLHPS ||
		(st->i.mnemonic == ZYDIS_MNEMONIC_PINSRQ && st->i.raw.imm[0].value.u == 1);
}

/* What no move writes is not known any more. */
static void forget_written(struct state *s, const struct step *st)
{
	for (uint32_t k = 0; k < st->i.operand_count; k++) {
		const ZydisDecodedOperand *o = &st->o[k];
		bool whole;
		unsigned r;

		if (!(o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			continue;
		if (o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    (r = number(o->reg.value, &whole)) < REGISTERS &&
		    !(k == 0 && r >= 16 && keeps_low(st)))
			s->reg[r] = unknown(r, st->next);
		else if (o->type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    o->mem.type == ZYDIS_MEMOP_TYPE_MEM)
			store(s, st, o, false);
	}
	/* "vpunpcklqdq a, b, c": the lowest 8 bytes are those of b. */
	if (st->i.mnemonic == ZYDIS_MNEMONIC_VPUNPCKLQDQ ||
	    st->i.mnemonic == ZYDIS_MNEMONIC_VPINSRQ) {
		bool whole;
		unsigned to = number(st->o[0].reg.value, &whole), from = number(st->o[1].reg.value,
			&whole);

		if (to < REGISTERS && from < REGISTERS)
			s->reg[to] = s->reg[from];
	}
}

static void move(struct state *s, const struct step *st)
{
	const ZydisDecodedOperand *to = &st->o[0], *from = &st->o[1];
	bool from_whole = false, to_whole = false;
	unsigned t = REGISTERS, f = REGISTERS;

	if (to->type == ZYDIS_OPERAND_TYPE_REGISTER)
		t = number(to->reg.value, &to_whole);
	if (from->type == ZYDIS_OPERAND_TYPE_REGISTER)
		f = number(from->reg.value, &from_whole);
	if (t < REGISTERS && f < REGISTERS && to_whole && from_whole)
		set_register(s, t, s->reg[f].kind == ORIGIN_REGISTER ? unknown(f, st->address) :
			s->reg[f], st);
	else if (t < REGISTERS && to_whole && from->type == ZYDIS_OPERAND_TYPE_MEMORY)
		load(s, t, st, from);
	else if (t < 16 && from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		/* The address of a static variable in an executable that is
		 * not position-independent. */
		set_register(s, t, (struct value_origin){ ORIGIN_ADDRESS, REG_NONE,
			(int64_t)from->imm.value.u, st->next }, st);
	else if (to->type == ZYDIS_OPERAND_TYPE_MEMORY)
		store(s, st, to, f < REGISTERS && from_whole && s->reg[f].kind == ORIGIN_POINTER);
	else
		forget_written(s, st);
}

/* The registers that a callee may change. */
static void forget_call(struct state *s, const struct step *st)
{
	static const uint8_t kept[] = { 3, REG_RBP, REG_RSP, 12, 13, 14, 15 };

	for (unsigned r = 0; r < REGISTERS; r++)
		if (!memchr(kept, (int)r, sizeof kept))
			s->reg[r] = unknown(r, st->next);
	s->tested = s->status = s->status_tested = false;
}

/* Whether the instruction compares the pointer with NULL. */
static bool tests_pointer(const struct state *s, const struct step *st)
{
	bool whole;
	unsigned r = st->o[0].type == ZYDIS_OPERAND_TYPE_REGISTER ? number(st->o[0].reg.value,
		&whole) : REGISTERS;

	if (r >= 16 || s->reg[r].kind != ORIGIN_POINTER)
		return false;
	return (st->i.mnemonic == ZYDIS_MNEMONIC_TEST &&
		st->o[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		st->o[1].reg.value == st->o[0].reg.value) ||
		(st->i.mnemonic == ZYDIS_MNEMONIC_CMP &&
		st->o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE && st->o[1].imm.value.u == 0);
}

static bool tests_status(const struct step *st)
{
	return st->i.mnemonic == ZYDIS_MNEMONIC_TEST &&
		st->o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		st->o[0].reg.value == ZYDIS_REGISTER_EAX &&
		st->o[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		st->o[1].reg.value == ZYDIS_REGISTER_EAX;
}

static void execute(struct state *s, const struct step *st)
{
	bool whole;
	unsigned r;

	if (tests_pointer(s, st)) {
		s->tested = true;
		return;
	}
	if (s->status && tests_status(st)) {
		s->status_tested = true;
		return;
	}
	if (st->i.meta.category != ZYDIS_CATEGORY_COND_BR &&
	    st->i.meta.category != ZYDIS_CATEGORY_DATAXFER)
		s->tested = s->status_tested = false;
	if (is_move(st->i.mnemonic)) {
		move(s, st);
	} else if (st->i.mnemonic == ZYDIS_MNEMONIC_LEA &&
	    (r = number(st->o[0].reg.value, &whole)) < 16) {
		take_address(s, r, st);
	} else {
		forget_written(s, st);
	}
}

/* The next instruction on the way; 0: the way ends.  A way that turns back goes on where a branch
 * that was not taken goes: behind the loop. */
static uint64_t next_address(struct state *s, const struct step *st, uint64_t furthest)
{
	uint64_t target = st->i.raw.imm[0].is_relative ?
		st->next + (uint64_t)st->i.raw.imm[0].value.s : 0, exit;

	switch (st->i.meta.category) {
	case ZYDIS_CATEGORY_UNCOND_BR:
		if (target > furthest || (target && target < furthest && !s->jumped))
			break;
		exit = s->exit;
		s->exit = 0;
		return exit > furthest ? exit : 0;
	case ZYDIS_CATEGORY_COND_BR:
		if ((s->tested && st->i.mnemonic == ZYDIS_MNEMONIC_JNZ && target > st->address) ||
		    (s->status_tested && st->i.mnemonic == ZYDIS_MNEMONIC_JZ &&
		    target > st->address))
			return target;
		if (target > furthest && in_code(s->t, target))
			s->exit = target;
		return st->next;
	default:
		return st->next;
	}
	s->jumped = target < furthest;
	return target;
}

static void begin(struct state *s, const struct pointer_trace *t, uint64_t address)
{
	*s = (struct state){ .t = t };
	for (unsigned r = 0; r < REGISTERS; r++)
		s->reg[r] = unknown(r, address);
	ZydisDecoderInit(&s->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

/* Before another call, variables of registers are told again: often they begin there. */
static void call(struct state *s, const struct step *st)
{
	for (unsigned r = 0; r < 16 && !s->stop; r++)
		if (s->reg[r].kind == ORIGIN_POINTER)
			tell_register(s, r, st->address);
	forget_call(s, st);
}

static bool walk(struct state *s, uint64_t address)
{
	uint64_t furthest = 0;
	struct step st;

	for (int k = 0; k < MOST_STEPS && !s->stop && address && in_code(s->t, address); k++) {
		if (!decode(s, address, &st))
			return false;
		if (st.i.meta.category == ZYDIS_CATEGORY_RET)
			return s->reg[REG_RAX].kind == ORIGIN_POINTER;
		furthest = address > furthest ? address : furthest;
		address = next_address(s, &st, furthest);
		if (st.i.meta.category == ZYDIS_CATEGORY_CALL)
			call(s, &st);
		else
			execute(s, &st);
	}
	return false;
}

bool trace_pointer(const struct pointer_trace *t, uint64_t address)
{
	struct state s;

	begin(&s, t, address);
	s.reg[REG_RAX].kind = ORIGIN_POINTER;
	tell_register(&s, REG_RAX, address);
	return walk(&s, address);
}

bool trace_stored(const struct pointer_trace *t, uint64_t address, const struct value_origin *place)
{
	struct holder h = { .base = *place, .when = address };
	struct state s;

	begin(&s, t, address);
	s.status = true;
	tell(&s, &h);
	if (is_stack(place))
		slot_set(&s, place->reg, place->offset, true);
	return walk(&s, address);
}

/* Interprets the code before the call in the order of its addresses: the
 * argument is made shortly before. */
bool trace_argument(const struct pointer_trace *t, uint64_t address, struct value_origin *argument)
{
	struct state s;
	struct step st;
	uint64_t at = 0;

	for (uint32_t i = 0; i < t->code->nspans; i++)
		if (address > t->code->spans[i].low && address <= t->code->spans[i].high)
			at = t->code->spans[i].low;
	begin(&s, t, at);
	while (at && at < address) {
		if (!decode(&s, at, &st))
			return false;
		at = st.next;
		if (at == address) {    /* the call */
			*argument = s.reg[REG_RDI];
			return argument->kind != ORIGIN_POINTER;
		}
		if (st.i.meta.category == ZYDIS_CATEGORY_CALL)
			forget_call(&s, &st);
		else
			execute(&s, &st);
	}
	return false;
}

uint64_t trace_target(const struct binary *b, uint64_t address)
{
	size_t left;
	const unsigned char *p = binary_bytes(b, address - 5, &left);
	int32_t distance;

	if (!p || left < 5 || *p != 0xe8)
		return 0;
	memcpy(&distance, p + 1, sizeof distance);
	return address + (uint64_t)(int64_t)distance;
}
