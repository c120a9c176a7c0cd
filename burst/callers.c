/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches a stack for return addresses.  Some of what is found was left by calls that have
 * returned: who reads the list knows the symbols and can tell.
 *
 * Nothing is read that might not be there: a word may point into a library that was unloaded, and
 * the stack may be one that the program has made itself. */
#include "burst/callers.h"

#include "burst/sys.h"

enum { SEARCHED_BYTES = 2048, PAGE = 4096, KNOWN = 512 };

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
	if (!in_code(word, range))
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

void burst_find_callers(uint64_t sp, uint64_t high, uint64_t *callers, int from)
{
	struct burst_range range = { 1, 0 };
	uint64_t end = burst_stopped() ? 0 : limit_of(sp, high);
	int n = from;

	for (uint64_t at = (sp + 7) & ~UINT64_C(7); at + 8 <= end && n < BURST_CALLERS; at += 8) {
		if (at % PAGE == 0 && !sys_readable(at))
			break;
		if (is_return_address(*(const uint64_t *)at, &range))
			callers[n++] = *(const uint64_t *)at;
	}
	if (n < BURST_CALLERS)
		callers[n] = 0;
}
