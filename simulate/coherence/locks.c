/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the addresses of the program's locks, so that reports can say that a line holds one.  Locks that do not fit are
 * not known to be locks; their accesses count as all others do. */
#include "simulate/coherence/directory.h"

enum { PROBES = 32, BYTES_SHIFT = 56 };

/* A lock: its address, and above it the number of its bytes. */
static uint64_t address_of(uint64_t lock)
{
	return lock & ((UINT64_C(1) << BYTES_SHIFT) - 1);
}

/* Locks of one line begin at one place of the hash. */
static uint32_t slot_of(const struct share *s, uint64_t address)
{
	return (uint32_t)((address >> s->shift) * UINT64_C(0x9e3779b97f4a7c15) >> 52) % SHARE_LOCKS;
}

void share_lock(struct share_core *l, uint64_t address, uint32_t bytes)
{
	struct share *s = l->share;
	const uint64_t lock = address | (uint64_t)(bytes < 255 ? bytes : 255) << BYTES_SHIFT;

	for (uint32_t i = 0, slot = slot_of(s, address); i < PROBES; i++, slot = (slot + 1) % SHARE_LOCKS) {
		uint64_t known = atomic_load_explicit(&s->lock[slot], memory_order_relaxed);

		if (!known)
			atomic_compare_exchange_strong(&s->lock[slot], &known, lock);
		if (!known || address_of(known) == address)
			return;
	}
}

uint64_t locks_in(const struct share *s, uint64_t address, uint32_t *n)
{
	const uint64_t line = UINT64_C(1) << s->shift;
	uint64_t mask = 0;

	*n = 0;
	for (uint32_t i = 0, slot = slot_of(s, address); i < PROBES; i++, slot = (slot + 1) % SHARE_LOCKS) {
		const uint64_t lock = atomic_load_explicit(&s->lock[slot], memory_order_relaxed);
		const uint64_t first = address_of(lock) - address, last = first + (lock >> BYTES_SHIFT) - 1;

		if (!lock)
			break;
		if (first >= line)
			continue;
		++*n;
		mask |= share_mask_of(s->shift, s->unit, first, last < line ? last : line - 1);
	}
	return mask;
}
