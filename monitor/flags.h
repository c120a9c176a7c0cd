/* SPDX-License-Identifier: BSD-3-Clause */
/* What compiled code reads without asking anyone: __psc_recording, __psc_live, __psc_heap, a unit's phase.
 *
 * Those reads are plain, so that they cost nothing, and race with these writes.  Why that is sound: each is
 * one aligned word or byte, which no processor of ours tears; code may act on the old value as long as
 * it likes, because native and recording versions compute the same, and hooks that are called for
 * nothing ask pscm_live, which is atomic; nothing that was written before the flag is read on the strength
 * of it: buffers are made by their own thread, all else is behind locks.  So ThreadSanitizer is told
 * not to look at the writes. */
#ifndef PSC_MONITOR_FLAGS_H
#define PSC_MONITOR_FLAGS_H

#include <stdint.h>

#if defined(__SANITIZE_THREAD__)
#define PSCM_FLAG __attribute__((noinline, no_sanitize("thread"), unused)) static
#else
#define PSCM_FLAG static inline
#endif

PSCM_FLAG void pscm_flag(int *flag, int to)
{
	*(volatile int *)flag = to;
}

PSCM_FLAG void pscm_flag_byte(uint8_t *flag, uint8_t to)
{
	*(volatile uint8_t *)flag = to;
}

PSCM_FLAG int pscm_flag_is(const int *flag)
{
	return *(const volatile int *)flag;
}

/* libgomp is not built with ThreadSanitizer: hooks tell what its forks and barriers order. */
#if defined(__SANITIZE_THREAD__)
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define PSCM_TSAN_ACQUIRE(p) __tsan_acquire((void *)(uintptr_t)(p))
#define PSCM_TSAN_RELEASE(p) __tsan_release((void *)(uintptr_t)(p))
#else
#define PSCM_TSAN_ACQUIRE(p) (void)0
#define PSCM_TSAN_RELEASE(p) (void)0
#endif

#endif
