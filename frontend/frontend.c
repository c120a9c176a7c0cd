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
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "frontend/application.h"
#include "frontend/doctor.h"
#include "frontend/front_lives.h"
#include "frontend/inherit.h"
#include "frontend/launch.h"
#include "agents/link.h"
#include "frontend/options.h"
#include "frontend/present.h"
#include "frontend/runs.h"
#include "agents/progress.h"
#include "frontend/setup.h"
#include "frontend/stop.h"
#include "frontend/watch.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/user_file.h"
#include "report/report.h"

enum { EXIT_DONE = 0, EXIT_SETUP = 2, EXIT_PARTIAL = 4 };
/* Limits of the waits for agents (watch.h): seconds without progress, seconds of CPU time in
 * all. */
enum { START_S = 5, REPORT_S = 20, START_CPU_S = 20, REPORT_CPU_S = 600 };

struct front {
	struct frontend_options options;
	struct setup setup;
	struct agents agents;
	struct link link;
	int listener, signals;
	pid_t app;
	int job, application;   /* enum job_state, enum application_state */
	bool stop_wanted;       /* by --stop; the agents may not be connected yet */
	bool line_open;         /* a line of progress is on the terminal */
	bool cost_shown;        /* it has been said what recording takes */
	struct report *report;  /* owned; received but not yet written; NULL */
	struct runs runs;
	struct next_run next;   /* the run that the agents ask for; number 0: none */
	int interrupted;        /* the SIGINT or SIGTERM received, 0: none */
	unsigned interrupts;
	bool partial;
	int64_t when;
	uint64_t began;         /* on the monotonic clock */
	enum agents_way way;    /* how the agents are started */
	bool other_way;         /* another way can be tried: keep the error in `failure`, do not print it */
	struct err failure;
};

/* --- progress -------------------------------------------------------------------------------- */

static void end_line(struct front *f)
{
	if (f->line_open)
		fputc('\n', stderr);
	f->line_open = false;
}

/* Prints the time since the start of the run (-vv). */
static void tell_time(const struct front *f, const char *what)
{
	log_msg(2, "%s after %.2f s", what, (double)(clock_ns() - f->began) * 1e-9);
}

static const char *duration(double s, char text[static 32])
{
	snprintf(text, 32, s < 120 ? "%.3g s" : "%.0f min", s < 120 ? s : s / 60);
	return text;
}

/* A recorded execution takes RECORDED_LEAST to RECORDED_MOST times as long (docs/performance.md); the
 * monitor decides by RECORDED_TYPICAL whether it counts slices (monitor/slices.h). */
enum { RECORDED_LEAST = 6, RECORDED_TYPICAL = 20, RECORDED_MOST = 35 };

/* The time in s that --max-slowdown lets a recorded execution take more than `phase`; 0: no limit. */
static double slow_limit(const struct frontend_options *o, double phase)
{
	if (o->slow_percent)
		return phase * (o->slow_percent / 100. - 1);
	return (double)o->slow_ns * 1e-9;
}

static bool takes_slices(const struct frontend_options *o, double phase)
{
	double limit = slow_limit(o, phase);

	return limit > 0 && o->sample <= 1 && o->warm && phase * (RECORDED_TYPICAL - 1) > limit;
}

/* Says how long recording will take, if that is long. */
static void show_cost(struct front *f, const struct progress *p)
{
	enum { LONG = 20 };
	const struct frontend_options *o = &f->options;
	double phase = (double)p->phase_ns * 1e-9, all = phase * (o->warm + o->counted);
	char least[32], most[32], one[32], limit[32];

	if (p->kind == MON_SIM)
		f->cost_shown = true;   /* too late: an earlier run was recorded */
	if (p->kind != MON_TIME || o->sample > 1 || f->cost_shown)
		return;
	f->cost_shown = true;
	duration(phase, one);
	if (takes_slices(o, phase)) {
		end_line(f);
		fprintf(stderr, "psc: next, slices of %u execution%s of %s will be counted, which takes "
			"%s more (--max-slowdown); recording all of it, as where there are too few places to "
			"begin a slice at, would take %s to %s\n", o->counted,
			o->counted == 1 ? "" : "s", one, duration(slow_limit(o, phase) * o->counted, limit),
			duration(phase * o->counted * RECORDED_LEAST, least),
			duration(phase * o->counted * RECORDED_MOST, most));
		return;
	}
	if (all * RECORDED_MOST < LONG)
		return;
	end_line(f);
	fprintf(stderr, "psc: next, %u execution%s of %s will be recorded, which takes %s to %s; "
		"less with --sample 8\n", o->warm + o->counted, o->warm + o->counted == 1 ? "" : "s",
		one, duration(all * RECORDED_LEAST, least), duration(all * RECORDED_MOST, most));
}

static void show_progress(struct front *f, const struct progress *p)
{
	const char *kind = p->kind == MON_TIME ? "times" : "counts";
	bool tty = isatty(2);

	if (f->options.quiet)
		return;
	if (p->kind == PROGRESS_WHAT_IF)
		kind = "what if";
	if (p->kind == MON_VERIFY)
		kind = "copies";
	fprintf(stderr, "%spsc: experiment %u (%s), phase executions %llu-%llu: %u propert%s found%s",
		tty ? "\r\033[K" : "", p->experiment, kind,
		(unsigned long long)p->first, (unsigned long long)p->last, p->found,
		p->found == 1 ? "y" : "ies", tty ? "" : "\n");
	f->line_open = tty;
	show_cost(f, p);
	fflush(stderr);
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
	launch_read(&f->agents);
	if (f->other_way)
		err_set(&f->failure, "%s", why);
	else
		log_msg(0, "the agents failed: %s", why);
	if (f->agents.nsaid && !f->other_way && log_level() < LAUNCH_SHOW)
		log_msg(0, "%s say:\n%s",
			f->way == AGENTS_MPIRUN ? "mpirun and the agents" : "the agents", f->agents.said);
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
			show_progress(f, &p);
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
			f->report = r;
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
	char socket[160];
	struct err err;

	snprintf(socket, sizeof socket, "%s/node1", f->agents.dir);
	if (application_start(f->setup.program, f->options.command, socket, streams, &f->app, &err)) {
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
		if (f->application == APPLICATION_RUNNING && waitpid(f->app, &status, WNOHANG) == f->app) {
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
		if (info->ssi_code != SI_KERNEL && f->application == APPLICATION_RUNNING)
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
		return;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
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
	end_line(f);
	output_wait_by(wait_for_reader, &patience);
	if (present_report(&f->options, &f->setup, f->when, r))
		f->partial = true;
	output_wait_by(NULL, NULL);
	report_free(r);
}

/* Waits until the agents are ready. 0 / -1. */
static int wait_ready(struct front *f)
{
	struct watch watch;

	watch_begin(&watch, f->agents.keeper, false);
	while ((f->job == JOB_STARTING || f->job == JOB_CONNECTED) && !f->interrupted)
		step_watched(f, &watch, "they are not ready", START_S, START_CPU_S);
	/* After --stop the report may be here already. */
	return f->job == JOB_READY || f->job == JOB_REPORTED ? 0 : -1;
}

/* Waits for the end of a run, and for the report or the wish for another run.  A report of a later run
 * waits for the run's end, which it says something about. */
static void wait_run(struct front *f)
{
	struct watch watch;

	while (f->application == APPLICATION_RUNNING) {
		step(f, 1000);
		if (f->runs.number == 1)
			give_out(f);
	}
	watch_begin(&watch, f->agents.keeper, true);
	while (f->job != JOB_REPORTED && f->job != JOB_FAILED && !f->next.number)
		step_watched(f, &watch, "no report after the application's end", REPORT_S, REPORT_CPU_S);
}

static void wait_all(struct front *f)
{
	wait_run(f);
	while (f->next.number && f->job != JOB_REPORTED && f->job != JOB_FAILED) {
		run_again(f);
		wait_run(f);
	}
	give_out(f);
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

static int launch(struct front *f, struct err *err)
{
	char agent[4200], socket[160];

	if (launch_possible(f->way, agent, sizeof agent, err) || launch_limits(f->way, err) ||
	    launch_dir(&f->agents, f->way, err))
		return -1;
	snprintf(socket, sizeof socket, "%s/front", f->agents.dir);
	f->listener = link_listen(socket, err);
	if (f->listener < 0 || launch_agents(&f->agents, f->way, agent, socket, 1, err))
		return -1;
	free(f->setup.config.socket_dir);
	f->setup.config.socket_dir = strdup(f->agents.dir);
	return f->setup.config.socket_dir ? 0 : err_nomem(err);
}

static void end_agents(struct front *f)
{
	if (f->link.fd >= 0) {
		link_send(&f->link, MSG_QUIT, NULL);
		link_close(&f->link);
	}
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

/* Starts the agents as --agents says; auto tries mpirun first, then without it. */
static int start_agents(struct front *f)
{
	bool any = strcmp(f->options.agents, "auto") == 0;
	struct err err;
	char agent[4200];

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
	int code = f->application == APPLICATION_ENDED ? program_code(f) : 0;

	if (code)
		return code;
	if (f->interrupted)
		return 128 + f->interrupted;
	if (f->application == APPLICATION_ABSENT)
		return EXIT_SETUP;
	return f->partial || f->job == JOB_FAILED ? EXIT_PARTIAL : EXIT_DONE;
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
	if (catch_signals(f) == 0 && start_agents(f) == 0 && start_first(f) == 0)
		wait_all(f);
	finish(f);
	code = exit_code(f);
	setup_free(&f->setup);
	return code;
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
	options_free(&f.options);
	return code;
}
