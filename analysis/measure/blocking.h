/* SPDX-License-Identifier: BSD-3-Clause */
/* What could be done against misses whose cause is known.
 * Conflicts with a constant step: the length of the rows that are stepped over.
 * Capacity misses: after how much else lines come again, and in blocks of which size they would
 * hit.  A block has half of a level, as the other data of a loop need room, too; the simulator
 * takes a shorter reuse distance that misses for a conflict (simulate/cache/reuse.h). */
#ifndef PSC_MEASURE_BLOCKING_H
#define PSC_MEASURE_BLOCKING_H

#include "analysis/measure/measurements.h"

/* The step of conflicts, in bytes, if nearly all have the same; else 0. */
uint32_t blocking_row(const struct measurements *p, const struct tally *t);
/* The largest level, by its index, of which blocks save at least a third of the memory time that
 * blocks of any level save (tally_estimate.fit); the number of levels: blocks save nothing. */
uint32_t blocking_level(const struct measurements *p, const struct tally *t);
/* Bytes of such a block; NAN: none. */
double blocking_size(const struct measurements *p, const struct tally *t);
/* The median of the reuse distances beyond that, in bytes; NAN: none. */
double blocking_distance(const struct measurements *p, const struct tally *t);
/* "3.2 MiB"; returns out. */
const char *blocking_bytes(double bytes, char *out, size_t size);
/* The cause, "its lines come again after 3.2 MiB ...", and the cure, "work in blocks of ..", at
 * most size - 1 bytes; "": none. */
void blocking_cause(const struct measurements *p, const struct tally *t, char *out, size_t size);
void blocking_cure(const struct measurements *p, const struct tally *t, char *out, size_t size);

#endif
