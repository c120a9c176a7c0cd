/* SPDX-License-Identifier: BSD-3-Clause */
/* On which memory node a thread of these examples runs.
 *
 * A program for a machine with several nodes asks numa_node_of_cpu(sched_getcpu()). These examples
 * run on any host, and the machine model places thread n where psc_frontend --threads-on says: the
 * environment variable NODES_OF_THREADS has the node of each thread, "0 1 0 1", as that option
 * places them. */
#ifndef EXAMPLES_NUMA_NODES_H
#define EXAMPLES_NUMA_NODES_H

#include <omp.h>
#include <stdbool.h>
#include <stdlib.h>

enum { NODES = 16 };

static inline int threads(void)
{
	return omp_get_max_threads();
}

/* The node of a thread; without the variable, 0 and 1 in turn. */
static inline int node_of(int thread)
{
	const char *of = getenv("NODES_OF_THREADS");
	int node = thread % 2;

	for (int t = 0; of && t <= thread; t++) {
		char *end;
		long n = strtol(of, &end, 10);

		if (end == of)
			break;
		node = (int)n;
		of = end;
	}
	return node < 0 || node >= NODES ? 0 : node;
}

static inline int node_here(void)
{
	return node_of(omp_get_thread_num());
}

/* True in one thread of each node. */
static inline bool first_of_node(void)
{
	for (int t = 0; t < omp_get_thread_num(); t++)
		if (node_of(t) == node_here())
			return false;
	return true;
}

/* One of n things that belong to the thread where a static schedule divides them, in turn. */
static inline int mine(int thread, int n, int turn)
{
	const int each = n / threads() ? n / threads() : 1;

	return (thread * each + turn % each) % n;
}

#endif
