/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures events of the kernel in a process, in as many experiments as its counters make
 * necessary. */
#include "agents/event_runs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/findings/findings.h"
#include "analysis/measure/event_counts.h"

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

struct host_events *host_events_new(const struct run_config *c, const struct attributes *a, struct err *err)
{
	struct attribute_events wanted;
	struct host_events *h;

	err->text[0] = '\0';
	attributes_events(a, &wanted);
	if (!wanted.n)
		return NULL;
	h = calloc(1, sizeof *h);
	if (!h) {
		err_nomem(err);
		return NULL;
	}
	h->wanted = wanted;
	if (event_metrics_parse(&h->metrics, "events.recipes", c->recipes ? c->recipes : "", err)) {
		free(h);
		return NULL;
	}
	event_metrics_choose(&h->metrics);
	event_metrics_limit(&h->metrics);
	for (uint32_t i = 0; i < wanted.n; i++)
		h->by[i] = event_metrics_find(&h->metrics, wanted.metric[i]);
	h->limits = plan_limits(c, MON_EVENTS, h->metrics.at_once);
	pack_metrics(h);
	return h;
}

/* --- a process ------------------------------------------------------------------------------- */

static bool can(const struct event_runs *r, uint32_t metric)
{
	return !r->refused[metric];
}

bool event_runs_next(struct event_runs *r, const struct host_events *h, const struct run_config *c, uint64_t begun,
	struct plan *out)
{
	struct mon_event event[MON_EVENTS_MOST];

	if (!h)
		return false;
	if (!r->begun) {
		memcpy(r->queue, h->packed.experiment, h->packed.n * sizeof *r->queue);
		r->n = h->packed.n;
		r->begun = true;
	}
	for (; r->next < r->n; r->next++) {
		r->nitems = 0;
		for (uint32_t i = 0; i < h->wanted.n && r->nitems < MON_EVENTS_MOST; i++)
			if (r->queue[r->next] >> i & 1 && can(r, i)) {
				event[r->nitems] = h->by[i]->code;
				r->item[r->nitems++] = i;
			}
		if (r->nitems) {
			plan_events(c, begun, event, r->nitems, out);
			return true;
		}
	}
	return false;
}

int event_runs_take(struct event_runs *r, const struct host_events *h, struct measurements *p, const struct mon_result *result)
{
	const char *metrics[MON_EVENTS_MOST] = { NULL };

	for (uint32_t k = 0; k < r->nitems; k++)
		metrics[k] = h->wanted.metric[r->item[k]];
	r->next++;
	r->done++;
	return event_counts_add(p, result, metrics);
}

void event_runs_refused(struct event_runs *r, const struct mon_result *result)
{
	uint32_t k = result->failed_event < r->nitems ? result->failed_event : 0;
	uint64_t later = 0;

	/* Together they are too much for the processor: the rest goes into an experiment of its own. */
	if (k && (result->failed_errno == EINVAL || result->failed_errno == ENOSPC) && r->n < 2 * EVENTS_MOST) {
		for (; k < r->nitems; k++)
			later |= UINT64_C(1) << r->item[k];
		r->queue[r->next] &= ~later;
		r->queue[r->n++] = later;
		return;
	}
	/* These errors are no matter of one event: all are refused. */
	for (uint32_t i = 0; i < EVENTS_MOST; i++)
		if (i == r->item[k] || result->failed_errno == 0 || result->failed_errno == ENOMEM ||
		    result->failed_errno == EBADF)
			r->refused[i] = (result->failed_errno < 0 ? 0 : result->failed_errno) + 1;
}

/* --- the report ------------------------------------------------------------------------------ */

static void add_refusal(struct buf *b, const char *metric, const char *why)
{
	buf_printf(b, "%s%s: %s", b->len ? "; " : "", metric, why);
}

/* The metrics that were measured, and those that were not, each with a reason. */
static void describe(const struct event_runs *r, const struct host_events *h, const struct measurements *p, struct buf *yes,
	struct buf *no)
{
	for (uint32_t i = 0; i < h->wanted.n; i++) {
		const char *name = h->wanted.metric[i];
		double share = event_counts_share(p, name);
		char why[200];

		if (!isnan(share)) {
			buf_printf(yes, "%s%s by %s", yes->len ? ", " : "", name, h->by[i]->event);
			if (share < 1)
				buf_printf(yes, " (scaled: counters were shared, and it counted in %.3g %% of the time)", 100 * share);
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

int event_runs_report(const struct event_runs *r, const struct host_events *h, const struct measurements *p,
	struct report *report)
{
	struct buf yes = BUF_INIT, no = BUF_INIT;
	char how[240];
	int rc = 0;

	if (!h)
		return 0;
	describe(r, h, p, &yes, &no);
	pack_text(&h->limits, h->npacked, &h->packed, "event", how, sizeof how);
	if (yes.len)
		rc = findings_note(report, arena_printf(report->arena, "events (the kernel counted them, of all that the processor "
			"executed, in executions without recording): %s. %s%s", buf_str(&yes), how,
			r->done > h->packed.n ? "; the processor could not count all of one at once: more were needed" : ""));
	if (!rc && no.len)
		rc = findings_note(report, arena_printf(report->arena, "events that were not measured: %s", buf_str(&no)));
	rc |= yes.failed || no.failed ? -1 : 0;
	buf_free(&yes);
	buf_free(&no);
	return rc;
}
