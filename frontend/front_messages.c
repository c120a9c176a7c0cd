/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes what the agents say. */
#include "frontend/front.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "frontend/losses.h"

void front_tell_time(const struct front *f, const char *what)
{
	log_msg(2, "%s after %.2f s", what, (double)(clock_ns() - f->began) * 1e-9);
}

void front_tell_end(struct front *f, const struct app_end *end)
{
	struct buf b = BUF_INIT;

	app_end_encode(end, &b);
	link_send(&f->link, MSG_APP_ENDED, &b);
	buf_free(&b);
}

bool front_job(struct front *f, enum job_event event)
{
	return life_cycle_step(&job_life, "", &f->job, event);
}

void front_fail(struct front *f, const char *why)
{
	if (!front_job(f, JOB_FAIL))
		return;
	f->failed = clock_ns();
	launch_read(&f->agents);
	err_set(&f->failure, "%s", why);
	if (!f->other_way)
		log_msg(0, "the agents failed: %s", why);
	if (f->agents.nsaid && !f->other_way && log_level() < LAUNCH_SHOW)
		log_msg(0, "%s say:\n%s",
			f->way == AGENTS_MPIRUN ? "mpirun and the agents" : "the agents",
			f->agents.said);
}

void front_lost_journal(struct front *f, const char *why)
{
	log_msg(f->journal_lost ? 2 : 1,
		"no journal of what is found (%s): it would be lost if psc_frontend were killed",
		why);
	f->journal_lost = true;
}

static void handle_message(struct front *f, enum msg_type type, const struct buf *body)
{
	struct cursor c = { (const uint8_t *)body->data, body->len, 0, false };
	struct progress p;
	struct report *r;
	struct err err;
	char *text;

	switch (type) {
	case MSG_READY:
		if (front_job(f, JOB_ALL_READY))
			front_tell_time(f, f->way == AGENTS_MPIRUN ?
				"the agents were ready (mpirun)" :
				"the agents were ready (local)");
		break;
	case MSG_PROGRESS:
		if (progress_decode(&p, body))
			break;
		if (f->job == JOB_READY)
			front_tell_time(f, "the first experiment was done");
		if (front_job(f, JOB_PROGRESS))
			progress_line_show(&f->line, &f->options, &p);
		break;
	case MSG_SO_FAR:
		if (journal_take(&f->journal, body, &err))
			front_lost_journal(f, err.text);
		break;
	case MSG_LOST:
		if (journal_lose(&f->journal, body, &err)) {
			front_fail(f, err.text);
			break;
		}
		losses_tell(&f->hosts, body);
		break;
	case MSG_AGAIN:
		if (next_run_decode(&f->next, body))
			front_fail(f, "a malformed message");
		break;
	case MSG_REPORT:
		r = report_decode(body->data, body->len, &err);
		if (!r) {
			front_fail(f, err.text);
			break;
		}
		if (front_job(f, JOB_REPORT)) {
			report_free(f->report);
			f->report = losses_complete(&f->hosts, &f->journal, r);
		} else {
			report_free(r);
		}
		break;
	case MSG_ERROR:
		text = cur_string(&c);
		front_fail(f, text ? text : "no reason given");
		free(text);
		break;
	default:
		break;
	}
}

void front_hear(struct front *f)
{
	struct err err = { "" };
	enum msg_type type;
	struct buf body;
	int rc, gone = link_fill(&f->link, &err);

	while ((rc = link_next(&f->link, &type, &body, &err)) > 0) {
		f->silent = 0;
		handle_message(f, type, &body);
		buf_free(&body);
	}
	if (gone || rc < 0) {
		link_close(&f->link);
		front_fail(f, err.text);
	}
}

void front_accept(struct front *f)
{
	struct buf b = BUF_INIT;
	int fd = link_accept(f->listener);

	if (fd < 0)
		return;
	if (f->link.fd >= 0) {
		close(fd);
		return;
	}
	link_init(&f->link, fd);
	front_job(f, JOB_CONNECT);
	run_config_encode(&f->setup.config, &b);
	if (link_send(&f->link, MSG_CONFIG, &b))
		front_fail(f, "the configuration could not be sent");
	if (f->stop_wanted)
		link_send(&f->link, MSG_STOP, NULL);
	buf_free(&b);
}
