/* SPDX-License-Identifier: BSD-3-Clause */
/* A bounded lock-free queue of allocations and releases, first in, first out.
 *
 * Any thread may put.  A thread that vanishes between claiming a slot and filling it blocks nobody:
 * the taker skips the slot after YIELDS tries.  In round r = n / PENDING, the state of slot n %
 * PENDING is 2r while it may be claimed or filled, and 2r + 1 when it is full. */
#include "monitor/address/pending.h"
#include <sys/syscall.h>
#include <unistd.h>

enum { PENDING = 1 << 12, YIELDS = 1000 };

static struct pending_slot {
	_Atomic uint64_t state;
	struct pending_change what;
} slots[PENDING];
static _Alignas(64) _Atomic uint64_t head;
static _Alignas(64) _Atomic uint64_t tail;      /* written by the taker only */

static struct pending_slot *slot_claim(uint64_t *round)
{
	uint64_t n = atomic_load_explicit(&head, memory_order_relaxed);

	for (;;) {
		struct pending_slot *p = &slots[n % PENDING];
		uint64_t state = atomic_load_explicit(&p->state, memory_order_acquire);

		*round = n / PENDING * 2;
		if (state < *round)
			return NULL;
		if (state != *round)
			n = atomic_load_explicit(&head, memory_order_relaxed);
		else if (atomic_compare_exchange_weak(&head, &n, n + 1))
			return p;
	}
}

bool pending_put(const struct pending_change *what)
{
	uint64_t round;
	struct pending_slot *p = slot_claim(&round);

	if (!p)
		return false;
	p->what = *what;
	/* Fails when the taker has skipped the slot: this change is lost, hence one block's
	 * name. */
	atomic_compare_exchange_strong(&p->state, &round, round + 1);
	return true;
}

bool pending_any(void)
{
	return atomic_load_explicit(&head, memory_order_acquire) !=
		atomic_load_explicit(&tail, memory_order_relaxed);
}

/* Has the thread that claimed the slot filled it?  Waits for it; false: skip the slot. */
static bool slot_full(struct pending_slot *p, uint64_t round)
{
	for (int i = 0; i < YIELDS; i++) {
		if (atomic_load_explicit(&p->state, memory_order_acquire) == round + 1)
			return true;
		syscall(SYS_sched_yield);
	}
	return !atomic_compare_exchange_strong(&p->state, &round, round + 2);
}

bool pending_take(struct pending_change *what)
{
	while (pending_any()) {
		uint64_t n = atomic_load_explicit(&tail, memory_order_relaxed);
		uint64_t round = n / PENDING * 2;
		struct pending_slot *p = &slots[n % PENDING];
		bool ok = slot_full(p, round);

		if (ok) {
			*what = p->what;
			atomic_store_explicit(&p->state, round + 2, memory_order_release);
		}
		atomic_store_explicit(&tail, n + 1, memory_order_relaxed);
		if (ok)
			return true;
	}
	return false;
}
