/* SPDX-License-Identifier: BSD-3-Clause */
/* Coherence misses, and local and remote memory accesses, of a tally by the machine model; the most
 * contended lines of each object.  NAN: not known. */
#ifndef PSC_MEASURE_SHARING_H
#define PSC_MEASURE_SHARING_H

#include "analysis/measure/measurements.h"

/* Adds the row's last-level misses as local or remote, seen from the node of the row's thread. */
void tally_add_nodes(struct tally *t, const struct machine_flat *m, const struct mon_count_row *row,
	double per);

/* The number of coherence misses; NAN where the monitor had no room for all shared lines. */
double tally_coherence(const struct measurements *p, double misses);
/* Cycles of that many coherence misses beyond a hit in the nearest level: each fetches its line
 * from the nearest shared level, or from memory. */
double tally_coherence_cycles(const struct measurements *p, double misses);
double tally_local(const struct measurements *p, const struct tally *t);
double tally_remote(const struct measurements *p, const struct tally *t);
/* Loads that take the machine's remote threshold or more. */
double tally_remote_loads(const struct measurements *p, const struct tally *t);
/* Load misses of the last level that take that many cycles or more. */
double tally_slow_memory(const struct measurements *p, const struct tally *t, uint32_t cycles);
/* Extra cycles of remote accesses compared with local memory; 0 where the nodes are not known. */
double tally_far_cycles(const struct measurements *p, const struct tally *t);

/* Adds the result's most contended lines; p->lines are by object, most
 * misses first. 0 / -1 (memory). */
int sharing_lines(struct measurements *p, const struct mon_result *r);
/* Of the object's line with most coherence misses: locks with bytes in it; of them, those that
 * several threads write; bytes that several threads write.  0: none, or no such line. */
uint32_t sharing_locks(const struct measurements *p, uint32_t object);
uint32_t sharing_locks_updated(const struct measurements *p, uint32_t object);
uint32_t sharing_updated(const struct measurements *p, uint32_t object);
/* What the kind of the object's coherence misses is by what lies in that line: KIND_LOCK where a
 * lock lies beside other locks or data, KIND_CONTENTION where all threads update one lock
 * or few bytes; else `kind`. */
unsigned sharing_kind_of(const struct measurements *p, uint32_t object, unsigned kind);
void sharing_free(struct measurements *p);

#endif
