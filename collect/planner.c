/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists what is needed, and gives each need to the first collector that gives its metric. */
#include "collect/collector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A request serves so many needs at most. */
enum { NEEDS_AT_ONCE = EVENTS_MOST };
_Static_assert((int)MON_FILTERS <= (int)NEEDS_AT_ONCE, "a request with all filters");

/* --- what collectors keep -------------------------------------------------------------------- */

uint32_t collector_number(const struct collect_host *h, const struct collector *k)
{
	uint32_t n = 0;

	while (h->all[n] && h->all[n] != k)
		n++;
	return n;
}

/* Adds it unless it is there. */
static void order_add(const struct collector *order[COLLECTORS_MOST], const struct collector *k)
{
	uint32_t n = 0;

	while (order[n] && order[n] != k)
		n++;
	if (n < COLLECTORS_MOST - 1)
		order[n] = k;
}

static int unknown(const struct collector *const *all, const char *name, int len, struct err *err)
{
	char names[400] = "";

	for (uint32_t i = 0; all[i]; i++)
		snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", i ? ", " : "",
			all[i]->name);
	return err_set(err, "there is no collector '%.*s'; there are %s", len, name, names);
}

int collect_order(const struct collector *const *all, const char *list,
	const struct collector *order[COLLECTORS_MOST], struct err *err)
{
	memset(order, 0, COLLECTORS_MOST * sizeof *order);
	for (const char *name = list; name && *name; name += *name == ',') {
		const size_t len = strcspn(name, ",");
		uint32_t i = 0;

		while (all[i] && (strlen(all[i]->name) != len ||
				strncmp(all[i]->name, name, len) != 0))
			i++;
		if (!all[i])
			return unknown(all, name, (int)len, err);
		order_add(order, all[i]);
		name += len;
	}
	for (uint32_t i = 0; all[i]; i++)
		order_add(order, all[i]);
	return 0;
}

int collect_host_begin(struct collect_host *h, const struct collector *const *all,
	const struct run_config *c, const struct attributes *a, struct err *err)
{
	*h = (struct collect_host){ .config = c, .attributes = a, .all = all };
	if (collect_order(all, c->collectors, h->order, err))
		return -1;
	for (uint32_t i = 0; all[i]; i++) {
		if (all[i]->host_begin && all[i]->host_begin(h, &h->state[i], err))
			return -1;
	}
	return 0;
}

void collect_host_end(struct collect_host *h)
{
	for (uint32_t i = 0; i < COLLECTORS_MOST; i++)
		free(h->state[i]);
	*h = (struct collect_host){ 0 };
}

void *collect_host_state(const struct collect_host *h, const struct collector *k)
{
	return h->state[collector_number(h, k)];
}

int collection_begin(struct collection *c, const struct collect_host *h, struct measurements *m)
{
	const struct need counts = { METRIC_COUNTS, MON_ANY, MON_ANY };
	const struct collector *by;

	*c = (struct collection){ .host = h, .measured = m };
	for (uint32_t i = 0; h->all[i]; i++) {
		c->state[i] = h->all[i]->state ? calloc(1, h->all[i]->state) : NULL;
		if (h->all[i]->state && !c->state[i]) {
			collection_end(c);
			return -1;
		}
	}
	by = collect_choose(c, &counts);
	m->counts_source = by && by->describe ? by->describe() : NULL;
	return 0;
}

void collection_end(struct collection *c)
{
	for (uint32_t i = 0; i < COLLECTORS_MOST; i++)
		free(c->state[i]);
	free(c->whatif);
	*c = (struct collection){ 0 };
}

void *collection_state(const struct collection *c, const struct collector *k)
{
	return c->state[collector_number(c->host, k)];
}

/* --- needs ----------------------------------------------------------------------------------- */

static struct needs of_search(const struct collect_moment *now)
{
	return (struct needs){ now->search->needs, now->search->nneeds };
}

static struct needs of_events(const struct collect_host *h, struct need list[EVENTS_MOST])
{
	struct attribute_events read;

	attributes_events(h->attributes, &read);
	for (uint32_t i = 0; i < read.n; i++)
		list[i] = (struct need){ read.metric[i], MON_ANY, MON_ANY };
	return (struct needs){ list, read.n };
}

/* Trials of --what-if, then structures of --verify, in the order in which the user gave them, then
 * the actions of --try, which are not over before their collector plans nothing. */
static struct needs of_trials(struct collection *c, const struct search *s,
	struct need list[EVENTS_MOST])
{
	struct mon_variant variant[MON_VARIANTS];
	struct check_request check;
	uint32_t n = 0;

	if (c->host->config->nwhat_if && !c->whatif)
		c->whatif = whatif_new(s, c->host->config);
	if (c->whatif && whatif_next(c->whatif, variant))
		list[n++] = (struct need){ METRIC_CHANGED, MON_ANY, variant[0].object };
	else if (c->whatif && measured_check_next(&c->whatif->check, c->measured, &check))
		list[n++] = (struct need){ METRIC_COST, MON_ANY, check.object };
	else if (c->host->config->ntries)
		list[n++] = (struct need){ METRIC_TRIAL, MON_ANY, MON_ANY };
	return (struct needs){ list, n };
}

/* Of the whole phase. */
static struct needs one_need(const char *metric, struct need list[1])
{
	list[0] = (struct need){ metric, MON_ANY, MON_ANY };
	return (struct needs){ list, 1 };
}

/* --- choice ---------------------------------------------------------------------------------- */

bool collector_has(const struct collector *k, const char *metric)
{
	for (int i = 0; i < COLLECTOR_METRICS && k->metrics[i]; i++)
		if (strcmp(k->metrics[i], metric) == 0)
			return true;
	return false;
}

static bool gives(const struct collection *c, const struct collector *k, const struct need *need)
{
	return (k->any_program || !c->host->config->bursts) &&
		(!k->metrics[0] || collector_has(k, need->metric)) &&
		(!k->gives || k->gives(c, need));
}

const struct collector *collect_choose(const struct collection *c, const struct need *need)
{
	for (uint32_t i = 0; c->host->order[i]; i++)
		if (gives(c, c->host->order[i], need))
			return c->host->order[i];
	return NULL;
}

/* Those of the needs that go to the collector, as many as one request can serve.  Returns their
 * number. */
static uint32_t share_of(const struct collection *c, const struct collector *k,
	const struct needs *all, struct need out[NEEDS_AT_ONCE])
{
	const uint32_t most = k->most ? k->most(c) : NEEDS_AT_ONCE;
	uint32_t n = 0;

	for (uint32_t i = 0; i < all->n && n < NEEDS_AT_ONCE && n < most; i++)
		if (collect_choose(c, &all->list[i]) == k)
			out[n++] = all->list[i];
	return n;
}

static const struct collector *plan_some(struct collection *c, const struct collect_moment *now,
	const struct needs *all, struct plan *out)
{
	struct need own[NEEDS_AT_ONCE];

	for (uint32_t i = 0; c->host->order[i]; i++) {
		const struct collector *k = c->host->order[i];
		struct needs some = { own, share_of(c, k, all, own) };

		if (some.n && k->plan(c, now, &some, out))
			return k;
	}
	return NULL;
}

const struct collector *collect_plan(struct collection *c, const struct collect_moment *now,
	enum need_stage stage, struct plan *out)
{
	struct need list[EVENTS_MOST];
	struct needs needs = { list, 0 };

	switch (stage) {
	case NEED_SEARCH: needs = of_search(now); break;
	case NEED_EVENTS: needs = of_events(c->host, list); break;
	case NEED_TRIALS: needs = of_trials(c, now->search, list); break;
	case NEED_REST: needs = one_need(METRIC_KERNEL, list); break;
	default: break;
	}
	return plan_some(c, now, &needs, out);
}

const struct collector *collect_plan_phase(struct collection *c, const struct collect_moment *now,
	const char *metric, struct plan *out)
{
	struct need need;
	const struct needs needs = one_need(metric, &need);

	return plan_some(c, now, &needs, out);
}

int collect_report(const struct collection *c, struct report *r)
{
	for (uint32_t i = 0; c->host->order[i]; i++)
		if (c->host->order[i]->report && c->host->order[i]->report(c, r))
			return -1;
	return 0;
}
