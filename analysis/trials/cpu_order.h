/* SPDX-License-Identifier: BSD-3-Clause */
/* In which order threads get the CPUs of this host: close to each other, or far apart. */
#ifndef PSC_TRIALS_CPU_ORDER_H
#define PSC_TRIALS_CPU_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* A CPU and its place: memory node, socket and core. */
struct cpu_place {
	uint32_t cpu, node, socket;
	uint64_t core;          /* a number that is unique in the host */
	/* Filled in by cpu_order(): the number of the CPU in its core, of the core in its node and
	 * socket, and of the node among those of the socket, or of the socket among those of the
	 * node, whichever are several. */
	uint32_t thread, nth, turn;
};

/* Reads the places of the CPUs below `sys` ("/sys/devices/system/cpu"), at most max.  Returns their
 * number; 0: they are not known. */
uint32_t cpu_places(const char *sys, struct cpu_place *out, uint32_t max);
/* Sorts them.  spread: a core of each socket in turn, the nodes of a socket in turn (or a core of
 * each node, the sockets of a node in turn), hardware threads of a core last; else the hardware
 * threads of a core, then the next core of the node, then the next node. */
void cpu_order(struct cpu_place *p, uint32_t n, bool spread);

#endif
