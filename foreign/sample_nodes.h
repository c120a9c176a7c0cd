/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory nodes of sampled pages, asked in bulk: samples of misses of the last level wait until
 * there are many, or until the ring is empty. */
#ifndef PSC_FOREIGN_SAMPLE_NODES_H
#define PSC_FOREIGN_SAMPLE_NODES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include "samples/sample.h"

enum { SAMPLE_NODES_CPUS = 1024, SAMPLE_NODES_BULK = 1024 };

/* A sample whose page is to be asked for. */
struct node_sample {
	uint64_t page;                    /* its address */
	uint32_t thread, context, object; /* its cell */
	uint32_t cpu;
	enum sample_answer remote; /* the unit's word */
	bool store;
	double weight;
};
struct sample_nodes {
	pid_t program;
	int16_t cpu_node[SAMPLE_NODES_CPUS]; /* + 1; 0: not asked yet, -1: not known */
	struct node_sample sample[SAMPLE_NODES_BULK];
	uint32_t n;
};

/* Takes a sample with the node of its CPU and of its page, of which both are known. */
typedef void sample_nodes_taker(void *to, const struct node_sample *s, uint32_t cpu, uint32_t page);

/* Asks for all that wait. */
void sample_nodes_ask(struct sample_nodes *q, sample_nodes_taker *take, void *to);

#endif
