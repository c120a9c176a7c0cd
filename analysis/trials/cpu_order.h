/* SPDX-License-Identifier: BSD-3-Clause */
/* In which order threads get the CPUs of this host: close to each other, or far apart. */
#ifndef PSC_TRIALS_CPU_ORDER_H
#define PSC_TRIALS_CPU_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* Where a CPU is: its memory node, its core, and the number of the
 * hardware thread within the core. */
struct cpu_place {
	uint32_t cpu, node;
	uint64_t core;          /* a number that is unique in the host */
	uint32_t nth, thread;   /* of the core in its node; of the CPU in its core: filled in by
				 * cpu_order() */
};

/* Reads the places of the CPUs below `sys` ("/sys/devices/system/cpu"), at most max.  Returns their
 * number; 0: they are not known. */
uint32_t cpu_places(const char *sys, struct cpu_place *out, uint32_t max);
/* Sorts them.  spread: a core of each node in turn, hardware threads of a core last; else the
 * hardware threads of a core, then the next core of the node, then the next node. */
void cpu_order(struct cpu_place *p, uint32_t n, bool spread);

#endif
