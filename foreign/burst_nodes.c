/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the memory nodes of threads.  The program is not asked: the kernel says on which CPU a
 * thread ran last. */
#include "config.h"
#include "foreign/burst_nodes.h"

#include <stdio.h>
#include <string.h>

#include "foreign/program_state.h"
#include "samples/event_source.h"

/* The CPU of a thread; -1: it has ended. */
static int cpu_of(uint32_t tid)
{
	char path[64], text[1024];
	const char *at;
	int cpu;

	snprintf(path, sizeof path, "/proc/%u/stat", (unsigned)tid);
	at = program_stat(path, text, sizeof text);
	/* The state is field 3, the processor field 39. */
	for (int field = 3; at && field < 39; field++)
		at = strchr(at + 1, ' ');
	return at && sscanf(at, "%d", &cpu) == 1 ? cpu : -1;
}

void burst_nodes_see(struct burst_thread_play *t, const struct machine_flat *m)
{
	int cpu, number;
	uint32_t node;

	if (!m->nodes.real || m->nodes.count <= 1)
		return;
	cpu = cpu_of(t->tid);
	number = cpu < 0 ? -1 : sample_source.cpu_node((uint32_t)cpu);
	node = number < 0 ? UINT32_MAX : machine_real_node(&m->nodes, (uint32_t)number);
	if (node < MACHINE_NODES)
		t->on_node[node]++;
}

uint32_t burst_nodes_of(const struct burst_thread_play *t, const struct machine_flat *m)
{
	uint32_t most = 0;

	for (uint32_t k = 1; k < MACHINE_NODES; k++)
		if (t->on_node[k] > t->on_node[most])
			most = k;
	return t->on_node[most] ? most : machine_node(m, t->number);
}
