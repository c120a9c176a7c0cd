/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps: accesses by address and time, on request.  Of each structure that is one block, the accesses to
 * its *rows* (equal parts of its bytes) in each column of the execution.  Records are drawn when they have
 * been simulated, which changes no count: of about every MAP_ACCESSES accesses one record, which stands for
 * all of them; a longer loop stands for itself.  Of the counted executions the first one is drawn. */
#ifndef PSC_SIMULATE_CACHE_MAPS_H
#define PSC_SIMULATE_CACHE_MAPS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	MAP_ROWS = 256, MAP_COLUMNS = 1024, MAP_OBJECTS = 512,
	MAP_COUNTS = 1 << 19,
	MAP_ACCESSES = 256
};

struct sim_map_object {
	uint64_t lo, hi;                /* of its block; hi 0: free */
	uint32_t object;
	bool several;                   /* blocks: its counts are void */
};
struct sim_map_count {
	uint32_t key;                   /* 1 + (number of the object << 18 | column << 8 | row); 0: free */
	uint32_t n[2];                  /* reads, writes */
};
struct sim_maps {
	uint64_t width;                 /* references in a column */
	struct sim_map_object object[MAP_OBJECTS];      /* open hash by number */
	uint32_t nobjects, ncounts;
	uint32_t random;
	uint64_t gap, since;            /* accesses until the next record is drawn; since the last one */
	uint32_t execution;             /* that is drawn */
	uint32_t spare;                 /* the other half is in use */
	struct sim_map_count count[2][MAP_COUNTS];      /* open hash, the half `spare` */
};
/* Adds reads and writes to the count of a key; false: there is no room. */
bool sim_maps_add(struct sim_maps *m, uint32_t key, const uint32_t n[2]);
/* Columns become twice as wide: the counts of two are one. */
void sim_maps_widen(struct sim_maps *m);
static inline uint32_t sim_map_object(const struct sim_map_count *c)
{
	return (c->key - 1) >> 18;
}
static inline uint32_t sim_map_column(const struct sim_map_count *c)
{
	return (c->key - 1) >> 8 & (MAP_COLUMNS - 1);
}
static inline uint32_t sim_map_row(const struct sim_map_count *c)
{
	return (c->key - 1) & (MAP_ROWS - 1);
}

#endif
