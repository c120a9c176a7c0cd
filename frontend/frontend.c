/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs an analysis from set-up to report: main() and event loop of psc_frontend. */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "frontend/application.h"
#include "frontend/attach.h"
#include "frontend/doctor.h"
#include "frontend/front_lives.h"
#include "frontend/hosts.h"
#include "frontend/inherit.h"
#include "frontend/journal.h"
#include "frontend/launch.h"
#include "frontend/losses.h"
#include "frontend/metrics_list.h"
#include "agents/link.h"
#include "frontend/mpi_launch.h"
#include "frontend/nothing.h"
#include "frontend/options.h"
#include "frontend/present.h"
#include "frontend/progress_line.h"
#include "frontend/runs.h"
#include "agents/progress.h"
#include "agents/heartbeat.h"
#include "frontend/setup.h"
#include "frontend/stop.h"
#include "frontend/watch.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/user_file.h"
#include "monitor/shared/socket_path.h"
#include "report/report.h"

enum { EXIT_DONE = 0, EXIT_SETUP = 2, EXIT_PARTIAL = 4 };
/* Limits of the waits for agents (watch.h): seconds without progress, seconds of CPU time in
 * all.  HOSTS_START_S: the same as START_S where other hosts start agents.  STOPPED_S: agents that are stopped so long, while the program runs, are given up.
 * GRACE_S: after an error of theirs that leaves them connected, they may still report so long. */
#define WAITING_NS UINT64_C(10000000000)        /* without an execution of the phase of an attached program: that is said */
enum { STOPPED_S = 5, GRACE_S = 3, START_S = 5, HOSTS_START_S = 15, REPORT_S = 20, START_CPU_S = 20, REPORT_CPU_S = 600 };

struct front {
	struct frontend_options options;
	struct hosts hosts;
	struct setup setup;
	struct agents agents;
	struct link link;
	int listener, signals;
	pid_t app;
	int job, application;   /* enum job_state, enum application_state */
	bool stop_wanted;       /* by --stop; the agents may not be connected yet */
	struct progress_line line;
	struct report *report;  /* owned; received but not yet written; NULL */
	struct journal journal;
	bool journal_lost;      /* it has been said that the journal cannot be written */
	struct watch_family family;     /* the agents, once they are ready */
	struct heartbeat heartbeat;
	double silent;                  /* s since the master's last message (agents/heartbeat.h) */
	uint64_t stopped;       /* time since when one of them is stopped; 0: none is */
	uint64_t failed;        /* time when they failed */
	bool given_out;         /* a report was written */
	bool given_up;          /* they failed, what they had found is reported, and they are told to end */
	struct attach attach;
	struct runs runs;
	struct next_run next;   /* the run that the agents ask for; number 0: none */
	int interrupted;        /* the SIGINT or SIGTERM received, 0: none */
	unsigned interrupts;
	bool partial;
	int64_t when;
	uint64_t began;         /* on the monotonic clock */
	enum agents_way way;    /* how the agents are started */
	bool other_way;         /* another way can be tried: keep the error in `failure`, do not print it */
	struct err failure;     /* why the agents failed */
};

/* --- progress -------------------------------------------------------------------------------- */

static void end_line(struct front *f)
{
	progress_line_end(&f->line);
}

/* Prints the time since the start of the run (-vv). */
static void tell_time(const struct front *f, const char *what)
{
	log_msg(2, "%s after %.2f s", what, (double)(clock_ns() - f->began) * 1e-9);
}

/* --- messages -------------------------------------------------------------------------------- */

static bool job_step(struct front *f, enum job_event event)
{
	return life_cycle_step(&job_life, "", &f->job, event);
}

static void fail_agents(struct front *f, const char *why)
{
	if (!job_step(f, JOB_FAIL))
		return;
	end_line(f);
	f->failed = clock_ns();
	launch_read(&f->agents);
	err_set(&f->failure, "%s", why);
	if (!f->other_way)
		log_msg(0, "the agents failed: %s", why);
	if (f->agents.nsaid && !f->other_way && log_level() < LAUNCH_SHOW)
		log_msg(0, "%s say:\n%s",
			f->way == AGENTS_MPIRUN ? "mpirun and the agents" : "the agents", f->agents.said);
}

/* Says once that the journal cannot be written: on a full disk every attempt fails. */
static void lost_journal(struct front *f, const char *why)
{
	if (!f->journal_lost)
		end_line(f);
	log_msg(f->journal_lost ? 2 : 1, "no journal of what is found (%s): it would be lost if psc_frontend were killed", why);
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
		if (job_step(f, JOB_ALL_READY))
			tell_time(f, f->way == AGENTS_MPIRUN ? "the agents were ready (mpirun)" :
				"the agents were ready (local)");
		break;
	case MSG_PROGRESS:
		if (progress_decode(&p, body))
			break;
		if (f->job == JOB_READY)
			tell_time(f, "the first experiment was done");
		if (job_step(f, JOB_PROGRESS))
			progress_line_show(&f->line, &f->options, &p);
		break;
	case MSG_SO_FAR:
		if (journal_take(&f->journal, body, &err))
			lost_journal(f, err.text);
		break;
	case MSG_LOST:
		if (journal_lose(&f->journal, body, &err)) {
			fail_agents(f, err.text);
			break;
		}
		end_line(f);
		losses_tell(&f->hosts, body);
		break;
	case MSG_AGAIN:
		if (next_run_decode(&f->next, body))
			fail_agents(f, "a malformed message");
		break;
	case MSG_REPORT:
		r = report_decode(body->data, body->len, &err);
		if (!r) {
			fail_agents(f, err.text);
			break;
		}
		if (job_step(f, JOB_REPORT)) {
			report_free(f->report);
			f->report = losses_complete(&f->hosts, &f->journal, r);
		} else {
			report_free(r);
		}
		break;
	case MSG_ERROR:
		text = cur_string(&c);
		fail_agents(f, text ? text : "no reason given");
		free(text);
		break;
	default:
		break;
	}
}

static void from_agents(struct front *f)
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
		fail_agents(f, err.text);
	}
}

static void accept_master(struct front *f)
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
	job_step(f, JOB_CONNECT);
	run_config_encode(&f->setup.config, &b);
	if (link_send(&f->link, MSG_CONFIG, &b))
		fail_agents(f, "the configuration could not be sent");
	if (f->stop_wanted)
		link_send(&f->link, MSG_STOP, NULL);
	buf_free(&b);
}

/* --- the application ------------------------------------------------------------------------- */

static int start_application(struct front *f, const struct application_streams *streams)
{
	char sockets[160];
	struct err err;

	/* On this host alone the path is complete: a program in a container may have another host name. */
	if (f->hosts.n)
		snprintf(sockets, sizeof sockets, "%s/", f->agents.dir);
	else if (mon_socket_path(f->agents.dir, sockets, sizeof sockets)) {
		log_msg(0, "%s: too long for the path of a socket", f->agents.dir);
		return -1;
	}
	if (application_start(f->setup.program, f->options.command, sockets, streams, &f->app, &err)) {
		log_msg(0, "%s", err.text);
		return -1;
	}
	life_cycle_step(&application_life, "", &f->application, APPLICATION_START);
	return 0;
}

static int start_first(struct front *f)
{
	static const struct application_streams inherited = { -1, -1 };

	runs_begin(&f->runs);
	return start_application(f, &inherited);
}

static void show_run(struct front *f, const struct next_run *next, const char *log)
{
	end_line(f);
	if (f->options.quiet)
		return;
	fprintf(stderr, "psc: the program is run again (run %u of at most %u), for ", (unsigned)next->number,
		(unsigned)f->options.max_runs);
	if (next->clean)
		fprintf(stderr, "times of %u execution%s", (unsigned)next->clean, next->clean == 1 ? "" : "s");
	if (next->counted)
		fprintf(stderr, "%scounts of %u", next->clean ? " and " : "", (unsigned)next->counted);
	fprintf(stderr, "; its output goes to %s\n", log);
}

/* Starts the run that the agents ask for; ends the analysis if that is impossible, or if the user or a
 * signal has ended the program. */
static void run_again(struct front *f)
{
	struct application_streams streams = { -1, -1 };
	struct next_run next = f->next;
	struct err err = { "" };
	char log[4200];
	int rc = -1;

	f->next = (struct next_run){ 0 };
	if (!f->interrupted && !f->stop_wanted && !WIFSIGNALED(f->runs.status)) {
		rc = runs_streams(&f->runs, &f->setup, &streams.in, &streams.out, log, sizeof log, &err);
		if (rc)
			log_msg(0, "%s", err.text);
	}
	if (!rc) {
		show_run(f, &next, log);
		setup_note(&f->setup, "the output of run %u is in %s", f->runs.number, log);
		rc = start_application(f, &streams);
	}
	if (streams.in >= 0)
		close(streams.in);
	if (streams.out >= 0)
		close(streams.out);
	if (rc)
		link_send(&f->link, MSG_STOP, NULL);
}

static void on_signal(struct front *f, const struct signalfd_siginfo *info)
{
	int status;

	switch (info->ssi_signo) {
	case SIGCHLD:
		if (f->app > 0 && f->application == APPLICATION_RUNNING && waitpid(f->app, &status, WNOHANG) == f->app) {
			life_cycle_step(&application_life, "", &f->application, APPLICATION_END);
			runs_ended(&f->runs, status, &f->setup);
			link_send(&f->link, MSG_APP_ENDED, NULL);
		}
		break;
	case SIGINT:
	case SIGTERM:
		f->interrupted = (int)info->ssi_signo;
		f->interrupts++;
		/* The terminal signals the whole process group (SI_KERNEL); any other signal
		 * reached only us. */
		if (f->options.nattach)
			link_send(&f->link, MSG_STOP, NULL);    /* the program has nothing to do with it */
		else if (info->ssi_code != SI_KERNEL && f->application == APPLICATION_RUNNING)
			kill(f->app, (int)info->ssi_signo);
		break;
	case SIGUSR1:
		f->stop_wanted = true;
		link_send(&f->link, MSG_STOP, NULL);    /* no master yet: accept_master() sends it */
		break;
	default:
		break;
	}
}

static void drain_signals(struct front *f)
{
	struct signalfd_siginfo info;

	while (read(f->signals, &info, sizeof info) == (ssize_t)sizeof info)
		on_signal(f, &info);
}

/* --- the loop -------------------------------------------------------------------------------- */

static void agents_ended(struct front *f)
{
	const char *who = f->way == AGENTS_MPIRUN ? "mpirun" : "an agent";
	char why[128];
	int status = 0;

	if (read(f->agents.status, &status, sizeof status) != (ssize_t)sizeof status)
		snprintf(why, sizeof why, "their keeper (process %ld) has ended", (long)f->agents.keeper);
	else if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		snprintf(why, sizeof why, "%s could not be run", who);
	else
		snprintf(why, sizeof why, "%s ended early (status %d)", who,
			WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	fail_agents(f, why);
	close(f->agents.status);
	f->agents.status = -1;
}

static void step(struct front *f, int milliseconds)
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
		accept_master(f);
	if (f->link.fd >= 0 && fds[2].revents) {
		link_flush(&f->link);
		from_agents(f);
	}
	if (fds[4].revents)
		launch_read(&f->agents);
	if (fds[3].revents && f->agents.status >= 0)
		agents_ended(f);
	if (journal_write(&f->journal, clock_ns(), f->when, &err))
		lost_journal(f, err.text);
	drain_signals(f);
}

/* One step of a wait for the agents; fails the job when its limits are exceeded. */
static void step_watched(struct front *f, struct watch *watch, const char *missing, int still_s, int compute_s)
{
	char why[160];

	step(f, 200);
	if (watch_still(watch) >= still_s)
		snprintf(why, sizeof why, "%s, and no progress for %d s", missing, still_s);
	else if (watch->computed >= (uint64_t)compute_s * 1000000000)
		snprintf(why, sizeof why, "%s after %d s of computing", missing, compute_s);
	else
		return;
	fail_agents(f, why);
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
	step(p->front, fd < 0 ? 100 : 0);
	if (fd >= 0)
		poll(&room, 1, 20);
	return p->front->interrupts != p->interrupts;
}

/* Writes the report as soon as it arrives: the program may run on for long. */
static void give_out(struct front *f)
{
	struct patience patience = { f, f->interrupts, false };
	struct report *r = f->report;

	if (!r)
		return;
	f->report = NULL;
	f->given_out = true;
	end_line(f);
	output_wait_by(wait_for_reader, &patience);
	if (present_report(&f->options, &f->setup, f->when, r))
		f->partial = true;
	output_wait_by(NULL, NULL);
	report_free(r);
}

/* Tells the agents and their keeper to end, and does not wait for that. */
static void leave_agents(struct front *f)
{
	if (f->link.fd >= 0) {
		link_send(&f->link, MSG_QUIT, NULL);
		link_close(&f->link);
	}
	launch_leave(&f->agents);
}

/* Waits until the agents are ready. 0 / -1. */
static int wait_ready(struct front *f)
{
	struct watch watch;

	watch_begin(&watch, f->agents.keeper, false);
	while ((f->job == JOB_STARTING || f->job == JOB_CONNECTED) && !f->interrupted)
		step_watched(f, &watch, "they are not ready", f->hosts.n ? HOSTS_START_S : START_S, START_CPU_S);
	watch_family(f->agents.keeper, &f->family);
	/* After --stop the report may be here already. */
	return f->job == JOB_READY || f->job == JOB_REPORTED ? 0 : -1;
}

/* Gives up agents that somebody has stopped: nobody else would notice.  On several hosts agents notice each other, and the
 * master is known by its messages. */
static void look_for_stopped(struct front *f)
{
	bool over = f->job == JOB_FAILED || f->job == JOB_REPORTED;
	pid_t pid = over || f->hosts.n ? 0 : watch_stopped(&f->family);
	char why[80];

	f->silent += heartbeat_step(&f->heartbeat, clock_ns());
	if (!over && f->hosts.n && f->silent > HEARTBEAT_LIMIT_S)
		fail_agents(f, "the master does not answer");
	if (!pid)
		f->stopped = 0;
	else if (!f->stopped)
		f->stopped = clock_ns();
	else if (clock_ns() - f->stopped >= (uint64_t)STOPPED_S * 1000000000) {
		snprintf(why, sizeof why, "process %ld of theirs has been stopped for %d s", (long)pid, STOPPED_S);
		fail_agents(f, why);
	}
}

/* What the agents had found when they failed; NULL: no memory. */
static struct report *report_so_far(const struct front *f)
{
	char why[sizeof f->failure.text + 80];
	struct report *r;

	snprintf(why, sizeof why, "the agents failed (%s): this is what they had found", f->failure.text);
	r = journal_report(&f->journal, why);
	if (r)
		return r;
	snprintf(why, sizeof why, "the agents failed (%s) before anything was found", f->failure.text);
	return nothing_found(&f->setup.config, why);
}

/* Reports what the agents had found as soon as nothing more is to be expected of them, and tells them to end: the
 * program may run on for long. */
static void give_up(struct front *f)
{
	bool lost = f->link.fd < 0 || f->stopped || f->application != APPLICATION_RUNNING ||
		clock_ns() - f->failed >= (uint64_t)GRACE_S * 1000000000;

	if (f->job != JOB_FAILED || f->given_up || !lost)
		return;
	f->given_up = true;
	if (!f->report && !f->given_out)
		f->report = report_so_far(f);
	give_out(f);
	if (!f->given_out)
		log_msg(0, "out of memory: there is no report");
	leave_agents(f);
	journal_end(&f->journal);
}

/* Waits for the end of a run, and for the report or the wish for another run.  A report of a later run
 * waits for the run's end, which it says something about. */
static void wait_run(struct front *f)
{
	struct watch watch;
	uint64_t ended;

	while (f->application == APPLICATION_RUNNING) {
		step(f, 1000);
		look_for_stopped(f);
		if (f->runs.number == 1)
			give_out(f);
		give_up(f);
	}
	watch_begin(&watch, f->agents.keeper, true);
	ended = clock_ns();
	while (f->job != JOB_REPORTED && f->job != JOB_FAILED && !f->next.number) {
		if (f->hosts.n)         /* what other hosts do is not seen here: their heartbeats tell */
			step(f, 200);
		else
			step_watched(f, &watch, "no report after the application's end", REPORT_S, REPORT_CPU_S);
		look_for_stopped(f);
		if (f->hosts.n && clock_ns() - ended > (uint64_t)REPORT_CPU_S * 1000000000)
			fail_agents(f, "no report after the application's end");
	}
}

static void wait_all(struct front *f)
{
	wait_run(f);
	while (f->next.number && f->job != JOB_REPORTED && f->job != JOB_FAILED) {
		run_again(f);
		wait_run(f);
	}
	give_up(f);
	give_out(f);
}

/* --- programs that run already -------------------------------------------------------------- */

static void show_attached(const struct front *f, const char *what)
{
	struct buf names = BUF_INIT;

	attach_names(&f->attach, &names);
	if (!f->options.quiet)
		fprintf(stderr, "psc: %s %s\n", buf_str(&names), what);
	buf_free(&names);
}

/* Waits until all processes have connected.  0 / -1. */
static int start_attached(struct front *f)
{
	char socket[160];
	struct err err;
	bool waits;
	int rc;

	if (mon_socket_path(f->agents.dir, socket, sizeof socket)) {
		log_msg(0, "%s: too long for the path of a socket", f->agents.dir);
		return -1;
	}
	rc = attach_begin(&f->attach, socket, &err);
	while (!rc && !(rc = attach_step(&f->attach, &waits, &err))) {
		if (waits)
			show_attached(f, "must come to a marker first: waiting (Ctrl-C gives up). Loops of small functions that were "
				"entered before have none, unless compiled with psc_instrument --attach");
		step(f, 10);
		if (f->interrupted || f->stop_wanted || f->job == JOB_FAILED) {
			attach_cancel(&f->attach);
			return -1;
		}
	}
	if (rc < 0) {
		log_msg(0, "%s", err.text);
		attach_cancel(&f->attach);
		return -1;
	}
	tell_time(f, "the processes were attached");
	show_attached(f, f->attach.n == 1 ? "is analysed" : "are analysed");
	life_cycle_step(&application_life, "", &f->application, APPLICATION_START);
	return 0;
}

/* Says once that the phase was not executed for long. */
static void show_waiting(struct front *f, uint64_t since)
{
	static bool told;

	if (told || f->options.quiet || f->job != JOB_READY || clock_ns() - since < WAITING_NS)
		return;
	told = true;
	fprintf(stderr, "psc: the phase has not been executed since: if its loop was entered before, in a small function, it has no "
		"markers there, unless compiled with psc_instrument --attach\n");
}

/* Waits for the report, or until the processes have ended: they may run on for long. */
static void wait_attached(struct front *f)
{
	uint64_t since = clock_ns();

	while (f->application == APPLICATION_RUNNING && !f->given_out && !f->given_up && f->interrupts < 2) {
		step(f, 500);
		look_for_stopped(f);
		give_out(f);
		give_up(f);
		show_waiting(f, since);
		if (!attach_running(&f->attach)) {
			life_cycle_step(&application_life, "", &f->application, APPLICATION_END);
			link_send(&f->link, MSG_APP_ENDED, NULL);
		}
	}
	if (f->application == APPLICATION_ENDED)
		wait_run(f);
	give_up(f);
	give_out(f);
	if (f->job == JOB_FAILED)
		attach_leave(&f->attach);
}

static int catch_signals(struct front *f)
{
	static const int caught[] = { SIGCHLD, SIGINT, SIGTERM, SIGUSR1 };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof caught / sizeof caught[0]; i++)
		if ((caught[i] != SIGINT && caught[i] != SIGTERM) || !inherit_ignored(caught[i]))
			sigaddset(&set, caught[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	f->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	signal(SIGPIPE, SIG_IGN);
	return f->signals >= 0 ? 0 : -1;
}

/* --- starting and ending the agents ---------------------------------------------------------- */

/* One on each host.  Tests start several node agents on one host; the application's processes connect to the first. */
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
	    launch_agents(&f->agents, f->way, agent, socket, node_agents(f), (int)f->options.fanout, f->hosts.n ? hostfile : NULL,
		err))
		return -1;
	free(f->setup.config.front_host);
	f->setup.config.hosts = (uint32_t)f->hosts.n;
	f->setup.config.front_host = strdup(uname(&u) == 0 ? u.nodename : "");
	free(f->setup.config.socket_dir);
	f->setup.config.socket_dir = strdup(f->agents.dir);
	return f->setup.config.socket_dir && f->setup.config.front_host ? 0 : err_nomem(err);
}

static void end_agents(struct front *f)
{
	leave_agents(f);
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
	if (way == AGENTS_MPIRUN && geteuid() == 0 && !f->options.quiet)
		log_msg(1, "running as root: Open MPI's refusal of root is switched off for the agents");
	if (launch(f, &err) == 0) {
		int rc = wait_ready(f);

		f->other_way = false;
		return rc;
	}
	if (other_way)
		f->failure = err;
	else
		log_msg(0, "%s", err.text);
	return -1;
}

/* Starts the agents of several hosts.  Once in some hundred times Open MPI's processes do not come up on a busy machine: they
 * are started again, once. */
static int start_hosts(struct front *f)
{
	if (try_agents(f, AGENTS_MPIRUN, true) == 0)
		return 0;
	if (f->interrupted)
		return -1;
	end_agents(f);
	if (f->job == JOB_FAILED)
		job_step(f, JOB_RETRY);
	log_msg(1, "mpirun does not bring up the agents of all hosts (%s): once more", f->failure.text);
	return try_agents(f, AGENTS_MPIRUN, false);
}

/* Starts the agents as --agents says; auto tries mpirun first, then without it. */
static int start_agents(struct front *f)
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
	end_agents(f);
	if (f->job == JOB_FAILED)
		job_step(f, JOB_RETRY);
	log_msg(1, "mpirun does not bring up the agents (%s): they are started without it", f->failure.text);
	setup_note(&f->setup, "mpirun did not bring up the agents (%s): they were started without it",
		f->failure.text);
	return try_agents(f, AGENTS_LOCAL, false);
}

static void finish(struct front *f)
{
	end_line(f);
	end_agents(f);
	if (f->signals >= 0)
		close(f->signals);
}

/* The program's exit code as a shell sees it.  Prints it if not 0, because 2 and 4 are also codes
 * of ours. */
static int program_code(const struct front *f)
{
	int status = f->runs.status;

	if (WIFSIGNALED(status)) {
		if (WTERMSIG(status) != f->interrupted)
			log_msg(0, "the program was ended by signal %d (%s): exit code %d",
				WTERMSIG(status), strsignal(WTERMSIG(status)), 128 + WTERMSIG(status));
		return 128 + WTERMSIG(status);
	}
	if (WEXITSTATUS(status))
		log_msg(0, "exit code %d is the program's own", WEXITSTATUS(status));
	return WEXITSTATUS(status);
}

static int exit_code(const struct front *f)
{
	int code = f->application == APPLICATION_ENDED && !f->options.nattach ? program_code(f) : 0;

	if (code)
		return code;
	if (f->interrupted)
		return 128 + f->interrupted;
	if (f->application == APPLICATION_ABSENT)
		return EXIT_SETUP;
	return f->partial || f->job == JOB_FAILED ? EXIT_PARTIAL : EXIT_DONE;
}

static void note_attached(struct front *f)
{
	struct buf names = BUF_INIT;

	attach_names(&f->attach, &names);
	setup_note(&f->setup, "the analysis began while the program ran (%.60s): heap blocks, thread-local variables and declared objects "
		"from before have no names of their own, and calls of MPI are not looked at", buf_str(&names));
	buf_free(&names);
}

static int analyse(struct front *f)
{
	struct err err;
	sigset_t stop;
	int code;

	sigemptyset(&stop);
	sigaddset(&stop, SIGUSR1);
	sigprocmask(SIG_BLOCK, &stop, NULL);    /* keeps --stop pending until the event loop reads it */
	f->when = (int64_t)time(NULL);
	f->began = clock_ns();
	f->listener = f->signals = -1;
	link_init(&f->link, -1);
	launch_init(&f->agents);
	if (runs_possible(&f->options, &err)) {
		log_msg(0, "%s", err.text);
		return EXIT_SETUP;
	}
	if (setup_run(&f->setup, &f->options)) {
		setup_free(&f->setup);
		return EXIT_SETUP;
	}
	if (f->options.nattach)
		note_attached(f);
	journal_begin(&f->journal, f->setup.psc);
	if (catch_signals(f) == 0 && start_agents(f) == 0) {
		if (!f->options.nattach && start_first(f) == 0)
			wait_all(f);
		else if (f->options.nattach && start_attached(f) == 0)
			wait_attached(f);
	}
	finish(f);
	journal_end(&f->journal);
	code = exit_code(f);
	setup_free(&f->setup);
	return code;
}

/* Several hosts: what does not work there is an error. */
static int hosts_of(struct front *f, struct err *err)
{
	const struct frontend_options *o = &f->options;
	bool local = strcmp(o->agents, "local") == 0;

	if (local && !o->hosts && !o->hostfile)
		return 0;       /* also in a Slurm job of several nodes */
	if (hosts_read(&f->hosts, o->hosts, o->hostfile, err))
		return -1;
	if (!f->hosts.n)
		return 0;
	if (local)
		return err_set(err, "--agents local starts agents on this host only: several hosts need mpirun");
	if (o->max_runs > 1 && f->hosts.n > 1)
		return err_set(err, "--max-runs is for programs on one host");
#ifndef HAVE_MPI
	return err_set(err, "built without MPI, which several hosts need");
#endif
	return 0;
}

int main(int argc, char **argv)
{
	struct front f = { .app = -1 };
	const char *info = getenv("PSC_INFO");
	struct err err;
	int code = EXIT_DONE;

	inherit_take();
	log_setup("psc_frontend", info ? atoi(info) : 1);
	if (options_parse(&f.options, argc, argv, &err)) {
		options_free(&f.options);
		return cli_wrong(&options_cli, "%s", err.text);
	}
	if (f.options.verbose > 1) {
		char level[16];

		log_setup("psc_frontend", f.options.verbose);
		snprintf(level, sizeof level, "%d", f.options.verbose);
		inherit_setenv("PSC_INFO", level);
	}
	f.options.check |= getenv("PSC_CHECK") && *getenv("PSC_CHECK");
	if (f.options.nattach && f.options.action == ACT_ANALYSE && attach_find(&f.attach, &f.options, &err)) {
		log_msg(0, "%s", err.text);
		attach_free(&f.attach);
		options_free(&f.options);
		return EXIT_SETUP;
	}
	if (f.options.ncommand && !f.options.nattach && (hosts_of(&f, &err) || mpi_launch(&f.options, &f.hosts, &err))) {
		options_free(&f.options);
		return cli_wrong(&options_cli, "%s", err.text);
	}
	switch (f.options.action) {
	case ACT_HELP:
		cli_help(&options_cli);
		break;
	case ACT_VERSION:
		cli_version(&options_cli);
		break;
	case ACT_DOCTOR:
		code = doctor();
		if (f.options.verdict) {
			printf("\nInvariants of the records and counts of %s\n", f.options.command[0]);
			fflush(stdout);
			code = analyse(&f);
		}
		break;
	case ACT_LIST_METRICS:
		code = metrics_list();
		break;
	case ACT_STOP:
		if (stop_analysis(f.options.stop_pid, &err)) {
			log_msg(0, "%s", err.text);
			code = EXIT_SETUP;
		}
		break;
	case ACT_ANALYSE:
		code = analyse(&f);
		break;
	}
	attach_free(&f.attach);
	options_free(&f.options);
	hosts_free(&f.hosts);
	return code;
}
