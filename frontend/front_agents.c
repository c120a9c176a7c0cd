/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts and ends the agents. */
#include <config.h>

#include "frontend/front.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

void front_leave_agents(struct front *f)
{
	if (f->link.fd >= 0) {
		link_send(&f->link, MSG_QUIT, NULL);
		link_close(&f->link);
	}
	launch_leave(&f->agents);
}

/* One on each host.  Tests start several node agents on one host; the application's
 * processes connect to the first. */
static int node_agents(const struct front *f)
{
	enum { MOST = 64 };
	const char *given = getenv("PSC_NODE_AGENTS");
	int n = given ? atoi(given) : 1;

	if (f->hosts.n)
		return f->hosts.n;
	return n < 1 ? 1 : n > MOST ? MOST : n;
}

static int launch(struct front *f, struct err *err)
{
	char agent[4200], socket[160], hostfile[160];
	struct utsname u;

	if (launch_possible(f->way, agent, sizeof agent, err) || launch_limits(f->way, err) ||
	    launch_dir(&f->agents, f->way, err))
		return -1;
	snprintf(socket, sizeof socket, "%s/front", f->agents.dir);
	f->listener = link_listen(socket, err);
	snprintf(hostfile, sizeof hostfile, "%s/hosts", f->agents.dir);
	if (f->listener < 0 || (f->hosts.n && hosts_write(&f->hosts, hostfile, err)) ||
	    launch_agents(&f->agents, f->way, agent, socket, node_agents(f), (int)f->options.fanout,
		f->hosts.n ? hostfile : NULL, err))
		return -1;
	free(f->setup.config.front_host);
	f->setup.config.hosts = (uint32_t)f->hosts.n;
	f->setup.config.front_host = strdup(uname(&u) == 0 ? u.nodename : "");
	free(f->setup.config.socket_dir);
	f->setup.config.socket_dir = strdup(f->agents.dir);
	return f->setup.config.socket_dir && f->setup.config.front_host ? 0 : err_nomem(err);
}

void front_end_agents(struct front *f)
{
	front_leave_agents(f);
	if (f->listener >= 0)
		close(f->listener);
	f->listener = -1;
	launch_end(&f->agents);
}

/* Starts the agents this way and waits until they are ready. 0 / -1. */
static int try_agents(struct front *f, enum agents_way way, bool other_way)
{
	struct err err;

	f->way = way;
	f->other_way = other_way;
	if (way == AGENTS_MPIRUN && geteuid() == 0)
		log_msg(2,
			"running as root: Open MPI's refusal of root is switched off for the agents");
	if (launch(f, &err) == 0) {
		int rc = front_wait_ready(f);

		f->other_way = false;
		return rc;
	}
	if (other_way)
		f->failure = err;
	else
		log_msg(0, "%s", err.text);
	return -1;
}

/* Starts the agents of several hosts.  Once in some hundred times Open MPI's processes do not come
 * up on a busy machine: they are started again, once. */
static int start_hosts(struct front *f)
{
	if (try_agents(f, AGENTS_MPIRUN, true) == 0)
		return 0;
	if (f->interrupted)
		return -1;
	front_end_agents(f);
	if (f->job == JOB_FAILED)
		front_job(f, JOB_RETRY);
	log_msg(1, "mpirun does not bring up the agents of all hosts (%s): once more",
		f->failure.text);
	return try_agents(f, AGENTS_MPIRUN, false);
}

int front_start_agents(struct front *f)
{
	bool any = strcmp(f->options.agents, "auto") == 0;
	struct err err;
	char agent[4200];

	if (f->hosts.n)
		return start_hosts(f);
	if (strcmp(f->options.agents, "local") == 0)
		return try_agents(f, AGENTS_LOCAL, false);
	if (!any)
		return try_agents(f, AGENTS_MPIRUN, false);
#ifndef HAVE_MPI
	log_msg(2, "built without MPI: the agents are started without mpirun");
	return try_agents(f, AGENTS_LOCAL, false);
#endif
	any = launch_possible(AGENTS_LOCAL, agent, sizeof agent, &err) == 0;
	if (try_agents(f, AGENTS_MPIRUN, any) == 0)
		return 0;
	if (f->interrupted || !any)
		return -1;
	front_end_agents(f);
	if (f->job == JOB_FAILED)
		front_job(f, JOB_RETRY);
	log_msg(1, "mpirun does not bring up the agents (%s): they are started without it",
		f->failure.text);
	setup_note(&f->setup,
		"mpirun did not bring up the agents (%s): they were started without it",
		f->failure.text);
	return try_agents(f, AGENTS_LOCAL, false);
}
