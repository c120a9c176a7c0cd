/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches a stack for return addresses.  Some of what is found was left by calls that have
 * returned: who reads the list knows the symbols and can tell.
 *
 * Nothing is read that might not be there: a word may point into a library that was unloaded, and
 * the stack may be one that the program has made itself. */
#include "burst/callers.h"

#include <string.h>
#include <sys/auxv.h>

#include "burst/sys.h"

enum { SEARCHED_BYTES = 2048, PAGE = 4096, KNOWN = 512, NEAR = 1 << 12 };

/* Words that have been found to be return addresses. */
static _Atomic uint64_t known[KNOWN];

void burst_forget_callers(void)
{
	for (int k = 0; k < KNOWN; k++)
		atomic_store_explicit(&known[k], 0, memory_order_relaxed);
}

static _Atomic uint64_t *place_of(uint64_t word)
{
	return &known[(word * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & (KNOWN - 1)];
}

/* Whether an instruction of `n` bytes that ends before `at` is an indirect call: FF, and 2 in its
 * ModRM's middle. */
static bool indirect_call(const uint8_t *at, int n)
{
	return at[-n] == 0xff && (at[1 - n] & 0x38) == 0x10;
}

static bool behind_call(uint64_t address)
{
	const uint8_t *at = (const uint8_t *)address;

	return at[-5] == 0xe8 || indirect_call(at, 2) || indirect_call(at, 3) ||
		indirect_call(at, 4) || indirect_call(at, 6) || indirect_call(at, 7);
}

/* The dynamic linker jumps to the program by a register, which functions then save on their
 * stacks. */
static uint64_t entry;

__attribute__((constructor)) static void find_entry(void) { entry = getauxval(AT_ENTRY); }

static bool in_code(uint64_t word, struct burst_range *range)
{
	if (word < PAGE || word >> 47 != 0)
		return false;
	if ((word < range->low || word >= range->high) && !burst_range_of(word, range))
		return false;
	return word >= range->low + 8;
}

static bool is_return_address(uint64_t word, struct burst_range *range)
{
	if (!in_code(word, range) || word == entry)
		return false;
	if (atomic_load_explicit(place_of(word), memory_order_relaxed) == word)
		return true;
	if (!sys_readable(word - 8) || !behind_call(word))
		return false;
	atomic_store_explicit(place_of(word), word, memory_order_relaxed);
	return true;
}

static uint64_t limit_of(uint64_t sp, uint64_t high)
{
	return sp < high && high - sp < SEARCHED_BYTES ? high : sp + SEARCHED_BYTES;
}

/* Whether there is a jump to the function of another file. */
static bool is_stub(uint64_t address)
{
	static const uint8_t endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	const uint8_t *at = (const uint8_t *)address;
	struct burst_range range = { 1, 0 };

	if (!in_code(address, &range) || !sys_readable(address))
		return false;
	at += memcmp(at, endbr, sizeof endbr) == 0 ? sizeof endbr : 0;
	at += *at == 0xf2;
	return at[0] == 0xff && at[1] == 0x25;
}

/* Whether the call before a return address can be that of the function with `pc`: it begins not far
 * before.  In a long function, callers are of no use: it does not merely hand a block on. */
static bool can_call(uint64_t word, uint64_t pc)
{
	const uint8_t *at = (const uint8_t *)word;
	int32_t distance;

	if (pc == 0 || at[-5] != 0xe8)
		return true;
	memcpy(&distance, at - 4, sizeof distance);
	return pc - (word + (uint64_t)distance) < NEAR || is_stub(word + (uint64_t)distance);
}

bool burst_is_caller(uint64_t word, uint64_t pc)
{
	struct burst_range range = { 1, 0 };

	return is_return_address(word, &range) && can_call(word, pc);
}

/* The first return address from `at` on, before `end`. */
static uint64_t next_caller(uint64_t at, uint64_t end, uint64_t pc, struct burst_range *range)
{
	for (at = (at + 7) & ~UINT64_C(7); at + 8 <= end; at += 8) {
		if (at % PAGE == 0 && !sys_readable(at))
			break;
		if (is_return_address(*(const uint64_t *)at, range) &&
		    can_call(*(const uint64_t *)at, pc))
			return at;
	}
	return 0;
}

uint64_t burst_caller_above(uint64_t sp, uint64_t high, uint64_t pc)
{
	struct burst_range range = { 1, 0 };

	return burst_stopped() ? 0 : next_caller(sp, limit_of(sp, high), pc, &range);
}

void burst_find_callers(uint64_t sp, uint64_t high, uint64_t *callers, int from)
{
	struct burst_range range = { 1, 0 };
	uint64_t end = burst_stopped() ? 0 : limit_of(sp, high), at = sp;
	int n = from;

	while (n < BURST_CALLERS && (at = next_caller(at, end, 0, &range)) != 0) {
		callers[n++] = *(const uint64_t *)at;
		at += 8;
	}
	if (n < BURST_CALLERS)
		callers[n] = 0;
}
