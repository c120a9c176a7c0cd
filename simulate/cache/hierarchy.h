/* SPDX-License-Identifier: BSD-3-Clause */
/* Levels that know of each other, private to levels.c and hierarchy.c: replacement other than LRU,
 * inclusion, prefetchers, write-backs, TLBs.  What each does, for whoever compares it (the tests do,
 * with a simulator of lists):
 *
 * An access looks up its one or two lines (first, then last) level by level outwards; when one
 * is missing at a level it is brought in there, and both are looked up at the next level, as
 * in sim.h.  What a level evicts meanwhile is handed to the next one after that has looked up the
 * access' lines, in the order of the evictions:
 *   exclusive:   a hit takes the line out; a miss does not bring it in.  Evicted lines of the next
 *                nearer level are brought in, or used when they are there already.  What another
 *                nearer cache of its CPUs has, at any level, is a hit that changes nothing.
 *   inclusive:   what it evicts is removed from all nearer caches of its CPUs.
 * Replacement: empty ways first, in order.  LRU; PLRU: a binary tree, each node points away from what
 * was used last; random: hier_random() modulo ways, a state for each cache.
 * Write-back: a store makes its line dirty in the nearest level that has it; a dirty line evicted
 * is made dirty in the next level that has it, which changes no order, or goes on to
 * memory; each level that it passes counts one line written back, for who stored last.  A line that
 * an exclusive level gives up takes its dirty state to the farthest nearer level that has it.
 * Prefetch: on a demand miss of the level, or the first demand hit on a prefetched line, within
 * 4 KiB.  Next line: the `degree` lines behind.  Stride: 16 streams, one for each 4 KiB, replaced in turn;
 * a step that equals the one before fetches the next `degree` ones.  After the access, the wanted
 * lines that the level lacks are brought in, from that level outwards as an access is, without
 * counting misses or wanting more.
 * TLB: LRU, all levels miss before the walk; independent of the caches. */
#ifndef PSC_SIMULATE_HIERARCHY_H
#define PSC_SIMULATE_HIERARCHY_H

#include "simulate/cache/sim.h"

bool hier_machine_ok(const struct machine_flat *m);
/* The parts that a plain cache does not have; false for want of memory. */
bool hier_cache_make(struct sim *s, struct sim_cache *c, const struct machine_level *l);
bool hier_core_attach(struct sim_core *core, struct sim *s, uint32_t cpu);
bool hier_drop(struct sim_cache *c, uint64_t line);

/* Xorshift, never 0. */
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
