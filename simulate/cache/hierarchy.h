/* SPDX-License-Identifier: BSD-3-Clause */
/* Cache levels that depend on each other: replacement other than LRU, inclusion, prefetchers,
 * write-backs, TLBs.  Private to levels.c and hierarchy.c.  The rules, which the tests check
 * against a simulator of lists:
 *
 * An access looks up its one or two lines (first, then last) level by level outwards.  A line that
 * misses a level is filled there, and both lines are looked up at the next level, as in sim.h.
 * Lines evicted meanwhile are passed to the next level after its lookups, in the order of eviction.
 *
 * Inclusion:
 *   exclusive:   a hit removes the line; a miss does not fill it.  Lines evicted from the next
 *                nearer level are filled, or used if present.  A line in another nearer cache of
 *                its CPUs, at any level, is a hit that changes nothing.
 *   inclusive:   a line that it evicts is removed from all nearer caches of its CPUs.
 * Replacement: empty ways first, in order.  LRU; PLRU: a binary tree whose nodes point away from
 * the most recent use; random: hier_random() modulo ways, a state for each cache. Write-back: a
 * store makes its line dirty in the nearest level that has it.  An evicted dirty line becomes dirty
 * in the next level that has it, whose order does not change, or goes to memory.  Each level that
 * it leaves counts one written-back line, for the cell that stored last.  The dirty state of a line
 * that an exclusive level hands over goes to the farthest nearer level that has the line. Prefetch:
 * triggered by a demand miss of the level, or by the first demand hit on a prefetched line; never
 * beyond 4 KiB.  Next line: the following `degree` lines.  Stride: 16 streams, one for each 4 KiB,
 * replaced round robin; a step equal to the previous one fetches the next `degree` lines.  After
 * the access, lines that the level lacks are filled from that level outwards, as for an access,
 * without counted misses or further prefetches. TLB: LRU; the walk happens when all TLB levels
 * miss; independent of the caches. */
#ifndef PSC_SIMULATE_HIERARCHY_H
#define PSC_SIMULATE_HIERARCHY_H

#include "simulate/cache/sim.h"

bool hier_machine_ok(const struct machine_flat *m);
/* Makes the parts that only a generic cache has; false: no memory. */
bool hier_cache_make(struct sim *s, struct sim_cache *c, const struct machine_level *l);
bool hier_core_attach(struct sim_core *core, struct sim *s, uint32_t cpu);
bool hier_drop(struct sim_cache *c, uint64_t line);
bool hier_has(const struct sim_cache *c, uint64_t line);

/* Xorshift; the state is never 0. */
static inline uint32_t hier_random(uint32_t *state)
{
	uint32_t x = *state;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return *state = x;
}

/* From levels.c. */
struct sim_cache *sim_cache_make(struct sim *s, const struct machine_level *l);
uint32_t sim_instance(const struct sim *s, uint32_t level, uint32_t cpu);
void sim_last_miss(struct sim_core *core, uint64_t first, uint64_t last, struct sim_cell *cell,
	uint32_t store, uint32_t shift);

#endif
