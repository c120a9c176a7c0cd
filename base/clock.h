/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the monotonic clock. */
#ifndef PSC_BASE_CLOCK_H
#define PSC_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of the monotonic clock. */
static inline uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

#endif
