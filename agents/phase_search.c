/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the phase by time, for all processes of a host at once; of several
 * hosts, one does it for all. */
#include "agents/phase_search.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agents/host_load.h"
#include "agents/phase_times.h"
#include "analysis/measure/quantiles.h"
#include "base/clock.h"
#include "base/log.h"

enum { LOOK_NS = 20000000 };

/* Takes ownership of name->choice.  The phase before is remembered in the host. */
static void set_phase(struct host_analysis *h, const struct phase_name *name)
{
	const struct sir_region *r = &h->sir->regions[name->region];
	struct run_config *c = h->config;

	free(h->before.choice);
	h->before = (struct phase_name){ c->phase_region, c->phase_choice };
	c->phase_choice = name->choice;
	c->phase_region = name->region;
	c->nphase = 0;
	for (uint32_t i = 0; i < r->nat && c->nphase < MON_HOOKS; i++)
		c->phase[c->nphase++] = (struct mon_hook){ r->at[i].hash, r->at[i].index };
}

void phase_search_return(struct host_analysis *h, const struct phase_name *name, const char *why)
{
	struct buf b = BUF_INIT;

	if (name->region == h->config->phase_region) {
		free(name->choice);
		return;
	}
	sir_describe(h->sir, name->region, &b);
	log_msg(1, "the phase is %s again: %s", buf_str(&b), why);
	buf_free(&b);
	set_phase(h, name);
}

/* why: as the report says it behind the region. */
static int change(struct host_analysis *h, uint32_t region, const char *why)
{
	struct buf b = BUF_INIT;
	char *choice;

	sir_describe(h->sir, region, &b);
	log_msg(1, "the phase is now %s", buf_str(&b));
	buf_printf(&b, " (%s)", why);
	choice = buf_take(&b);
	if (!choice)
		return -1;
	mpi_remotes_free(&h->remotes);  /* they are of the phase before */
	host_schedule_begin(h, 1);
	set_phase(h, &(struct phase_name){ region, choice });
	return 0;
}

static const char by_time[] = "chosen by its time", runs_there[] =
	"of several regions there, the one that runs";

/* A phase that was named, or, if it was never entered, another region of its line that runs: the
 * instances of a template are regions that --phase cannot tell apart. */
static uint32_t instance_that_runs(const struct host_analysis *h, struct phase_time *t)
{
	const uint32_t phase = h->config->phase_region;
	const struct phase_time *best = phase_times_find(h, t, phase);

	if (!best || best->entries)
		return phase;
	for (uint32_t i = 0; i < h->candidates.nregions; i++)
		if (t[i].ns > best->ns && sir_one_line(h->sir, phase, t[i].region))
			best = &t[i];
	return best->region;
}

static bool all_search(const struct process *p, int n)
{
	for (int i = 0; i < n; i++)
		if (process_reported(&p[i]) || process_exited(&p[i]))
			return false;
	return n > 0;
}

/* The host of rank 0 chooses for several hosts; the first host does, if
 * the program has no ranks. */
static bool leads(const struct host_analysis *h, const struct process *p, int n)
{
	if (h->config->hosts <= 1)
		return true;
	for (int i = 0; i < n; i++) {
		int rank = p[i].peer ? mon_peer_rank(p[i].peer) : -1;

		if (rank == 0 || (rank < 0 && h->number == 1))
			return true;
	}
	return false;
}

static bool any_reported(const struct process *p, int n)
{
	for (int i = 0; i < n; i++)
		if (process_reported(&p[i]))
			return true;
	return false;
}

bool phase_search_news(struct phase_search *s, const struct host_analysis *h,
	struct phase_choice *out)
{
	bool news = s->news && h->config->hosts > 1;

	s->news = false;
	*out = (struct phase_choice){ h->config->phase_region, h->settled };
	return news;
}

bool phase_search_follow(struct host_analysis *h, const struct phase_choice *choice)
{
	if (!h->config->phase_by_time || h->leads || choice->region >= h->sir->nregions)
		return false;
	h->settled |= choice->settled;
	return choice->region != h->config->phase_region &&
		change(h, choice->region, by_time) == 0;
}

/* Changes a phase that was named, if another region of its line runs in its place. */
static bool step_named(struct host_analysis *h, const struct process *p, int n)
{
	struct phase_look look;
	struct phase_time *t = all_search(p, n) ? phase_times_look(h, p, n, &look) : NULL;
	const uint32_t region = t ? instance_that_runs(h, t) : h->config->phase_region;

	free(t);
	return region != h->config->phase_region && change(h, region, runs_there) == 0;
}

bool phase_search_step(struct phase_search *s, struct host_analysis *h, struct process *process,
	int nprocesses)
{
	struct phase_decision d;
	struct phase_look look;
	struct phase_time *t;
	bool changed;

	if (clock_ns() - s->looked < LOOK_NS)
		return false;
	s->looked = clock_ns();
	if (!h->config->phase_by_time)
		return step_named(h, process, nprocesses);
	h->leads = leads(h, process, nprocesses);
	if (h->leads && !h->settled && any_reported(process, nprocesses))
		h->settled = s->news = true;
	if (!all_search(process, nprocesses))
		return false;
	t = phase_times_look(h, process, nprocesses, &look);
	if (!t)
		return false;
	d = phase_decide(&look);
	if (h->leads)
		phase_record_look(&h->phase_record, h->config, h->sir, &look, &d);
	free(t);
	for (int i = 0; i < nprocesses; i++)
		process[i].phase_runs = d.runs;
	changed = h->leads && d.verdict == PHASE_CHANGE && change(h, d.region, by_time) == 0;
	s->news |= changed;
	return changed;
}

/* Has the program had as much of the processors, too?  Beside others, it gets
 * no further in that time. */
static bool ran(const struct process *p, uint64_t ns)
{
	uint64_t ticks = load_process((pid_t)mon_peer_pid(p->peer));

	return ticks < p->ticks_before || (ticks - p->ticks_before) * (UINT64_C(1000000000) /
		(uint64_t)sysconf(_SC_CLK_TCK)) >= ns;
}

bool phase_search_short(const struct process *p)
{
	const struct measurements *m = p->now.measured;

	return !p->host->named && !p->host->config->timed_ns &&
		median_of(m->phase_ns, m->nclean) < PHASE_BRIEF_NS;
}

bool phase_search_confirmed(const struct process *p)
{
	struct host_analysis *h = p->host;
	const struct run_config *c = h->config;
	struct phase_held facts = { .ended = process_exited(p), .chosen = c->phase_by_time,
		.leads = h->leads, .settled = h->settled, .last_run = h->run >= c->max_runs,
		.unasked = c->unasked, .runs = p->phase_runs, .outdone = p->outdone,
		.accesses = NAN };
	struct phase_worth worth;
	struct phase_decision d;
	struct mon_elapsed e;

	if (!facts.ended) {
		mon_peer_elapsed(p->peer, &e);
		facts.elapsed_ns = e.ns;
		facts.brief = !facts.chosen && phase_search_short(p);
	}
	if (facts.chosen && facts.elapsed_ns >= PHASE_CONFIRM_NS) {
		facts.ran = ran(p, PHASE_CONFIRM_NS);
		facts.accesses = phase_times_accesses(p->now.measured);
	}
	if (facts.chosen && facts.elapsed_ns >= PHASE_GIVE_UP_NS) {
		phase_search_worth(p, c->phase_region, p->now.measured, phase_search_recorded(p),
			&worth);
		facts.slight = worth.share < PHASE_SHARE_LEAST;
	}
	d = phase_confirm(&facts);
	if (p->now.held && facts.chosen && facts.leads)
		phase_record_held(&h->phase_record, c, &facts, &d);
	return d.verdict == PHASE_CONFIRM;
}

void phase_search_worth(const struct process *p, uint32_t region, const struct measurements *m,
	uint64_t recorded, struct phase_worth *out)
{
	uint64_t elapsed;
	struct phase_time *t = phase_times_of(p->host, p, 1, &elapsed);
	const struct phase_time *of = t ? phase_times_find(p->host, t, region) : NULL;

	*out = (struct phase_worth){ of ? phase_share(of, elapsed, recorded) : NAN,
		phase_times_accesses(m) };
	free(t);
}

/* --- another run ----------------------------------------------------------------------------- */

bool phase_search_better(const struct process *p)
{
	struct host_analysis *h = p->host;
	struct phase_decision d;
	struct phase_look look;
	struct phase_time *t;

	if (!h->config->phase_by_time || h->run > 1)
		return false;
	t = phase_times_look_back(h, p, 1, &look);
	if (!t)
		return false;
	d = phase_decide(&look);
	phase_record_look(&h->phase_record, h->config, h->sir, &look, &d);
	free(t);
	return d.verdict == PHASE_RERUN;
}

/* The subroutine around the candidate that has most of the time, if it can be the phase and is not
 * brief; else the main program; SIR_NONE. */
static uint32_t around_longest(const struct host_analysis *h, const struct phase_time *t,
	uint64_t *entries)
{
	uint32_t region = SIR_NONE, most = 0;
	struct buf b = BUF_INIT;
	struct err err;

	for (uint32_t i = 1; i < h->candidates.nregions; i++)
		if (t[i].ns > t[most].ns)
			most = i;
	*entries = 1;
	if (h->candidates.nregions && t[most].ns) {
		region = sir_unit_of(h->sir, t[most].region);
		if (region != SIR_NONE && h->sir->regions[region].hooks & SIR_HOOK_PHASE &&
		    h->sir->regions[t[most].region].parent == region)
			*entries = t[most].entries;
		if (*entries && t[most].ns / *entries < PHASE_BRIEF_NS)
			region = SIR_NONE;
	}
	if ((region == SIR_NONE || !(h->sir->regions[region].hooks & SIR_HOOK_PHASE)) &&
	    sir_find_phase(h->sir, "main", &region, &b, &err))
		region = SIR_NONE;
	buf_free(&b);
	return region;
}

void phase_search_next(const struct host_analysis *h, const struct process *process, int nprocesses,
	struct phase_next *out)
{
	const struct run_config *c = h->config;
	const struct phase_time *at;
	struct phase_look look;
	struct phase_time *t;

	*out = (struct phase_next){ .region = c->phase_region };
	t = phase_times_look_back(h, process, nprocesses, &look);
	if (!t)
		return;
	if (c->phase_by_time) {
		out->region = phase_decide(&look).region;
		if (out->region == PHASE_NONE)
			out->region = around_longest(h, t, &out->executions);
	} else {
		out->region = instance_that_runs(h, t);
	}
	at = phase_times_find(h, t, out->region);
	out->timed = at && at->runs;
	if (out->timed)
		out->executions = at->runs;
	if (!h->named)
		out->span_ns = phase_times_span(process, t, look.elapsed_ns);
	if (out->span_ns)
		out->spans = look.elapsed_ns / out->span_ns;
	free(t);
}

int phase_search_spans(struct host_analysis *h, uint64_t span_ns)
{
	struct buf b = BUF_INIT;
	struct err err;
	uint32_t region;
	char *choice;

	if (sir_whole_program(h->sir, &region, &b, &err)) {
		buf_free(&b);
		log_msg(1, "%s", err.text);
		return -1;
	}
	buf_clear(&b);
	h->config->timed_ns = span_ns;
	run_config_spans(h->config, &b);
	choice = buf_take(&b);
	if (!choice) {
		h->config->timed_ns = 0;
		return -1;
	}
	log_msg(1, "nothing that repeats can be measured: spans of %g s are",
		(double)span_ns * 1e-9);
	set_phase(h, &(struct phase_name){ region, choice });
	return 0;
}

bool phase_search_choose(struct host_analysis *h, uint32_t region)
{
	return region != SIR_NONE && region != h->config->phase_region && change(h, region,
		h->config->phase_by_time ? by_time : runs_there) == 0;
}

void phase_search_seen(const struct process *p, struct phase_seen *out)
{
	uint64_t elapsed;
	struct phase_time *t = phase_times_of(p->host, p, 1, &elapsed);
	const struct phase_time *now = t ? phase_times_find(p->host, t,
		p->host->config->phase_region) : NULL;

	*out = (struct phase_seen){ 0, (double)elapsed, NAN };
	if (now) {
		out->executions = now->runs;
		if (now->runs && now->ns)
			out->each_ns = (double)now->ns / (double)now->runs;
		out->share = phase_times_share(p, now, now->runs > phase_search_recorded(p));
	}
	free(t);
}
