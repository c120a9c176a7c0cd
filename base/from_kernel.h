/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells a signal handler that the kernel called from one that the program called. */
#ifndef PSC_BASE_FROM_KERNEL_H
#define PSC_BASE_FROM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

/* `at` is a function's return address.  The kernel's is a trampoline that calls rt_sigreturn.
 * Always false on processors other than x86-64, AArch64 and RISC-V. */
static inline bool from_kernel(const unsigned char *at)
{
#if defined(__x86_64__)
	static const unsigned char code[] = { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05 };
#elif defined(__aarch64__)
	static const unsigned char code[] = { 0x68, 0x11, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4 };
#elif defined(__riscv)
	static const unsigned char code[] = { 0x93, 0x08, 0xb0, 0x08, 0x73, 0x00, 0x00, 0x00 };
#else
	static const unsigned char code[] = { 0 };

	return false;
#endif
	for (size_t i = 0; i < sizeof code; i++)
		if (at[i] != code[i])
			return false;
	return true;
}

#endif
