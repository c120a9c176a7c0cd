/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the kernel for the memory nodes that the process may use. */
#include "config.h"
#include "monitor/host/memory_nodes.h"
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ALLOWED = 4 };                   /* of linux/mempolicy.h */

int memory_nodes_allowed(struct memory_nodes *out)
{
	int n = 0;

	memset(out, 0, sizeof *out);
	if (syscall(SYS_get_mempolicy, NULL, out->mask, (unsigned long)MEMORY_NODES, NULL,
	    (unsigned long)ALLOWED) < 0)
		return 0;
	for (uint32_t i = 0; i < MEMORY_NODES; i++)
		n += memory_nodes_has(out, i);
	return n;
}

bool memory_nodes_has(const struct memory_nodes *nodes, uint32_t node)
{
	return node < MEMORY_NODES &&
		(nodes->mask[node / MEMORY_NODE_WORD] >> node % MEMORY_NODE_WORD & 1);
}
