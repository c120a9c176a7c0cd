/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks: how the accesses of a source line move through a structure, from a sample of the records.
 * A loop's record says by how much each of its groups moves in an iteration; of straight code the
 * same group is compared in two executions of the record that follow one another.
 *
 * Records are looked at when they have been simulated, which changes no count: each loop of
 * WALK_LONG iterations or more and each block of so many words, of which a phase may have few, the
 * first record of each other loop or block, and of the rest one in about WALK_RECORDS, in one batch
 * in about WALK_BATCHES.  So figures are shares, never sums. */
#ifndef PSC_SIMULATE_CACHE_WALK_TABLE_H
#define PSC_SIMULATE_CACHE_WALK_TABLE_H

#include <stdint.h>

enum { WALKS = 1024, WALK_STEPS = 4, WALK_RECORDS = 16, WALK_BATCHES = 8, WALK_LONG = 4096,
	WALK_SEGMENTS = 512 };          /* SIM_SEGMENTS */

/* What a group does, by context, object, source line and size of its accesses. */
struct sim_walk {
	uint32_t context, object, line;
	uint16_t size;                  /* bytes of an access; 0: blocks (memcpy, memset) */
	uint8_t store;                  /* 1: the group has stores */
	uint8_t used;
	uint16_t per;                   /* accesses of one execution of the group */
	/* Bytes that these touch together, or all groups of one record: where a loop is unrolled,
	 * its groups touch together what one alone leaves out. */
	uint16_t bytes;
	uint32_t record;                /* the last one, of sim_walks.looked, and in it .. */
	uint64_t begin, touched;        /* .. its first address; a bit for each access, by step */
	uint64_t seen;                  /* moves in the sample; blocks: their number */
	uint64_t length;                /* blocks: the sum of their bytes */
	/* The commonest moves from one execution of the group to the next, in bytes; n 0: none.  A
	 * move that replaces another one takes over its number, so the number of one that makes
	 * more than 1 / WALK_STEPS of all is right or too large by the rarest one's at most. */
	struct { int64_t step; uint64_t n; } step[WALK_STEPS];
};

struct sim_walks {
	struct sim_walk walk[WALKS];    /* open hash */
	uint32_t n;
	uint64_t lost;                  /* moves of groups without room */
	uint32_t looked;                /* records that were looked at */
	uint32_t random;
	uint32_t wait, record;          /* batches, and records, to leave out before the next one */
	/* By slot of the thread's descriptors: the words of its last record in this batch. */
	const uint64_t *last[WALK_SEGMENTS];
};

#endif
