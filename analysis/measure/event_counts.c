/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps events by metric and context.
 *
 * Where the kernel shares a counter among events, a count is of a part of the time.  It is scaled by
 * the thread's and context's own share, or by the whole share where the event never counted there. */
#include "analysis/measure/event_counts.h"
#include "analysis/measure/quantiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct event_count *find(const struct measurements *p, const char *metric)
{
	for (uint32_t i = 0; p->events && i < p->events->n; i++)
		if (strcmp(p->events->list[i].metric, metric) == 0)
			return &p->events->list[i];
	return NULL;
}

static struct event_count *add_metric(struct measurements *p, const char *metric)
{
	struct event_count *e = find(p, metric), *list;

	if (e)
		return e;
	if (!p->events)
		p->events = calloc(1, sizeof *p->events);
	if (!p->events)
		return NULL;
	list = realloc(p->events->list, (p->events->n + 1) * sizeof *list);
	if (!list)
		return NULL;
	p->events->list = list;
	e = &list[p->events->n];
	*e = (struct event_count){ .metric = strdup(metric) };
	if (!e->metric)
		return NULL;
	p->events->n++;
	return e;
}

/* A newer measurement of a metric replaces the older one. */
static int begin(struct measurements *p, const char *metric, uint32_t executions)
{
	struct event_count *e = add_metric(p, metric);
	size_t n = (size_t)p->ncontexts * executions;

	if (!e)
		return -1;
	free(e->own);
	e->own = calloc(n + 1, sizeof *e->own);
	e->n = e->own ? p->ncontexts : 0;
	e->executions = executions;
	e->enabled = e->running = 0;
	for (size_t i = 0; e->own && i < n; i++)
		e->own[i] = NAN;
	return e->own ? 0 : -1;
}

static void add_row(struct event_count *e, const struct mon_event_row *row)
{
	double share = e->running / e->enabled;
	double *own;

	if (row->context >= e->n || row->execution >= e->executions)
		return;
	own = &e->own[(size_t)row->context * e->executions + row->execution];
	if (row->running)
		share = (double)row->running / (double)row->enabled;
	*own = (isnan(*own) ? 0 : *own) + (double)row->value / share;
}

int event_counts_add(struct measurements *p, const struct mon_result *r, const char *const *metrics)
{
	if (r->state != MON_DONE || !r->executions)
		return 0;
	for (uint32_t i = 0; i < r->nevents; i++)
		if (r->events[i].event >= MON_EVENTS_MOST)
			return 0;
	for (uint32_t k = 0; k < MON_EVENTS_MOST && metrics[k]; k++) {
		struct event_count *e;

		if (begin(p, metrics[k], r->executions))
			return -1;
		e = find(p, metrics[k]);
		for (uint32_t i = 0; i < r->nevents; i++)
			if (r->events[i].event == k) {
				e->enabled += (double)r->events[i].enabled;
				e->running += (double)r->events[i].running;
			}
		for (uint32_t i = 0; i < r->nevents && e->running > 0; i++)
			if (r->events[i].event == k)
				add_row(e, &r->events[i]);
	}
	return 0;
}

void event_counts_free(struct measurements *p)
{
	for (uint32_t i = 0; p->events && i < p->events->n; i++) {
		free(p->events->list[i].metric);
		free(p->events->list[i].own);
	}
	if (p->events)
		free(p->events->list);
	free(p->events);
	p->events = NULL;
}

static bool within(const struct measurements *p, uint32_t context, uint32_t top)
{
	while (context > top && context != NO_CONTEXT)
		context = p->contexts[context].parent;
	return context == top;
}

/* The context and those inside it, in one execution.  NAN: none of them ran. */
static double inclusive(const struct measurements *p, const struct event_count *e, uint32_t context, uint32_t execution)
{
	double sum = NAN;

	for (uint32_t c = context; c < e->n && c < p->ncontexts; c++) {
		double own = e->own[(size_t)c * e->executions + execution];

		if (!isnan(own) && within(p, c, context))
			sum = (isnan(sum) ? 0 : sum) + own;
	}
	return sum;
}

double event_counts_value(const struct measurements *p, uint32_t context, const char *metric)
{
	const struct event_count *e = find(p, metric);
	double v[MON_EXECUTIONS];
	uint32_t n = 0;

	if (!e || context >= p->ncontexts || p->contexts[context].brief)
		return NAN;
	for (uint32_t i = 0; i < e->executions && i < MON_EXECUTIONS; i++) {
		v[n] = inclusive(p, e, context, i);
		n += !isnan(v[n]);
	}
	return n ? median_of(v, n) : NAN;
}

double event_counts_share(const struct measurements *p, const char *metric)
{
	const struct event_count *e = find(p, metric);

	return e && e->enabled > 0 ? e->running / e->enabled : NAN;
}
