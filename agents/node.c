/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a node agent: accepts the processes of its host, handles their results, merges their
 * reports. */
#include "agents/node.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "agents/asked_regions.h"
#include "agents/mpi_matching.h"
#include "agents/host_load.h"
#include "agents/loaded_code.h"
#include "agents/phase_search.h"
#include "agents/priority.h"
#include "agents/process.h"
#include "agents/run_decision.h"
#include "analysis/findings/findings.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/run_dir.h"
#include "binary/binary.h"
#include "monitor/shared/socket_path.h"

enum { MAX_PROCESSES = 256 };
enum { LOOK_NS = 250000000 };           /* between two readings of the load */
/* The front end's journal: time between two reports of findings so far; on hosts with more
 * processes there are none. */
enum { SO_FAR_NS = 1000000000, SO_FAR_PROCESSES = 64 };
#define CONCLUDE_NS UINT64_C(5000000000)        /* or their analysis ends without any */
#define PROXIES_NS UINT64_C(15000000000)        /* proxies answer within this time of the
						 * application's end */
enum { WELCOME_NS = 1000000000 };       /* processes of one launch connect within this time of each
					 * other */

struct node_agent {
	struct host_analysis host;
	struct run_config *config;
	struct report_sum *sum; /* borrowed: the reports of the processes are added to it */
	struct phase_search phase_search;
	char socket[256];
	int listener;
	bool made_dir;          /* this host's run directory, which is not the front end's */
	int lock;               /* of it; -1: none */
	struct process process[MAX_PROCESSES];
	int wake;               /* descriptor; -1: none */
	int nprocesses;
	int collected;          /* of these, whose reports were added to the sum */
	bool anew;              /* the phase is another one than in the last run */
	bool stopped;
	char why[256];
	uint64_t started, welcomed;     /* times: of the start; when the last process connected */
	uint64_t concluded;     /* time when proxies were asked for their results; else 0 */
	uint64_t app_ended;     /* time when the application had ended, while proxies still answer;
				 * else 0 */
	uint64_t told;          /* time when the findings so far were sent last */
	struct load_watch load;
	struct load_watch clean;        /* the same until the clean times were measured */
	uint64_t looked;        /* time when the load was last read */
	uint64_t own_before;    /* ticks of this agent when the first process connected */
};

static int load_properties(struct host_analysis *h, struct err *err)
{
	h->program = asl_image_read(h->config->program.data, h->config->program.len, err);
	if (!h->program)
		return err_prefix(err, "compiled properties");
	h->attributes = attributes_new(h->program);
	h->code_places = code_places_new(h->config->bursts ? NULL : h->config->executable);
	if (h->attributes && collect_host_begin(&h->collect, collectors, h->config, h->attributes,
	    err))
		return -1;
	/* Ranks are attached at different times, so their messages cannot be numbered alike. */
	h->calls = h->attributes && !h->config->attached && attributes_needs_calls(h->attributes);
	h->app_parts = h->attributes ? app_parts_new(h->program, h->attributes) : NULL;
	return h->app_parts ? 0 : err_nomem(err);
}

/* Makes the socket of this host.  Where several agents are on one host (tests, the swarm)
 * the others have a number. */
static int listen_here(struct node_agent *n, int number, struct err *err)
{
	const struct run_config *c = n->config;
	struct utsname u;
	size_t len;

	if (c->hosts && rundir_join(c->socket_dir, &n->made_dir, &n->lock, err))
		return -1;
	if (c->hosts && uname(&u) == 0 && strcmp(u.nodename, c->front_host) != 0)
		priority_of_session();
	if (mon_socket_path(c->socket_dir, n->socket, sizeof n->socket))
		return err_set(err, "%s: too long for the path of a socket", c->socket_dir);
	len = strlen(n->socket);
	if (!c->hosts && number > 1)
		snprintf(n->socket + len, sizeof n->socket - len, ".%d", number);
	n->listener = mon_listen(n->socket, err);
	return n->listener < 0 ? -1 : 0;
}

struct node_agent *node_new(struct run_config *config, int number, struct report_sum *sum,
	struct err *err)
{
	struct node_agent *n = calloc(1, sizeof *n);

	if (!n) {
		err_nomem(err);
		return NULL;
	}
	n->host.config = n->config = config;
	n->host.run = 1;
	n->host.before.region = SIR_NONE;
	n->host.named = !config->phase_by_time;
	n->host.number = number;
	n->host.leads = config->hosts <= 1;
	n->sum = sum;
	n->host.process = n->process;
	plan_sizes(config, &n->host.sizes);
	n->listener = n->wake = n->lock = -1;
	n->started = n->told = clock_ns();
	n->host.sir = binary_read_program(config->executable, config->code_files, NULL, err);
	if (!n->host.sir || load_properties(&n->host, err))
		goto fail;
	if (asked_begin(&n->host, err))
		goto fail;
	if (candidates_make(&n->host.candidates, n->host.sir, config->phase_region)) {
		err_nomem(err);
		goto fail;
	}
	if (listen_here(n, number, err))
		goto fail;
	return n;
fail:
	node_free(n);
	return NULL;
}

void node_free(struct node_agent *n)
{
	if (!n)
		return;
	for (int i = 0; i < n->nprocesses; i++)
		process_free(&n->process[i]);
	if (n->listener >= 0) {
		close(n->listener);
		unlink(n->socket);
	}
	if (n->made_dir)
		rundir_remove(n->config->socket_dir);
	if (n->lock >= 0)
		close(n->lock);
	candidates_free(&n->host.candidates);
	phase_record_end(&n->host.phase_record);
	mpi_remotes_free(&n->host.remotes);
	app_parts_free(n->host.app_parts);
	collect_host_end(&n->host.collect);
	free(n->host.before.choice);
	attributes_free(n->host.attributes);
	code_places_free(n->host.code_places);
	asl_free(n->host.program);
	loaded_code_free(&n->host);
	sir_asked_free(n->host.asked);
	sir_free(n->host.sir);
	free(n);
}

/* The process of the last run whose counterpart this is: of the same rank, or the first one that
 * has none yet.  NULL: there is none. */
static struct process *counterpart(struct node_agent *n, const struct mon_peer *peer)
{
	for (int i = 0; i < n->nprocesses; i++)
		if (process_between(&n->process[i]) &&
		    n->process[i].now.measured->rank == mon_peer_rank(peer))
			return &n->process[i];
	return NULL;
}

static void add_again(struct node_agent *n, struct mon_peer *peer)
{
	struct process *p = counterpart(n, peer);

	if (p) {
		process_again(p, peer, n->anew);
		n->welcomed = clock_ns();
		return;
	}
	mon_peer_refuse(peer);
	mon_peer_free(peer);
}

static void add_process(struct node_agent *n, struct mon_peer *peer)
{
	if (process_begin(&n->process[n->nprocesses], &n->host, peer))
		return;
	n->welcomed = clock_ns();
	n->host.nprocesses = n->nprocesses + 1;
	if (++n->nprocesses == 1) {
		load_begin(&n->load);
		n->own_before = load_process(getpid());
	}
}

static void accept_processes(struct node_agent *n)
{
	struct mon_peer *peer;
	struct err err = { "" };

	while ((peer = mon_peer_accept(n->listener, &err))) {
		if (n->stopped || node_finished(n) || n->nprocesses == MAX_PROCESSES) {
			mon_peer_refuse(peer);
			mon_peer_free(peer);
		} else if (n->host.run > 1) {
			add_again(n, peer);
		} else {
			add_process(n, peer);
		}
	}
	if (err.text[0])
		log_msg(1, "%s", err.text);
}

/* Asks the proxies for their results, for which there is some time.  false: there are none. */
static bool conclude(struct node_agent *n)
{
	bool any = false;

	for (int i = 0; n->config->bursts && !n->concluded && i < n->nprocesses; i++) {
		struct process *p = &n->process[i];

		if (process_reported(p) || process_exited(p))
			continue;
		mon_peer_conclude(p->peer);
		any = true;
	}
	if (any)
		n->concluded = clock_ns();
	return n->concluded && clock_ns() - n->concluded < CONCLUDE_NS;
}

static void check_limits(struct node_agent *n)
{
	const struct run_config *c = n->host.config;
	double seconds = (double)(clock_ns() - n->started) * 1e-9;

	for (int i = 0; i < n->nprocesses; i++) {
		struct process *p = &n->process[i];

		if (process_reported(p))
			continue;
		if (c->limit_seconds > 0 && seconds > c->limit_seconds && conclude(n))
			continue;
		if (c->limit_seconds > 0 && seconds > c->limit_seconds)
			process_end(p, EVENT_LIMIT, "the time given with --max-time is spent");
		else if (c->limit_executions && p->now.executions >= c->limit_executions)
			process_end(p, EVENT_LIMIT, process_limit_text);
	}
}

/* Reads the load every LOOK_NS while a measured process runs. */
static void watch_load(struct node_agent *n)
{
	uint64_t now = clock_ns(), own = 0;
	bool measuring = false, timing = false;

	if (!n->nprocesses || now - n->looked < LOOK_NS)
		return;
	n->looked = now;
	for (int i = 0; i < n->nprocesses; i++) {
		struct process *p = &n->process[i];
		uint64_t ticks = process_exited(p) ? 0 : load_process((pid_t)mon_peer_pid(p->peer));

		if (ticks)
			p->ticks = ticks;
		measuring |= ticks && !process_reported(p);
		timing |= ticks && !process_reported(p) && !p->now.measured->nclean;
		own += p->ticks - p->ticks_before;
	}
	if (measuring)
		load_look(&n->load, own + load_process(getpid()) - n->own_before);
	if (timing)
		n->clean = n->load;
}

/* Adds the report of a process whose analysis has ended to the sum, which remembers a failure. */
static void collect(struct node_agent *n, struct process *p)
{
	if (!p->report || !process_reported(p))
		return;
	report_sum_add(n->sum, p->report);
	n->collected++;
	if (n->nprocesses <= SO_FAR_PROCESSES) {
		report_free(p->so_far);
		p->so_far = p->report;
		p->report = NULL;
		p->news = true;
	}
	/* The measurements of a rank whose calls of MPI are matched with other ranks' stay. */
	if ((n->config->max_runs <= 1 || n->config->unasked) && !n->host.calls) {
		process_release(p);
		return;
	}
	report_free(p->report);
	p->report = NULL;
}

static void phase_changed(struct node_agent *n)
{
	for (int i = 0; i < n->nprocesses; i++)
		if (!process_reported(&n->process[i]))
			process_phase_changed(&n->process[i]);
}

void node_phase_chosen(struct node_agent *n, const struct phase_choice *choice)
{
	if (phase_search_follow(&n->host, choice))
		phase_changed(n);
}

bool node_phase_news(struct node_agent *n, struct phase_choice *out)
{
	return phase_search_news(&n->phase_search, &n->host, out);
}

void node_take_schedule(struct node_agent *n, const struct schedule_news *w)
{
	if (w->region != n->config->phase_region || w->run != n->host.run)
		return;         /* of a phase before, or of one that this host will hear of */
	schedule_add(&n->host.published, w->window);
	schedule_add(&n->host.schedule, w->window);
}

bool node_schedule_news(struct node_agent *n, struct schedule_news *out)
{
	const struct schedule *s = &n->host.schedule;

	for (int i = 0; n->config->hosts > 1 && i < s->n; i++)
		if (schedule_add(&n->host.published, s->window[i])) {
			*out = (struct schedule_news){ n->config->phase_region, n->host.run,
				s->window[i] };
			return true;
		}
	return false;
}

bool node_calls_news(struct node_agent *n, struct buf *out)
{
	return calls_news(&n->host, out);
}

int node_take_calls(struct node_agent *n, const struct buf *body, struct err *err)
{
	return calls_take(&n->host, body, err);
}

void node_wake(struct node_agent *n, int fd)
{
	n->wake = fd;
}

static const char none_left[] =
	"the application ended and no instrumented process of it was left to measure";

/* Proxies (foreign/) answer when their programs have ended. */
static bool proxies_answer(const struct node_agent *n)
{
	for (int i = 0; n->config->bursts && i < n->nprocesses; i++)
		if (!process_reported(&n->process[i]) && !process_exited(&n->process[i]))
			return true;
	return false;
}

static void stop_behind_proxies(struct node_agent *n)
{
	if (!n->app_ended || (proxies_answer(n) && clock_ns() - n->app_ended < PROXIES_NS))
		return;
	n->app_ended = 0;
	node_stop(n, none_left);
}

void node_step(struct node_agent *n, int milliseconds)
{
	struct pollfd fds[MAX_PROCESSES + 2];
	int k = 0;

	fds[k++] = (struct pollfd){ n->listener, POLLIN, 0 };
	fds[k++] = (struct pollfd){ n->wake, POLLIN, 0 };
	for (int i = 0; i < n->nprocesses; i++)
		if (!process_exited(&n->process[i]))
			fds[k++] = (struct pollfd){ mon_peer_fd(n->process[i].peer), POLLIN, 0 };
	poll(fds, (nfds_t)k, milliseconds);
	accept_processes(n);
	if (n->welcomed && clock_ns() - n->welcomed > WELCOME_NS)
		priority_lower();
	/* A rank that ends is matched with what the others have written before. */
	for (int i = 0; n->host.calls && i < n->nprocesses; i++)
		process_collect(&n->process[i]);
	for (int i = 0; i < n->nprocesses; i++) {
		process_handle(&n->process[i]);
		collect(n, &n->process[i]);
	}
	if (phase_search_step(&n->phase_search, &n->host, n->process, n->nprocesses))
		phase_changed(n);
	check_limits(n);
	stop_behind_proxies(n);
	watch_load(n);
}

bool node_has_news(const struct node_agent *n)
{
	bool news = false;

	if (n->nprocesses > SO_FAR_PROCESSES || clock_ns() - n->told < SO_FAR_NS)
		return false;
	for (int i = 0; i < n->nprocesses; i++)
		news |= n->process[i].news;
	return news;
}

bool node_so_far(struct node_agent *n, struct buf *out)
{
	const struct report here = { .hosts = 1, .elapsed = NAN, .cpus = NAN, .cpus_others = NAN,
		.cpus_idle = NAN, .others_share = NAN };
	struct report_sum *sum = report_sum_new();
	bool any = false;

	if (!sum)
		return false;
	n->told = clock_ns();
	for (int i = 0; i < n->nprocesses; i++) {
		struct process *p = &n->process[i];

		process_so_far(p);
		p->news = false;
		if (p->so_far)
			any |= report_sum_add(sum, p->so_far) == 0;
	}
	if (any) {
		report_sum_host(sum, &here);
		report_sum_encode(sum, out);
	}
	report_sum_free(sum);
	return any && !out->failed;
}

bool node_progress(struct node_agent *n, struct progress *out)
{
	struct progress_queue *q = &n->host.progress;

	if (!q->n)
		return false;
	*out = q->list[0];
	q->n--;
	memmove(q->list, q->list + 1, (size_t)q->n * sizeof *q->list);
	return true;
}

void node_stop(struct node_agent *n, const char *why)
{
	/* An ended process may have left results: take them before ending the measurement. */
	accept_processes(n);
	for (int i = 0; i < n->nprocesses; i++) {
		process_handle(&n->process[i]);
		if (!process_reported(&n->process[i]))
			process_end(&n->process[i], EVENT_STOP, why ? why : "stopped on request");
	}
	n->stopped = true;
	snprintf(n->why, sizeof n->why, "%s", why ? why : "");
}

void node_ask_to_stop(struct node_agent *n)
{
	if (conclude(n))
		n->app_ended = n->concluded;
	else
		node_stop(n, "stopped on request");
}

/* Ends the analyses that wait for another run, which is not made. */
static void no_more_runs(struct node_agent *n, const char *why)
{
	for (int i = 0; i < n->nprocesses; i++)
		if (process_between(&n->process[i]))
			process_no_more_runs(&n->process[i], why);
}

bool node_app_ended(struct node_agent *n, const struct app_end *end, struct next_run *next)
{
	int between = 0;

	accept_processes(n);
	for (int i = 0; i < n->nprocesses; i++)
		process_handle(&n->process[i]);
	if (proxies_answer(n)) {
		n->app_ended = clock_ns();
		return false;
	}
	if (!end->again)
		no_more_runs(n, end->why);
	for (int i = 0; i < n->nprocesses; i++)
		between += process_between(&n->process[i]);
	if (!between || n->stopped || n->host.run >= n->host.config->max_runs) {
		node_stop(n, none_left);
		return false;
	}
	for (int i = 0; i < n->nprocesses; i++)
		if (!process_exited(&n->process[i]))
			process_end(&n->process[i], EVENT_STOP, none_left);
	n->anew = runs_prepare(&n->host, n->process, n->nprocesses);
	candidates_free(&n->host.candidates);
	if (candidates_make(&n->host.candidates, n->host.sir, n->config->phase_region)) {
		node_stop(n, "out of memory");
		return false;
	}
	*next = (struct next_run){ n->host.run, n->host.sizes.clean, n->host.sizes.count };
	return true;
}

bool node_idle(const struct node_agent *n)
{
	for (int i = 0; i < n->nprocesses; i++)
		if (!process_reported(&n->process[i]))
			return false;
	return true;
}

bool node_finished(const struct node_agent *n)
{
	return n->nprocesses ? node_idle(n) : n->stopped;
}

static int add_none(struct node_agent *n)
{
	struct report *none = process_none(&n->host,
		n->why[0] ? n->why : "no instrumented process was seen");
	int rc = none ? report_sum_add_none(n->sum, none) : -1;

	report_free(none);
	return rc;
}

int node_report(struct node_agent *n)
{
	struct report host = { .elapsed = (double)(clock_ns() - n->started) * 1e-9, .cpus = NAN,
		.cpus_others = NAN, .cpus_idle = NAN, .others_share = NAN };
	struct load_figures load;

	for (int i = 0; i < n->nprocesses; i++)
		collect(n, &n->process[i]);
	host.hosts = n->collected > 0;
	if (!n->collected && add_none(n))
		return -1;
	if (n->collected && load_figures(&n->load, &load) == 0) {
		host.cpus = load.cpus;
		host.cpus_others = load.others;
		host.cpus_idle = load.idle;
		if (load_figures(&n->clean, &load))
			load_figures(&n->load, &load);
		host.others_share = load.others / load.cpus;
	}
	report_sum_host(n->sum, &host);
	return 0;
}

struct app_parts *node_parts(const struct node_agent *n)
{
	return n->host.app_parts;
}
