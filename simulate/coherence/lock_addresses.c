/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the addresses of the program's locks, so that reports can say that a line holds one.  Locks
 * that do not fit are not known to be locks; their accesses count as all others do. */
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

/* Keeps the lock at the place of the line that `at` lies in. */
static void keep(struct share *s, uint64_t at, uint64_t lock)
{
	for (uint32_t i = 0, slot = slot_of(s, at); i < PROBES;
	     i++, slot = (slot + 1) % SHARE_LOCKS) {
		uint64_t known = atomic_load_explicit(&s->lock[slot], memory_order_relaxed);

		if (!known)
			atomic_compare_exchange_strong(&s->lock[slot], &known, lock);
		if (!known || address_of(known) == address_of(lock))
			return;
	}
}

/* A lock that lies across two lines is kept for both. */
void share_lock(struct share_core *l, uint64_t address, uint32_t bytes)
{
	const uint32_t length = bytes < 1 ? 1 : bytes < 255 ? bytes : 255;
	const uint64_t lock = address | (uint64_t)length << BYTES_SHIFT,
		last = address + length - 1;

	keep(l->share, address, lock);
	if ((last ^ address) >> l->share->shift)
		keep(l->share, last, lock);
}

/* The 64ths of the line at the address that the lock takes; 0: it lies elsewhere. */
static uint64_t part_of(const struct share *s, uint64_t address, uint64_t lock)
{
	const uint64_t end = address + (UINT64_C(1) << s->shift), first = address_of(lock),
		behind = first + (lock >> BYTES_SHIFT);

	if (first >= end || behind <= address)
		return 0;
	return share_mask_of(s->shift, s->unit, first > address ? first : address,
		(behind < end ? behind : end) - 1);
}

struct line_locks locks_in(const struct share *s, uint64_t address, uint64_t updated)
{
	struct line_locks found = { 0, 0, 0 };

	for (uint32_t i = 0, slot = slot_of(s, address); i < PROBES;
	     i++, slot = (slot + 1) % SHARE_LOCKS) {
		const uint64_t lock = atomic_load_explicit(&s->lock[slot], memory_order_relaxed);
		const uint64_t part = part_of(s, address, lock);

		if (!lock)
			break;
		found.n += part != 0;
		found.updated += (part & updated) != 0;
		found.mask |= part;
	}
	return found;
}
