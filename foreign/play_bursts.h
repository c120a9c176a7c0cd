/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulates bursts: each thread of the program on a core of its own, the threads of a burst side by
 * side.  The caches keep their contents from burst to burst; what the first accesses of a burst
 * find there is not counted. */
#ifndef PSC_FOREIGN_PLAY_BURSTS_H
#define PSC_FOREIGN_PLAY_BURSTS_H

#include "foreign/block_code.h"
#include "foreign/burst_contents.h"
#include "foreign/memory_objects.h"
#include "simulate/simulate.h"

/* Figures by groups of bursts, from which the sampling error is computed: burst n is in
 * group n modulo MON_GROUPS. */
struct burst_thread_play {
	struct sim_thread *sim;         /* owned; NULL: the thread has not been in a burst */
	struct block_code code;
	uint32_t tid;                   /* of the thread in the slot */
	uint32_t number;                /* of the thread, as rows have it */
	uint32_t on_node[MACHINE_NODES];        /* its bursts (burst_nodes.h) */
	struct sample_sums *sums;       /* misses by cell and group of bursts; owned */
	/* While a burst is simulated: where it is in the words, and the context
	 * of the code that called. */
	const uint64_t *at, *end;
	uint64_t before;                /* number of the last block; UINT64_MAX: none */
	uint64_t uncounted;             /* words that only warm the caches */
	uint64_t lacking;               /* words that a burst that nothing ends early has besides */
	const void *slot;
	uint32_t context, begins_in;    /* begins_in: where the burst began, by its sample */
	uint64_t begun;         /* number of that burst */
	uint64_t fs;
};

struct play_bursts {
	struct sim sim;
	struct share *share;            /* NULL: one thread so far */
	struct memory_objects *objects; /* borrowed */
	struct burst_thread_play *thread;       /* by number; owned */
	uint32_t nthreads;
	uint32_t of_slot[BURST_THREADS];        /* the thread in the slot, + 1 */
	uint64_t *records;              /* owned */
	struct burst_contents contents;
	uint64_t words_each;            /* counted of a burst that nothing ends early; 0: bursts do
					 * not begin at random */
	/* Called with each single access in the order of their simulation;
	 * NULL: nobody wants them. */
	void (*watch)(void *watcher, const struct burst_thread_play *t,
		const struct burst_access *a, uint64_t address);
	void *watcher;                  /* borrowed */
	uint64_t words, words_invalid;  /* simulated; not understood */
	uint32_t bursts;                /* with words */
};

/* 0 / -1 (err). */
int play_bursts_begin(struct play_bursts *p, const struct machine_flat *m,
	struct memory_objects *objects, struct err *err);
/* Bursts have so many words, if nothing ends them early, and begin at random. */
void play_bursts_of(struct play_bursts *p, uint64_t words);
void play_bursts_end(struct play_bursts *p);
/* The thread whose slot this is; NULL: there are too many, or no memory. */
struct burst_thread_play *play_bursts_thread(struct play_bursts *p, struct code_contexts *places,
	uint32_t slot, uint32_t tid);
/* Adds the words of a thread's slot to the burst that is simulated next. */
void play_bursts_add(struct burst_thread_play *t, const struct burst_thread *slot);
/* Simulates what was added; burst: its number. */
void play_bursts_run(struct play_bursts *p, uint64_t burst);
/* All bursts have been simulated: what only counting by turns finds is added to the cells. */
void play_bursts_settle(struct play_bursts *p);

#endif
