/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of the kernel that properties ask for: which event of this host, how many experiments, and
 * what came of them in one process. */
#ifndef PSC_AGENTS_EVENT_RUNS_H
#define PSC_AGENTS_EVENT_RUNS_H

#include "analysis/measure/attributes.h"
#include "analysis/search/plan.h"
#include "events/metrics.h"
#include "report/model/report.h"

struct host_events {                    /* the same for all processes of a host */
	struct event_metrics metrics;
	struct attribute_events wanted; /* by properties; borrows names from them */
	const struct event_metric *by[EVENTS_MOST];     /* the recipe of each; NULL: there is none */
	struct collector_limits limits;
	struct pack_result packed;
	uint32_t npacked;               /* metrics in them: those that can be measured */
};
/* Opens events to choose among them.  NULL: no property reads any (err is empty), or a failure. */
struct host_events *host_events_new(const struct run_config *c, const struct attributes *a, struct err *err);

struct event_runs {                     /* of one process */
	bool begun;
	uint64_t queue[2 * EVENTS_MOST];        /* sets of metrics to measure */
	uint32_t n, next, done;
	int refused[EVENTS_MOST];       /* the program could not: errno + 1; 0: it could */
	uint32_t item[MON_EVENTS_MOST], nitems; /* metrics of the request under way */
};
/* Plans the next experiment.  false: none is left.  h may be NULL. */
bool event_runs_next(struct event_runs *r, const struct host_events *h, const struct run_config *c, uint64_t begun,
	struct plan *out);
/* The result of the request under way. 0 / -1 (memory). */
int event_runs_take(struct event_runs *r, const struct host_events *h, struct measurements *p, const struct mon_result *result);
/* The program could not open one of its events: the others are measured without it. */
void event_runs_refused(struct event_runs *r, const struct mon_result *result);
/* Notes how events were measured, and which were not. 0 / -1 (memory). */
int event_runs_report(const struct event_runs *r, const struct host_events *h, const struct measurements *p,
	struct report *report);

#endif
