/* SPDX-License-Identifier: BSD-3-Clause */
/* Maps: accesses by address and column of time, of structures that are one block; drawn of a sample of the
 * records (simulate/cache/maps.h), in the experiment that the columns are of. */
#ifndef PSC_MEASURE_MAPS_H
#define PSC_MEASURE_MAPS_H

#include "analysis/measure/columns.h"

struct measured_map {
	uint32_t object, thread;        /* by `number`, as in the columns */
	uint16_t column, row;
	uint64_t bytes;                 /* of the block */
	uint64_t reads, writes;
};

/* Reads the maps of a result into columns whose threads and widths are known.  0 / -1 (memory). */
int maps_add(const struct measurements *p, struct columns *c, const struct mon_result *r);
/* The bytes of the object's rows that are accessed.  NAN: it has no map, or so few accesses that the sample may lack rows. */
double maps_touched(const struct columns *c, uint32_t object);
void maps_free(struct columns *c);

#endif
