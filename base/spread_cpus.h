/* SPDX-License-Identifier: BSD-3-Clause */
/* The order in which spread threads take the CPUs of a machine: sockets in turn, on each of them
 * its memory nodes in turn. */
#ifndef PSC_SPREAD_CPUS_H
#define PSC_SPREAD_CPUS_H

#include <stdint.h>

/* Parts of a machine that threads take in turn: `parts` of them, neighbours in groups of `each`. */
struct spread_parts { uint32_t parts, each; };

/* The parts are the sockets or the memory nodes, whichever are more; a group is what a node or a
 * socket has of them.  Sockets that do not fit to nodes or CPUs are not known: 0 is as 1. */
static inline struct spread_parts spread_parts(uint32_t cpus, uint32_t nodes, uint32_t sockets)
{
	struct spread_parts p = { nodes ? nodes : 1, 0 };

	if (sockets > 1 && cpus % sockets == 0 &&
		(sockets % p.parts == 0 || p.parts % sockets == 0)) {
		p.each = sockets > p.parts ? sockets / p.parts : p.parts / sockets;
		p.parts = sockets > p.parts ? sockets : p.parts;
	} else {
		p.each = 1;
	}
	return p;
}

/* The first thread that takes a part. */
static inline uint32_t spread_turn(struct spread_parts p, uint32_t part)
{
	return part % p.each * (p.parts / p.each) + part / p.each;
}

/* The CPU of thread n, which is less than `cpus`. */
static inline uint32_t spread_cpu(uint32_t cpus, uint32_t nodes, uint32_t sockets, uint32_t n)
{
	const struct spread_parts p = spread_parts(cpus, nodes, sockets);
	const uint32_t turn = n % p.parts, groups = p.parts / p.each;

	return (turn % groups * p.each + turn / groups) * (cpus / p.parts) + n / p.parts;
}

#endif
