/* SPDX-License-Identifier: BSD-3-Clause */
/* A timer has expired: a sample, and perhaps the begin of a burst, which is a change of the
 * interrupted thread's instruction pointer. */
#define _GNU_SOURCE
#include "burst/expiry.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <asm/prctl.h>

#include "burst/arm_pages.h"
#include "burst/callers.h"
#include "burst/native.h"
#include "burst/signal_calls.h"
#include "burst/sys.h"
#include "burst/thread_slots.h"
#include "burst/thunk.h"
#include "burst/translate.h"

/* Samples that are lost, after which the recorder looks whether the reader is still there. */
enum { LOST_LOOK = 256 };

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* --- samples ---------------------------------------------------------------------------- */

static void sample(struct slot *s, const greg_t *g, uint64_t time, uint64_t cpu, uint64_t burst)
{
	struct burst_thread *t = s->thread;
	uint64_t head = atomic_load_explicit(&t->sample_head, memory_order_relaxed);
	struct burst_sample *to = &t->samples[head % BURST_SAMPLES];

	if (head - atomic_load_explicit(&t->sample_tail, memory_order_acquire) >= BURST_SAMPLES) {
		atomic_fetch_add_explicit(&t->samples_lost, 1, memory_order_relaxed);
		return;
	}
	to->time = time;
	to->cpu = cpu;
	to->ip = (uint64_t)g[REG_RIP];
	to->burst = burst;
	for (int k = 0; k < REGISTERS; k++)
		to->registers[k] = (uint64_t)g[burst_register_numbers[k]];
	burst_find_callers((uint64_t)g[REG_RSP], t->stack_high, to->callers, 0);
	atomic_store_explicit(&t->sample_head, head + 1, memory_order_release);
}

/* --- bursts ----------------------------------------------------------------------------- */

/* The number of the burst that this thread should begin; 0: none.  The first thread that sees a new
 * one makes the timers of all threads expire: those that run begin it together, this one too. */
static uint64_t due(const struct slot *s, bool at_once)
{
	struct burst_header *h = burst_header();
	uint64_t wanted = atomic_load(&h->wanted), begun = atomic_load(&h->begun);

	if (at_once || h->flags & BURST_FOREVER)
		return begun + 1;
	if (wanted > begun && atomic_compare_exchange_strong(&h->begun, &begun, wanted))
		return burst_threads_ring() > 1 ? 0 : wanted;
	return begun > atomic_load(&h->closed) && s->thread->burst != begun ? begun : 0;
}

static bool own_base(const struct slot *s)
{
	uint64_t gs = 0;

	SYS_3(SYS_arch_prctl, ARCH_GET_GS, &gs, 0);
	return gs == (uint64_t)s->thread;
}

static uint64_t words_of(const struct burst_header *h)
{
	return h->words == 0 || h->words > BURST_MAX_WORDS ? BURST_MAX_WORDS : h->words;
}

/* The block at which a burst can begin; 0: not here, because the code is in no file, not
 * translated, or a system call. */
static uint32_t first_block(struct slot *s, uint64_t ip)
{
	enum burst_status why;
	uint32_t block;

	if (burst_tables_stale(s))
		burst_tables_reset(s);
	block = burst_block_at(s, ip, &why);
	if (block != 0 && s->blocks[block].instructions > 0)
		return block;
	atomic_fetch_add_explicit(&s->thread->refused_ip, 1, memory_order_relaxed);
	s->thread->end_ip = ip;
	return 0;
}

/* The thread goes on in translated code.  Returns the burst's number, 0 if it could not. */
static uint64_t begin(struct slot *s, greg_t *g, uint64_t number, uint64_t time, uint64_t cpu)
{
	struct burst_thread *t = s->thread;
	struct burst_header *h = burst_header();
	uint32_t block;

	if (atomic_load_explicit(&t->status, memory_order_acquire) != BURST_IDLE &&
		(h->flags & (BURST_FOREVER | BURST_KEPT)) != BURST_FOREVER) {
		atomic_fetch_add_explicit(&t->refused_status, 1, memory_order_relaxed);
		return 0;
	}
	block = own_base(s) ? first_block(s, (uint64_t)g[REG_RIP]) : 0;
	if (block == 0)
		return 0;
	t->burst = number;
	t->first = BURST_WORDS_END - 8 * words_of(h);
	t->begin_time = time;
	t->begin_cpu = cpu;
	t->begin_ip = (uint64_t)g[REG_RIP];
	atomic_store_explicit(&t->offset, t->first, memory_order_relaxed);
	atomic_store_explicit(&t->in_call, 0, memory_order_relaxed);
	atomic_fetch_add_explicit(&t->bursts, 1, memory_order_relaxed);
	atomic_store_explicit(&t->status, BURST_RECORDING, memory_order_release);
	g[REG_RIP] = (greg_t)((uint64_t)s->run + s->blocks[block].code);
	return number;
}

/* --- the handler ------------------------------------------------------------------------ */

struct expiry {
	ucontext_t *context;
	bool at_once;           /* BURST_ON_SIGNAL */
};

/* Nobody reads any more: the reader has said so, or has ended without a word. */
static bool is_over(const struct slot *s)
{
	const struct burst_header *h = burst_header();
	const struct burst_thread *t = s->thread;
	uint64_t lost = atomic_load_explicit(&t->samples_lost, memory_order_relaxed);

	if (atomic_load_explicit(&h->done, memory_order_relaxed) != 0)
		return true;
	return h->reader != 0 && lost % LOST_LOOK == LOST_LOOK - 1 &&
		SYS_3(SYS_kill, h->reader, 0, 0) == -ESRCH;
}

static void expire(struct slot *s, void *argument)
{
	const struct expiry *x = argument;
	struct burst_thread *t = s->thread;
	greg_t *g = x->context->uc_mcontext.gregs, own[NGREG];
	uint64_t time = nanoseconds(CLOCK_MONOTONIC), cpu = nanoseconds(CLOCK_THREAD_CPUTIME_ID),
		 burst = 0, number;
	enum where where;

	memcpy(own, g, sizeof own);
	where = burst_native_state(s, own, NULL);
	if (where != WHERE_OWN)
		burst = t->burst;
	else if (atomic_load_explicit(&t->status, memory_order_relaxed) == BURST_RECORDING)
		atomic_store_explicit(&t->status, BURST_END_LOST, memory_order_release);
	if (is_over(s)) {
		burst_threads_stop();
		return;
	}
	if (where == WHERE_OWN && !slot_own_stack(s, (uint64_t)g[REG_RSP])) {
		number = due(s, x->at_once);
		if (number != 0)
			burst = begin(s, g, number, time, cpu);
	}
	sample(s, own, time, cpu, burst);
	burst_arm(burst_header());
}

/* A system call that the timer interrupted, and that the kernel does not make again by itself, is
 * made again: the instruction before is `syscall`, and the one before that in the C library is mov
 * $number,%eax.  In translated code, too, `syscall` is the instruction before. */
static void restart_call(struct slot *s, greg_t *g)
{
	greg_t own[NGREG];
	struct burst_range range;
	const uint8_t *at;
	int32_t number;

	if (g[REG_RAX] != -EINTR || (uint64_t)g[REG_RSP] == s->restart_sp)
		return;
	memcpy(own, g, sizeof own);
	burst_native_state(s, own, NULL);
	if (!burst_range_of((uint64_t)own[REG_RIP], &range) ||
		(uint64_t)own[REG_RIP] < range.low + 7)
		return;
	at = (const uint8_t *)own[REG_RIP];
	if (at[-2] != 0x0f || at[-1] != 0x05 || at[-7] != 0xb8)
		return;
	memcpy(&number, at - 6, sizeof number);
	g[REG_RAX] = number;
	g[REG_RIP] -= 2;
}

/* Whether it is the timer's. */
static bool from_timer(const siginfo_t *info, const struct slot *s)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == s;
}

void burst_expiry(int number, siginfo_t *info, void *context)
{
	struct slot *s = burst_header() == NULL ? NULL : burst_mine;
	struct expiry x = { .context = context };
	greg_t *g = x.context->uc_mcontext.gregs;
	int error = errno;

	/* A timer of ours may expire while its thread ends, or the recorder stops. */
	if (info->si_code == SI_TIMER && burst_threads_has(info->si_value.sival_ptr) &&
	    (s == NULL || burst_stopped())) {
		if (s != NULL)
			restart_call(s, g);
		return;
	}
	if (s == NULL || !from_timer(info, s)) {
		x.at_once = s != NULL && burst_header()->flags & (BURST_ON_SIGNAL | BURST_FOREVER);
		if (!x.at_once) {
			burst_forward_signal(number, info, context);
			return;
		}
	} else {
		restart_call(s, g);
		s->restart_sp = 0;
	}
	if (slot_own_stack(s, (uint64_t)g[REG_RSP]))
		expire(s, &x);
	else
		burst_call_on(s->stack + SLOT_STACK, expire, s, &x);
	errno = error;
}
