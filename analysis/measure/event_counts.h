/* SPDX-License-Identifier: BSD-3-Clause */
/* Events that the kernel counted (monitor/collect/kernel_events.h), as metrics of the store.
 *
 * They are of other executions than times and simulated counts, and of all instructions that the
 * processor executed, not of the accesses that the compiler's code makes: metrics of the two never
 * share a name. */
#ifndef PSC_MEASURE_EVENT_COUNTS_H
#define PSC_MEASURE_EVENT_COUNTS_H

#include "analysis/measure/measurements.h"

/* Adds a result of MON_EVENTS that the collector took.  metrics: of the request's events, in their
 * order.
 * 0 / -1 (memory). */
int event_counts_add(struct measurements *p, const struct mon_result *r, const char *const *metrics,
	const char *collector);

#endif
