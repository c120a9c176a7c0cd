/* SPDX-License-Identifier: BSD-3-Clause */
/* What threads do to each other's cache lines, and which memory node serves what: of a tally, by
 * the machine model.  NAN: not known. */
#ifndef PSC_MEASURE_SHARING_H
#define PSC_MEASURE_SHARING_H

#include "analysis/measure/measurements.h"

/* Misses of the last level by where the memory lies, seen from the row's thread. */
void tally_add_nodes(struct tally *t, const struct machine_flat *m, const struct mon_count_row *row,
	double per);

/* Misses because another thread had written the line. */
double tally_coherence(const struct measurements *p, double misses);
/* Cycles that so many of them cost beyond a hit in the nearest level: a line comes from the
 * nearest level that CPUs share, or from memory. */
double tally_coherence_cycles(const struct measurements *p, double misses);
double tally_local(const struct measurements *p, const struct tally *t);
double tally_remote(const struct measurements *p, const struct tally *t);
/* Loads slower than the memory of the CPU's own node. */
double tally_remote_loads(const struct measurements *p, const struct tally *t);
/* Of the last level's load misses, those that take so many cycles or more. */
double tally_slow_memory(const struct measurements *p, const struct tally *t, uint32_t cycles);
/* Cycles of remote accesses beyond those of main memory; 0 where places are not known. */
double tally_far_cycles(const struct measurements *p, const struct tally *t);

/* Takes over the worst lines of objects, and says of each object in words which they are. */
int sharing_lines(struct measurements *p, const struct mon_result *r);
void sharing_free(struct measurements *p);
/* "byte 64: thread 0 writes 64-71, thread 1 72-79"; NULL: none.  Borrowed. */
const char *sharing_where(const struct measurements *p, uint32_t object);

#endif
