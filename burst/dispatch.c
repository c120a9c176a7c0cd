/* SPDX-License-Identifier: BSD-3-Clause */
/* What translated code cannot do alone: it has come to code that is not translated yet. */
#include <string.h>
#include "burst/emit.h"
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
	t->targets[at] = 0;
	t->entries[at] = frame->ip;
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

static void system_call(struct slot *s, struct thunk_frame *frame, const struct exit_data *data)
{
	if (leaves(frame->rax)) {
		frame->ip = data->target;
		end_burst(s, BURST_END_CALL, data->target);
		return;
	}
	frame->ip = (uint64_t)s->run + s->thread->exit + sizeof *data;
}

/* BURST_FOREVER: the words are dropped. */
static void full(struct slot *s, struct thunk_frame *frame, const struct exit_data *data)
{
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
