/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs an agent: main() of psc_agent (one MPI job) and psc_agent_local (processes connected by
 * sockets).  Rank 0 is the master, the others are node agents.  psc_frontend starts them, not the
 * user. */
#include <config.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "agents/comm.h"
#include "agents/join_messages.h"
#include "agents/lives.h"
#include "agents/master.h"
#include "agents/node.h"
#include "agents/heartbeat.h"
#include "base/log.h"

/* Time between two steps of an agent.  If a descriptor tells that messages are there (comm_wake),
 * only timers and lost events need steps: EVENT_MS while processes are measured, SLEEP_MS else. */
enum { STEP_MS = 4, IDLE_MS = 10, EVENT_MS = 10, SLEEP_MS = 200, END_MS = 1000 };

struct agent {
	int state;              /* enum node_state */
	struct tree tree;
	int rank, parent;
	struct run_config config;
	struct node_agent *node;      /* NULL until configured, or if that failed */
	struct gather below;    /* from the children; this agent's own answers, too */
};

static volatile sig_atomic_t ended;     /* by a signal */

static void on_end(int sig)
{
	ended = sig;
}

static void advance(struct agent *a, enum node_event event)
{
	life_cycle_step(&node_life, "", &a->state, event);
}

static void tell_parent(const struct agent *a, enum msg_type type, const char *text)
{
	struct buf b = BUF_INIT;

	if (text)
		buf_string(&b, text);
	comm_send(a->parent, type, &b);
	buf_free(&b);
}

/* --- neighbours ------------------------------------------------------------------------------- */

/* A child, and all below it, will not answer: tells the front end which ranks these are. */
static void lose(struct agent *a, int child)
{
	struct buf b = BUF_INIT;

	if (gather_lose(&a->below, &a->tree, child, &b))
		comm_send(a->parent, MSG_LOST, &b);
	buf_free(&b);
	comm_send(child, MSG_QUIT, NULL);
	comm_forget(child);
}

/* On several hosts: gives up neighbours that are silent. */
static void look_for_silent(struct agent *a)
{
	const int silent = gather_silent(&a->below, comm_silence);

	if (silent >= 0) {
		log_msg(1, "agent %d does not answer", silent);
		lose(a, silent);
	}
	if (comm_silence(a->parent) > HEARTBEAT_LIMIT_S) {
		log_msg(1, "the agent above does not answer: this one ends");
		gather_down(&a->below, MSG_QUIT, NULL);
		advance(a, NODE_QUIT);
	}
}

/* --- messages --------------------------------------------------------------------------------- */

static void configure(struct agent *a, const struct buf *body)
{
	struct err err;

	if (a->state != NODE_WAITING)
		return;
	if (run_config_decode(&a->config, body, &err)) {
		tell_parent(a, MSG_ERROR, err.text);
		return;
	}
	advance(a, NODE_CONFIGURED);
	a->node = node_new(&a->config, a->rank, a->below.reports, &err);
	a->below.ready = a->node != NULL;
	if (!a->node)
		tell_parent(a, MSG_ERROR, err.text);
	if (a->config.hosts)
		comm_heartbeats(NULL, NULL);
}

static void app_ended(struct agent *a, const struct buf *body)
{
	struct next_run next;
	struct app_end end;

	if (app_end_decode(&end, body))
		log_msg(1, "a message about the application's end is wrong");
	else if (a->node && node_app_ended(a->node, &end, &next))
		gather_own_again(&a->below, &next);
}

/* The agent passes a message from above on to its children first. */
static void from_parent(struct agent *a, enum msg_type type, const struct buf *body)
{
	struct phase_choice choice;
	struct schedule_news news;
	struct err err;

	gather_down(&a->below, type, body);
	switch (type) {
	case MSG_CONFIG:
		configure(a, body);
		break;
	case MSG_APP_ENDED:
		app_ended(a, body);
		break;
	case MSG_STOP:
		if (a->node)
			node_ask_to_stop(a->node);
		break;
	case MSG_PHASE:
		if (a->node && phase_choice_decode(&choice, body) == 0)
			node_phase_chosen(a->node, &choice);
		break;
	case MSG_SCHEDULE:
		if (a->node && schedule_news_decode(&news, body) == 0)
			node_take_schedule(a->node, &news);
		break;
	case MSG_CALLS:
		if (a->node && node_take_calls(a->node, body, &err))
			log_msg(1, "%s", err.text);
		break;
	case MSG_QUIT:
		advance(a, NODE_QUIT);
		break;
	default:
		log_msg(2, "message %d from above is ignored", (int)type);
	}
}

static void progress_up(struct agent *a, const struct progress *p)
{
	struct buf b = BUF_INIT;

	if (!gather_take_progress(&a->below, p))
		return;
	progress_encode(&a->below.progress, &b);
	comm_send(a->parent, MSG_PROGRESS, &b);
	buf_free(&b);
}

static void so_far_up(const struct agent *a)
{
	struct buf b = BUF_INIT;

	if (a->state != NODE_MEASURING || !node_has_news(a->node))
		return;
	buf_u32(&b, (uint32_t)a->rank);
	if (node_so_far(a->node, &b))
		comm_send(a->parent, MSG_SO_FAR, &b);
	buf_free(&b);
}

static void from_child(struct agent *a, int from, enum msg_type type, const struct buf *body)
{
	struct progress p;
	struct err err;
	int rc = 0;

	if (!gather_hears(&a->below, from))
		return;
	switch (type) {
	case MSG_READY:
		gather_take_ready(&a->below, from);
		break;
	case MSG_REPORT:
		rc = gather_take_report(&a->below, from, body, &err);
		break;
	case MSG_PARTS:
		rc = a->node ? gather_take_parts(&a->below, node_parts(a->node), body, &err) : 0;
		break;
	case MSG_AGAIN:
		rc = gather_take_again(&a->below, from, body, &err);
		break;
	case MSG_PROGRESS:
		if (!progress_decode(&p, body))
			progress_up(a, &p);
		break;
	case MSG_LOST:
		if (!body->len) {       /* comm_local.c: this child itself */
			lose(a, from);
			break;
		}
		comm_send(a->parent, type, body);
		break;
	case MSG_SO_FAR:
	case MSG_CALLS:
	case MSG_PHASE:
	case MSG_SCHEDULE:
	case MSG_ERROR:
		comm_send(a->parent, type, body);
		break;
	default:
		log_msg(2, "message %d from node agent %d is ignored", (int)type, from);
	}
	if (rc)
		tell_parent(a, MSG_ERROR, err.text);
}

static void report_up(struct agent *a)
{
	struct gather *g = &a->below;
	uint64_t since = gather_clock();
	struct buf b = BUF_INIT;

	if (!life_cycle_step(&node_life, "", &a->state, NODE_REPORT_SENT))
		return;
	if (node_parts(a->node)->nproperties) {
		app_parts_encode(node_parts(a->node), &b);
		comm_send(a->parent, MSG_PARTS, &b);
	}
	buf_clear(&b);
	report_sum_encode(g->reports, &b);
	if (b.failed)
		tell_parent(a, MSG_ERROR, "out of memory while making the report");
	else
		comm_send(a->parent, MSG_REPORT, &b);
	log_msg(2,
		"node agent %d has sent %zu bytes of findings, which took %llu us; %llu messages of %llu bytes from below "
		"took %llu us", a->rank, b.len, (unsigned long long)(gather_clock() - since) / 1000,
		(unsigned long long)g->messages, (unsigned long long)g->bytes,
		(unsigned long long)g->work_ns / 1000);
	buf_free(&b);
	report_sum_free(g->reports);
	g->reports = NULL;
}

static void again_up(const struct agent *a, const struct next_run *next)
{
	struct buf b = BUF_INIT;

	next_run_encode(next, &b);
	comm_send(a->parent, MSG_AGAIN, &b);
	buf_free(&b);
}

/* Passes on what this agent and all below it have answered. */
static void answer_up(struct agent *a)
{
	struct gather *g = &a->below;
	struct next_run next;

	if (gather_all_ready(g))
		tell_parent(a, MSG_READY, NULL);
	if (a->state != NODE_MEASURING || !g->reports)
		return;
	if (g->answer == GATHER_PENDING && node_finished(a->node)) {
		g->answer = GATHER_REPORTED;
		if (node_report(a->node))
			tell_parent(a, MSG_ERROR, "out of memory while making the report");
	}
	switch (gather_answer(g, &next)) {
	case GATHER_AGAIN:
		again_up(a, &next);
		break;
	case GATHER_REPORTED:
		report_up(a);
		break;
	case GATHER_PENDING:
		break;
	}
}

/* Sends what all hosts are to know: calls of MPI, the choice of the phase, and which executions
 * of it are of which class. */
static void news_up(const struct agent *a)
{
	struct schedule_news news;
	struct phase_choice choice;
	struct buf b = BUF_INIT;

	while (node_calls_news(a->node, &b)) {
		comm_send(a->parent, MSG_CALLS, &b);
		buf_clear(&b);
	}
	if (node_phase_news(a->node, &choice)) {
		phase_choice_encode(&choice, &b);
		comm_send(a->parent, MSG_PHASE, &b);
	}
	while (node_schedule_news(a->node, &news)) {
		buf_clear(&b);
		schedule_news_encode(&news, &b);
		comm_send(a->parent, MSG_SCHEDULE, &b);
	}
	buf_free(&b);
}

static void step_node(struct agent *a)
{
	int wake = comm_wake();
	struct pollfd messages = { wake, POLLIN, 0 };
	struct progress p;

	if (!a->node) {
		poll(&messages, 1, wake < 0 ? STEP_MS : SLEEP_MS);
		return;
	}
	node_wake(a->node, wake);
	if (wake >= 0)
		node_step(a->node, node_idle(a->node) ? SLEEP_MS : EVENT_MS);
	else
		node_step(a->node, a->state == NODE_REPORTED ? IDLE_MS : STEP_MS);
	while (node_progress(a->node, &p))
		progress_up(a, &p);
	news_up(a);
	so_far_up(a);
}

static int run_node_agent(const struct tree *tree)
{
	struct agent a = { .state = NODE_WAITING, .tree = *tree, .rank = comm_rank(),
		.parent = tree_parent(tree, comm_rank()) };

	if (gather_begin(&a.below, tree, a.rank))
		return 1;
	signal(SIGTERM, on_end);
	while (a.state != NODE_ENDING && !ended) {
		enum msg_type type;
		struct buf body;
		int from;

		step_node(&a);
		while (a.state != NODE_ENDING && comm_receive(&from, &type, &body)) {
			if (from == a.parent)
				from_parent(&a, type, &body);
			else
				from_child(&a, from, type, &body);
			buf_free(&body);
		}
		if (a.state != NODE_ENDING)
			look_for_silent(&a);
		if (a.node)
			answer_up(&a);
	}
	node_free(a.node);
	if (ended)              /* the others may be gone, and MPI would wait for them */
		_exit(128 + ended);
	gather_end(&a.below);
	run_config_free(&a.config);
	comm_end(END_MS);
	return 0;
}

/* A socket and a memory for each process of the host. */
static void more_files(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur < r.rlim_max) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
}

int main(int argc, char **argv)
{
	struct tree tree;
	const char *socket = NULL, *info = getenv("PSC_INFO");

	/* End with the process that started us, after removing what other hosts have of the run. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	signal(SIGPIPE, SIG_IGN);
	log_setup("psc_agent", info ? atoi(info) : 1);
	for (int i = 1; i + 1 < argc; i++)
		if (strcmp(argv[i], "--socket") == 0)
			socket = argv[i + 1];
	if (!socket) {
		fprintf(stderr, "psc_agent is started by psc_frontend; see psc_frontend --help\n");
		return 2;
	}
	if (comm_start(&argc, &argv))
		return 1;
	comm_tree(&tree);
	more_files();
	return comm_rank() == 0 ? master_run(&tree, socket) : run_node_agent(&tree);
}
