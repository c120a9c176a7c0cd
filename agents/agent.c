/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs an agent: main() of psc_agent (one MPI job) and psc_agent_local (processes connected by
 * sockets).  Rank 0 is the master, the others are node agents.  psc_frontend starts them, not the
 * user. */
#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "agents/comm.h"
#include "agents/lives.h"
#include "agents/master.h"
#include "agents/node.h"
#include "base/log.h"

enum { STEP_MS = 2, IDLE_MS = 10, END_MS = 1000 };

struct agent {
	int state;              /* enum node_state */
	struct run_config config;
	struct node_agent *node;      /* NULL until configured, or if that failed */
};

static void advance(struct agent *a, enum node_event event)
{
	life_cycle_step(&node_life, "", &a->state, event);
}

static void tell_master(enum msg_type type, const char *text)
{
	struct buf b = BUF_INIT;

	if (text)
		buf_string(&b, text);
	comm_send(0, type, &b);
	buf_free(&b);
}

static void configure(struct agent *a, const struct buf *body, int rank)
{
	struct err err;

	if (a->state != NODE_WAITING)
		return;
	if (run_config_decode(&a->config, body, &err)) {
		tell_master(MSG_ERROR, err.text);
		return;
	}
	advance(a, NODE_CONFIGURED);
	a->node = node_new(&a->config, rank, &err);
	if (a->node)
		tell_master(MSG_READY, NULL);
	else
		tell_master(MSG_ERROR, err.text);
}

static void app_ended(struct node_agent *n)
{
	struct buf b = BUF_INIT;
	struct next_run next;

	if (!node_app_ended(n, &next))
		return;
	next_run_encode(&next, &b);
	comm_send(0, MSG_AGAIN, &b);
	buf_free(&b);
}

static void from_master(struct agent *a, enum msg_type type, const struct buf *body, int rank)
{
	switch (type) {
	case MSG_CONFIG:
		configure(a, body, rank);
		break;
	case MSG_APP_ENDED:
		if (a->node)
			app_ended(a->node);
		break;
	case MSG_STOP:
		if (a->node)
			node_stop(a->node, "stopped on request");
		break;
	case MSG_QUIT:
		advance(a, NODE_QUIT);
		break;
	default:
		log_msg(2, "message %d from the master is ignored", (int)type);
	}
}

static void report_up(struct agent *a)
{
	struct report *r;
	struct buf b = BUF_INIT;

	if (a->state != NODE_MEASURING || !node_finished(a->node))
		return;
	advance(a, NODE_REPORT_SENT);
	if (node_parts(a->node, &b))
		comm_send(0, MSG_PARTS, &b);
	buf_clear(&b);
	r = node_report(a->node);
	if (!r) {
		tell_master(MSG_ERROR, "out of memory while making the report");
		buf_free(&b);
		return;
	}
	report_encode(r, &b);
	comm_send(0, MSG_REPORT, &b);
	buf_free(&b);
	report_free(r);
}

static void progress_up(struct agent *a)
{
	struct progress p;

	while (node_progress(a->node, &p)) {
		struct buf b = BUF_INIT;

		progress_encode(&p, &b);
		comm_send(0, MSG_PROGRESS, &b);
		buf_free(&b);
	}
}

static int run_node_agent(int rank)
{
	struct agent a = { .state = NODE_WAITING };

	while (a.state != NODE_ENDING) {
		enum msg_type type;
		struct buf body;
		int from;

		if (a.node)
			node_step(a.node, a.state == NODE_REPORTED ? IDLE_MS : STEP_MS);
		else
			usleep(STEP_MS * 1000);
		while (a.state != NODE_ENDING && comm_receive(&from, &type, &body)) {
			from_master(&a, type, &body, rank);
			buf_free(&body);
		}
		if (a.node) {
			progress_up(&a);
			report_up(&a);
		}
	}
	node_free(a.node);
	run_config_free(&a.config);
	comm_end(END_MS);
	return 0;
}

int main(int argc, char **argv)
{
	const char *socket = NULL, *info = getenv("PSC_INFO");

	/* End with the process that started us; the keeper removes the sockets. */
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
	return comm_rank() == 0 ? master_run(socket) : run_node_agent(comm_rank());
}
