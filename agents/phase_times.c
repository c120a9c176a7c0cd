/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums the times of candidates over processes. */
#include "agents/phase_times.h"

#include <math.h>
#include <stdlib.h>

#include "agents/phase_search.h"

uint32_t phase_search_needed(const struct run_config *c)
{
	return 1 + c->delay + plan_surveys(c) + c->clean + c->warm + c->counted;
}

/* The times of some processes in a list that the caller frees; NULL: no memory. */
struct phase_time *phase_times_of(const struct host_analysis *h, const struct process *p, int n,
	uint64_t *elapsed)
{
	struct phase_time *t = calloc((size_t)h->candidates.nregions + 1, sizeof *t);
	struct mon_elapsed e;

	*elapsed = 0;
	for (int i = 0; i < n && t; i++) {
		if (!p[i].peer)
			continue;
		candidates_add(&h->candidates, p[i].peer, t);
		mon_peer_elapsed(p[i].peer, &e);
		*elapsed += e.ns;
	}
	return t;
}

struct phase_time *phase_times_find(const struct host_analysis *h, struct phase_time *t,
	uint32_t region)
{
	const int i = phase_find(t, h->candidates.nregions, region);

	return i < 0 ? NULL : &t[i];
}

/* Executions that a small analysis needs. */
uint64_t phase_times_least_needed(const struct host_analysis *h)
{
	struct plan_sizes want, fit;

	plan_sizes(h->config, &want);
	plan_fit(&want, 0, true, true, &fit);
	return plan_executions(&fit) + PLAN_CLEAN;
}

/* If another phase is chosen, is what was measured of this one kept, for a program that ends before
 * the other one could be measured? */
static bool all_kept(const struct process *p, int n)
{
	return n == 1 && process_alone(p) && p->now.held;
}

uint64_t phase_search_recorded(const struct process *p)
{
	struct mon_elapsed e;

	mon_peer_elapsed(p->peer, &e);
	return e.runs > p->recorded_from ? e.runs - p->recorded_from : 0;
}

double phase_times_share(const struct process *p, const struct phase_time *t, bool is_phase)
{
	struct mon_elapsed e;

	mon_peer_elapsed(p->peer, &e);
	return phase_share(t, e.ns, is_phase ? phase_search_recorded(p) : 0);
}

/* Accesses of a counted execution; NAN: none was counted. */
double phase_times_accesses(const struct measurements *m)
{
	struct tally all;

	return m->counted && measured_tally(m, 0, MON_ANY, &all) ? all.loads + all.stores : NAN;
}

struct phase_time *phase_times_look(const struct host_analysis *h, const struct process *p, int n,
	struct phase_look *look)
{
	struct phase_time *t;

	*look = (struct phase_look){ .n = h->candidates.nregions, .phase = h->config->phase_region,
		.processes = (uint64_t)n, .needed = phase_search_needed(h->config),
		.least = phase_times_least_needed(h), .kept = all_kept(p, n) };
	t = phase_times_of(h, p, n, &look->elapsed_ns);
	look->t = t;
	return t;
}

/* Adds the time of the phase's executions that were recorded. */
static void add_recorded(const struct host_analysis *h, struct phase_time *t,
	const struct process *p, int n, uint64_t *elapsed)
{
	struct phase_time *now = phase_times_find(h, t, h->config->phase_region);
	uint64_t recorded = 0;

	for (int i = 0; i < n; i++)
		recorded += p[i].peer ? phase_search_recorded(&p[i]) : 0;
	if (now)
		*elapsed += phase_add_recorded(now, recorded);
}

/* As phase_times_look(), of a run that has ended. */
struct phase_time *phase_times_look_back(const struct host_analysis *h, const struct process *p,
	int n, struct phase_look *look)
{
	struct phase_time *t = phase_times_look(h, p, n, look);

	if (t)
		add_recorded(h, t, p, n, &look->elapsed_ns);
	look->ended = true;
	return t;
}

/* Spans of time that could be measured instead, as of a program that repeats nothing; 0: none. */
uint64_t phase_times_span(const struct process *p, const struct phase_time *t, uint64_t elapsed)
{
	const struct run_config *c = p->host->config;

	return c->sample > 1 || !c->warm || c->attached || c->nwhat_if || c->counters ||
		!process_alone(p) ? 0 :
		phase_span(t, p->host->candidates.nregions, elapsed, phase_search_needed(c));
}
