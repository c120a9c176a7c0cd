/* SPDX-License-Identifier: BSD-3-Clause */
/* The masks by which a set's ways move. */
#include "simulate/cache/lru_set.h"

#ifdef __SSE2__
#define ONES UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX
const uint32_t lru_moves[2 * LRU_SIMD_WAYS] = { ONES, ONES, ONES, ONES };
#endif
