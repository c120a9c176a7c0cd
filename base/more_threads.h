/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines from memory with more threads than the run had, on the same machine model: which node
 * would serve how many of which structure.
 *
 * The work of the phase is divided among the threads as in the run, the program is the same, and
 * its pages are touched first by the same part of the threads.  Of a structure with L lines from
 * memory in the run, n threads, c(n) caches of the last level that they use, and U lines from
 * its first used byte to its last:
 *   - what each thread has for itself stays L, however many threads divide it;
 *   - what several threads use is fetched by each of these caches: L c(N) / c(n) if the caches
 *     fetch it once or little more (L <= 1.5 U c(n)), else, since the accesses bring it again
 *     and again and they stay as many, max(L, U c(N)).
 * Range: from L, or from U where the structure's part fits each cache of N threads and these are
 * more than the run's, up to L N / n or L c(N) / c(n), whichever is more: each thread does the
 * same.  Where the part that several threads use is not known, the value is L.
 *   - times the part of the misses that is left in more caches.  A thread's reuse distance d
 *     shrinks to d n / N, and in a cache of N / c(N) threads all of them lie in between, so a line
 *     misses if d > S c(N) / n, S the bytes of a cache.  Of the lines of which that is known
 *     (reuse), those go that lie between the distances for c(n) and for c(N).  Range: distances
 *     times 0.75 to 1.33, and a class's all in its begin or its end.  Distances do not shrink
 *     between uses of what several threads use; for the low end they may, but a quarter of these
 *     lines is left (assumed; with a half, counts of LULESH are below it).
 *     Where no distances are known: where all structures together overflow the caches of n
 *     threads, and would fit those of N, fit(N) / fit(n), fit(x) between 0 where x = bytes for
 *     each cache / its size is 0.7, and 1 from 1.3 on; range: x times 0.75 to 1.33.
 * Nodes: the part of a structure that one node serves beyond the mean of the others lies on that
 * node whatever the threads, as one thread has touched it first; the rest is spread over the
 * nodes of the N threads, in whole pages.  Lines whose node is not known in the run are in no
 * node's value, and in the upper end of each.  Where the threads of the run are all on one node,
 * this is not known.
 *
 * Not modelled: work that grows with the threads, or is not shared evenly; lines that come from
 * another core's cache. */
#ifndef PSC_MORE_THREADS_H
#define PSC_MORE_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* CPUs, those of a node, those that share a cache of the last level, its bytes and those of its
 * lines; spread: threads run on the sockets and nodes in turn (base/spread_cpus.h). */
struct more_machine {
	int cpus, nodes, node_cpus, cache_cpus, line;
	int64_t cache_bytes;
	bool spread;
	int sockets;
};

/* A structure in the run. */
struct more_use {
	double lines;                   /* from memory an execution */
	double bytes;                   /* from the first byte used to the last; 0: not known */
	double common;                  /* the part that several threads use; NAN: not known */
	int node;                       /* that serves most */
	double single;                  /* the part that it serves beyond the mean of the others */
	double placed;                  /* the part of the lines whose node is known */
	/* misses of the nearest level by reuse distance (base/reuse_classes.h), lines an execution;
	 * NULL: not known */
	const double *reuse;
};
/* Fills node, single and placed from the lines that each node of the machine serves, of which the
 * threads of the run use so many. */
void more_threads_place(struct more_use *u, const struct more_machine *m, const double *served,
	int nodes);

struct more_range { double value, low, high; };

struct more_threads {
	int threads, run_threads;       /* N, n */
	int nodes, caches;              /* that N threads use; and those of the run */
	int run_nodes, run_caches;
	bool placed;                    /* what each node serves is known */
	struct more_range all;          /* lines an execution */
	struct more_range *structure;   /* by structure: lines */
	struct more_range *node;        /* by node, where placed */
	double of_nodes;                /* the sum of their values: lines whose node is known */
	struct more_range *both;        /* by structure * nodes of the model + node */
	int busiest;                    /* node, where placed; -1 */
	int cause;                      /* the structure of which it serves most; -1 */
	double cause_share;             /* of what it serves */
};

/* Of n structures, from a run with run_threads; out->structure .. are the arena's.  -1: no
 * memory. */
int more_threads_predict(const struct more_machine *m, const struct more_use *use, int n,
	int run_threads, int threads, struct arena *arena, struct more_threads *out);
/* The share of the busiest node of what all serve: least where the others have most. */
struct more_range more_threads_share(const struct more_threads *p, int nodes);
/* Number of memory nodes, and of last-level caches, that so many threads use. */
int more_nodes_used(const struct more_machine *m, int threads);
/* The k-th node that threads use, and whether it is among the first n of them. */
int more_node(const struct more_machine *m, int k);
bool more_node_among(const struct more_machine *m, int node, int n);
int more_caches_used(const struct more_machine *m, int threads);

#endif
