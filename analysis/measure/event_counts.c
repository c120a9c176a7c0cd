/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes in events by metric and context.
 *
 * Where the kernel shares a counter among events, a count is of a part of the time.  It is scaled
 * by the thread's and context's own share, or by the whole share where the
 * event never counted there. */
#include "analysis/measure/event_counts.h"
#include "analysis/measure/store.h"

/* The time in which the event was enabled, and counted: of all contexts and executions. */
static void sum_times(struct store_metric *m, const struct mon_result *r, uint32_t event)
{
	for (uint32_t i = 0; i < r->nevents; i++)
		if (r->events[i].event == event) {
			m->all += (double)r->events[i].enabled;
			m->seen += (double)r->events[i].running;
		}
}

static int add_row(struct measurements *p, struct store_metric *m, const struct mon_event_row *row)
{
	double share = m->seen / m->all;

	if (row->context >= p->ncontexts || row->execution >= m->executions)
		return 0;
	if (row->running)
		share = (double)row->running / (double)row->enabled;
	return store_add(p->store, m, store_key(row->context, MON_ANY, ALL_THREADS), row->execution,
		(double)row->value / share);
}

static int add_event(struct measurements *p, const struct mon_result *r, uint32_t event,
	const char *metric, const char *collector)
{
	struct store_metric *m = store_metric_begin(p->store, metric, collector, r->executions);

	if (!m)
		return -1;
	sum_times(m, r, event);
	for (uint32_t i = 0; i < r->nevents && m->seen > 0; i++)
		if (r->events[i].event == event && add_row(p, m, &r->events[i]))
			return -1;
	return 0;
}

int event_counts_add(struct measurements *p, const struct mon_result *r, const char *const *metrics,
	const char *collector)
{
	if (r->state != MON_DONE || !r->executions)
		return 0;
	for (uint32_t i = 0; i < r->nevents; i++)
		if (r->events[i].event >= MON_EVENTS_MOST)
			return 0;
	for (uint32_t k = 0; k < MON_EVENTS_MOST && metrics[k]; k++)
		if (add_event(p, r, k, metrics[k], collector))
			return -1;
	return 0;
}
