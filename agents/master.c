/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the master: passes messages between front end and node agents, and merges their reports. */
#include "agents/master.h"

#include <poll.h>
#include <stdlib.h>

#include "agents/comm.h"
#include "agents/lives.h"
#include "analysis/findings/findings.h"
#include "agents/link.h"
#include "agents/priority.h"
#include "analysis/findings/app_parts.h"
#include "base/log.h"

enum { STEP_MS = 5, IDLE_MS = 1000, END_MS = 1000 };

struct master {
	int state;              /* enum master_state */
	struct link up;
	int nodes;              /* ranks 1..nodes */
	int ready, reported;
	struct report **reports;
	/* Parts of the properties over all processes; made when a node agent sends the first parts. */
	struct buf setup;       /* the configuration, encoded */
	struct run_config config;       /* executable NULL: not decoded yet */
	struct asl_program *program;
	struct attributes *attributes;
	struct app_parts *app_parts;
};

static void advance(struct master *m, enum master_event event)
{
	life_cycle_step(&master_life, "", &m->state, event);
}

static void send_down(const struct master *m, enum msg_type type, const struct buf *body)
{
	for (int rank = 1; rank <= m->nodes; rank++)
		comm_send(rank, type, body);
}

static void send_error(struct master *m, const char *text)
{
	struct buf b = BUF_INIT;

	buf_string(&b, text);
	link_send(&m->up, MSG_ERROR, &b);
	buf_free(&b);
}

static void from_front_end(struct master *m)
{
	struct err err = { "" };
	enum msg_type type;
	struct buf body;
	int rc, gone = link_fill(&m->up, &err);

	while ((rc = link_next(&m->up, &type, &body, &err)) > 0) {
		send_down(m, type, &body);
		if (type == MSG_CONFIG) {
			buf_clear(&m->setup);
			buf_add(&m->setup, body.data, body.len);
			advance(m, MASTER_CONFIG);
		}
		if (type == MSG_QUIT)
			advance(m, MASTER_QUIT);
		buf_free(&body);
	}
	if ((gone || rc < 0) && m->state != MASTER_ENDING) {
		send_down(m, MSG_QUIT, NULL);
		advance(m, MASTER_ORPHANED);
	}
}

static int prepare_app_parts(struct master *m, struct err *err)
{
	if (m->app_parts)
		return 0;
	if (m->setup.failed)
		return err_nomem(err);
	if (!m->config.executable && run_config_decode(&m->config, &m->setup, err))
		return -1;
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

	if (prepare_app_parts(m, &err) || app_parts_merge_encoded(m->app_parts, body->data, body->len, &err))
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
	struct report *r = report_merge(m->reports, m->reported);
	struct buf b = BUF_INIT;

	if (r && m->app_parts && app_parts_report(m->app_parts, &m->config, r)) {
		report_free(r);
		r = NULL;
	}
	if (!r) {
		send_error(m, "out of memory while merging reports");
		return;
	}
	report_encode(r, &b);
	link_send(&m->up, MSG_REPORT, &b);
	buf_free(&b);
	report_free(r);
}

static void take_report(struct master *m, const struct buf *body)
{
	struct err err;
	struct report *r;

	if (m->reported == m->nodes) {
		send_error(m, "a node agent sent more than one report");
		return;
	}
	r = report_decode(body->data, body->len, &err);
	if (!r) {
		send_error(m, err.text);
		return;
	}
	m->reports[m->reported++] = r;
	if (m->reported == m->nodes) {
		send_merged(m);
		advance(m, MASTER_ALL_REPORTED);
	}
}

static void from_node(struct master *m, enum msg_type type, const struct buf *body)
{
	switch (type) {
	case MSG_READY:
		if (++m->ready == m->nodes) {
			link_send(&m->up, MSG_READY, NULL);
			advance(m, MASTER_ALL_READY);
			priority_lower();
		}
		break;
	case MSG_REPORT:
		take_report(m, body);
		break;
	case MSG_PARTS:
		take_parts(m, body);
		break;
	case MSG_PROGRESS:
	case MSG_AGAIN:
	case MSG_ERROR:
		link_send(&m->up, type, body);
		break;
	default:
		log_msg(2, "message %d from a node agent is ignored", (int)type);
	}
}

int master_run(const char *socket)
{
	struct master m = { .state = MASTER_WAITING, .nodes = comm_size() - 1 };
	struct err err;
	int fd = link_connect(socket, &err);

	if (fd < 0 || m.nodes < 1) {
		log_msg(0, "%s", fd < 0 ? err.text : "no node agents were started");
		send_down(&m, MSG_QUIT, NULL);
		comm_end(END_MS);
		return 1;
	}
	link_init(&m.up, fd);
	m.reports = calloc((size_t)m.nodes, sizeof(struct report *));
	while (m.reports && m.state != MASTER_ENDING) {
		struct pollfd p[2] = {
			{ m.up.fd, (short)(POLLIN | (link_pending(&m.up) ? POLLOUT : 0)), 0 },
			{ comm_wake(), POLLIN, 0 },
		};
		enum msg_type type;
		struct buf body;
		int from;

		if (poll(p, 2, p[1].fd < 0 ? STEP_MS : IDLE_MS) > 0 &&
		    p[0].revents & (POLLIN | POLLHUP | POLLERR))
			from_front_end(&m);
		while (m.state != MASTER_ENDING && comm_receive(&from, &type, &body)) {
			from_node(&m, type, &body);
			buf_free(&body);
		}
		link_flush(&m.up);
	}
	for (int i = 0; i < m.reported; i++)
		report_free(m.reports[i]);
	free(m.reports);
	free_whole(&m);
	link_close(&m.up);
	comm_end(END_MS);
	return 0;
}
