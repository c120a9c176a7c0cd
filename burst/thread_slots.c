/* SPDX-License-Identifier: BSD-3-Clause */
/* Slots and timers of threads.
 *
 * A timer counts the processor time of its thread: a thread that waits in a system call is not
 * disturbed. */
#define _GNU_SOURCE
#include "burst/thread_slots.h"

#include <asm/prctl.h>
#include <linux/time_types.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include "burst/decode.h"
#include "burst/sys.h"
#include "burst/thunk.h"
#include "burst/translate.h"

static char *shared, *executable;

void burst_threads_start(char *memory, char *code)
{
	shared = memory;
	executable = code;
}

static uint64_t place_of(uint32_t n)
{
	return BURST_HEADER_BYTES + (uint64_t)n * BURST_SLOT_BYTES;
}

static long map_private(uint64_t bytes)
{
	return sys_call(SYS_mmap, 0, (long)bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* The private memory of a slot is made once, and is kept for the next thread. */
static int slot_make(struct slot *s, uint32_t n)
{
	char *at = shared + place_of(n);
	uint64_t hash = SLOT_HASH * sizeof *s->hash;
	long memory;

	if (s->plan != NULL)
		return 0;
	memory = map_private(SLOT_STACK + hash + sizeof *s->plan);
	if (memory < 0 && memory > -4096)
		return -1;
	s->timer = -1;
	s->thread = (struct burst_thread *)(void *)at;
	s->blocks = (struct burst_block *)(void *)(at + BURST_BLOCKS_AT);
	s->accesses = (struct burst_access *)(void *)(at + BURST_ACCESSES_AT);
	s->code = (uint8_t *)at + BURST_CODE_AT;
	s->run = (uint8_t *)executable + place_of(n) + BURST_CODE_AT;
	s->stack = (uint8_t *)memory;
	s->hash = (uint32_t *)(memory + SLOT_STACK);
	s->plan = (struct block_plan *)(memory + SLOT_STACK + (long)hash);
	s->thread->self = (uint64_t)s;
	s->thread->thunk = (uint64_t)(uintptr_t)burst_thunk;
	s->thread->stack_top = (uint64_t)s->stack + SLOT_STACK;
	return 0;
}

/* Takes a free slot for this thread.  NULL: there is none. */
static struct slot *slot_take(struct burst_header *h)
{
	for (uint32_t n = 0; n < h->most_slots; n++) {
		struct burst_thread *t = (struct burst_thread *)(void *)(shared + place_of(n));
		uint32_t is = BURST_FREE_SLOT, slots = atomic_load(&h->slots);

		if (!atomic_compare_exchange_strong(&t->life, &is, BURST_LIVE))
			continue;
		if (slot_make(&burst_slots[n], n) != 0) {
			atomic_store(&t->life, BURST_FREE_SLOT);
			return NULL;
		}
		while (slots <= n && !atomic_compare_exchange_weak(&h->slots, &slots, n + 1))
			;
		return &burst_slots[n];
	}
	return NULL;
}

static bool own_base(uint64_t gs)
{
	return gs >= (uint64_t)shared && gs < (uint64_t)shared + BURST_BYTES;
}

/* %gs of this thread addresses the slot.  A new thread begins with its creator's.  -1: the program
 * uses it. */
static int set_base(const struct slot *s)
{
	uint64_t gs = 0;

	SYS_3(SYS_arch_prctl, ARCH_GET_GS, &gs, 0);
	if (gs != 0 && !own_base(gs))
		return -1;
	return SYS_3(SYS_arch_prctl, ARCH_SET_GS, s->thread, 0) == 0 ? 0 : -1;
}

static struct __kernel_timespec time_of(uint64_t ns)
{
	return (struct __kernel_timespec){ (long long)(ns / 1000000000),
		(long long)(ns % 1000000000) };
}

static int timer_start(struct slot *s, uint64_t period)
{
	struct __kernel_itimerspec every = { time_of(period), time_of(period) };
	struct sigevent event = {
		.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = BURST_SIGNAL,
		.sigev_value = { .sival_ptr = s }
	};

	event._sigev_un._tid = (int)s->thread->tid;
	s->timer = -1;
	if (SYS_3(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &s->timer) != 0)
		return -1;
	SYS_4(SYS_timer_settime, s->timer, 0, &every, 0);
	return 0;
}

static void slot_begin(struct slot *s, uint64_t stack_high)
{
	struct burst_thread *t = s->thread;

	t->tid = (uint32_t)SYS_3(SYS_gettid, 0, 0, 0);
	t->stack_high = stack_high;
	SYS_3(SYS_arch_prctl, ARCH_GET_FS, &t->fs, 0);
	atomic_store(&t->status, BURST_IDLE);
	s->timer = -1;
	s->restart_sp = 0;
}

void burst_thread_begin(uint64_t stack_high)
{
	struct burst_header *h = burst_header();
	struct slot *s = burst_stopped() ? NULL : slot_take(h);

	if (burst_stopped())
		return;
	if (s == NULL || set_base(s) != 0) {
		atomic_fetch_add(&h->threads_lost, 1);
		if (s != NULL)
			atomic_store(&s->thread->life, BURST_FREE_SLOT);
		return;
	}
	slot_begin(s, stack_high);
	burst_mine = s;
	if (h->period != 0 && timer_start(s, h->period) != 0)
		atomic_fetch_add(&h->threads_lost, 1);
}

/* Else the slot is free at once: a program may make threads faster than the reader looks. */
static bool left_to_read(struct burst_thread *t)
{
	return atomic_load_explicit(&t->status, memory_order_acquire) != BURST_IDLE ||
		atomic_load(&t->sample_head) != atomic_load(&t->sample_tail);
}

void burst_thread_end(void)
{
	struct slot *s = burst_mine;

	if (s == NULL || burst_header() == NULL)
		return;
	burst_mine = NULL;
	if (burst_stopped())
		return;
	SYS_3(SYS_timer_delete, s->timer, 0, 0);        /* ends a burst, as any system call */
	atomic_store_explicit(&s->thread->life, left_to_read(s->thread) ? BURST_ENDED :
		BURST_FREE_SLOT, memory_order_release);
}

bool burst_threads_has(const void *slot)
{
	return (uintptr_t)slot - (uintptr_t)burst_slots < sizeof burst_slots;
}

static bool has_timer(const struct slot *s)
{
	return s->thread != NULL && s->timer >= 0 && atomic_load(&s->thread->life) == BURST_LIVE;
}

void burst_threads_stop(void)
{
	struct burst_header *h = burst_header();

	if (burst_stopped())
		return;
	atomic_store(&burst_live->stopped, true);
	for (uint32_t n = 0; n < atomic_load(&h->slots); n++)
		if (has_timer(&burst_slots[n]))
			SYS_3(SYS_timer_delete, burst_slots[n].timer, 0, 0);
}

uint32_t burst_threads_ring(void)
{
	const struct burst_header *h = burst_header();
	struct __kernel_itimerspec now = { time_of(h->period), { 0, 1 } };
	uint32_t threads = 0, slots = atomic_load(&h->slots);

	for (uint32_t n = 0; n < slots; n++) {
		if (!has_timer(&burst_slots[n]))
			continue;
		SYS_4(SYS_timer_settime, burst_slots[n].timer, 0, &now, 0);
		threads++;
	}
	return threads;
}
