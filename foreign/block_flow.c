/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows values through registers. */
#include "config.h"
#include "foreign/block_flow.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INSTRUCTIONS = 1024, LOAD_CYCLES = 4, FLAGS = 63 };
/* What a core starts in a cycle; cycles of its divider for a division. */
enum { ISSUED = 6, LOADED = 3, STORED = 2, FLOATS = 2, DIVISION_CYCLES = 4 };

/* --- decoding --------------------------------------------------------------------------------- */

/* The number of a register, the same for all its parts, + 1; 0: it is not followed. */
static uint8_t number_of(ZydisRegister reg)
{
	const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
		reg);

	if (whole == ZYDIS_REGISTER_RSP)        /* pushes and pops wait for nothing */
		return 0;
	if (whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15)
		return (uint8_t)(1 + whole - ZYDIS_REGISTER_RAX);
	if (whole >= ZYDIS_REGISTER_ZMM0 && whole <= ZYDIS_REGISTER_ZMM31)
		return (uint8_t)(17 + whole - ZYDIS_REGISTER_ZMM0);
	if (whole >= ZYDIS_REGISTER_K0 && whole <= ZYDIS_REGISTER_K7)
		return (uint8_t)(49 + whole - ZYDIS_REGISTER_K0);
	if (reg == ZYDIS_REGISTER_FLAGS || reg == ZYDIS_REGISTER_EFLAGS ||
	    reg == ZYDIS_REGISTER_RFLAGS)
		return FLAGS + 1;
	return 0;
}

/* Typical latencies of processors since 2017, in cycles: those that loops wait for. */
static uint8_t latency_of(const ZydisDecodedInstruction *i)
{
	switch (i->mnemonic) {
	case ZYDIS_MNEMONIC_IMUL: case ZYDIS_MNEMONIC_MUL: case ZYDIS_MNEMONIC_MULX: return 3;
	case ZYDIS_MNEMONIC_DIV: case ZYDIS_MNEMONIC_IDIV: return 18;
	case ZYDIS_MNEMONIC_DIVSD: case ZYDIS_MNEMONIC_VDIVSD: case ZYDIS_MNEMONIC_DIVPD: case ZYDIS_MNEMONIC_VDIVPD: return 14;
	case ZYDIS_MNEMONIC_DIVSS: case ZYDIS_MNEMONIC_VDIVSS: case ZYDIS_MNEMONIC_DIVPS: case ZYDIS_MNEMONIC_VDIVPS: return 11;
	case ZYDIS_MNEMONIC_SQRTSD: case ZYDIS_MNEMONIC_VSQRTSD: case ZYDIS_MNEMONIC_SQRTPD: case ZYDIS_MNEMONIC_VSQRTPD: return 18;
	case ZYDIS_MNEMONIC_SQRTSS: case ZYDIS_MNEMONIC_VSQRTSS: return 13;
	case ZYDIS_MNEMONIC_CVTSI2SD: case ZYDIS_MNEMONIC_VCVTSI2SD: case ZYDIS_MNEMONIC_CVTTSD2SI: return 6;
	default: break;
	}
	switch (i->meta.category) {
	case ZYDIS_CATEGORY_SSE: case ZYDIS_CATEGORY_AVX: case ZYDIS_CATEGORY_AVX512: case ZYDIS_CATEGORY_VFMA: case ZYDIS_CATEGORY_FMA4:
		return 4;
	case ZYDIS_CATEGORY_DATAXFER: return 0;         /* moves between registers are renamed */
	default: return 1;
	}
}

static void put(uint8_t *list, uint32_t room, uint8_t number)
{
	for (uint32_t i = 0; i < room && number; i++) {
		if (list[i] == number)
			return;
		if (!list[i]) {
			list[i] = number;
			return;
		}
	}
}

/* An instruction that only makes a register 0 does not depend on it. */
static bool makes_zero(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	const bool exclusive = i->mnemonic == ZYDIS_MNEMONIC_XOR ||
		i->mnemonic == ZYDIS_MNEMONIC_XORPS || i->mnemonic == ZYDIS_MNEMONIC_PXOR ||
		i->mnemonic == ZYDIS_MNEMONIC_XORPD || i->mnemonic == ZYDIS_MNEMONIC_VXORPS ||
		i->mnemonic == ZYDIS_MNEMONIC_VPXOR;
	const int last = i->operand_count_visible - 1;

	return exclusive && last > 0 && o[last].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		o[last - 1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		o[last].reg.value == o[last - 1].reg.value;
}

static void put_operand(struct flow_instruction *out, const ZydisDecodedOperand *o, uint64_t ip,
	bool lea, bool zero)
{
	if (o->type == ZYDIS_OPERAND_TYPE_REGISTER) {
		if (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ && !zero)
			put(out->source, FLOW_SOURCES, number_of(o->reg.value));
		if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
			put(out->target, 3, number_of(o->reg.value));
	} else if (o->type == ZYDIS_OPERAND_TYPE_MEMORY) {
		uint8_t *list = lea ? out->source : out->address;
		const uint32_t room = lea ? FLOW_SOURCES : 2;

		put(list, room, number_of(o->mem.base));
		put(list, room, number_of(o->mem.index));
		if (!lea && o->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
			out->load = ip;
	}
}

static struct flow_instruction decoded(const ZydisDecodedInstruction *i,
	const ZydisDecodedOperand *o, uint64_t ip)
{
	struct flow_instruction out = { .latency = latency_of(i) };
	const bool zero = makes_zero(i, o);

	for (int k = 0; k < i->operand_count; k++)
		put_operand(&out, &o[k], ip, i->mnemonic == ZYDIS_MNEMONIC_LEA, zero);
	return out;
}

static bool divides(const ZydisDecodedInstruction *i)
{
	enum { SHORTEST_DIVISION = 11 };

	return latency_of(i) >= SHORTEST_DIVISION;
}

static bool is_floating(const ZydisDecodedInstruction *i)
{
	switch (i->meta.category) {
	case ZYDIS_CATEGORY_SSE: case ZYDIS_CATEGORY_AVX: case ZYDIS_CATEGORY_AVX512: case ZYDIS_CATEGORY_VFMA:
	case ZYDIS_CATEGORY_FMA4:
		return true;
	default:
		return false;
	}
}

static void mix_add(struct flow_mix *mix, const ZydisDecodedInstruction *i,
	const ZydisDecodedOperand *o)
{
	for (int k = 0; k < i->operand_count && i->mnemonic != ZYDIS_MNEMONIC_LEA; k++) {
		if (o[k].type != ZYDIS_OPERAND_TYPE_MEMORY)
			continue;
		mix->loads =
			(uint16_t)(mix->loads + !!(o[k].actions & ZYDIS_OPERAND_ACTION_MASK_READ));
		mix->stores =
			(uint16_t)(mix->stores +
			!!(o[k].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE));
	}
	mix->floating = (uint16_t)(mix->floating + is_floating(i));
	mix->divisions = (uint16_t)(mix->divisions + divides(i));
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

uint32_t flow_block_throughput(const struct executed_block *b, uint32_t unit)
{
	/* a core joins it with the comparison before */
	const uint32_t fused = b->end == FLOW_CONDITIONAL && b->n > 1;
	uint32_t cycles = (b->n - fused) * unit / ISSUED;

	cycles = larger(cycles, b->mix.loads * unit / LOADED);
	cycles = larger(cycles, b->mix.stores * unit / STORED);
	cycles = larger(cycles, b->mix.floating * unit / FLOATS);
	return larger(cycles, (uint32_t)b->mix.divisions * DIVISION_CYCLES * unit);
}

static enum flow_end end_of(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	if (i->meta.category == ZYDIS_CATEGORY_COND_BR)
		return FLOW_CONDITIONAL;
	if ((i->mnemonic == ZYDIS_MNEMONIC_JMP || i->mnemonic == ZYDIS_MNEMONIC_CALL) &&
	    o[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return FLOW_INDIRECT;
	return FLOW_GOES_ON;
}

int flow_block_make(struct executed_block *b, uint64_t ip, const uint8_t *code, uint32_t bytes)
{
	struct flow_instruction list[MOST_INSTRUCTIONS];
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction i;
	ZydisDecoder decoder;
	uint32_t n = 0;

	*b = (struct executed_block){ 0 };
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	for (uint32_t at = 0; at < bytes && n < MOST_INSTRUCTIONS; at += i.length) {
		if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code + at, bytes - at, &i,
		    operands)))
			break;
		list[n++] = decoded(&i, operands, ip + at);
		b->end = end_of(&i, operands);
		mix_add(&b->mix, &i, operands);
	}
	if (!n)
		return -1;
	b->instruction = malloc(n * (sizeof *list + sizeof *b->chained));
	if (!b->instruction)
		return -1;
	memcpy(b->instruction, list, n * sizeof *list);
	b->chained = (uint16_t *)(b->instruction + n);
	memset(b->chained, 0, n * sizeof *b->chained);
	b->n = (uint16_t)n;
	return 0;
}

void flow_block_free(struct executed_block *b)
{
	free(b->instruction);
	*b = (struct executed_block){ 0 };
}

/* --- execution -------------------------------------------------------------------------------- */

/* Adds where the value of a register stems from. */
static void add_origins(uint64_t to[FLOW_ORIGINS], const uint64_t from[FLOW_ORIGINS])
{
	for (int i = 0; i < FLOW_ORIGINS && from[i]; i++)
		for (int k = 0; k < FLOW_ORIGINS && to[k] != from[i]; k++)
			if (!to[k]) {
				to[k] = from[i];
				break;
			}
}

static bool has_origin(const uint64_t in[FLOW_ORIGINS], uint64_t load)
{
	for (int i = 0; i < FLOW_ORIGINS; i++)
		if (in[i] == load)
			return true;
	return false;
}

/* When all registers of a list are ready; adds their origins. */
static uint32_t gather(const struct flow_registers *r, const uint8_t *list, uint32_t room,
	uint64_t origin[FLOW_ORIGINS])
{
	uint32_t ready = 0;

	for (uint32_t i = 0; i < room && list[i]; i++) {
		const uint8_t reg = (uint8_t)(list[i] - 1);

		ready = r->ready[reg] > ready ? r->ready[reg] : ready;
		add_origins(origin, r->origin[reg]);
	}
	return ready;
}

static bool any_linked(const struct flow_registers *r, const uint8_t *list, uint32_t room)
{
	for (uint32_t i = 0; i < room && list[i]; i++)
		if (r->linked[list[i] - 1])
			return true;
	return false;
}

/* Returns whether its load is chained. */
static bool run(const struct flow_instruction *i, struct flow_registers *r)
{
	uint64_t origin[FLOW_ORIGINS] = { 0 }, at[FLOW_ORIGINS] = { 0 };
	uint32_t ready = gather(r, i->source, FLOW_SOURCES, origin);
	const uint32_t address = gather(r, i->address, 2, at);
	const bool recurs = i->load && has_origin(at, i->load);
	const bool chained = recurs || (i->load && any_linked(r, i->address, 2));
	const bool linked = recurs || any_linked(r, i->source, FLOW_SOURCES);

	if (i->load) {
		const uint64_t self[FLOW_ORIGINS] = { i->load };

		ready = ready > address + LOAD_CYCLES ? ready : address + LOAD_CYCLES;
		add_origins(origin, self);
		add_origins(origin, at);
	}
	ready += i->latency;
	for (int k = 0; k < 3 && i->target[k]; k++) {
		const uint8_t reg = (uint8_t)(i->target[k] - 1);

		r->ready[reg] = ready;
		r->linked[reg] = linked;
		memcpy(r->origin[reg], origin, sizeof origin);
		if (ready > r->last)
			r->last = ready;
	}
	return chained;
}

void flow_block_run(struct executed_block *b, struct flow_registers *r)
{
	const uint32_t before = r->last;
	const bool counts = b->executions < FLOW_ENOUGH;

	for (uint16_t i = 0; i < b->n; i++)
		b->chained[i] = (uint16_t)(b->chained[i] + (run(&b->instruction[i], r) && counts));
	if (counts) {
		b->executions++;
		b->cycles += r->last - before;
	}
}

uint32_t flow_block_carried(const struct executed_block *b, uint32_t unit)
{
	return b->executions ? b->cycles * unit / b->executions : 0;
}

bool flow_block_chained(const struct executed_block *b, uint64_t ip)
{
	for (uint16_t i = 0; i < b->n; i++)
		if (b->instruction[i].load == ip)
			return 2 * b->chained[i] > b->executions && b->executions;
	return false;
}
