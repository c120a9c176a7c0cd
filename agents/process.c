/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures and searches one process of the application.  lives.c holds the order of its states. */
#include "agents/process_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agents/loaded_code.h"
#include "agents/phase_before.h"
#include "agents/phase_search.h"
#include "agents/priority.h"
#include "agents/requests.h"
#include "agents/run_decision.h"
#include "analysis/measure/mpi_messages.h"
#include "base/clock.h"
#include "base/log.h"

enum { TRIES = 5, LEAST_PERCENT = 50, LATER = 2 };
/* A complete analysis that waits for the program to confirm the phase: when and how often is looked
 * whether other executions are unlike those that were measured. */
#define TYPICAL_NS UINT64_C(1000000000)
#define TYPICAL_LOOK_NS UINT64_C(250000000)
#define WAIT_NS UINT64_C(20000000)      /* behind which a rank asks again for the others */
#define OTHERS_NS UINT64_C(2000000000)  /* what a rank waits at most for the times of the others */

const char process_limit_text[] = "the phase executions given with --max-executions are spent";
static const char refused[] = "the monitor refused a request";

/* Are there ranks whose clean times, and so their messages, are still to come?  One that does not
 * come soon may never execute the phase. */
static bool calls_awaited(const struct process *p)
{
	const struct host_analysis *h = p->host;

	if (!h->calls || !p->now.measured->mpi ||
	    clock_ns() - p->now.collection.timed_at > OTHERS_NS)
		return false;
	for (int i = 0; i < h->nprocesses; i++) {
		const struct process *q = &h->process[i];

		if (q != p && !process_exited(q) && !process_reported(q) &&
		    !q->now.measured->nclean)
			return true;
	}
	/* How many there are on other hosts, collectives tell. */
	return h->config->hosts > 1 &&
		(uint32_t)h->nprocesses + h->remotes.n < mpi_calls_ranks(p->now.measured);
}

/* --- life-cycle ------------------------------------------------------------------------------ */

/* Applies an event; if it ends the analysis, makes the report.  s: the current search; NULL: run it
 * first.  why: NULL, or why the report is partial. */
static void advance(struct process *p, enum process_event event, const struct search *s,
	const char *why)
{
	bool reported = process_reported(p), exited = process_exited(p), before;
	struct search own;

	if (p->state == PROCESS_DRAINING && event != EVENT_STOP && event != EVENT_LIMIT &&
	    runs_again(p)) {
		p->ended_by = event == EVENT_SETTLED ? EVENT_SETTLED : EVENT_UNANSWERED;
		event = EVENT_AGAIN;
	}
	if (!life_cycle_step(&process_life, p->name, &p->state, event) || reported ||
	    !process_reported(p))
		return;
	before = phase_before_return(p);
	if (before)
		s = NULL;
	if (why)
		snprintf(p->partial, sizeof p->partial, "%s", why);
	else if (exited && !(before && p->now.held) &&
		 (event != EVENT_SETTLED || process_nothing_measured(p)))
		process_early_end(p, p->partial, sizeof p->partial);
	process_compare_executions(p);
	if (!exited)
		mon_peer_detach(p->peer);
	if (s) {
		process_report(p, s);
	} else if (process_search(p->host, p->now.measured, &own) == 0) {
		process_report(p, &own);
		search_free(&own);
	} else {
		log_msg(0, "process %s: out of memory, no report", p->name);
	}
}

void process_end(struct process *p, enum process_event event, const char *why)
{
	advance(p, event, NULL, why);
}

void process_no_more_runs(struct process *p, const char *why)
{
	p->only_run = why;
	advance(p, p->ended_by, NULL, NULL);
	p->only_run = NULL;
}

/* 0 / -1: it exceeds --max-executions (applies EVENT_OVER_LIMIT), or the monitor refused it. */
static int submit(struct process *p, const struct collector *by, const struct plan *plan, int tries)
{
	enum request_sent sent = request_send(p, by, plan, false, tries);

	if (sent == REQUEST_OVER_LIMIT)
		advance(p, EVENT_OVER_LIMIT, NULL, NULL);
	return sent == REQUEST_SENT ? 0 : -1;
}

static bool confirmed(struct process *p)
{
	p->outdone = phase_before_better(p);
	return phase_search_confirmed(p);
}

/* The share of time that a phase needs to be measured, while another one may still be chosen. */
static uint32_t gate(const struct process *p)
{
	return phase_search_confirmed(p) ? 0 : LEAST_PERCENT;
}

/* Requests a metric of the whole phase. */
static void first_request(struct process *p, const char *metric)
{
	struct collect_moment now = process_moment(p, NULL);
	const struct collector *by;
	struct plan plan;

	if (!mon_peer_chosen(p->peer))
		now.begun = 0;
	by = collect_plan_phase(&p->now.collection, &now, metric, &plan);
	if (!by)
		return;
	plan.want.least_percent = gate(p);
	submit(p, by, &plan, 0);
}

void process_first_requests(struct process *p)
{
	p->anew = false;
	if (p->host->sizes.clean)
		first_request(p, METRIC_TIMES);
	if (p->host->sizes.count)
		first_request(p, METRIC_COUNTS);
}

/* Chooses the next experiment: what the search needs, other metrics that properties read, then
 * trials. Fills `plan` and `by` unless it returns EVENT_SETTLED. */
static enum process_event choose_next(struct process *p, const struct search *s,
	const struct collector **by, struct plan *plan)
{
	static const enum process_event event[NEED_REST] = {
		[NEED_SEARCH] = EVENT_NEEDS, [NEED_EVENTS] = EVENT_NEEDS,
		[NEED_TRIALS] = EVENT_FIX };
	const struct collect_moment now = process_moment(p, s);

	for (int stage = 0; stage < NEED_REST; stage++) {
		*by = collect_plan(&p->now.collection, &now, (enum need_stage)stage, plan);
		if (*by)
			return event[stage];
	}
	return EVENT_SETTLED;
}

/* The last line, if it is of this process and was not sent, was written before the search. */
static void update_progress(struct process *p)
{
	struct progress_queue *q = &p->host->progress;

	if (q->n && q->list[q->n - 1].process == p->now.measured->rank)
		q->list[q->n - 1].found = p->now.found;
}

int process_measure_anew(struct process *p, const struct phase_name *of)
{
	struct measurements *anew = measured_new(p->host->sir, &p->host->config->machine,
		p->now.measured->rank);
	struct collection collection;

	if (!anew || collection_begin(&collection, &p->host->collect, anew)) {
		measured_free(anew);
		return -1;
	}
	measured_costs(anew, !p->host->config->foreign);
	anew->keep_threads = p->now.measured->keep_threads;
	process_own(p->host, anew);
	if (!phase_before_keep(p, of))
		phase_analysis_free(&p->now);
	p->now = (struct phase_analysis){ .measured = anew, .collection = collection };
	report_free(p->so_far);
	p->so_far = NULL;
	p->news = false;
	return 0;
}

int process_begin_anew(struct process *p, const struct phase_name *of)
{
	if (process_measure_anew(p, of)) {
		advance(p, EVENT_FAILURE, NULL, "out of memory");
		return -1;
	}
	if (p->state == PROCESS_FIXING)
		life_cycle_step(&process_life, p->name, &p->state, EVENT_NEEDS);
	return 0;
}

/* The analysis is complete.  Is it of executions that are not typical, and can later ones be
 * measured? */
static bool later_wanted(struct process *p, int most, uint64_t after_ns)
{
	uint64_t now = clock_ns();

	if (p->later >= most || process_exited(p) || p->host->config->limit_executions ||
	    !process_alone(p) ||
	    now - p->typical_at < TYPICAL_LOOK_NS)
		return false;
	p->typical_at = now;
	return phase_search_untypical(p, after_ns);
}

static void measure_later(struct process *p)
{
	const struct phase_name now = { p->host->config->phase_region,
		p->host->config->phase_choice };
	uint32_t experiments = p->now.experiments;

	p->later++;
	log_msg(1, "process %s: the executions that were measured are not typical, so later ones "
		"are", p->name);
	if (process_begin_anew(p, &now))
		return;
	p->now.experiments = experiments;
	process_first_requests(p);
}

/* Called when no request is pending: requests the next experiment, or ends the analysis. */
static void next_experiment(struct process *p)
{
	const struct collector *by;
	enum process_event event;
	struct search s;
	struct plan plan;

	if (clock_ns() < p->waits_until)
		return;
	if (process_search(p->host, p->now.measured, &s)) {
		advance(p, EVENT_FAILURE, NULL, "out of memory");
		return;
	}
	p->now.found = process_count_held(&s);
	update_progress(p);
	plan.wait = false;
	event = choose_next(p, &s, &by, &plan);
	if (event != EVENT_SETTLED && plan.wait) {
		p->waits_until = clock_ns() + WAIT_NS;
		search_free(&s);
		return;
	}
	if (event == EVENT_SETTLED && request_rest(p, &s)) {
		search_free(&s);
		return;
	}
	if (event == EVENT_SETTLED && !confirmed(p)) {
		p->now.held = true;
		search_free(&s);
		return;
	}
	if (event == EVENT_SETTLED && p->now.held && later_wanted(p, LATER, 0)) {
		search_free(&s);
		measure_later(p);
		return;
	}
	advance(p, event, &s, NULL);
	if (!process_reported(p) && !process_between(p) && submit(p, by, &plan, 0) &&
	    p->state != PROCESS_LAST)
		advance(p, EVENT_FAILURE, &s, refused);
	search_free(&s);
}

/* A run has answered its requests, or cannot, and more is needed: of the next run. */
static void run_is_over(struct process *p)
{
	if (process_exited(p))
		advance(p, EVENT_UNANSWERED, NULL, NULL);
	else
		mon_peer_detach(p->peer);
}

static void next_step(struct process *p)
{
	if (process_reported(p) || process_between(p))
		return;
	if (requests_awaited(p) || (!p->host->config->nphase && !process_exited(p))) {
		if (process_exited(p))
			advance(p, EVENT_UNANSWERED, NULL, NULL);
		return;
	}
	if (p->now.held && !confirmed(p)) {
		if (later_wanted(p, 1, TYPICAL_NS))
			measure_later(p);
		return;
	}
	if (p->now.measured->nclean && !process_exited(p) && calls_awaited(p))
		return;
	if (p->host->run > 1 && !p->anew && !runs_complete(p)) {
		run_is_over(p);
		return;
	}
	if (p->anew && process_exited(p))
		advance(p, EVENT_UNANSWERED, NULL, NULL);
	else if (p->anew)
		process_first_requests(p);
	else if (p->state != PROCESS_LAST)
		next_experiment(p);
	if (p->state == PROCESS_LAST)
		advance(p, EVENT_LIMIT, NULL, process_limit_text);
}

/* --- results --------------------------------------------------------------------------------- */

static void add_progress(struct process *p, const struct collector *by, const struct mon_result *r)
{
	struct progress_queue *q = &p->host->progress;
	double wall = measured_phase_wall(p->now.measured);

	if (q->n == sizeof q->list / sizeof q->list[0])
		return;
	q->list[q->n++] = (struct progress){ p->now.experiments,
		collector_number(&p->host->collect, by), r->ran_first,
		r->ran_first + r->executions - (r->executions > 0), p->now.executions, p->now.found,
		p->now.measured->rank, isnan(wall) ? 0 : (uint64_t)(wall * 1e9) };
}

static void count_found(struct process *p)
{
	struct search s;

	if (process_search(p->host, p->now.measured, &s))
		return;
	p->now.found = process_count_held(&s);
	search_free(&s);
}

static void take_done(struct process *p, const struct experiment *e, const struct mon_result *r)
{
	if (e->by->quiet)
		return;
	p->answered_at = clock_ns();
	p->now.experiments++;
	p->news = true;
	if (requests_pending(p))
		count_found(p);
	add_progress(p, e->by, r);
	if (!e->optional)
		request_after(p, e->by);
}

/* The monitor saw the request after its phase executions had passed: repeats it with later ones. */
static void take_missed(struct process *p, const struct experiment *e)
{
	struct plan again;

	if (e->plan.want.least_percent && !process_exited(p)) {
		p->anew = true;         /* once the others have been missed, too */
		return;
	}
	plan_copy(&again, &e->plan);
	plan_later(&again, mon_peer_begun(p->peer));
	if (e->optional) {
		if (!process_exited(p) && e->tries < TRIES)
			request_send(p, e->by, &again, true, e->tries + 1);
	} else if (process_exited(p)) {
		/* Requests pending at the process's exit count as missed, too. */
		advance(p, EVENT_UNANSWERED, NULL, NULL);
	} else if (e->tries < TRIES) {
		submit(p, e->by, &again, e->tries + 1);
	} else {
		advance(p, EVENT_FAILURE, NULL,
			"phase executions passed faster than experiments could be requested");
	}
}

static int add_rows(struct process *p, const struct experiment *e, struct mon_result *r,
	struct err *err)
{
	const struct collect_moment now = process_moment(p, NULL);
	struct collection *c = &p->now.collection;

	loaded_code_take(p->host, p->peer);
	if (measured_sync(p->now.measured, p->peer, err))
		return -1;
	measured_translate(p->now.measured, r);
	if (r->state != MON_DONE) {
		measured_add_rejected(p->now.measured, r);
		return 0;
	}
	if (e->by->take(c, &now, &e->plan, r, err))
		return -1;
	p->host->calls_came |= c->calls;
	p->calls_news |= c->calls;
	c->calls = false;
	return 0;
}

/* The process has ended in an experiment, which may be seen before its end is. */
static void take_exit(struct process *p)
{
	if (!process_exited(p))
		advance(p, EVENT_EXIT, NULL, NULL);
	advance(p, EVENT_UNANSWERED, NULL, NULL);
}

static void take_slot(struct process *p, int i)
{
	struct experiment *e = &p->slot[i];
	struct mon_result r;
	struct err err = { "" };

	priority_lower();       /* evaluating results must not take CPU time from the application */
	e->active = false;
	if (mon_peer_take(p->peer, i, &r, &err)) {
		advance(p, EVENT_FAILURE, NULL, err.text);
		return;
	}
	p->recording_ns += r.added_ns;
	if (add_rows(p, e, &r, &err))
		advance(p, EVENT_FAILURE, NULL, err.text);
	else if (r.state == MON_DONE)
		take_done(p, e, &r);
	else if (r.state == MON_MISSED)
		take_missed(p, e);
	else if (e->by->refused && e->by->refused(&p->now.collection, &r))
		;
	else if (r.reason == MON_DROP_EXIT && !e->optional)
		take_exit(p);
	else if (!e->optional)
		advance(p, EVENT_FAILURE, NULL, request_drop_reason(r.reason));
	mon_result_free(&r);
}

/* Frees a slot whose result nobody wants any more. */
static void drop_slot(struct process *p, int i)
{
	struct mon_result r;
	struct err err;

	p->slot[i].active = p->slot[i].stale = false;
	if (mon_peer_take(p->peer, i, &r, &err) == 0)
		mon_result_free(&r);
}

static void collect(struct process *p)
{
	p->now.executions = mon_peer_finished(p->peer);
	for (int i = 0; i < MON_SLOTS && !process_reported(p) && !process_between(p); i++) {
		enum mon_state state;

		if (!p->slot[i].active)
			continue;
		state = mon_peer_state(p->peer, i);
		if (state != MON_DONE && state != MON_MISSED && state != MON_DROPPED)
			continue;
		if (p->slot[i].stale)
			drop_slot(p, i);
		else
			take_slot(p, i);
	}
}

void process_collect(struct process *p)
{
	if (!process_exited(p) && !process_reported(p))
		collect(p);
}

void process_handle(struct process *p)
{
	enum mon_news news;

	if (process_exited(p))
		return;
	news = mon_peer_news(p->peer);
	if (news == MON_NEWS_GONE)
		advance(p, EVENT_EXIT, NULL, NULL);
	if (!process_reported(p))
		collect(p);
	next_step(p);
	if (news == MON_NEWS_WAITING)
		mon_peer_go(p->peer);
}
