/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks: how the accesses of a source line move through a structure, of all threads together, in
 * the last experiment that counted everything.  Of a sample of the accesses
 * (simulate/cache/walk_table.h). */
#ifndef PSC_MEASURE_WALKS_H
#define PSC_MEASURE_WALKS_H

#include "analysis/measure/measurements.h"

struct measured_walk {
	uint32_t context, object, line, size, store;    /* as in struct mon_walk; each once */
	uint32_t per, bytes;
	uint64_t seen, length;
	/* The commonest moves, the commonest first; n 0: none. */
	struct { int64_t step; uint64_t n; } step[MON_WALK_STEPS];
};

/* Replaces the walks by those of a result.  0 / -1 (memory). */
int walks_add(struct measurements *p, const struct mon_result *r);
void walks_free(struct measurements *p);

#endif
