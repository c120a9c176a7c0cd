/* SPDX-License-Identifier: BSD-3-Clause */
/* Decodes an instruction for what it does to memory. */
#include "foreign/page_code.h"

#include <Zydis/Zydis.h>

static unsigned access_of(const ZydisDecodedOperand *o)
{
	return (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ ? (unsigned)PAGE_READ : 0) |
		(o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE ? (unsigned)PAGE_WRITE : 0);
}

static int accesses_data(const ZydisDecodedOperand *o)
{
	return o->type == ZYDIS_OPERAND_TYPE_MEMORY && o->mem.type != ZYDIS_MEMOP_TYPE_AGEN;
}

/* The stack is not tracked: a push or call of an operand reads the operand. */
static int of_stack(const ZydisDecodedOperand *o)
{
	return o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
		o->mem.base == ZYDIS_REGISTER_RSP;
}

unsigned page_code_access(const uint8_t *code, uint32_t bytes, int *copies)
{
	ZydisDecoder decoder;
	ZydisDecodedInstruction in;
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	unsigned does = PAGE_UNKNOWN;
	int n = 0;

	*copies = 0;
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, bytes, &in, operand)))
		return PAGE_UNKNOWN;
	for (int i = 0; i < in.operand_count; i++)
		if (accesses_data(&operand[i]) && !of_stack(&operand[i])) {
			does |= access_of(&operand[i]);
			n++;
		}
	*copies = n > 1 && does == (PAGE_READ | PAGE_WRITE);
	return does;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

unsigned page_code_side(uint64_t address, uint64_t rsi, uint64_t rdi)
{
	if (!rsi && !rdi)
		return PAGE_READ | PAGE_WRITE;
	return distance(address, rdi) <= distance(address, rsi) ? PAGE_WRITE : PAGE_READ;
}
