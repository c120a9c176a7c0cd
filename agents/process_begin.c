/* SPDX-License-Identifier: BSD-3-Clause */
/* Begins the analysis of a process, begins it again in another run or with another phase, and ends
 * it. */
#include "agents/process.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "agents/host_load.h"
#include "agents/phase_before.h"
#include "agents/phase_search.h"
#include "analysis/measure/frequent_calls.h"
#include "analysis/trials/actions.h"
#include "base/clock.h"
#include "base/log.h"

static void fill_setup(const struct host_analysis *h, struct mon_setup *s)
{
	const struct run_config *c = h->config;

	*s = (struct mon_setup){ .nphase = c->nphase, .candidates = h->candidates.hook,
		.ncandidates = c->timed_ns ? 0 : h->candidates.n, .nteam = h->candidates.nteam,
		.lockstep = c->lockstep, .timed_ns = c->timed_ns, .check = c->check,
		.mpi = h->calls, .touches = c->maps || attributes_needs_places(h->attributes),
		.machine = c->machine.flat };
	for (uint32_t i = 0; i < s->nphase; i++)
		s->phase[i] = c->phase[i];
}

static uint32_t fill_places(const struct placement *p, struct mon_place_rule *out)
{
	const uint32_t n = p ? p->n : 0;

	for (uint32_t i = 0; i < n; i++)
		out[i] = (struct mon_place_rule){ .action = trial_kind_of(p->rule[i].action)->how,
			.node = p->rule[i].node, .line = p->rule[i].line,
			.name = p->rule[i].structure, .file = p->rule[i].file };
	return n;
}

/* Makes the first requests before the process continues, so that no execution is missed. */
static void welcome(struct process *p)
{
	struct mon_place_rule places[PLACE_RULES];
	struct mon_hook brief[MON_BRIEF];
	struct mon_setup setup;
	struct err err;

	if (p->host->config->nphase)
		process_first_requests(p);
	fill_setup(p->host, &setup);
	setup.places = places;
	setup.nplaces = fill_places(p->host->config->placement, places);
	setup.brief = brief;
	setup.nbrief = frequent_calls_hooks(p->now.measured, brief, MON_BRIEF);
	if (mon_peer_welcome(p->peer, &setup, &err))
		log_msg(1, "process %s: %s", p->name, err.text);
	p->ticks_before = p->ticks = load_process((pid_t)mon_peer_pid(p->peer));
	log_msg(2, "process %s (rank %d) is connected to node agent %d", p->name,
		mon_peer_rank(p->peer), p->host->number);
}

void process_own(const struct host_analysis *h, struct measurements *p)
{
	p->code_place = h->code_places ? code_places_find : NULL;
	p->code_place_arg = h->code_places;
	p->processes = &h->nprocesses;
	p->asked = h->asked;
}

int process_begin(struct process *p, struct host_analysis *h, struct mon_peer *peer)
{
	*p = (struct process){ .host = h, .peer = peer, .state = PROCESS_SEARCHING,
		.run_share = NAN,
		.connected = clock_ns() };
	snprintf(p->name, sizeof p->name, "%u", mon_peer_pid(peer));
	p->now.measured = measured_new(h->sir, &h->config->machine, mon_peer_rank(peer));
	if (!p->now.measured ||
	    collection_begin(&p->now.collection, &h->collect, p->now.measured)) {
		mon_peer_refuse(peer);
		process_free(p);
		return -1;
	}
	measured_costs(p->now.measured, !h->config->foreign);
	p->now.measured->whole_run = h->config->bursts;
	p->now.measured->keep_threads = attributes_keep_threads(h->attributes);
	process_own(h, p->now.measured);
	if (p->now.measured->keep_threads < KEEP_THREADS_REGIONS)
		/* reports have rows by thread */
		p->now.measured->keep_threads = KEEP_THREADS_REGIONS;
	welcome(p);
	return 0;
}

void process_phase_changed(struct process *p)
{
	if (process_begin_anew(p, &p->host->before))
		return;
	p->recorded_from += phase_search_recorded(p);
	for (int i = 0; i < MON_SLOTS; i++)
		p->slot[i].stale = p->slot[i].active;
	mon_peer_choose(p->peer, p->host->config->phase, p->host->config->nphase);
	process_first_requests(p);
}

int process_again(struct process *p, struct mon_peer *peer, bool anew)
{
	struct experiment none = { 0 };

	/* A run that ended before the monitor knew of a change of the phase has left contexts of
	 * the one before. */
	if ((anew || process_nothing_measured(p)) && process_measure_anew(p, &p->host->before)) {
		mon_peer_refuse(peer);
		mon_peer_free(peer);
		return -1;
	}
	if (!anew)
		measured_next_run(p->now.measured);
	p->now.measured->expected_ns = p->execution_ns;
	p->now.earlier += p->now.executions;
	p->now.executions = 0;
	mon_peer_free(p->peer);
	p->peer = peer;
	p->recorded_from = 0;
	p->earlier_ns = p->recording_ns;
	snprintf(p->name, sizeof p->name, "%u", mon_peer_pid(peer));
	for (int i = 0; i < MON_SLOTS; i++)
		p->slot[i] = none;
	p->partial[0] = '\0';
	p->now.held = p->anew = false;
	life_cycle_step(&process_life, p->name, &p->state, EVENT_RETURN);
	welcome(p);
	return 0;
}

void process_release(struct process *p)
{
	report_free(p->report);
	p->report = NULL;
	phase_analysis_free(&p->now);
	phase_before_free(p->before);
	p->before = NULL;
	mon_peer_forget(p->peer);
}

void process_free(struct process *p)
{
	mon_peer_free(p->peer);
	phase_analysis_free(&p->now);
	phase_before_free(p->before);
	free(p->more);
	report_free(p->report);
	report_free(p->so_far);
}
