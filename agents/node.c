/* SPDX-License-Identifier: BSD-3-Clause */
/* Is a node agent: measures and searches the processes of its host. */
#include "agents/node.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/measure/counts_csv.h"
#include "analysis/findings/findings.h"
#include "analysis/findings/invariants.h"
#include "agents/host_load.h"
#include "analysis/search/plan.h"
#include "agents/priority.h"
#include "analysis/findings/whatif.h"
#include "analysis/findings/app_parts.h"
#include "base/clock.h"
#include "base/log.h"

enum { MAX_PROCESSES = 256, MAX_PROGRESS = 64, TRIES = 5, RIVALS_NAMED = 3 };
enum { LOOK_NS = 250000000 };           /* between two looks at the load */
enum { WELCOME_NS = 1000000000 };       /* processes of one launch connect within this time of each other */

struct experiment {             /* one slot's request */
	bool active;
	struct plan plan;
	int tries;
};

struct process {
	struct mon_peer *peer;
	struct measurements *measured;
	struct experiment slot[MON_SLOTS];
	uint32_t experiments, found;
	uint64_t executions;
	uint64_t ticks_before, ticks;   /* that it has run: when it connected, and last seen */
	bool waiting;           /* lock-step: at a boundary */
	bool spent;             /* an experiment would need more executions than are allowed */
	bool finished, gone;
	char partial[256];
	char *more;             /* owned; what could be done about it, behind partial; NULL */
	struct whatif *whatif;  /* the search has ended; what is tried after it */
	struct report *report;
	struct invariants invariants;
};

struct node {
	const struct run_config *config;        /* borrowed */
	char socket[256];
	int listener;
	struct sir *sir;
	struct asl_program *program;
	struct attributes *attributes;
	struct app_parts *app_parts;    /* of the processes that are finished */
	struct process process[MAX_PROCESSES];
	int nprocesses;
	struct progress progress[MAX_PROGRESS];
	int nprogress;
	bool stopped;
	char why[256];
	uint64_t started, welcomed;     /* when; the last process that connected */
	struct load load;
	uint64_t looked;        /* at the load */
	uint64_t own_before;    /* ticks of this agent */
};

static const char spent[] = "the phase executions given with --max-executions are spent";

/* --- life ------------------------------------------------------------------------------------- */

static int load_properties(struct node *n, struct err *err)
{
	n->program = asl_image_read(n->config->program.data, n->config->program.len, err);
	if (!n->program)
		return err_prefix(err, "compiled properties");
	n->attributes = attributes_new(n->program);
	n->app_parts = n->attributes ? app_parts_new(n->program, n->attributes) : NULL;
	return n->app_parts ? 0 : err_nomem(err);
}

struct node *node_new(const struct run_config *config, int number, struct err *err)
{
	struct node *n = calloc(1, sizeof *n);

	if (!n) {
		err_nomem(err);
		return NULL;
	}
	n->config = config;
	n->listener = -1;
	n->started = clock_ns();
	n->sir = sir_read(config->executable, err);
	if (!n->sir || load_properties(n, err))
		goto fail;
	snprintf(n->socket, sizeof n->socket, "%s/node%d", config->socket_dir, number);
	n->listener = mon_listen(n->socket, err);
	if (n->listener < 0)
		goto fail;
	return n;
fail:
	node_free(n);
	return NULL;
}

void node_free(struct node *n)
{
	if (!n)
		return;
	for (int i = 0; i < n->nprocesses; i++) {
		mon_peer_free(n->process[i].peer);
		measured_free(n->process[i].measured);
		free(n->process[i].whatif);
		free(n->process[i].more);
		report_free(n->process[i].report);
	}
	if (n->listener >= 0) {
		close(n->listener);
		unlink(n->socket);
	}
	app_parts_free(n->app_parts);
	attributes_free(n->attributes);
	asl_free(n->program);
	sir_free(n->sir);
	free(n);
}

/* --- experiments -------------------------------------------------------------------------------- */

static bool submit(const struct node *n, struct process *p, const struct plan *plan, int tries)
{
	uint64_t last = plan->want.first + plan->want.warm + plan->want.count - 1;
	struct plan copy;
	struct err err;
	int slot;

	plan_copy(&copy, plan);
	if (n->config->limit_executions && last > n->config->limit_executions) {
		p->spent = true;
		return false;
	}
	slot = mon_peer_request(p->peer, &copy.want, &err);
	if (slot < 0) {
		log_msg(2, "request refused: %s", err.text);
		return false;
	}
	p->slot[slot].active = true;
	p->slot[slot].tries = tries;
	plan_copy(&p->slot[slot].plan, &copy);
	return true;
}

static void first_requests(struct node *n, struct process *p)
{
	uint64_t begun = mon_peer_begun(p->peer);
	struct plan plan;

	plan_times(n->config, begun, &plan);
	submit(n, p, &plan, 0);
	if (!n->config->counters) {
		plan_everything(n->config, begun, &plan);
		submit(n, p, &plan, 0);
	}
}

static void add_process(struct node *n, struct mon_peer *peer)
{
	struct process *p = &n->process[n->nprocesses];
	struct mon_setup setup = { .nphase = n->config->nphase,
		.nrivals = n->config->nrivals, .lockstep = n->config->lockstep,
		.check = n->config->check,
		.machine = n->config->machine.flat };
	struct err err;

	*p = (struct process){ .peer = peer };
	p->measured = measured_new(n->sir, &n->config->machine, mon_peer_rank(peer));
	if (p->measured)
		p->measured->keep_threads = attributes_keep_threads(n->attributes);
	for (uint32_t i = 0; i < setup.nphase; i++) {
		setup.phase[i].hash = n->config->phase[i].hash;
		setup.phase[i].index = n->config->phase[i].index;
	}
	for (uint32_t i = 0; i < setup.nrivals; i++) {
		setup.rival[i].hash = n->config->rival[i].hash;
		setup.rival[i].index = n->config->rival[i].index;
	}
	if (!p->measured) {
		mon_peer_refuse(peer);
		mon_peer_free(peer);
		return;
	}
	n->nprocesses++;
	/* The requests lie there before the process goes on, so that no execution is missed. */
	first_requests(n, p);
	if (mon_peer_welcome(peer, &setup, &err))
		log_msg(1, "process %u: %s", mon_peer_pid(peer), err.text);
	n->welcomed = clock_ns();
	p->ticks_before = p->ticks = load_process((pid_t)mon_peer_pid(peer));
	if (n->nprocesses == 1) {
		load_begin(&n->load);
		n->own_before = load_process(getpid());
	}
	log_msg(2, "process %u (rank %d) is connected", mon_peer_pid(peer), mon_peer_rank(peer));
}

static void accept_processes(struct node *n)
{
	struct mon_peer *peer;
	struct err err = { "" };

	while ((peer = mon_peer_accept(n->listener, &err))) {
		if (n->stopped || node_finished(n) || n->nprocesses == MAX_PROCESSES) {
			mon_peer_refuse(peer);
			mon_peer_free(peer);
		} else {
			add_process(n, peer);
		}
	}
	if (err.text[0])
		log_msg(1, "%s", err.text);
}

static void tell(struct node *n, const struct process *p, const struct mon_result *r)
{
	if (n->nprogress == MAX_PROGRESS)
		return;
	n->progress[n->nprogress++] = (struct progress){ p->experiments,
		r->nvariants ? PROGRESS_WHAT_IF : r->kind, r->ran_first,
		r->ran_first + r->executions - (r->executions > 0), p->executions, p->found,
		p->measured->rank };
}

/* --- search ------------------------------------------------------------------------------------------ */

static uint32_t count_held(const struct search *s)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->ntests; i++)
		n += s->tests[i].outcome == OUT_HELD;
	return n;
}

static int run_search(const struct node *n, const struct process *p, struct search *s)
{
	return search_run(s, p->measured, n->program, n->attributes,
		strategy_find((enum strategy_kind)n->config->strategy), n->config->confidence);
}

/* What was tried, or why nothing was. */
static void add_gains(const struct node *n, struct process *p, const struct search *s)
{
	if (!n->config->nwhat_if || !p->report)
		return;
	if (!p->whatif)
		p->whatif = whatif_new(s, n->config);
	if (!p->whatif) {
		log_msg(0, "out of memory for --what-if");
		return;
	}
	whatif_give_up(p->whatif, p->partial[0] ? p->partial : "it was not measured");
	if (whatif_report(p->whatif, s, p->report))
		log_msg(0, "out of memory for --what-if");
}

/* Verdicts on counts are undecided then: that comes first. */
static void tell_lost(struct process *p)
{
	char before[sizeof p->partial];

	snprintf(before, sizeof before, "%s", p->partial);
	snprintf(p->partial, sizeof p->partial, "%.3g %% of the accesses were lost, so nothing that was "
		"counted is judged%s%.150s", 100 * (1 - measured_coverage(p->measured)), before[0] ? "; " : "", before);
}

/* Ends the analysis of a process with what this search says. */
static void finish_with(struct node *n, struct process *p, const struct search *s,
	const char *partial)
{
	struct err err;

	p->finished = true;
	if (partial)
		snprintf(p->partial, sizeof p->partial, "%s", partial);
	if (!p->gone)
		mon_peer_detach(p->peer);
	p->found = count_held(s);
	p->report = findings_report(s, n->config);
	add_gains(n, p, s);
	if (n->config->check && p->report && invariants_notes(&p->invariants, p->measured, p->peer, p->report))
		log_msg(0, "out of memory for what was checked");
	if (app_parts_take(n->app_parts, s))
		log_msg(0, "process %u: out of memory for properties of all processes",
			mon_peer_pid(p->peer));
	if (measured_lossy(p->measured))
		tell_lost(p);
	if (p->report) {
		p->report->experiments = (int)p->experiments;
		p->report->phase_executions = (int64_t)p->executions;
		p->report->partial = p->partial[0] ? arena_printf(p->report->arena, "%s%s",
			p->partial, p->more ? p->more : "") : NULL;
	}
	if (n->config->export_counts && export_counts(p->measured, &n->config->machine,
			n->config->export_counts, &err))
		log_msg(0, "%s", err.text);
}

static void finish(struct node *n, struct process *p, const char *partial)
{
	struct search s;

	if (p->finished)
		return;
	if (run_search(n, p, &s)) {     /* no memory: no report */
		p->finished = true;
		if (!p->gone)
			mon_peer_detach(p->peer);
		return;
	}
	finish_with(n, p, &s, partial);
	search_free(&s);
}

static bool busy(const struct process *p)
{
	for (int i = 0; i < MON_SLOTS; i++)
		if (p->slot[i].active)
			return true;
	return false;
}

/* Executions that an analysis takes without anything to repeat. */
static uint32_t executions_needed(const struct run_config *c)
{
	return 1 + c->delay + c->clean + c->warm + c->counted;
}

/* Loops with enough executions, those with the most of the program in them first. */
static void name_rivals(const struct node *n, const struct process *p, struct buf *out)
{
	const struct run_config *c = n->config;
	uint32_t named = 0;

	for (uint32_t i = 0, k; i < c->nrivals && named < RIVALS_NAMED; i = k) {
		uint32_t runs = 0;
		bool all = true, exact;

		for (k = i; k < c->nrivals && c->rival[k].region == c->rival[i].region; k++) {
			runs += mon_peer_rival_runs(p->peer, k, &exact);
			all &= exact;
		}
		if (runs < executions_needed(c) || c->rival[i].region >= n->sir->nregions)
			continue;
		buf_puts(out, named++ ? ", " : "; enough executions for --phase has ");
		sir_describe(n->sir, c->rival[i].region, out);
		buf_printf(out, " (%u%s)", (unsigned)runs, all ? "" : " or more");
	}
}

static void ended_early(struct node *n, struct process *p)
{
	struct buf rivals = BUF_INIT;
	char why[256];

	if (p->whatif)
		snprintf(why, sizeof why, "the application ended before the fixes were tried, after "
			"%llu phase executions", (unsigned long long)p->executions);
	else if (p->executions == 0)
		snprintf(why, sizeof why, "the application ended %s its first phase execution",
			mon_peer_begun(p->peer) ? "in" : "before");
	else
		snprintf(why, sizeof why, "the application ended before the search did, after %llu "
			"phase execution%s (%u experiment%s)", (unsigned long long)p->executions,
			p->executions == 1 ? "" : "s", p->experiments,
			p->experiments == 1 ? "" : "s");
	if (p->executions < executions_needed(n->config))
		name_rivals(n, p, &rivals);
	buf_puts(&rivals, "");
	p->more = buf_take(&rivals);
	finish(n, p, why);
}

/* The search has ended: tries what fixes would save.  False: nothing is left to try. */
static bool try_fixes(struct node *n, struct process *p, const struct search *s)
{
	struct mon_variant variants[MON_VARIANTS];
	struct plan plan;
	uint32_t k;

	if (!n->config->nwhat_if)
		return false;
	if (!p->whatif)
		p->whatif = whatif_new(s, n->config);
	k = p->whatif ? whatif_next(p->whatif, variants) : 0;
	if (!k)
		return false;
	if (p->gone) {
		ended_early(n, p);
		return true;
	}
	plan_variants(n->config, mon_peer_begun(p->peer), variants, k, &plan);
	if (!submit(n, p, &plan, 0))
		finish(n, p, p->spent ? spent : "the monitor refused a request");
	return true;
}

/* Everything asked for has come: done, or the next experiment. */
static void next_step(struct node *n, struct process *p)
{
	struct search s;
	struct plan plan;

	if (p->finished)
		return;
	if (busy(p)) {
		if (p->gone)
			ended_early(n, p);
		return;
	}
	if (p->spent) {
		finish(n, p, spent);
		return;
	}
	if (run_search(n, p, &s)) {
		finish(n, p, "out of memory");
		return;
	}
	p->found = count_held(&s);
	if (!s.nneeds) {
		if (!try_fixes(n, p, &s))
			finish_with(n, p, &s, NULL);
	} else if (p->gone) {
		ended_early(n, p);
	} else {
		plan_needs(n->config, mon_peer_begun(p->peer), s.needs, s.nneeds, &plan);
		if (!submit(n, p, &plan, 0))
			finish(n, p, p->spent ? spent : "the monitor refused a request");
	}
	search_free(&s);
}

static const char *drop_reason(uint32_t reason)
{
	switch (reason) {
	case MON_DROP_ROWS: return "an experiment had more results than its buffer holds";
	case MON_DROP_MEMORY: return "the monitor had no memory for an experiment";
	case MON_DROP_EXIT: return "the application ended during an experiment";
	case MON_DROP_SAMPLE: return "the machine model does not allow so small a sample of its sets";
	default: return "the monitor dropped an experiment";
	}
}

static void check_result(struct process *p, const struct plan *plan, const struct mon_result *r)
{
	invariants_rows(&p->invariants, p->measured, r);
	if (r->kind == MON_SIM && !plan->want.nfilters)
		invariants_sums(&p->invariants, p->measured, r);
}

static void take_slot(struct node *n, struct process *p, int i)
{
	const struct experiment *e = &p->slot[i];
	struct mon_result r;
	struct err err = { "" };

	priority_lower();       /* what is worked out here must not take time from what is measured */
	if (mon_peer_take(p->peer, i, &r, &err)) {
		p->slot[i].active = false;
		finish(n, p, err.text);
		return;
	}
	p->slot[i].active = false;
	if (measured_sync(p->measured, p->peer, &err) || (!e->plan.want.nvariants &&
	    measured_add(p->measured, &r, e->plan.filter, e->plan.want.nfilters, &err))) {
		finish(n, p, err.text);
	} else if (r.state == MON_DONE && e->plan.want.nvariants) {
		p->experiments++;
		whatif_take(p->whatif, p->measured, &r);
		tell(n, p, &r);
	} else if (r.state == MON_DONE) {
		struct search s;

		p->experiments++;
		if (n->config->check)
			check_result(p, &e->plan, &r);
		if (run_search(n, p, &s) == 0) {
			p->found = count_held(&s);
			search_free(&s);
		}
		tell(n, p, &r);
	} else if (!p->gone && r.state == MON_MISSED && e->tries < TRIES) {
		struct plan again;

		plan_copy(&again, &e->plan);
		plan_later(&again, mon_peer_begun(p->peer));
		submit(n, p, &again, e->tries + 1);
	} else if (r.state == MON_MISSED && p->gone) {
		ended_early(n, p);      /* requests that wait when a process exits are missed, too */
	} else {
		finish(n, p, r.state == MON_MISSED ? "phase executions passed faster than "
			"experiments could be asked for" : drop_reason(r.reason));
	}
	mon_result_free(&r);
}

static void collect(struct node *n, struct process *p)
{
	p->executions = mon_peer_finished(p->peer);
	for (int i = 0; i < MON_SLOTS; i++) {
		enum mon_state state;

		if (!p->slot[i].active || p->finished)
			continue;
		state = mon_peer_state(p->peer, i);
		if (state == MON_DONE || state == MON_MISSED || state == MON_DROPPED)
			take_slot(n, p, i);
	}
}

static void handle_process(struct node *n, struct process *p)
{
	enum mon_news news;

	if (p->gone)
		return;
	news = mon_peer_news(p->peer);
	if (news == MON_NEWS_WAITING)
		p->waiting = true;
	if (news == MON_NEWS_GONE)
		p->gone = true;
	if (!p->finished)
		collect(n, p);
	next_step(n, p);
	if (p->waiting && !p->gone) {
		p->waiting = false;
		mon_peer_go(p->peer);
	}
}

static void check_limits(struct node *n)
{
	const struct run_config *c = n->config;
	double seconds = (double)(clock_ns() - n->started) * 1e-9;

	for (int i = 0; i < n->nprocesses; i++) {
		struct process *p = &n->process[i];

		if (p->finished)
			continue;
		if (c->limit_seconds > 0 && seconds > c->limit_seconds)
			finish(n, p, "the time given with --max-time is spent");
		else if (c->limit_executions && p->executions >= c->limit_executions)
			finish(n, p, spent);
	}
}

/* From time to time, while a process runs that is measured. */
static void watch_load(struct node *n)
{
	uint64_t now = clock_ns(), own = 0;
	bool measuring = false;

	if (!n->nprocesses || now - n->looked < LOOK_NS)
		return;
	n->looked = now;
	for (int i = 0; i < n->nprocesses; i++) {
		struct process *p = &n->process[i];
		uint64_t ticks = p->gone ? 0 : load_process((pid_t)mon_peer_pid(p->peer));

		if (ticks)
			p->ticks = ticks;
		measuring |= ticks && !p->finished;
		own += p->ticks - p->ticks_before;
	}
	if (measuring)
		load_look(&n->load, own + load_process(getpid()) - n->own_before);
}

void node_step(struct node *n, int milliseconds)
{
	struct pollfd fds[MAX_PROCESSES + 1];
	int k = 0;

	fds[k++] = (struct pollfd){ n->listener, POLLIN, 0 };
	for (int i = 0; i < n->nprocesses; i++)
		if (!n->process[i].gone)
			fds[k++] = (struct pollfd){ mon_peer_fd(n->process[i].peer), POLLIN, 0 };
	poll(fds, (nfds_t)k, milliseconds);
	accept_processes(n);
	if (n->welcomed && clock_ns() - n->welcomed > WELCOME_NS)
		priority_lower();
	for (int i = 0; i < n->nprocesses; i++)
		handle_process(n, &n->process[i]);
	check_limits(n);
	watch_load(n);
}

bool node_progress(struct node *n, struct progress *out)
{
	if (!n->nprogress)
		return false;
	*out = n->progress[0];
	n->nprogress--;
	memmove(n->progress, n->progress + 1, (size_t)n->nprogress * sizeof *n->progress);
	return true;
}

void node_stop(struct node *n, const char *why)
{
	/* A process that has ended may have left results: take them first. */
	accept_processes(n);
	for (int i = 0; i < n->nprocesses; i++) {
		handle_process(n, &n->process[i]);
		finish(n, &n->process[i], why ? why : "stopped on request");
	}
	n->stopped = true;
	snprintf(n->why, sizeof n->why, "%s", why ? why : "");
}

bool node_finished(const struct node *n)
{
	if (!n->nprocesses)
		return n->stopped;
	for (int i = 0; i < n->nprocesses; i++)
		if (!n->process[i].finished)
			return false;
	return true;
}

/* Nothing connected: a report that says so, with the head filled in. */
static struct report *empty_report(struct node *n)
{
	struct process none = { .measured = measured_new(n->sir, &n->config->machine, -1) };
	struct report *r = NULL;
	struct search s;

	if (none.measured && run_search(n, &none, &s) == 0) {
		r = findings_report(&s, n->config);
		search_free(&s);
	}
	if (r)
		r->partial = arena_strdup(r->arena, n->why[0] ? n->why :
			"no instrumented process was seen");
	measured_free(none.measured);
	return r;
}

struct report *node_report(struct node *n)
{
	struct report *parts[MAX_PROCESSES], *r;
	struct load_figures load;
	int k = 0;

	for (int i = 0; i < n->nprocesses; i++)
		if (n->process[i].report)
			parts[k++] = n->process[i].report;
	r = k ? report_merge(parts, k) : empty_report(n);
	if (!r)
		return NULL;
	r->elapsed = (double)(clock_ns() - n->started) * 1e-9;
	if (load_figures(&n->load, &load) == 0) {
		r->cpus = load.cpus;
		r->cpus_others = load.others;
		r->cpus_idle = load.idle;
	}
	return r;
}

bool node_parts(const struct node *n, struct buf *out)
{
	if (!n->app_parts->nproperties)
		return false;
	app_parts_encode(n->app_parts, out);
	return true;
}
