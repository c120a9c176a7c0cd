/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the kernel for the memory nodes that the process may use. */
#include "config.h"
#include "monitor/host/memory_nodes.h"
#include "monitor/host/syscall_filter.h"
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ALLOWED = 4 };                   /* of linux/mempolicy.h */
enum { MEMORY_CPUS = 4096 };

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

/* Nodes of processors do not change, so each is asked for once: sched_getcpu() is no system call
 * where the C library or the kernel keeps the number in memory. */
uint32_t memory_node_here(void)
{
	static _Atomic uint16_t known[MEMORY_CPUS];     /* 1 + node */
	const int here = sched_getcpu();
	unsigned cpu, node;

	if (here < 0 || here >= MEMORY_CPUS)
		return UINT32_MAX;
	node = atomic_load_explicit(&known[here], memory_order_relaxed);
	if (node)
		return node - 1;
	if (sandbox_around() || syscall(SYS_getcpu, &cpu, &node, NULL) || cpu >= MEMORY_CPUS ||
	    node >= MEMORY_NODES)
		return UINT32_MAX;
	atomic_store_explicit(&known[cpu], (uint16_t)(node + 1), memory_order_relaxed);
	return node;
}

/* Without nodes to move to, move_pages() says where pages are. */
void memory_nodes_of_pages(uint32_t n, void **page, int *node)
{
	if (sandbox_around() ||
	    syscall(SYS_move_pages, 0, (unsigned long)n, page, NULL, node, 0) < 0)
		memset(node, -1, n * sizeof *node);
}
