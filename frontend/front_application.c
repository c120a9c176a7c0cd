/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the program, and passes signals on. */
#include "frontend/front.h"

#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "frontend/application.h"
#include "frontend/inherit.h"
#include "monitor/shared/socket_path.h"

static int start_application(struct front *f, const struct application_streams *streams)
{
	char sockets[160];
	struct err err;

	/* On this host alone the path is complete: a program in a container
	 * may have another host name. */
	if (f->hosts.n)
		snprintf(sockets, sizeof sockets, "%s/", f->agents.dir);
	else if (mon_socket_path(f->agents.dir, sockets, sizeof sockets)) {
		log_msg(0, "%s: too long for the path of a socket", f->agents.dir);
		return -1;
	}
	if (application_start(f->setup.program, f->options.command, sockets, streams, &f->app,
	    &err)) {
		log_msg(0, "%s", err.text);
		return -1;
	}
	life_cycle_step(&application_life, "", &f->application, APPLICATION_START);
	return 0;
}

int front_start_first(struct front *f)
{
	runs_begin(&f->runs, &f->setup);
	return start_application(f, &f->streams);
}

static void show_run(const struct front *f, const struct next_run *next, const char *log)
{
	if (f->options.quiet)
		return;
	if (f->setup.config.unasked)
		fprintf(stderr,
			"psc: the program was too short to be measured: it is run once more (--max-runs 1 forbids that), for ");
	else
		fprintf(stderr, "psc: the program is run again (run %u of at most %u), for ",
			(unsigned)next->number, (unsigned)f->options.max_runs);
	if (next->clean)
		fprintf(stderr, "times of %u execution%s", (unsigned)next->clean, next->clean == 1 ?
			"" : "s");
	if (next->counted)
		fprintf(stderr, "%scounts of %u", next->clean ? " and " : "",
			(unsigned)next->counted);
	fprintf(stderr, "; its output goes to %s\n", log);
}

void front_run_again(struct front *f)
{
	struct application_streams streams = { -1, -1 };
	struct next_run next = f->next;
	struct err err = { "" };
	char log[4200];
	int rc = -1;

	f->next = (struct next_run){ 0 };
	if (!f->interrupted && !f->stop_wanted && !WIFSIGNALED(f->runs.status)) {
		rc = runs_streams(&f->runs, &f->setup, &streams.in, &streams.out, log, sizeof log,
			&err);
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

static void tell_end(struct front *f)
{
	struct app_end end;

	runs_end(&f->runs, &f->setup, &end);
	end.again &= !f->interrupted && !f->stop_wanted;
	front_tell_end(f, &end);
}

static void on_signal(struct front *f, const struct signalfd_siginfo *info)
{
	int status;

	switch (info->ssi_signo) {
	case SIGCHLD:
		if (f->app > 0 && f->application == APPLICATION_RUNNING &&
		    waitpid(f->app, &status, WNOHANG) == f->app) {
			life_cycle_step(&application_life, "", &f->application, APPLICATION_END);
			runs_ended(&f->runs, status, &f->setup);
			tell_end(f);
		}
		break;
	case SIGINT:
	case SIGTERM:
		f->interrupted = (int)info->ssi_signo;
		f->interrupts++;
		/* The terminal signals the whole process group (SI_KERNEL); any other signal
		 * reached only us. */
		if (f->options.nattach)
			link_send(&f->link, MSG_STOP, NULL);    /* the program has nothing to do
								 * with it */
		else if (info->ssi_code != SI_KERNEL && f->application == APPLICATION_RUNNING)
			kill(f->app, (int)info->ssi_signo);
		break;
	case SIGUSR1:
		f->stop_wanted = true;
		link_send(&f->link, MSG_STOP, NULL);    /* no master yet: front_accept() sends it */
		break;
	default:
		break;
	}
}

void front_drain_signals(struct front *f)
{
	struct signalfd_siginfo info;

	while (read(f->signals, &info, sizeof info) == (ssize_t)sizeof info)
		on_signal(f, &info);
}

int front_catch_signals(struct front *f)
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
