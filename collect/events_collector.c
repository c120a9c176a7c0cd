/* SPDX-License-Identifier: BSD-3-Clause */
/* Events of the kernel that properties read, in as many experiments as the counters make
 * necessary. */
#include "collect/collector.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/measure/event_counts.h"
#include "analysis/measure/metric_values.h"
#include "events/metrics.h"

struct host_events {                    /* the same for all processes of a host */
	struct event_metrics metrics;
	struct attribute_events wanted; /* by properties; borrows names from them */
	/* The recipe of each; NULL: there is none. */
	const struct event_metric *by[EVENTS_MOST];
	struct collector_limits limits;
	struct pack_result packed;
	uint32_t npacked;               /* metrics in them: those that can be measured */
};

struct event_runs {                     /* of one process */
	bool begun;
	uint64_t queue[2 * EVENTS_MOST];        /* sets of metrics to measure */
	uint32_t n, next, done;
	uint64_t counted;       /* set of metrics with a result */
	int refused[EVENTS_MOST];       /* the program could not: errno + 1; 0: it could */
	uint32_t item[MON_EVENTS_MOST], nitems; /* metrics of the request under way */
};

/* --- the host -------------------------------------------------------------------------------- */

/* Packs the metrics that can be measured here. */
static void pack_metrics(struct host_events *h)
{
	struct pack_item item[PACK_ITEMS] = { { 0 } };
	uint64_t here = 0, group[PACK_GROUPS], renumbered;
	uint32_t number[EVENTS_MOST], n = 0;
	struct pack_result r;

	for (uint32_t i = 0; i < h->wanted.n; i++)
		if (h->by[i] && h->by[i]->event[0]) {
			here |= UINT64_C(1) << i;
			item[n].free = !h->by[i]->hardware;
			number[n++] = i;
		}
	for (uint32_t g = 0; g < h->wanted.nsets; g++) {
		group[g] = 0;
		for (uint32_t k = 0; k < n; k++)
			group[g] |= (h->wanted.set[g] >> number[k] & 1) << k;
	}
	pack(&h->limits, item, n, group, h->wanted.nsets, &r);
	h->npacked = n;
	h->packed = r;
	for (uint32_t e = 0; e < r.n; e++) {
		renumbered = 0;
		for (uint32_t k = 0; k < n; k++)
			renumbered |= (r.experiment[e] >> k & 1) << number[k];
		h->packed.experiment[e] = renumbered & here;
	}
}

/* Opens events to choose among them, unless no property reads any. */
static int begin(const struct collect_host *host, void **state, struct err *err)
{
	const char *recipes = host->config->recipes ? host->config->recipes : "";
	struct attribute_events wanted;
	struct host_events *h;

	attributes_events(host->attributes, &wanted);
	if (!wanted.n)
		return 0;
	*state = h = calloc(1, sizeof *h);
	if (!h)
		return err_nomem(err);
	h->wanted = wanted;
	if (event_metrics_parse(&h->metrics, "events.recipes", recipes, err))
		return -1;
	event_metrics_choose(&h->metrics);
	event_metrics_limit(&h->metrics);
	for (uint32_t i = 0; i < wanted.n; i++)
		h->by[i] = event_metrics_find(&h->metrics, wanted.metric[i]);
	h->limits = plan_limits(host->config, h->metrics.at_once, MON_EVENTS_MOST);
	pack_metrics(h);
	return 0;
}

static const struct host_events *host_of(const struct collection *c)
{
	return collect_host_state(c->host, &collector_events);
}

static struct event_runs *runs_of(const struct collection *c)
{
	return collection_state(c, &collector_events);
}

/* --- a process ------------------------------------------------------------------------------- */

static int number_of(const struct host_events *h, const char *metric)
{
	for (uint32_t i = 0; i < h->wanted.n; i++)
		if (strcmp(h->wanted.metric[i], metric) == 0)
			return (int)i;
	return -1;
}

static bool gives(const struct collection *c, const struct need *need)
{
	const struct host_events *h = host_of(c);
	int i = h ? number_of(h, need->metric) : -1;

	return i >= 0 && h->by[i] && h->by[i]->event[0] && !runs_of(c)->refused[i];
}

static uint64_t set_of(const struct host_events *h, const struct needs *needs)
{
	uint64_t set = 0;

	for (uint32_t i = 0; i < needs->n; i++)
		set |= UINT64_C(1) << number_of(h, needs->list[i].metric);
	return set;
}

/* Without recording, after one execution in which the threads open the events, in as many
 * executions as give times. */
static void plan_events(const struct run_config *c, uint64_t begun, const struct mon_event *events,
	uint32_t nevents, struct plan *out)
{
	plan_next_execution(c, MON_EVENTS, begun, out);
	out->want.warm = 1;
	out->want.count = c->clean < 3 ? c->clean : 3;
	memcpy(out->event, events, nevents * sizeof *events);
	out->want.events = out->event;
	out->want.nevents = nevents;
}

static bool plan_set(struct collection *c, const struct collect_moment *now,
	const struct needs *needs, struct plan *out)
{
	const struct host_events *h = host_of(c);
	const uint64_t wanted = set_of(h, needs);
	struct event_runs *r = runs_of(c);
	struct mon_event event[MON_EVENTS_MOST];

	if (!r->begun) {
		memcpy(r->queue, h->packed.experiment, h->packed.n * sizeof *r->queue);
		r->n = h->packed.n;
		r->begun = true;
	}
	for (; r->next < r->n; r->next++) {
		r->nitems = 0;
		for (uint32_t i = 0; i < h->wanted.n && r->nitems < MON_EVENTS_MOST; i++)
			if (r->queue[r->next] & wanted & UINT64_C(1) << i) {
				event[r->nitems] = h->by[i]->code;
				r->item[r->nitems++] = i;
			}
		if (r->nitems) {
			plan_events(c->host->config, now->begun, event, r->nitems, out);
			return true;
		}
	}
	return false;
}

static int take(struct collection *c, const struct collect_moment *now, const struct plan *plan,
	const struct mon_result *result, struct err *err)
{
	const char *metrics[MON_EVENTS_MOST] = { NULL };
	const struct host_events *h = host_of(c);
	struct event_runs *r = runs_of(c);

	(void)now;
	(void)plan;
	for (uint32_t k = 0; k < r->nitems; k++) {
		metrics[k] = h->wanted.metric[r->item[k]];
		r->counted |= UINT64_C(1) << r->item[k];
	}
	r->next++;
	r->done++;
	return event_counts_add(c->measured, result, metrics, collector_events.name) ?
		err_nomem(err) : 0;
}

/* The program could not open one of its events: the others are measured without it. */
static bool refused(struct collection *c, const struct mon_result *result)
{
	struct event_runs *r = runs_of(c);
	uint32_t k = result->failed_event < r->nitems ? result->failed_event : 0;
	uint64_t later = 0;

	if (result->reason != MON_DROP_EVENTS)
		return false;
	/* Together they are too much for the processor: the rest goes into an experiment of its
	 * own. */
	if (k && (result->failed_errno == EINVAL || result->failed_errno == ENOSPC) &&
	    r->n < 2 * EVENTS_MOST) {
		for (; k < r->nitems; k++)
			later |= UINT64_C(1) << r->item[k];
		r->queue[r->next] &= ~later;
		r->queue[r->n++] = later;
		return true;
	}
	/* These errors are no matter of one event: all are refused. */
	for (uint32_t i = 0; i < EVENTS_MOST; i++)
		if (i == r->item[k] || result->failed_errno == 0 ||
		    result->failed_errno == ENOMEM ||
		    result->failed_errno == EBADF)
			r->refused[i] = (result->failed_errno < 0 ? 0 : result->failed_errno) + 1;
	return true;
}

/* --- the report ------------------------------------------------------------------------------ */

static void add_refusal(struct buf *b, const char *metric, const char *why)
{
	buf_printf(b, "%s%s: %s", b->len ? "; " : "", metric, why);
}

/* The metrics that were measured, and those that were not, each with a reason. */
static void tell(const struct event_runs *r, const struct host_events *h,
	const struct measurements *p, struct buf *yes, struct buf *no)
{
	for (uint32_t i = 0; i < h->wanted.n; i++) {
		const char *name = h->wanted.metric[i];
		double share = measured_metric_share(p, name);
		char why[200];

		if (!isnan(share) && !(r->counted >> i & 1))
			continue;       /* another collector gave it */
		if (!isnan(share)) {
			buf_printf(yes, "%s%s by %s", yes->len ? ", " : "", name, h->by[i]->event);
			if (share < 1)
				buf_printf(yes, " (scaled: counters were shared, and it counted in "
					"%.3g %% of the time)", 100 * share);
		} else if (!h->by[i]) {
			add_refusal(no, name, "events.recipes has no such metric");
		} else if (!h->by[i]->event[0]) {
			add_refusal(no, name, h->by[i]->why);
		} else if (r->refused[i]) {
			event_refused(r->refused[i] - 1, why, sizeof why);
			add_refusal(no, name, why);
		} else {
			add_refusal(no, name, "the analysis ended before");
		}
	}
}

static int report(const struct collection *c, struct report *out)
{
	const struct host_events *h = host_of(c);
	struct buf yes = BUF_INIT, no = BUF_INIT;
	char how[240];
	int rc = 0;

	if (!h)
		return 0;
	tell(runs_of(c), h, c->measured, &yes, &no);
	pack_text(&h->limits, h->npacked, &h->packed, "event", how, sizeof how);
	if (yes.len)
		rc = findings_note(out, arena_printf(out->arena,
			"events (the kernel counted them, of all that the processor "
			"executed, in executions without recording): %s. %s%s", buf_str(&yes), how,
			runs_of(c)->done > h->packed.n ?
				"; the processor could not count all of one at once: more were "
				"needed" : ""));
	if (!rc && no.len)
		rc = findings_note(out, arena_printf(out->arena,
			"events that were not measured: %s", buf_str(&no)));
	rc |= yes.failed || no.failed ? -1 : 0;
	buf_free(&yes);
	buf_free(&no);
	return rc;
}

static bool here(const char *recipes, char *text, size_t size)
{
	struct event_metrics *m = calloc(1, sizeof *m);
	struct err err = { "out of memory" };
	uint32_t n = 0, hardware = 0;

	if (!m || event_metrics_parse(m, "events.recipes", recipes, &err)) {
		snprintf(text, size, "%s", err.text);
		free(m);
		return false;
	}
	event_metrics_choose(m);
	event_metrics_limit(m);
	for (uint32_t i = 0; i < m->n; i++) {
		n += m->metric[i].event[0] != '\0';
		hardware += m->metric[i].event[0] && m->metric[i].hardware;
	}
	if (hardware)
		snprintf(text, size,
			"%u of %u metrics, %u counters at once (psc_frontend --list-metrics)", n,
			m->n, m->at_once);
	else
		snprintf(text, size,
			"%u of %u metrics, without hardware counters (psc_frontend --list-metrics)",
			n, m->n);
	free(m);
	return n != 0;
}

const struct collector collector_events = {
	.name = "events",
	.what = "events of the kernel and hardware counters, as events.recipes has them",
	.progress = "events",
	.state = sizeof(struct event_runs),
	.host_begin = begin, .gives = gives, .plan = plan_set, .take = take, .refused = refused,
	.report = report, .here = here,
};
