/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the monotonic clock, and that of the thread's processor time. */
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

/* Nanoseconds of the thread's processor time; where the kernel refuses (a
 * sandbox), of the monotonic clock. */
static inline uint64_t thread_cpu_ns(void)
{
	struct timespec ts;

	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts))
		return clock_ns();
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

#endif
