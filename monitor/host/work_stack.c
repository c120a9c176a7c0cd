/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a function on a stack of the monitor's own.
 *
 * The simulator needs more stack than a small stack of the program has left: a signal handler's
 * alternate stack of 8 KiB, a thread's of PTHREAD_STACK_MIN, or that of a context (makecontext). */
#include "monitor/host/mem.h"
#include "monitor/host/stacks.h"

#include <sys/mman.h>
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>          /* instructions without effect outside of valgrind */
#else
#define VALGRIND_STACK_REGISTER(low, high)
#endif

#define STACK_BYTES (64u << 10)
#define GUARD_BYTES (4u << 10)          /* at the low end: an overflow faults here */

#if defined(__x86_64__) && !defined(__ILP32__) && !defined(__SANITIZE_THREAD__)
#define HAVE_SWITCH 1
__asm__(".text\n"
	".hidden pscm_work_stack_call\n"
	".globl pscm_work_stack_call\n"
	".type pscm_work_stack_call, @function\n"
	"pscm_work_stack_call:\n"
	"	.cfi_startproc\n"
	"	endbr64\n"
	"	push %rbp\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset %rbp, -16\n"
	"	mov %rsp, %rbp\n"
	"	.cfi_def_cfa_register %rbp\n"
	"	mov %rdi, %rsp\n"
	"	mov %rdx, %rdi\n"
	"	call *%rsi\n"
	"	leave\n"
	"	.cfi_def_cfa %rsp, 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size pscm_work_stack_call, . - pscm_work_stack_call\n");
#elif defined(__aarch64__) && !defined(__SANITIZE_THREAD__)
#define HAVE_SWITCH 1
__asm__(".text\n"
	".hidden pscm_work_stack_call\n"
	".globl pscm_work_stack_call\n"
	".type pscm_work_stack_call, %function\n"
	"pscm_work_stack_call:\n"
	"	.cfi_startproc\n"
	"	stp x29, x30, [sp, #-16]!\n"
	"	.cfi_def_cfa_offset 16\n"
	"	.cfi_offset x29, -16\n"
	"	.cfi_offset x30, -8\n"
	"	mov x29, sp\n"
	"	.cfi_def_cfa_register x29\n"
	"	mov sp, x0\n"
	"	mov x0, x2\n"
	"	blr x1\n"
	"	mov sp, x29\n"
	"	ldp x29, x30, [sp], #16\n"
	"	.cfi_def_cfa sp, 0\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size pscm_work_stack_call, . - pscm_work_stack_call\n");
#elif defined(__riscv) && __riscv_xlen == 64 && !defined(__SANITIZE_THREAD__)
#define HAVE_SWITCH 1
__asm__(".text\n"
	".hidden pscm_work_stack_call\n"
	".globl pscm_work_stack_call\n"
	".type pscm_work_stack_call, @function\n"
	"pscm_work_stack_call:\n"
	"	.cfi_startproc\n"
	"	addi sp, sp, -16\n"
	"	.cfi_def_cfa_offset 16\n"
	"	sd ra, 8(sp)\n"
	"	sd s0, 0(sp)\n"
	"	.cfi_offset ra, -8\n"
	"	.cfi_offset s0, -16\n"
	"	addi s0, sp, 16\n"
	"	.cfi_def_cfa s0, 0\n"
	"	mv sp, a0\n"
	"	mv a0, a2\n"
	"	jalr a1\n"
	"	addi sp, s0, -16\n"
	"	.cfi_def_cfa sp, 16\n"
	"	ld ra, 8(sp)\n"
	"	ld s0, 0(sp)\n"
	"	.cfi_restore ra\n"
	"	.cfi_restore s0\n"
	"	addi sp, sp, 16\n"
	"	.cfi_def_cfa_offset 0\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size pscm_work_stack_call, . - pscm_work_stack_call\n");
#endif

#ifdef HAVE_SWITCH
/* Calls f(argument) with the stack pointer at `top`, a multiple of 16. */
void pscm_work_stack_call(void *top, void (*f)(void *), void *argument);
#endif

void *pscm_work_stack_make(void)
{
#ifdef HAVE_SWITCH
	char *low = pscm_map(STACK_BYTES);

	if (!low)
		return NULL;
	/* may be forbidden; 64 KiB are enough without the guard */
	mprotect(low, GUARD_BYTES, PROT_NONE);
	VALGRIND_STACK_REGISTER(low, low + STACK_BYTES);
	return low + STACK_BYTES;
#else
	return NULL;
#endif
}

void pscm_work_stack_run(void *top, void (*f)(void *), void *argument)
{
#ifdef HAVE_SWITCH
	if (top) {
		pscm_work_stack_call(top, f, argument);
		return;
	}
#else
	(void)top;
#endif
	f(argument);
}
