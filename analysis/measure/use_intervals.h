/* SPDX-License-Identifier: BSD-3-Clause */
/* Flows: which thread uses a data structure when, and what a thread uses when (the classes
 * ObjectFlow and ThreadFlow of properties/model.asl), computed from the columns of the counted
 * executions.
 *
 * Threads have the order of their accesses alone, so their columns are laid on one axis
 * (flow_axis.h).  The order of what threads do that have not met is not known. */
#ifndef PSC_MEASURE_USE_INTERVALS_H
#define PSC_MEASURE_USE_INTERVALS_H

#include "analysis/measure/locality.h"
#include "analysis/measure/measurements.h"

enum { FLOW_PARTS = 512 };      /* equal parts of the axis */

/* Uses of one kind (mostly reads, mostly writes, both) that follow one another: by one thread, or
 * (of all memory) by one thread of one structure, in parts of the axis that
 * lie at most FLOW_GAP apart. */
enum { FLOW_GAP = 3 };
struct flow_interval {
	uint32_t thread, object;
	uint32_t from, to;      /* parts, from..to - 1 */
	double reads, writes, misses;   /* of an execution; misses of the last level */
};

/* EXCLUSIVE: one thread makes all but a thousandth of the accesses.  ALTERNATING: in at most a
 * tenth of the parts that it is used in several threads use it.  CONCURRENT: in more. */
enum flow_use { FLOW_UNKNOWN, FLOW_EXCLUSIVE, FLOW_ALTERNATING, FLOW_CONCURRENT };

struct flow {
	const struct measurements *measured;    /* borrowed */
	uint32_t context, object;       /* MON_ANY: all memory */
	uint32_t threads;
	bool ordered;                   /* all users have met: their uses are on one axis */
	double *access;                 /* owned: of an execution, by thread */
	struct flow_interval *interval; /* owned; by begin, then thread */
	uint32_t nintervals;
	enum flow_use use;
	uint32_t first;                 /* the thread that uses it first; UINT32_MAX: not known */
	/* Shares of the axis, 0..1; NAN: never, or not known. */
	double first_use, last_use, last_write;
	double after_write;             /* accesses behind the part of the last write */
	double touched;                 /* bytes of the structure's rows that the executions access;
					 * NAN: not known */
	double served[MACHINE_NODES];   /* misses of the last level by the memory node that served
					 * them */
	double *served_by;              /* owned: the same, by thread * MACHINE_NODES + node */
	double *phase_access;           /* owned: accesses of the whole phase to all memory, by
					 * thread */
	double phase_served[MACHINE_NODES];     /* misses of the whole phase, by node */
	struct locality locality;       /* of the structure in the whole phase */
};

/* NULL: no memory, or nothing is known of the context and structure over time. */
struct flow *flow_new(const struct measurements *p, uint32_t context, uint32_t object);
void flow_free(struct flow *f); /* NULL is fine */

/* Sources of attributes (attribute_names.h), without those of figures that
 * other attributes have, too. */
enum flow_figure {
	FLOW_THREADS, FLOW_NODES, FLOW_INTERVALS, FLOW_FIRST, FLOW_FIRST_USE, FLOW_LAST_USE,
	FLOW_LAST_WRITE, FLOW_AFTER_WRITE, FLOW_TOUCHED, FLOW_USERS, FLOW_USER_NODES,
	FLOW_THREAD_NODES, FLOW_HOME, FLOW_HOME_PART, FLOW_LOAD, FLOW_TOUCHER, FLOW_TOUCHER_PART,
	FLOW_ONE_USER, FLOW_IN_GROUP, FLOW_ELSEWHERE,
	/* by thread; by node; by interval */
	FLOW_ACCESS, FLOW_SERVED, FLOW_THREAD, FLOW_STRUCTURE, FLOW_BEGIN, FLOW_END, FLOW_READS,
	FLOW_WRITES, FLOW_MISSES
};
/* NAN: not known, or there is no such thread, node or interval.  Times are
 * parts of the region's `time`. */
double flow_figure(const struct flow *f, enum flow_figure which, int64_t index, double time);
/* The structure of an interval; NULL: there is no such interval. */
const char *flow_structure(const struct flow *f, int64_t interval);

#endif
