/* SPDX-License-Identifier: BSD-3-Clause */
/* What several cores do to memory and to each other: measurements by pinned threads. */
#ifndef PSC_MACHINE_THREADS_H
#define PSC_MACHINE_THREADS_H

#include "machine/series.h"

enum { THREADS_MOST = COST_THREADS };

/* The CPUs that this process may use, one for each core, at most THREADS_MOST; their number. */
unsigned threads_cpus(unsigned *cpu);

/* Adds the ns that a line needs from one of two cores to the other; nothing if they did not run at
 * once. */
void threads_transfer(const unsigned cpu[2], struct series *s);

/* Streams through `bytes` of memory by n pinned threads, each with its own part, and adds the bytes/s
 * of all together: as often as `windows`, for some ms each.  Windows in which the threads did not
 * run at once are not used.  0, or -1: no memory or no threads. */
int threads_bandwidth(const unsigned *cpu, unsigned n, size_t bytes, unsigned windows,
	struct series *read, struct series *write);

#endif
