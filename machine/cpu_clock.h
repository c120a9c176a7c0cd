/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the clocks of processor time, in ns. */
#ifndef PSC_MACHINE_CPU_CLOCK_H
#define PSC_MACHINE_CPU_CLOCK_H

#include <time.h>

static inline double cpu_clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Reads the clock of the calling thread. */
static inline double thread_ns(void)
{
	return cpu_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Reads the clock of all threads of this process together. */
static inline double process_ns(void)
{
	return cpu_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
