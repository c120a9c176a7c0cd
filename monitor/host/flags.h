/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the flags that compiled code reads without synchronisation: __psc_recording, __psc_live,
 * __psc_heap, and a unit's phase bits.
 *
 * The code reads them with plain loads, which cost nothing and race with these writes.  The race is
 * harmless:
 * - Each flag is one aligned word or byte, which no supported processor tears.
 * - Code may act on an old value for any time: native and recording versions compute the same, and
 *   a hook called needlessly checks pscm_live, which is atomic.
 * - No data is read on the strength of a flag: a thread makes its own buffers, all else has locks.
 * ThreadSanitizer is told to ignore these writes. */
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

/* libgomp is not built with ThreadSanitizer, so hooks report the order that its forks and barriers
 * establish. */
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
