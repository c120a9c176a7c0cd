/* SPDX-License-Identifier: BSD-3-Clause */
/* From translated code to the recorder's C code and back, on a stack of its own, with every
 * register kept. */
#ifndef PSC_BURST_THUNK_H
#define PSC_BURST_THUNK_H

#include <stdint.h>

struct slot;

/* The program's registers, at the upper end of the recorder's stack.  The last five are what iretq
 * loads. */
struct thunk_frame {
	uint64_t r15, r14, r13, r12, r11, r10, r9, r8, rdi, rsi, rbp, rbx, rdx, rcx, rax;
	uint64_t ip, cs, flags, sp, ss;
};

enum { THUNK_VECTORS = 16 << 10 };  /* room for what xsave writes */

/* Translated code jumps there.  The labels divide it, for burst_native_state(). */
void burst_thunk(void);
extern const char burst_thunk_stack[], burst_thunk_saved[], burst_thunk_vectors[],
	burst_thunk_restored[], burst_thunk_end[];

/* What the thunk calls: sets frame->ip, where the thread goes on. */
void burst_dispatch(struct slot *s, struct thunk_frame *frame);

/* Calls f(s, argument) on another stack. */
void burst_call_on(
	void *stack_top, void (*f)(struct slot *s, void *argument), struct slot *s, void *argument);

static inline uint64_t thunk_vectors(const struct thunk_frame *frame)
{
	return ((uint64_t)frame - THUNK_VECTORS) & ~UINT64_C(63);
}

#endif
