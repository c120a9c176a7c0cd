/* SPDX-License-Identifier: BSD-3-Clause */
/* A bounded queue of allocations and releases, first in, first out.  Threads put without a lock, so that
 * one that vanishes in the middle stops nobody: its place is passed over after a while.
 *
 * The state of place n % TOLD in round r = n / TOLD is 2r while it may be claimed or written, 2r + 1
 * when it is full. */
#include "monitor/told.h"
#include <sys/syscall.h>
#include <unistd.h>

enum { TOLD = 1 << 12, PATIENCE = 1000 };

static struct place {
	_Atomic uint64_t state;
	struct told what;
} places[TOLD];
static _Alignas(64) _Atomic uint64_t head;
static _Alignas(64) _Atomic uint64_t tail;      /* written by the one that takes */

static struct place *claim(uint64_t *round)
{
	uint64_t n = atomic_load_explicit(&head, memory_order_relaxed);

	for (;;) {
		struct place *p = &places[n % TOLD];
		uint64_t state = atomic_load_explicit(&p->state, memory_order_acquire);

		*round = n / TOLD * 2;
		if (state < *round)
			return NULL;
		if (state != *round)
			n = atomic_load_explicit(&head, memory_order_relaxed);
		else if (atomic_compare_exchange_weak(&head, &n, n + 1))
			return p;
	}
}

bool told_put(const struct told *what)
{
	uint64_t round;
	struct place *p = claim(&round);

	if (!p)
		return false;
	p->what = *what;
	/* Where it was passed over, what is told is lost: one name of a block. */
	atomic_compare_exchange_strong(&p->state, &round, round + 1);
	return true;
}

bool told_waits(void)
{
	return atomic_load_explicit(&head, memory_order_acquire) !=
		atomic_load_explicit(&tail, memory_order_relaxed);
}

/* Has the thread that claimed the place written it? */
static bool full(struct place *p, uint64_t round)
{
	for (int i = 0; i < PATIENCE; i++) {
		if (atomic_load_explicit(&p->state, memory_order_acquire) == round + 1)
			return true;
		syscall(SYS_sched_yield);
	}
	return !atomic_compare_exchange_strong(&p->state, &round, round + 2);
}

bool told_take(struct told *what)
{
	while (told_waits()) {
		uint64_t n = atomic_load_explicit(&tail, memory_order_relaxed), round = n / TOLD * 2;
		struct place *p = &places[n % TOLD];
		bool ok = full(p, round);

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
