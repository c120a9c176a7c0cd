/* SPDX-License-Identifier: BSD-3-Clause */
/* On which CPUs the threads of the process may run. */
#ifndef PSC_MONITOR_AFFINITY_H
#define PSC_MONITOR_AFFINITY_H

#include <stdbool.h>
#include <stdint.h>

enum { AFFINITY_CPUS = 8192, AFFINITY_WORD = 8 * sizeof(unsigned long) };

struct cpu_mask {
	unsigned long word[AFFINITY_CPUS / AFFINITY_WORD];
};

/* tid 0: the calling thread. */
bool affinity_get(long tid, struct cpu_mask *m);
bool affinity_set(long tid, const struct cpu_mask *m);
struct cpu_mask affinity_one(uint32_t cpu);
bool affinity_has(const struct cpu_mask *m, uint32_t cpu);
/* Calls a function for each thread of the process until it returns false.  false: it did, or the
 * threads cannot be listed. */
bool affinity_each_thread(bool (*what)(long tid));

#endif
