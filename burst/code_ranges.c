/* SPDX-License-Identifier: BSD-3-Clause */
/* Which code may be translated: the reader's table of executable mappings of files. */
#include "burst/slot.h"

static struct burst_live none;
struct burst_live *burst_live = &none;
struct slot burst_slots[BURST_THREADS];
_Thread_local struct slot *burst_mine;

static uint32_t first_above(const struct burst_header *h, uint64_t ip, uint32_t n)
{
	uint32_t low = 0;

	while (n > low) {
		uint32_t middle = low + (n - low) / 2;

		if (h->code[middle].low <= ip)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

bool burst_range_of(uint64_t ip, struct burst_range *range)
{
	struct burst_header *h = burst_header();
	uint32_t change = atomic_load_explicit(&h->code_change, memory_order_acquire);
	uint32_t n = h->ranges, at;

	if (change % 2 != 0 || n > BURST_RANGES)
		return false;
	at = first_above(h, ip, n);
	if (at == 0)
		return false;
	*range = h->code[at - 1];
	atomic_thread_fence(memory_order_acquire);
	return atomic_load_explicit(&h->code_change, memory_order_relaxed) == change &&
		ip < range->high;
}

bool burst_range_between(uint64_t low, uint64_t high)
{
	struct burst_header *h = burst_header();
	uint32_t change = atomic_load_explicit(&h->code_change, memory_order_acquire);
	uint32_t n = h->ranges, at;
	bool found;

	if (change % 2 != 0 || n > BURST_RANGES)
		return true;
	at = first_above(h, low, n);
	found = (at > 0 && h->code[at - 1].high > low) || (at < n && h->code[at].low < high);
	atomic_thread_fence(memory_order_acquire);
	return found || atomic_load_explicit(&h->code_change, memory_order_relaxed) != change;
}
