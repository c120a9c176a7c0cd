/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the master: passes messages between front end and node agents, and merges their reports. */
#include "agents/master.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>

#include "agents/comm.h"
#include "agents/join_messages.h"
#include "agents/lives.h"
#include "analysis/findings/findings.h"
#include "agents/link.h"
#include "agents/priority.h"
#include "agents/schedule.h"
#include "analysis/findings/app_parts.h"
#include "base/log.h"

enum { STEP_MS = 5, IDLE_MS = 1000, END_MS = 1000 };

struct master {
	int state;              /* enum master_state */
	struct tree tree;
	struct link up;         /* to the front end; sent to with up_lock: by the thread of comm.h,
				 * too */
	pthread_mutex_t up_lock;
	struct schedule schedule;       /* published, of several hosts, for this phase and run */
	uint32_t region, run;
	bool lost;              /* some agents were: the front end completes the report with what
				 * they had found */
	struct gather below;    /* from the children in the tree */
	/* Parts of the properties over all processes; made when a node
	 * agent sends the first parts. */
	struct buf setup;       /* the configuration, encoded */
	struct run_config config;       /* executable NULL: not there yet */
	struct asl_program *program;
	struct attributes *attributes;
	struct app_parts *app_parts;
};

static void advance(struct master *m, enum master_event event)
{
	life_cycle_step(&master_life, "", &m->state, event);
}

static void send_up(struct master *m, enum msg_type type, const struct buf *body)
{
	pthread_mutex_lock(&m->up_lock);
	link_send(&m->up, type, body);
	pthread_mutex_unlock(&m->up_lock);
}

/* Sends what could not be sent at once.  true: there is more. */
static bool flush_up(struct master *m)
{
	bool more;

	pthread_mutex_lock(&m->up_lock);
	link_flush(&m->up);
	more = link_pending(&m->up);
	pthread_mutex_unlock(&m->up_lock);
	return more;
}

static void send_error(struct master *m, const char *text)
{
	struct buf b = BUF_INIT;

	buf_string(&b, text);
	send_up(m, MSG_ERROR, &b);
	buf_free(&b);
}

/* Passes on that agents were lost.  Nobody is left: the analysis fails. */
static void tell_lost(struct master *m, const struct buf *body)
{
	m->lost = true;
	send_up(m, MSG_LOST, body);
	if (gather_all_missing(&m->below))
		send_error(m, "a node agent has ended");
}

static void lose(struct master *m, int child)
{
	struct buf b = BUF_INIT;

	if (gather_lose(&m->below, &m->tree, child, &b))
		tell_lost(m, &b);
	buf_free(&b);
	comm_send(child, MSG_QUIT, NULL);
	comm_forget(child);
}

/* On several hosts, by the thread of comm.h. */
static void tell_front_end(void *master)
{
	struct master *m = master;

	if (pthread_mutex_trylock(&m->up_lock))
		return;         /* something else is being sent */
	link_send(&m->up, MSG_ALIVE, NULL);
	pthread_mutex_unlock(&m->up_lock);
}

static void take_config(struct master *m)
{
	struct err err;

	run_config_free(&m->config);
	if (m->setup.failed)
		send_error(m, "out of memory");
	else if (run_config_decode(&m->config, &m->setup, &err))
		send_error(m, err.text);
	else if (m->config.hosts)
		comm_heartbeats(tell_front_end, m);
}

static void from_front_end(struct master *m)
{
	struct err err = { "" };
	enum msg_type type;
	struct buf body;
	int rc, gone = link_fill(&m->up, &err);

	while ((rc = link_next(&m->up, &type, &body, &err)) > 0) {
		gather_down(&m->below, type, &body);
		if (type == MSG_CONFIG) {
			buf_clear(&m->setup);
			buf_add(&m->setup, body.data, body.len);
			take_config(m);
			advance(m, MASTER_CONFIG);
		}
		if (type == MSG_QUIT)
			advance(m, MASTER_QUIT);
		buf_free(&body);
	}
	if ((gone || rc < 0) && m->state != MASTER_ENDING) {
		gather_down(&m->below, MSG_QUIT, NULL);
		advance(m, MASTER_ORPHANED);
	}
}

static int prepare_app_parts(struct master *m, struct err *err)
{
	if (m->app_parts)
		return 0;
	if (!m->config.executable)
		return err_set(err, "no configuration");
	if (!m->program)
		m->program = asl_image_read(m->config.program.data, m->config.program.len, err);
	if (!m->program)
		return err_prefix(err, "compiled properties");
	if (!m->attributes)
		m->attributes = attributes_new(m->program);
	m->app_parts = m->attributes ? app_parts_new(m->program, m->attributes) : NULL;
	return m->app_parts ? 0 : err_nomem(err);
}

static void take_parts(struct master *m, const struct buf *body)
{
	struct err err;

	if (prepare_app_parts(m, &err) || gather_take_parts(&m->below, m->app_parts, body, &err))
		send_error(m, err.text);
}

static void free_whole(struct master *m)
{
	app_parts_free(m->app_parts);
	attributes_free(m->attributes);
	asl_free(m->program);
	run_config_free(&m->config);
	buf_free(&m->setup);
}

static void send_merged(struct master *m)
{
	const struct gather *g = &m->below;
	uint64_t since = gather_clock();
	struct report *r;
	struct buf b = BUF_INIT;

	if (m->lost) {
		buf_u32(&b, 0);
		report_sum_encode(g->reports, &b);
		send_up(m, MSG_SO_FAR, &b);
		buf_clear(&b);
	}
	r = report_sum_finish(g->reports);
	if (r && ((m->app_parts && app_parts_report(m->app_parts, &m->config, r)) ||
	    report_finish(r))) {
		report_free(r);
		r = NULL;
	}
	if (!r) {
		send_error(m, "out of memory while merging reports");
		return;
	}
	report_encode(r, &b);
	send_up(m, MSG_REPORT, &b);
	log_msg(2,
		"the master has sent %zu bytes of findings, which took %llu us; %llu messages of %llu bytes from below "
		"took %llu us", b.len, (unsigned long long)(gather_clock() - since) / 1000,
		(unsigned long long)g->messages, (unsigned long long)g->bytes,
		(unsigned long long)g->work_ns / 1000);
	buf_free(&b);
	report_free(r);
}

static void take_progress(struct master *m, const struct buf *body)
{
	struct progress p;
	struct buf b = BUF_INIT;

	if (progress_decode(&p, body) || !gather_take_progress(&m->below, &p))
		return;
	progress_encode(&m->below.progress, &b);
	send_up(m, MSG_PROGRESS, &b);
	buf_free(&b);
}

/* Passes on what all node agents have answered. */
static void answer_up(struct master *m)
{
	struct buf b = BUF_INIT;
	struct next_run next;

	if (gather_all_ready(&m->below)) {
		send_up(m, MSG_READY, NULL);
		advance(m, MASTER_ALL_READY);
		priority_lower();
	}
	if (m->state != MASTER_MEASURING)
		return;
	switch (gather_answer(&m->below, &next)) {
	case GATHER_AGAIN:
		next_run_encode(&next, &b);
		send_up(m, MSG_AGAIN, &b);
		buf_free(&b);
		break;
	case GATHER_REPORTED:
		if (!gather_all_missing(&m->below))
			send_merged(m);
		advance(m, MASTER_ALL_REPORTED);
		break;
	case GATHER_PENDING:
		break;
	}
}

/* On several hosts: gives up children that are silent. */
static void look_for_silent(struct master *m)
{
	const int silent = gather_silent(&m->below, comm_silence);

	if (silent < 0)
		return;
	log_msg(1, "agent %d does not answer", silent);
	lose(m, silent);
	answer_up(m);
}

/* Sends a window of the schedule to all hosts, but once. */
static void publish(struct master *m, const struct buf *body)
{
	struct schedule_news news;

	if (schedule_news_decode(&news, body))
		return;
	if (news.region != m->region || news.run != m->run)
		schedule_begin(&m->schedule, 0);
	m->region = news.region;
	m->run = news.run;
	if (!schedule_add(&m->schedule, news.window))
		return;
	log_msg(2, "phase executions %llu-%llu are %s", (unsigned long long)news.window.first,
		(unsigned long long)news.window.last, news.window.class == SCHEDULE_CLEAN ?
		"clean" : "recorded");
	gather_down(&m->below, MSG_SCHEDULE, body);
}

static void from_node(struct master *m, int from, enum msg_type type, const struct buf *body)
{
	struct err err;
	int rc = 0;

	if (!gather_hears(&m->below, from))
		return;
	switch (type) {
	case MSG_READY:
		gather_take_ready(&m->below, from);
		break;
	case MSG_REPORT:
		rc = gather_take_report(&m->below, from, body, &err);
		break;
	case MSG_PARTS:
		take_parts(m, body);
		break;
	case MSG_PROGRESS:
		take_progress(m, body);
		break;
	case MSG_AGAIN:
		rc = gather_take_again(&m->below, from, body, &err);
		break;
	case MSG_LOST:
		if (body->len)
			tell_lost(m, body);
		else
			lose(m, from);
		break;
	case MSG_SCHEDULE:
		publish(m, body);
		break;
	case MSG_CALLS:
	case MSG_PHASE:
		gather_down(&m->below, type, body);
		break;
	case MSG_SO_FAR:
	case MSG_ERROR:
		send_up(m, type, body);
		break;
	default:
		log_msg(2, "message %d from a node agent is ignored", (int)type);
	}
	if (rc)
		send_error(m, err.text);
	answer_up(m);
}

int master_run(const struct tree *tree, const char *socket)
{
	struct master m = { .state = MASTER_WAITING, .tree = *tree,
		.up_lock = PTHREAD_MUTEX_INITIALIZER };
	struct err err;
	int fd = link_connect(socket, &err);

	if (gather_begin(&m.below, tree, 0))
		return 1;
	m.below.ready = true;
	m.below.answer = GATHER_REPORTED;
	if (fd < 0 || !m.below.n) {
		log_msg(0, "%s", fd < 0 ? err.text : "no node agents were started");
		gather_down(&m.below, MSG_QUIT, NULL);
		gather_end(&m.below);
		comm_end(END_MS);
		return 1;
	}
	link_init(&m.up, fd);
	while (m.state != MASTER_ENDING) {
		struct pollfd p[2] = {
			{ m.up.fd, (short)(POLLIN | (flush_up(&m) ? POLLOUT : 0)), 0 },
			{ comm_wake(), POLLIN, 0 },
		};
		enum msg_type type;
		struct buf body;
		int from;

		if (poll(p, 2, p[1].fd < 0 ? STEP_MS : IDLE_MS) > 0 &&
		    p[0].revents & (POLLIN | POLLHUP | POLLERR))
			from_front_end(&m);
		while (m.state != MASTER_ENDING && comm_receive(&from, &type, &body)) {
			from_node(&m, from, type, &body);
			buf_free(&body);
		}
		if (m.state != MASTER_ENDING)
			look_for_silent(&m);
	}
	comm_end(END_MS);       /* with it, the other thread */
	gather_end(&m.below);
	free_whole(&m);
	link_close(&m.up);
	return 0;
}
