/* SPDX-License-Identifier: BSD-3-Clause */
/* Events that the kernel counted (monitor/collect/events.h), by metric and context.
 *
 * They are of other executions than times and simulated counts, and of all instructions that the
 * processor executed, not of the accesses that the compiler's code makes: metrics of the two never
 * share a name. */
#ifndef PSC_MEASURE_EVENT_COUNTS_H
#define PSC_MEASURE_EVENT_COUNTS_H

#include "analysis/measure/measurements.h"

struct event_count {                    /* one metric; figures of one execution of the phase */
	char *metric;                   /* owned */
	uint32_t n, executions;         /* contexts; counted executions */
	/* By context and execution, exclusive: scaled counts; owned.  NAN: the context did not run. */
	double *own;
	double enabled, running;        /* ns, of all contexts */
};
struct event_counts {
	struct event_count *list;       /* owned */
	uint32_t n;
};

/* Adds a result of MON_EVENTS.  metrics: of the request's events, in their order.  0 / -1 (memory). */
int event_counts_add(struct measurements *p, const struct mon_result *r, const char *const *metrics);
void event_counts_free(struct measurements *p);
/* Inclusive, the median over the executions; NAN: not measured, or its markers were left out. */
double event_counts_value(const struct measurements *p, uint32_t context, const char *metric);
/* The share of the time in which the event counted: less than 1 where counters were shared.  NAN: not
 * measured. */
double event_counts_share(const struct measurements *p, const char *metric);

#endif
