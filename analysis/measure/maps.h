/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps: accesses and misses by address and column of time (simulate/cache/map_counts.h), in the
 * experiment that the columns are of.  A structure that is one block in all threads has
 * MON_MAP_ROWS rows, equal parts of it.  The rows of any other are the pieces of memory that its
 * blocks touch, of `bytes` each, in order of address and without those between. */
#ifndef PSC_MEASURE_MAPS_H
#define PSC_MEASURE_MAPS_H

#include "analysis/measure/columns.h"

enum measured_map_field { MAPPED_READS, MAPPED_WRITES, MAPPED_SAMPLED, MAPPED_FIRST, MAPPED_LAST,
	MEASURED_MAP_FIELDS };
struct measured_map {
	uint32_t object, thread;        /* by `number`, as in the columns */
	uint16_t column, row;
	uint64_t lo, bytes;             /* of the block, or of a piece */
	uint16_t pieces;                /* of its structure; 0: one block */
	uint64_t count[MEASURED_MAP_FIELDS];
};

/* Reads the maps of a result into columns whose threads and widths are known.  0 / -1 (memory). */
int maps_add(const struct measurements *p, struct columns *c, const struct mon_result *r);
/* The first of the maps whose object has that number or a larger one; c->nmaps: there is none. */
size_t maps_first(const struct columns *c, uint32_t object);
/* The bytes of the object's rows that are accessed.  NAN: it has no map, or so few accesses that
 * the sample may lack rows. */
double maps_touched(const struct columns *c, uint32_t object);
void maps_free(struct columns *c);

#endif
