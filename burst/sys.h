/* SPDX-License-Identifier: BSD-3-Clause */
/* System calls without the C library: no errno, no cancellation, no wrapper. */
#ifndef PSC_BURST_SYS_H
#define PSC_BURST_SYS_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>

/* Returns what the kernel returns: errors as negative numbers. */
static inline long sys_call(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10),
		"r"(r8), "r"(r9) : "rcx", "r11", "memory");
	return result;
}

#define SYS_3(n, a, b, c) sys_call(n, (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define SYS_4(n, a, b, c, d) sys_call(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

/* Whether 8 bytes can be read: the kernel reads them, and then finds that the call makes no
 * sense. */
static inline bool sys_readable(uint64_t address)
{
	return SYS_4(SYS_rt_sigprocmask, -1, address, 0, 8) == -EINVAL;
}

#endif
