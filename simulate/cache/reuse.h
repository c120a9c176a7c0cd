/* SPDX-License-Identifier: BSD-3-Clause */
/* Reuse distances: how many other lines missed the nearest level since a line that misses now
 * missed it last, its LRU stack distance among misses.  Private to the simulator.
 *
 * Only lines whose hash is small are followed, 1 in 1 << shift, and a distance among them is scaled
 * by that [1].  When REUSE_LINES lines are followed, half of them are dropped and shift grows by
 * one, so any number of lines takes the same memory.
 *
 * [1] C. A. Waldspurger, N. Park, A. Garthwaite, I. Ahmad: Efficient MRC construction with SHARDS.
 * FAST 2015. */
#ifndef PSC_SIMULATE_REUSE_H
#define PSC_SIMULATE_REUSE_H

#include <stdbool.h>
#include <stdint.h>
#include "base/reuse_classes.h"
#include "machine/flat.h"

enum { REUSE_LINES = 4096, REUSE_TIMES = 2 * REUSE_LINES, REUSE_SLOTS = 2 * REUSE_LINES,
	REUSE_SHIFT = 6 };

/* A *time* is the number of a miss of a followed line.  When all are used, the lines' last times
 * are numbered anew. */
struct reuse {
	uint32_t most;                  /* largest hash of a followed line: UINT32_MAX >> shift */
	uint32_t shift, lines, time;    /* lines: followed ones; time: the next */
	uint32_t begun;                 /* the first time of this execution */
	uint64_t near[MACHINE_LEVELS];  /* half of what the level holds, in lines of the nearest */
	uint16_t slot[REUSE_SLOTS];     /* hash table of lines: their last time + 1; 0: free */
	uint32_t line[REUSE_TIMES];     /* the line whose last time this is; 0: none */
	uint16_t owner[REUSE_TIMES];    /* which code missed it then: a hash of context and source
					 * line */
	uint16_t sum[REUSE_TIMES + 1];  /* of times with a line: a Fenwick tree, from [1] on */
};

/* The cause of a miss: in a level of this mask, a conflict, as half of the level holds all that
 * missed in between; in all others capacity, if REUSE_WITHIN is set: the line missed before in this
 * execution, by the same source line.  What another loop brought is not this one's to keep.  0:
 * neither is known. */
enum { REUSE_NEAR = (1 << MACHINE_LEVELS) - 1, REUSE_WITHIN = 1 << MACHINE_LEVELS };

struct reuse_last {
	uint64_t distance;      /* lines */
	bool within;            /* in this execution, by the same owner */
};

/* Begins with 1 line in 1 << shift of r, which is zeroed. */
void reuse_begin(struct reuse *r, uint32_t shift);
/* An execution of the phase begins. */
static inline void reuse_execution(struct reuse *r)
{
	r->begun = r->time;
}

/* A bijection; every miss computes it. */
static inline uint32_t reuse_hash(uint32_t line)
{
	return (line ^ line >> 7) * UINT32_C(0x9e3779b1);
}

/* Takes a miss of a followed line.  true: it missed before. */
bool reuse_take(struct reuse *r, uint32_t line, uint16_t owner, struct reuse_last *last);
/* Counts it by its distance in bytes (base/reuse_classes.h), for all lines that it stands for.
 * Returns its cause. */
uint32_t reuse_count(struct reuse *r, uint32_t line, uint16_t owner, uint32_t shift,
	uint64_t counts[REUSE_CLASSES]);

/* Is the line followed?  r: NULL, none is. */
static inline bool reuse_follows(const struct reuse *r, uint32_t line)
{
	return r && reuse_hash(line) <= r->most;
}

/* A miss of any line; its bytes: 1 << shift. */
static inline uint32_t reuse_miss(struct reuse *r, uint32_t line, uint16_t owner, uint32_t shift,
	uint64_t counts[REUSE_CLASSES])
{
	return __builtin_expect(reuse_follows(r, line), 0) ? reuse_count(r, line, owner, shift,
		counts) : 0;
}

#endif
