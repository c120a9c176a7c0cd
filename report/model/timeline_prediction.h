/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines from memory with more threads than the run had, on the same machine model: which node
 * would serve how many of which structure, and what the memory's bandwidth leaves of the
 * speed-up.
 *
 * The work of the phase is divided among the threads as in the run, the program is the same, and
 * its pages are touched first by the same part of the threads.  Of a structure with L lines from
 * memory in the run, n threads, c(n) caches of the last level that they use, and U lines from
 * its first used byte to its last:
 *   - what each thread has for itself stays L, however many threads divide it;
 *   - what several threads use is fetched by each of these caches: L c(N) / c(n) if the caches
 *     fetch it once or little more (L <= 1.5 U c(n)), else, since the accesses bring it again
 *     and again and they stay as many, max(L, U c(N)).
 * Range: L, up to L N / n or L c(N) / c(n), whichever is more: each thread does the same.  The
 * part that several threads use is known by rows, where addresses were drawn; otherwise the
 * value is L.
 *   - where all structures together overflow the caches of n threads, and would fit those of N,
 *     these misses go: times fit(N) / fit(n), fit(x) between 0 where x = bytes for each cache /
 *     its size is 0.7, and 1 from 1.3 on; range: x times 0.75 to 1.33.
 * Nodes: the part of a structure that one node serves beyond the mean of the others lies on that
 * node whatever the threads, as one thread has touched it first; the rest is spread over the
 * nodes of the N threads, in whole pages.  Lines whose node is not known in the run are in no
 * node's value, and in the upper end of each.  Where the threads of the run are all on one node,
 * this is not known.
 *
 * Not modelled: work that grows with the threads, or is not shared evenly; lines that come from
 * another core's cache. */
#ifndef PSC_REPORT_TIMELINE_PREDICTION_H
#define PSC_REPORT_TIMELINE_PREDICTION_H

#include "report/model/timeline_facts.h"

struct time_range { double value, low, high; };

struct time_prediction {
	int threads, run_threads;       /* N, n */
	int nodes, caches;              /* that N threads use; and those of the run */
	int run_nodes, run_caches;
	bool placed;                    /* what each node serves is known */
	struct time_range all;          /* lines an execution */
	struct time_range *structure;   /* by structure: lines */
	struct time_range *node;        /* by node, where placed */
	double of_nodes;                /* the sum of their values: lines whose node is known */
	struct time_range *both;        /* by structure * nodes of the model + node */
	int busiest;                    /* node, where placed; -1 */
	int cause;                      /* the structure of which it serves most; -1 */
	double cause_share;             /* of what it serves */
	/* s an execution, on a host whose bandwidth was measured; NAN: not known.  Between what the
	 * bandwidth of N threads allows, or the run's time n / N if that is more, and the run's
	 * time. */
	struct time_range time;
	/* s that the lines and those written back take of it at least */
	double transfer;
};

/* *out is the facts'.  -1: no memory, or the model has no so many CPUs (err). */
int time_predict(const struct time_facts *f, int threads, struct time_prediction *out,
	struct err *err);
/* The numbers of threads for which reports have predictions: twice those of the run, four times,
 * .., and all CPUs of the model.  Returns how many they are. */
enum { TIME_PREDICTIONS = 16 };
int time_predicted_threads(const struct report_timeline *t, int out[TIME_PREDICTIONS]);
/* Number of memory nodes, and of last-level caches, that so many threads use. */
int time_nodes_used(const struct report_timeline *t, int threads);
int time_caches_used(const struct report_timeline *t, int threads);

#endif
