/* SPDX-License-Identifier: BSD-3-Clause */
/* What translated code cannot do alone: it has come to code that is not translated yet. */
#include <string.h>
#include <time.h>
#include "burst/callers.h"
#include "burst/encode.h"
#include "burst/slot.h"
#include "burst/sys.h"
#include "burst/thunk.h"
#include "burst/translate.h"

static uint64_t run_address(const struct slot *s, uint32_t block)
{
	return (uint64_t)s->run + s->blocks[block].code;
}

static void end_burst(struct slot *s, enum burst_status why, uint64_t ip)
{
	s->thread->end_ip = ip;
	atomic_store_explicit(&s->thread->status, why, memory_order_release);
}

/* The thread goes on at `target`, translated if possible.  Returns the block, 0: none. */
static uint32_t go_to(struct slot *s, struct thunk_frame *frame, uint64_t target)
{
	enum burst_status why;
	uint32_t block = burst_block_at(s, target, &why);

	frame->ip = block != 0 ? run_address(s, block) : target;
	if (block == 0)
		end_burst(s, why, target);
	return block;
}

static void edge(struct slot *s, struct thunk_frame *frame, const struct exit_data *data)
{
	uint32_t block = go_to(s, frame, data->target);

	if (block != 0)
		emit_patch(s->code + data->patch, s->code + s->blocks[block].code);
}

static void indirect(struct slot *s, struct thunk_frame *frame)
{
	struct burst_thread *t = s->thread;
	uint64_t target = t->target;
	uint32_t at = (uint32_t)target % BURST_TARGETS;

	if (go_to(s, frame, target) == 0)
		return;
	t->targets[at] = 0;             /* a signal may end this at any instruction */
	atomic_signal_fence(memory_order_seq_cst);
	t->entries[at] = frame->ip;
	atomic_signal_fence(memory_order_seq_cst);
	t->targets[at] = -target;
}

/* System calls after which the thread, or another, must not be in translated code. */
static bool leaves(uint64_t number)
{
	switch (number) {
	case SYS_clone: case SYS_clone3: case SYS_fork: case SYS_vfork: case SYS_execve: case SYS_execveat:
	case SYS_rt_sigreturn: case SYS_exit: case SYS_exit_group: case SYS_arch_prctl: case SYS_timer_delete:
		return true;
	default:
		return false;
	}
}

static bool futex_waits(uint64_t operation)
{
	enum {
		WAIT = 0,
		LOCK_PI = 6,
		WAIT_BITSET = 9,
		WAIT_REQUEUE_PI = 11,
		LOCK_PI2 = 13,
		OPERATION = 127
	};

	switch (operation & OPERATION) {
	case WAIT: case LOCK_PI: case WAIT_BITSET: case WAIT_REQUEUE_PI: case LOCK_PI2:
		return true;
	default:
		return false;
	}
}

/* System calls in which a thread waits for something that happens elsewhere. */
static bool waits(const struct thunk_frame *frame)
{
	switch (frame->rax) {
	case SYS_poll: case SYS_ppoll: case SYS_select: case SYS_pselect6: case SYS_epoll_wait: case SYS_epoll_pwait:
	case SYS_nanosleep: case SYS_clock_nanosleep: case SYS_pause: case SYS_rt_sigsuspend: case SYS_rt_sigtimedwait:
	case SYS_accept: case SYS_accept4: case SYS_connect: case SYS_wait4: case SYS_waitid: case SYS_flock:
	case SYS_semop: case SYS_semtimedop: case SYS_msgrcv: case SYS_io_getevents: case SYS_restart_syscall:
		return true;
	case SYS_futex:
		return futex_waits(frame->rsi);
	default:
		return false;
	}
}

/* What was translated may be no longer there: the tables are emptied before the next burst. */
static bool changes_code(const struct thunk_frame *frame)
{
	enum { EXECUTE = 4 };

	switch (frame->rax) {
	case SYS_mmap: case SYS_mprotect:
		return (frame->rdx & EXECUTE) != 0 ||
			burst_range_between(frame->rdi, frame->rdi + frame->rsi);
	case SYS_munmap: case SYS_mremap:
		return burst_range_between(frame->rdi, frame->rdi + frame->rsi);
	default:
		return false;
	}
}

static bool ends_burst(const struct slot *s, const struct thunk_frame *frame)
{
	const struct burst_header *h = burst_header();

	if (leaves(frame->rax))
		return true;
	if (changes_code(frame)) {
		atomic_fetch_add(&burst_live->unloads, 1);
		burst_forget_callers();
		return true;
	}
	return !(h->flags & BURST_FOREVER) &&
		(waits(frame) || atomic_load(&h->closed) >= s->thread->burst);
}

static void system_call(struct slot *s, struct thunk_frame *frame, const struct exit_data *data)
{
	if (ends_burst(s, frame)) {
		frame->ip = data->target;
		end_burst(s, BURST_END_CALL, data->target);
		return;
	}
	atomic_store_explicit(&s->thread->in_call, 1, memory_order_relaxed);
	frame->ip = (uint64_t)s->run + s->thread->exit + sizeof *data;
}

/* The reader has ended where it does not come within this time. */
enum { READER_TICK_NS = 50000, READER_TICKS = 400000 };

static void wait_for_reader(struct burst_thread *t)
{
	const struct timespec tick = { 0, READER_TICK_NS };

	atomic_store_explicit(&t->status, BURST_END_FULL, memory_order_release);
	for (int i = 0; i < READER_TICKS; i++) {
		if (atomic_load_explicit(&t->status, memory_order_acquire) == BURST_IDLE)
			break;
		SYS_3(SYS_nanosleep, &tick, NULL, 0);
	}
	atomic_store_explicit(&t->status, BURST_RECORDING, memory_order_release);
}

/* BURST_FOREVER: the words are dropped, with BURST_KEPT when they have been read. */
static void full(struct slot *s, struct thunk_frame *frame, const struct exit_data *data)
{
	if (burst_header()->flags & BURST_KEPT)
		wait_for_reader(s->thread);
	atomic_store_explicit(&s->thread->offset, s->thread->first, memory_order_relaxed);
	go_to(s, frame, data->target);
}

void burst_dispatch(struct slot *s, struct thunk_frame *frame)
{
	struct exit_data data;

	memcpy(&data, s->code + s->thread->exit, sizeof data);
	switch (data.kind) {
	case EXIT_EDGE: edge(s, frame, &data); break;
	case EXIT_INDIRECT: indirect(s, frame); break;
	case EXIT_SYSTEM: system_call(s, frame, &data); break;
	default: full(s, frame, &data); break;
	}
}
