/* SPDX-License-Identifier: BSD-3-Clause */
/* Compare and exchange of one byte, without a call of libatomic. */
#ifndef PSC_MONITOR_BYTE_EXCHANGE_H
#define PSC_MONITOR_BYTE_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

/* Sets *at to `to` if it is *is; else, and sometimes for no reason, reads *at into *is and returns
 * false.  Orders nothing. */
static inline bool byte_exchange(uint8_t *at, uint8_t *is, uint8_t to)
{
#if __GCC_ATOMIC_CHAR_LOCK_FREE == 2
	return __atomic_compare_exchange_n(at, is, to, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#else
	/* GCC before 14 calls libatomic for bytes on RISC-V, which has atomic
	 * instructions for words only. */
	typedef uint32_t __attribute__((may_alias)) word;
	word *w = (word *)((uintptr_t)at & ~(uintptr_t)3);
	unsigned shift = 8 * (unsigned)((uintptr_t)at & 3);     /* little-endian */
	uint32_t all = __atomic_load_n(w, __ATOMIC_RELAXED);
	uint8_t now = (uint8_t)(all >> shift);

	if (now == *is && __atomic_compare_exchange_n(w, &all, (all & ~(UINT32_C(255) << shift)) |
	    (uint32_t)to << shift, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		return true;
	*is = (uint8_t)(all >> shift);
	return false;
#endif
}

#endif
