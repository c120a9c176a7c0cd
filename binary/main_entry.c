/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds main in a file without symbols: the code at the entry passes its address to the C library
 * as the first argument. */
#include "binary/internal.h"

#include <Zydis/Zydis.h>

/* The code at the entry has about 12 instructions up to its call. */
#define MOST 32

/* The address that an instruction puts into rdi; 0: none. */
static uint64_t loads_rdi(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o,
	uint64_t next)
{
	if (i->operand_count_visible < 2 || o[0].type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    (o[0].reg.value != ZYDIS_REGISTER_RDI && o[0].reg.value != ZYDIS_REGISTER_EDI))
		return 0;
	if (i->mnemonic == ZYDIS_MNEMONIC_LEA && o[1].mem.base == ZYDIS_REGISTER_RIP)
		return next + (uint64_t)o[1].mem.disp.value;
	if (i->mnemonic == ZYDIS_MNEMONIC_MOV && o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return o[1].imm.value.u;
	return 0;
}

uint64_t binary_main(struct binary *b)
{
	ZydisDecodedOperand o[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction i;
	uint64_t at = b->entry, found = 0;
	ZydisDecoder d;

	ZydisDecoderInit(&d, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	for (int k = 0; k < MOST; k++) {
		size_t left;
		const unsigned char *p = binary_bytes(b, at, &left);
		uint64_t value;

		if (!p || ZYAN_FAILED(ZydisDecoderDecodeFull(&d, p, left, &i, o)))
			return 0;
		at += i.length;
		value = loads_rdi(&i, o, at);
		found = value ? value : found;
		if (i.meta.category == ZYDIS_CATEGORY_CALL)
			return found && binary_executable(b, found) ? found : 0;
	}
	return 0;
}
