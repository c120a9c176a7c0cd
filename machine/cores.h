/* SPDX-License-Identifier: BSD-3-Clause */
/* What several cores do to memory and to each other: measurements by pinned threads. */
#ifndef PSC_MACHINE_CORES_H
#define PSC_MACHINE_CORES_H

#include "machine/series.h"

enum { CORES_MOST = COST_THREADS };

/* The CPUs that this process may use, one for each core, at most CORES_MOST; their number. */
unsigned cores_cpus(unsigned *cpu);

/* Keeps the calling thread on a CPU, if that is allowed. */
void cores_pin(unsigned cpu);

/* Makes whole pages of fresh memory present, by the calling thread. */
void cores_touch(char *p, size_t size);

/* Adds the ns that a line needs from one of two cores to the other, up to 16 times; fewer if they
 * did not run at once.  Takes 1 ms, or some ms on a busy machine. */
void cores_transfer(const unsigned cpu[2], struct series *s);

/* Streams through `bytes` of memory by n pinned threads, each with its own part, in windows of 1
 * ms, and adds the bytes/s of all together.  Windows in which the threads did not run at once are
 * not used; ends with `wanted` good windows of reading and writing each, or after three times as
 * many.
 * 0, or -1: no memory or no threads. */
int cores_bandwidth(const unsigned *cpu, unsigned n, size_t bytes, unsigned wanted,
	struct series *read, struct series *write);

#endif
