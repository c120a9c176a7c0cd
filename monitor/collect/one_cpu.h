/* SPDX-License-Identifier: BSD-3-Clause */
/* Executions in which all threads of the process run on one CPU (mon_request.one_cpu): there, no
 * thread takes a cache line from another core's cache, so the processor time is that without
 * coherence misses.
 *
 * From one_cpu_begin() to one_cpu_end(), around the execution, each thread may run on the CPU of
 * the calling thread alone; then it has the CPUs back that it had.  Threads and processes that are
 * made meanwhile inherit the one CPU: such threads get the calling thread's CPUs at the end, a
 * child of fork() at once, and a program that is started without fork() keeps the one. */
#ifndef PSC_MONITOR_ONE_CPU_H
#define PSC_MONITOR_ONE_CPU_H

#include <stdbool.h>

/* False: the kernel refused, or there are too many threads; then nothing has changed. */
bool one_cpu_begin(void);
/* Also without a begin. */
void one_cpu_end(void);
/* In a child of fork(). */
void one_cpu_forked(void);

#endif
