/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks for the memory nodes of sampled pages.  The program does not wait for it: the kernel looks
 * its pages up for this process. */
#include "config.h"
#include "foreign/sample_nodes.h"

#include "samples/event_source.h"

/* -1: not known. */
static int node_of_cpu(struct sample_nodes *q, uint32_t cpu)
{
	if (cpu >= SAMPLE_NODES_CPUS)
		return -1;
	if (!q->cpu_node[cpu]) {
		const int node = sample_source.cpu_node(cpu);

		q->cpu_node[cpu] = (int16_t)(node >= 0 && node < INT16_MAX ? node + 1 : -1);
	}
	return q->cpu_node[cpu] > 0 ? q->cpu_node[cpu] - 1 : -1;
}

void sample_nodes_ask(struct sample_nodes *q, sample_nodes_taker *take, void *to)
{
	void *page[SAMPLE_NODES_BULK];
	int node[SAMPLE_NODES_BULK];

	if (!q->n)
		return;
	for (uint32_t i = 0; i < q->n; i++)
		page[i] = (void *)(uintptr_t)q->sample[i].page;
	sample_source.page_nodes(q->program, q->n, page, node);
	for (uint32_t i = 0; i < q->n; i++) {
		const int cpu = node_of_cpu(q, q->sample[i].cpu);

		if (node[i] >= 0 && cpu >= 0)
			take(to, &q->sample[i], (uint32_t)cpu, (uint32_t)node[i]);
	}
	q->n = 0;
}
