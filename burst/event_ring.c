/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes events to the ring of the process.  Several threads write; none waits: each takes a place,
 * fills it, and then marks it as ready. */
#include "burst/event_ring.h"

#include <time.h>

#include "burst/callers.h"
#include "burst/sys.h"

/* A place in the ring; NULL: it is full. */
static struct burst_heap_event *place(struct burst_header *h, uint64_t *number)
{
	uint64_t head = atomic_load_explicit(&h->heap_head, memory_order_relaxed);

	do {
		if (head - atomic_load_explicit(&h->heap_tail, memory_order_acquire) >=
			BURST_HEAP_EVENTS) {
			atomic_fetch_add_explicit(&h->heap_lost, 1, memory_order_relaxed);
			return NULL;
		}
	} while (!atomic_compare_exchange_weak(&h->heap_head, &head, head + 1));
	*number = head;
	return &h->heap[head % BURST_HEAP_EVENTS];
}

static uint32_t this_thread(void)
{
	if (burst_mine != NULL)
		return burst_mine->thread->tid;
	return burst_stopped() ? 0 : (uint32_t)SYS_3(SYS_gettid, 0, 0, 0);
}

static uint64_t monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void burst_event(enum burst_heap_kind kind, const void *address, size_t size, const void *caller,
	const void *frame)
{
	uint64_t number;
	struct burst_heap_event *e = place(burst_header(), &number);

	if (e == NULL)
		return;
	e->address = (uint64_t)(uintptr_t)address;
	e->size = size;
	e->kind = kind;
	e->tid = this_thread();
	e->time = kind == BURST_FREE || kind == BURST_UNMAP ? monotonic_ns() : 0;
	e->callers[0] = (uint64_t)(uintptr_t)caller;
	e->callers[1] = 0;
	if (kind == BURST_ALLOC || kind == BURST_MAP)
		burst_find_callers((uint64_t)(uintptr_t)frame,
			burst_mine == NULL ? 0 : burst_mine->thread->stack_high, e->callers, 1);
	atomic_store_explicit(&e->ready, number + 1, memory_order_release);
}
