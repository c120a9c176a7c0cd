/* SPDX-License-Identifier: BSD-3-Clause */
/* Plays the processes of a large application towards real node agents, with the real protocol and no application:
 * measures what the analysis costs them from the phase's end on, and the tree of agents.
 *
 *   psc_swarm [--each N] [--fanout K] [--seed S] [--common N] [--json FILE] [--text FILE] PROCESSES PROGRAM FILE:LINE
 *
 * PROGRAM gives the structure (program.sh); it does not run.  Each agent has --each processes (256).  All agents run at
 * once, but their processes one agent after another, children in the tree before their parents: what one agent takes
 * is its processor time, whatever else this host does.  Prints a line of name=value words; README.md explains them. */
#include <config.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <dirent.h>

#include "agents/link.h"
#include "agents/tree.h"
#include "monitor/shared/socket_path.h"
#include "base/clock.h"
#include "base/log.h"
#include "frontend/inherit.h"
#include "frontend/launch.h"
#include "frontend/options.h"
#include "frontend/setup.h"
#include "report/model/report.h"
#include "tests/bench/swarm/monitors.h"

enum { LOG_BYTES = 1 << 16, REPORT_MS = 600000 };

struct agent_cost {             /* in s of processor time */
	pid_t pid;
	double leaf, send, merge;       /* its processes; encoding the sum; adding what came from below */
	double wall;                    /* of leaf and send */
	double bytes, below;            /* sent up; received from below */
	bool done;
};

struct swarm {
	int processes, each, nodes;
	struct tree tree;
	struct frontend_options options;
	struct setup setup;
	struct agents agents;
	struct link link;
	struct script script;
	struct sir *sir;
	struct agent_cost *cost;        /* by rank; 0: the master */
	char log[LOG_BYTES];
	size_t nlog;
	struct report *report;
	bool ready;
	double report_bytes;
	const char *json, *text;
};

static double seconds(uint64_t ns)
{
	return (double)ns * 1e-9;
}

/* --- the agents' processes -------------------------------------------------------------------- */

static size_t read_proc(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	FILE *f;
	size_t n;

	snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
	f = fopen(path, "r");
	n = f ? fread(text, 1, size - 1, f) : 0;
	text[n] = '\0';
	if (f)
		fclose(f);
	return n;
}

static double processor_time(pid_t pid)
{
	char text[128];

	return read_proc(pid, "schedstat", text, sizeof text) ? strtod(text, NULL) * 1e-9 : 0;
}

static double most_memory(pid_t pid)
{
	char text[4096], *at;

	read_proc(pid, "status", text, sizeof text);
	at = strstr(text, "VmHWM:");
	return at ? strtod(at + 6, NULL) / 1024 : 0;
}

/* Agents have the run directory's socket and their rank among their arguments. */
static void find_agents(struct swarm *s)
{
	DIR *proc = opendir("/proc");
	struct dirent *d;

	while (proc && (d = readdir(proc))) {
		pid_t pid = (pid_t)atol(d->d_name);
		char text[4096];
		size_t n = pid > 0 ? read_proc(pid, "cmdline", text, sizeof text) : 0;
		bool ours = false;
		int rank = -1;

		for (size_t i = 0; i < n; i += strlen(text + i) + 1) {
			ours |= strncmp(text + i, s->agents.dir, strlen(s->agents.dir)) == 0;
			if (strcmp(text + i, "--rank") == 0)
				rank = atoi(text + i + strlen("--rank") + 1);
		}
		if (ours && rank >= 0 && rank <= s->nodes)
			s->cost[rank].pid = pid;
	}
	if (proc)
		closedir(proc);
}

/* --- what the agents say ---------------------------------------------------------------------- */

static void take_line(struct swarm *s, const char *line)
{
	double bytes, send, messages, below, merge;
	const char *at;
	int rank = 0;

	at = strstr(line, "node agent ");
	if (at && strstr(line, " has sent "))
		rank = atoi(at + strlen("node agent "));
	at = strstr(line, " has sent ");
	if (!at || rank < 0 || rank > s->nodes || sscanf(at, " has sent %lf bytes of findings, which took %lf us; %lf messages of %lf "
			"bytes from below took %lf us", &bytes, &send, &messages, &below, &merge) != 5)
		return;
	s->cost[rank].bytes = bytes;
	s->cost[rank].send = send * 1e-6;
	s->cost[rank].below = below;
	s->cost[rank].merge = merge * 1e-6;
	s->cost[rank].done = true;
}

static void read_log(struct swarm *s)
{
	ssize_t n = read(s->agents.log, s->log + s->nlog, sizeof s->log - s->nlog - 1);
	char *end;

	if (n <= 0)
		return;
	s->nlog += (size_t)n;
	s->log[s->nlog] = '\0';
	while ((end = strchr(s->log, '\n'))) {
		*end = '\0';
		take_line(s, s->log);
		if (getenv("SWARM_LOG"))
			fprintf(stderr, "%s\n", s->log);
		s->nlog -= (size_t)(end + 1 - s->log);
		memmove(s->log, end + 1, s->nlog + 1);
	}
	if (s->nlog == sizeof s->log - 1)
		s->nlog = 0;
}

static int take_message(struct swarm *s, enum msg_type type, const struct buf *body, struct err *err)
{
	struct cursor c = { (const uint8_t *)body->data, body->len, 0, false };

	switch (type) {
	case MSG_READY:
		s->ready = true;
		return 0;
	case MSG_REPORT:
		s->report_bytes = (double)body->len;
		s->report = report_decode(body->data, body->len, err);
		return s->report ? 0 : -1;
	case MSG_ERROR:
		return err_set(err, "agents: %s", cur_string(&c));
	default:
		return 0;
	}
}

/* One step of waiting for the agents. 0 / -1. */
static int step(struct swarm *s, int milliseconds, struct err *err)
{
	struct pollfd p[2] = { { s->link.fd, POLLIN, 0 }, { s->agents.log, POLLIN, 0 } };
	enum msg_type type;
	struct buf body;
	int rc, gone;

	poll(p, 2, milliseconds);
	if (p[1].revents)
		read_log(s);
	if (!p[0].revents)
		return 0;
	gone = link_fill(&s->link, err);
	while ((rc = link_next(&s->link, &type, &body, err)) > 0) {
		int bad = take_message(s, type, &body, err);

		buf_free(&body);
		if (bad)
			return -1;
	}
	return gone || rc < 0 ? -1 : 0;
}

/* --- one agent's processes -------------------------------------------------------------------- */

static bool all_detached(const struct monitor *m, int n)
{
	for (int i = 0; i < n; i++)
		if (!monitor_detached(&m[i]))
			return false;
	return true;
}

/* Answers what is asked until the agent wants no more and has sent what it found. */
static int answer(struct swarm *s, int rank, struct monitor *m, int n, struct err *err)
{
	struct agent_cost *c = &s->cost[rank];
	double before = processor_time(c->pid);
	uint64_t began = clock_ns();

	while (!c->done) {
		for (int i = 0; i < n; i++)
			monitor_publish(&m[i]);
		if (step(s, 2, err))
			return -1;
		for (int i = 0; i < n && !all_detached(m, n); i++)
			monitor_prepare(&m[i], &s->script);
		if (seconds(clock_ns() - began) > 600)
			return err_set(err, "agent %d has not reported", rank);
	}
	c->wall = seconds(clock_ns() - began);
	c->leaf = processor_time(c->pid) - before - c->send;
	return 0;
}

static int play_agent(struct swarm *s, int rank, struct err *err)
{
	int first = (rank - 1) * s->each, n = s->processes - first < s->each ? s->processes - first : s->each, rc = 0, k = 0;
	struct monitor *m = calloc((size_t)n, sizeof *m);
	char socket[160];

	if (mon_socket_path(s->agents.dir, socket, sizeof socket))
		return err_set(err, "%s: too long", s->agents.dir);
	if (rank > 1)           /* as agents/node.c names those of one host */
		snprintf(socket + strlen(socket), sizeof socket - strlen(socket), ".%d", rank);
	if (!m)
		return err_nomem(err);
	for (; k < n && !rc; k++)
		rc = monitor_connect(&m[k], &s->script, first + k, socket, err);
	for (int i = 0; i < n && !rc; i++)
		while (!monitor_prepare(&m[i], &s->script))
			poll(NULL, 0, 1);
	if (!rc)
		rc = answer(s, rank, m, n, err);
	for (int i = 0; i < k; i++)
		monitor_close(&m[i]);
	free(m);
	return rc;
}

static int play(struct swarm *s, struct err *err)
{
	for (int rank = s->nodes; rank > 0; rank--)
		if (play_agent(s, rank, err))
			return -1;
	for (int t = 0; (!s->report || !s->cost[0].done) && t < REPORT_MS; t += 10)
		if (step(s, 10, err))
			return -1;
	return s->report ? 0 : err_set(err, "no report");
}

/* --- set-up ----------------------------------------------------------------------------------- */

static int start(struct swarm *s, struct err *err)
{
	char agent[4200], socket[160];
	struct buf b = BUF_INIT;
	int listener;

	setenv("PSC_INFO", "2", 1);
	setenv("PSC_KEEP_PRIORITY", "1", 1);
	if (launch_possible(AGENTS_LOCAL, agent, sizeof agent, err) || launch_limits(AGENTS_LOCAL, err) ||
	    launch_dir(&s->agents, AGENTS_LOCAL, err))
		return -1;
	snprintf(socket, sizeof socket, "%s/front", s->agents.dir);
	listener = link_listen(socket, err);
	if (listener < 0 || launch_agents(&s->agents, AGENTS_LOCAL, agent, socket, s->nodes, s->tree.fanout, NULL, err))
		return -1;
	free(s->setup.config.socket_dir);
	s->setup.config.socket_dir = strdup(s->agents.dir);
	link_init(&s->link, link_accept(listener));
	close(listener);
	run_config_encode(&s->setup.config, &b);
	if (s->link.fd < 0 || link_send(&s->link, MSG_CONFIG, &b))
		return err_set(err, "the master did not connect");
	buf_free(&b);
	while (!s->ready) {
		link_flush(&s->link);
		if (step(s, 100, err))
			return -1;
	}
	find_agents(s);
	return 0;
}

static int configure(struct swarm *s, const char *program, const char *phase, struct err *err)
{
	const char *argv[] = { "psc_swarm", "--app", program, "--phase", phase, "--machine", "x86-server", "--no-what-if",
		"--no-psc", NULL };

	if (options_parse(&s->options, 9, (char **)(uintptr_t)argv, err) || setup_run(&s->setup, &s->options, false))
		return -1;
	s->sir = sir_read(program, err);
	return s->sir ? script_make(&s->script, s->sir, s->setup.config.phase_region, err) : -1;
}

/* --- result ----------------------------------------------------------------------------------- */

static int count_runs(const struct report *r)
{
	int n = 0;

	for (int i = 0; i < r->nfindings; i++)
		n += r->findings[i].nruns;
	return n;
}

/* Bytes that the findings' sets of ranks may take: 16 for each run, or a bit for each process. */
static double rank_bound(const struct report *r)
{
	double sum = 0;

	for (int i = 0; i < r->nfindings; i++) {
		double runs = 16. * r->findings[i].nruns, bits = r->nprocs / 8.;

		sum += runs < bits ? runs : bits;
	}
	return sum;
}

/* What they do take, as sent once. */
static double rank_bytes(const struct report *r)
{
	struct buf b = BUF_INIT;
	double n;

	for (int i = 0; i < r->nfindings; i++)
		ranks_encode(r->findings[i].processes, r->findings[i].nruns, &b);
	n = (double)b.len;
	buf_free(&b);
	return n;
}

static void print(const struct swarm *s)
{
	double leaf = 0, wall = 0, memory = 0, all = 0, path, levels = 0;
	int height = tree_height(&s->tree);

	for (int rank = 1; rank <= s->nodes; rank++) {
		const struct agent_cost *c = &s->cost[rank];
		double m = most_memory(c->pid);

		leaf = c->leaf > leaf ? c->leaf : leaf;
		wall = c->wall > wall ? c->wall : wall;
		memory = m > memory ? m : memory;
		all += c->leaf + c->send + c->merge;
	}
	for (int depth = 1; depth <= height; depth++) {
		double most = 0;

		for (int rank = 1; rank <= s->nodes; rank++)
			if (tree_depth(&s->tree, rank) == depth && s->cost[rank].merge + s->cost[rank].send > most)
				most = s->cost[rank].merge + s->cost[rank].send;
		levels += most;
	}
	path = leaf + levels + s->cost[0].merge + s->cost[0].send;
	printf("processes=%d agents=%d fanout=%d height=%d leaf_cpu_s=%.4f leaf_wall_s=%.4f levels_cpu_s=%.4f "
		"master_cpu_s=%.4f path_s=%.4f agents_cpu_s=%.3f master_bytes=%.0f report_bytes=%.0f agent_mib=%.1f master_mib=%.1f "
		"findings=%d runs=%d rank_bytes=%.0f rank_bound=%.0f contexts=%u costs=%d\n",
		s->processes, s->nodes, s->tree.fanout, height, leaf, wall, levels, s->cost[0].merge + s->cost[0].send, path, all,
		s->cost[0].below, s->report_bytes, memory, most_memory(s->cost[0].pid), s->report->nfindings,
		count_runs(s->report), rank_bytes(s->report), rank_bound(s->report), s->script.ncontexts, s->report->ncosts);
}

static int give_out(const struct swarm *s, struct err *err)
{
	const struct report_style style = { .part = REPORT_SHORT, .width = 100 };
	FILE *f;
	int rc = 0;

	print(s);
	if (s->json && report_json_write(s->report, s->json, err))
		return -1;
	f = s->text ? fopen(s->text, "w") : NULL;
	if (f) {
		rc = report_text(s->report, &style, f, err);
		fclose(f);
	}
	return rc;
}

static int usage(void)
{
	fprintf(stderr, "usage: psc_swarm [--each N] [--fanout K] [--seed S] [--common N] [--json FILE] [--text FILE] "
		"PROCESSES PROGRAM FILE:LINE\n");
	return 2;
}

int main(int argc, char **argv)
{
	static struct swarm s = { .each = 256, .script = { .seed = 1, .most = 200, .common = SWARM_FINDINGS * 9 / 10 } };
	struct err err = { "" };
	int fanout = TREE_FANOUT, i = 1, rc;

	inherit_take();
	log_setup("psc_swarm", 1);
	signal(SIGPIPE, SIG_IGN);
	for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
		const char *name = argv[i] + 2, *value = argv[i + 1];

		if (strcmp(name, "each") == 0)
			s.each = atoi(value);
		else if (strcmp(name, "fanout") == 0)
			fanout = atoi(value);
		else if (strcmp(name, "seed") == 0)
			s.script.seed = strtoull(value, NULL, 10);
		else if (strcmp(name, "common") == 0)
			s.script.common = atoi(value);
		else if (strcmp(name, "json") == 0)
			s.json = value;
		else if (strcmp(name, "text") == 0)
			s.text = value;
		else
			return usage();
	}
	s.processes = argc - i == 3 ? atoi(argv[i]) : 0;
	if (s.processes < 1 || s.each < 1 || s.each > 256 || fanout < 1)
		return usage();
	s.nodes = (s.processes + s.each - 1) / s.each;
	s.tree = (struct tree){ s.nodes + 1, fanout };
	s.cost = calloc((size_t)s.nodes + 1, sizeof *s.cost);
	launch_init(&s.agents);
	link_init(&s.link, -1);
	rc = !s.cost || configure(&s, argv[i + 1], argv[i + 2], &err) || start(&s, &err) || play(&s, &err) || give_out(&s, &err);
	if (rc)
		log_msg(0, "%s", err.text);
	if (s.link.fd >= 0)
		link_send(&s.link, MSG_QUIT, NULL);
	link_close(&s.link);
	launch_end(&s.agents);
	report_free(s.report);
	script_free(&s.script);
	sir_free(s.sir);
	setup_free(&s.setup);
	options_free(&s.options);
	free(s.cost);
	return rc ? 1 : 0;
}
