/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory nodes of the kernel, by system calls alone.  In a sandbox nothing is asked. */
#ifndef PSC_MONITOR_MEMORY_NODES_H
#define PSC_MONITOR_MEMORY_NODES_H

#include "monitor/state.h"

#pragma GCC visibility push(hidden)

enum { MEMORY_NODES = 1024, MEMORY_NODE_WORD = 8 * sizeof(unsigned long) };
struct memory_nodes { unsigned long mask[MEMORY_NODES / MEMORY_NODE_WORD]; };

/* The nodes on which the process may have memory; returns their number, 0: not known. */
int memory_nodes_allowed(struct memory_nodes *out);
bool memory_nodes_has(const struct memory_nodes *nodes, uint32_t node);

/* The node of the processor on which the calling thread runs; UINT32_MAX: not known. */
uint32_t memory_node_here(void);
/* The nodes of n pages, one address of each; negative: not known, or the page is nowhere. */
void memory_nodes_of_pages(uint32_t n, void **page, int *node);

#pragma GCC visibility pop
#endif
