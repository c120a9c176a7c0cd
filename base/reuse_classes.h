/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes of reuse distances in bytes: class k holds [2^(12 + k), 2^(13 + k)); the first also what
 * is less, the last what is more. */
#ifndef PSC_BASE_REUSE_CLASSES_H
#define PSC_BASE_REUSE_CLASSES_H

#include <stdint.h>

enum { REUSE_FIRST = 12, REUSE_CLASSES = 21 };

static inline uint32_t reuse_class(uint64_t bytes)
{
	uint32_t log = 63 - (uint32_t)__builtin_clzll(bytes | 1);

	return log < REUSE_FIRST ? 0 : log - REUSE_FIRST < REUSE_CLASSES ? log - REUSE_FIRST :
		REUSE_CLASSES - 1;
}

#endif
