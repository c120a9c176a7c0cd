/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands before the functions by which a program forbids itself system calls: before that, the
 * recorder's timers are deleted, because their handler makes some. */
#define _GNU_SOURCE
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "burst/next.h"
#include "burst/slot.h"
#include "burst/thread_slots.h"

NEXT(int, prctl, int, ...)
NEXT(long, syscall, long, ...)

static void closes_itself_in(void)
{
	struct burst_header *h = burst_header();

	if (h == NULL)
		return;
	burst_threads_stop();
	h->refusal = BURST_SANDBOX;
	atomic_store_explicit(&h->state, BURST_REFUSED, memory_order_release);
}

EXPORT int prctl(int option, ...)
{
	unsigned long a[4];
	va_list arguments;

	va_start(arguments, option);
	for (int k = 0; k < 4; k++)
		a[k] = va_arg(arguments, unsigned long);
	va_end(arguments);
	if (option == PR_SET_SECCOMP)
		closes_itself_in();
	return next_prctl()(option, a[0], a[1], a[2], a[3]);
}

EXPORT long syscall(long number, ...)
{
	long a[6];
	va_list arguments;

	va_start(arguments, number);
	for (int k = 0; k < 6; k++)
		a[k] = va_arg(arguments, long);
	va_end(arguments);
	if (number == SYS_seccomp &&
		(a[0] == SECCOMP_SET_MODE_STRICT || a[0] == SECCOMP_SET_MODE_FILTER))
		closes_itself_in();
	return next_syscall()(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
