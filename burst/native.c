/* SPDX-License-Identifier: BSD-3-Clause */
/* A signal may come at any instruction of the recorder.  The program's handler may look at the
 * registers, change them, unwind, or never return: it must see the program's state, and the
 * recorder must not need what it was doing. */
#define _GNU_SOURCE
#include "burst/native.h"

#include <stddef.h>
#include <string.h>

#include "burst/thunk.h"
#include "burst/translate.h"

const uint8_t burst_register_numbers[REGISTERS] = {
	REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
	REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15
};

static uint64_t field(const struct slot *s, uint32_t offset)
{
	uint64_t value;

	memcpy(&value, (const char *)s->thread + offset, sizeof value);
	return value;
}

static void set(greg_t *g, int reg, uint64_t value)
{
	g[burst_register_numbers[reg]] = (greg_t)value;
}

/* In translated code. */
static void from_mark(struct slot *s, greg_t *g, const struct mark *m, const struct burst_block *b)
{
	bool target = m->state == MARK_TARGET || m->state == MARK_JUMPS;

	g[REG_RIP] = (greg_t)(target ? s->thread->target : m->ip);
	if (m->state == MARK_RCX || m->state == MARK_JUMPS)
		set(g, RCX, s->thread->saved_rcx);
	if (m->state == MARK_JUMPS)
		set(g, RAX, s->thread->saved_rax);
	if (m->state == MARK_SCRATCH)
		for (int k = 0; k < 2; k++)
			set(g, burst_scratch_register(b, k), field(s, burst_scratch_field(b, k)));
}

static const struct thunk_frame *frame_of(const struct slot *s)
{
	return (const struct thunk_frame *)(s->stack + SLOT_STACK - sizeof(struct thunk_frame));
}

/* Where the program's code goes on for which translated code has called. */
static uint64_t asked_for(const struct slot *s)
{
	struct exit_data data;

	memcpy(&data, s->code + s->thread->exit, sizeof data);
	return data.kind == EXIT_INDIRECT ? s->thread->target : data.target;
}

static void from_frame(const struct slot *s, greg_t *g)
{
	const struct thunk_frame *f = frame_of(s);
	const uint64_t registers[REGISTERS] = {
		f->rax, f->rcx, f->rdx, f->rbx, f->sp, f->rbp, f->rsi, f->rdi,
		f->r8, f->r9, f->r10, f->r11, f->r12, f->r13, f->r14, f->r15
	};

	for (int k = 0; k < REGISTERS; k++)
		set(g, k, registers[k]);
	g[REG_EFL] = (greg_t)f->flags;
}

static bool in_thunk(uint64_t ip)
{
	return ip >= (uint64_t)(uintptr_t)burst_thunk && ip < (uint64_t)burst_thunk_end;
}

/* In the thunk or what it calls. */
static void from_recorder(const struct slot *s, greg_t *g)
{
	uint64_t ip = (uint64_t)g[REG_RIP];

	if (!in_thunk(ip) || ip >= (uint64_t)burst_thunk_saved)
		from_frame(s, g);
	else if (ip >= (uint64_t)burst_thunk_stack)
		set(g, RSP, s->thread->program_sp);
	g[REG_RIP] = (greg_t)asked_for(s);
}

/* What of the last block is not yet recorded at a mark. */
static uint32_t missing(const struct mark *m, const struct burst_block *b)
{
	if (b == NULL || m->words == 0 || m->words > b->words)
		return 0;
	return (uint32_t)b->words - m->words;
}

enum where burst_native_state(struct slot *s, greg_t *registers, uint32_t *words)
{
	uint64_t ip = (uint64_t)registers[REG_RIP];
	const struct burst_block *b;
	struct mark m;

	if (words != NULL)
		*words = 0;
	if (slot_own_code(s, ip)) {
		m = burst_mark_at(s, (uint32_t)(ip - (uint64_t)s->run), &b);
		from_mark(s, registers, &m, b);
		if (words != NULL)
			*words = missing(&m, b);
		return WHERE_TRANSLATED;
	}
	if (in_thunk(ip) || slot_own_stack(s, (uint64_t)registers[REG_RSP])) {
		from_recorder(s, registers);
		return WHERE_RECORDER;
	}
	return WHERE_OWN;
}

/* The thunk has saved the vector registers in the form in which the kernel has them on the
 * stack. */
static void copy_vectors(const struct slot *s, struct _libc_fpstate *to)
{
	enum { LEGACY = 464, EXTENDED = 512, MAGIC = 0x46505853 };
	const char *from = (const char *)thunk_vectors(frame_of(s));
	uint32_t magic, size;

	memcpy(to, from, LEGACY);
	memcpy(&magic, (const char *)to + LEGACY, sizeof magic);
	memcpy(&size, (const char *)to + LEGACY + 16, sizeof size);
	if (magic == MAGIC && size > EXTENDED && size <= THUNK_VECTORS)
		memcpy((char *)to + EXTENDED, from + EXTENDED, size - EXTENDED);
}

static bool vectors_saved(uint64_t ip)
{
	return !in_thunk(ip) ||
		(ip >= (uint64_t)burst_thunk_vectors && ip < (uint64_t)burst_thunk_restored);
}

void burst_leave_for_signal(struct slot *s, ucontext_t *context)
{
	struct burst_thread *t = s->thread;
	uint64_t ip = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	uint32_t words;
	enum where where = burst_native_state(s, context->uc_mcontext.gregs, &words);

	if (where == WHERE_OWN)
		return;
	if (where == WHERE_RECORDER && vectors_saved(ip) && context->uc_mcontext.fpregs != NULL)
		copy_vectors(s, context->uc_mcontext.fpregs);
	if (atomic_load_explicit(&t->status, memory_order_relaxed) != BURST_RECORDING)
		return;
	atomic_store_explicit(&t->offset, t->offset - 8 * (uint64_t)words, memory_order_relaxed);
	atomic_store_explicit(&t->in_call, 0, memory_order_relaxed);
	atomic_store_explicit(&t->status, BURST_END_SIGNAL, memory_order_release);
}
