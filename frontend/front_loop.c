/* SPDX-License-Identifier: BSD-3-Clause */
/* The event loop, and the waits in it. */
#include "frontend/front.h"

#include <poll.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/user_file.h"
#include "frontend/nothing.h"
#include "frontend/present.h"
#include "frontend/twice.h"

/* Limits of the waits for agents (watch.h): seconds without progress, seconds of CPU time in
 * all.  HOSTS_START_S: the same as START_S where other hosts start agents.  STOPPED_S: agents that
 * are stopped so long, while the program runs, are given up.
 * GRACE_S: after an error of theirs that leaves them connected, they may still report so long. */
enum { STOPPED_S = 5, GRACE_S = 3, START_S = 5, HOSTS_START_S = 15, REPORT_S = 20, START_CPU_S = 20,
	REPORT_CPU_S = 600 };

static void agents_ended(struct front *f)
{
	const char *who = f->way == AGENTS_MPIRUN ? "mpirun" : "an agent";
	char why[128];
	int status = 0;

	if (read(f->agents.status, &status, sizeof status) != (ssize_t)sizeof status)
		snprintf(why, sizeof why, "their keeper (process %ld) has ended",
			(long)f->agents.keeper);
	else if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		snprintf(why, sizeof why, "%s could not be run", who);
	else
		snprintf(why, sizeof why, "%s ended early (status %d)", who,
			WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	front_fail(f, why);
	close(f->agents.status);
	f->agents.status = -1;
}

void front_step(struct front *f, int milliseconds)
{
	struct pollfd fds[5] = {
		{ f->signals, POLLIN, 0 },
		{ f->listener, POLLIN, 0 },
		{ f->link.fd, (short)(POLLIN | (link_pending(&f->link) ? POLLOUT : 0)), 0 },
		{ f->agents.status, POLLIN, 0 },
		{ f->agents.log, POLLIN, 0 },
	};

	struct err err;

	if (poll(fds, 5, milliseconds) < 0)
		return;
	if (fds[1].revents)
		front_accept(f);
	if (f->link.fd >= 0 && fds[2].revents) {
		link_flush(&f->link);
		front_hear(f);
	}
	if (fds[4].revents)
		launch_read(&f->agents);
	if (fds[3].revents && f->agents.status >= 0)
		agents_ended(f);
	if (journal_write(&f->journal, clock_ns(), f->when, &err))
		front_lost_journal(f, err.text);
	front_drain_signals(f);
}

/* One step of a wait for the agents; fails the job when its limits are exceeded. */
static void step_watched(struct front *f, struct watch *watch, const char *missing, int still_s,
	int compute_s)
{
	char why[160];

	front_step(f, 200);
	if (watch_still(watch) >= still_s)
		snprintf(why, sizeof why, "%s, and no progress for %d s", missing, still_s);
	else if (watch->computed >= (uint64_t)compute_s * 1000000000)
		snprintf(why, sizeof why, "%s after %d s of computing", missing, compute_s);
	else
		return;
	front_fail(f, why);
}

/* Keeps the event loop running while an output waits for the reader of a pipe. */
struct patience {
	struct front *front;
	unsigned interrupts;
	bool told;
};

static int wait_for_reader(void *arg, int fd)
{
	struct patience *p = arg;
	struct pollfd room = { fd, POLLOUT, 0 };

	if (fd < 0 && !p->told)
		log_msg(1, "an output is a pipe that nobody reads yet");
	p->told = true;
	front_step(p->front, fd < 0 ? 100 : 0);
	if (fd >= 0)
		poll(&room, 1, 20);
	return p->front->interrupts != p->interrupts;
}

/* Writes the report as soon as it arrives: the program may run on for long. */
void front_give_out(struct front *f)
{
	struct patience patience = { f, f->interrupts, false };
	struct report *r = f->report;

	if (!r)
		return;
	f->report = NULL;
	f->given_out = true;
	output_wait_by(wait_for_reader, &patience);
	if (f->hand_over >= 0 ? twice_hand_over(f, r) || r->partial :
	    twice_join(f, r) || present_report(&f->options, &f->setup, f->when, r))
		f->partial = true;
	output_wait_by(NULL, NULL);
	report_free(r);
}

int front_wait_ready(struct front *f)
{
	struct watch watch;

	watch_begin(&watch, f->agents.keeper, false);
	while ((f->job == JOB_STARTING || f->job == JOB_CONNECTED) && !f->interrupted)
		step_watched(f, &watch, "they are not ready", f->hosts.n ? HOSTS_START_S : START_S,
			START_CPU_S);
	watch_family(f->agents.keeper, &f->family);
	/* After --stop the report may be here already. */
	return f->job == JOB_READY || f->job == JOB_REPORTED ? 0 : -1;
}

void front_look_for_stopped(struct front *f)
{
	bool over = f->job == JOB_FAILED || f->job == JOB_REPORTED;
	pid_t pid = over || f->hosts.n ? 0 : watch_stopped(&f->family);
	char why[80];

	f->silent += heartbeat_step(&f->heartbeat, clock_ns());
	if (!over && f->hosts.n && f->silent > HEARTBEAT_LIMIT_S)
		front_fail(f, "the master does not answer");
	if (!pid)
		f->stopped = 0;
	else if (!f->stopped)
		f->stopped = clock_ns();
	else if (clock_ns() - f->stopped >= (uint64_t)STOPPED_S * 1000000000) {
		snprintf(why, sizeof why, "process %ld of theirs has been stopped for %d s",
			(long)pid, STOPPED_S);
		front_fail(f, why);
	}
}

/* What the agents had found when they failed; NULL: no memory. */
static struct report *report_so_far(const struct front *f)
{
	char why[sizeof f->failure.text + 80];
	struct report *r;

	snprintf(why, sizeof why, "the agents failed (%s): this is what they had found",
		f->failure.text);
	r = journal_report(&f->journal, why);
	if (r)
		return r;
	snprintf(why, sizeof why, "the agents failed (%s) before anything was found",
		f->failure.text);
	return nothing_found(&f->setup.config, why);
}

void front_give_up(struct front *f)
{
	bool lost = f->link.fd < 0 || f->stopped || f->application != APPLICATION_RUNNING ||
		clock_ns() - f->failed >= (uint64_t)GRACE_S * 1000000000;

	if (f->job != JOB_FAILED || f->given_up || !lost)
		return;
	f->given_up = true;
	if (!f->report && !f->given_out)
		f->report = report_so_far(f);
	front_give_out(f);
	if (!f->given_out)
		log_msg(0, "out of memory: there is no report");
	front_leave_agents(f);
	journal_end(&f->journal);
}

/* A report of a later run
 * waits for the run's end, which it says something about. */
void front_wait_run(struct front *f)
{
	struct watch watch;
	uint64_t ended;

	while (f->application == APPLICATION_RUNNING) {
		front_step(f, 1000);
		front_look_for_stopped(f);
		if (f->runs.number == 1)
			front_give_out(f);
		front_give_up(f);
	}
	watch_begin(&watch, f->agents.keeper, true);
	ended = clock_ns();
	while (f->job != JOB_REPORTED && f->job != JOB_FAILED && !f->next.number) {
		if (f->hosts.n)         /* what other hosts do is not seen here: their heartbeats
					 * tell */
			front_step(f, 200);
		else
			step_watched(f, &watch, "no report after the application's end", REPORT_S,
				REPORT_CPU_S);
		front_look_for_stopped(f);
		if (f->hosts.n && clock_ns() - ended > (uint64_t)REPORT_CPU_S * 1000000000)
			front_fail(f, "no report after the application's end");
	}
}

void front_wait_all(struct front *f)
{
	front_wait_run(f);
	while (f->next.number && f->job != JOB_REPORTED && f->job != JOB_FAILED) {
		front_run_again(f);
		front_wait_run(f);
	}
	front_give_up(f);
	front_give_out(f);
}
