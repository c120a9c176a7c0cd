/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches a stack for return addresses.  Some of what is found was left by calls that have returned: who reads the list
 * knows the symbols and can tell. */
#include "burst/callers.h"

enum { SEARCHED_BYTES = 2048, PAGE = 4096 };

/* Whether an instruction of `n` bytes that ends before `at` is an indirect call: FF, and 2 in its ModRM's middle. */
static bool indirect_call(const uint8_t *at, int n)
{
	return at[-n] == 0xff && (at[1 - n] & 0x38) == 0x10;
}

static bool behind_call(uint64_t address, const struct burst_range *r)
{
	const uint8_t *at = (const uint8_t *)address;

	if (address < r->low + 7)
		return false;
	return at[-5] == 0xe8 || indirect_call(at, 2) || indirect_call(at, 3) || indirect_call(at, 4) ||
		indirect_call(at, 6) || indirect_call(at, 7);
}

static bool is_return_address(uint64_t word, struct burst_range *range)
{
	if (word < PAGE || word >> 47 != 0)
		return false;
	if ((word < range->low || word >= range->high) && !burst_range_of(word, range))
		return false;
	return behind_call(word, range);
}

/* How far the stack may be read. */
static uint64_t limit_of(const struct slot *s, uint64_t sp)
{
	uint64_t page = (sp | (PAGE - 1)) + 1;
	uint64_t high = s == NULL ? 0 : s->thread->stack_high;

	if (sp >= high || high - sp > (UINT64_C(1) << 30))
		return page;
	return high - sp < SEARCHED_BYTES ? high : sp + SEARCHED_BYTES;
}

void burst_find_callers(const struct slot *s, uint64_t sp, uint64_t *callers, int from)
{
	struct burst_range range = { 1, 0 };
	uint64_t end = limit_of(s, sp);
	int n = from;

	for (uint64_t at = (sp + 7) & ~UINT64_C(7); at + 8 <= end && n < BURST_CALLERS; at += 8)
		if (is_return_address(*(const uint64_t *)at, &range))
			callers[n++] = *(const uint64_t *)at;
	if (n < BURST_CALLERS)
		callers[n] = 0;
}
