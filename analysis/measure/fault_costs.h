/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides the page faults of the phase among contexts and data structures, and tells why the memory
 * is new.
 *
 * Threads read the faults of contexts (kernel_use.h).  Within a context they go to the structures
 * whose memory is allocated again in each execution, in proportion to the pages that the context's
 * stores can touch first. */
#ifndef PSC_MEASURE_FAULT_COSTS_H
#define PSC_MEASURE_FAULT_COSTS_H

#include "analysis/measure/measurements.h"
#include "base/fault_cause.h"

enum { FAULT_PAGE = 4096 };

/* Adds faults and their time to the estimates of the tallies; what no structure has belongs to its
 * context alone, and to none where the program executes its phase once: first touches may be all
 * there are.  0 / -1 (memory). */
int fault_costs_add(struct measurements *p);
/* Bytes an execution of blocks that are allocated in several recorded executions; where all were
 * allocated in one, of those that are more than there ever were at once. */
double fault_bytes_again(const struct measurements *p, const struct measured_object *o);
/* Why the structure's memory is new in each execution; FAULT_FRESH: it is not allocated again. */
enum fault_cause fault_cause_of(const struct measurements *p, const struct measured_object *o);
/* The part of its page faults that growing twice as large each time leaves of a list that grows,
 * 0..1; of other blocks 0, since they are kept.  NAN: not known. */
double fault_left(const struct measurements *p, const struct measured_object *o);
/* The part that the change leaves which is advised: where a list grows by a factor already,
 * reserving its final size. */
double fault_left_of_cure(const struct measurements *p, const struct measured_object *o);

#endif
