/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs an analysis from set-up to report: main() of psc_frontend. */
#include <config.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "frontend/any_program.h"
#include "frontend/attach_any.h"
#include "frontend/doctor.h"
#include "frontend/front.h"
#include "frontend/inherit.h"
#include "frontend/collectors_list.h"
#include "frontend/metrics_list.h"
#include "frontend/mpi_launch.h"
#include "frontend/stop.h"
#include "frontend/twice.h"

enum { EXIT_DONE = 0, EXIT_SETUP = 2, EXIT_PARTIAL = 4 };

static void finish(struct front *f)
{
	front_end_agents(f);
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
				WTERMSIG(status), strsignal(WTERMSIG(status)),
				128 + WTERMSIG(status));
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

static int analyse(struct front *f)
{
	struct err err;
	sigset_t stop;
	int code;

	sigemptyset(&stop);
	sigaddset(&stop, SIGUSR1);
	sigprocmask(SIG_BLOCK, &stop, NULL);    /* keeps --stop pending until the event loop reads
						 * it */
	f->when = (int64_t)time(NULL);
	f->began = clock_ns();
	f->listener = f->signals = -1;
	link_init(&f->link, -1);
	launch_init(&f->agents);
	if (runs_possible(&f->options, &err)) {
		log_msg(0, "%s", err.text);
		return EXIT_SETUP;
	}
	if (setup_run(&f->setup, &f->options, !f->hosts.n || f->hosts.here)) {
		setup_free(&f->setup);
		return EXIT_SETUP;
	}
	if (f->options.other_counts && twice_count(f, analyse, &code)) {
		setup_free(&f->setup);
		return code;
	}
	if (any_program_command(&f->setup, &f->options, &err)) {
		log_msg(0, "%s", err.text);
		setup_free(&f->setup);
		return EXIT_SETUP;
	}
	if (!f->hosts.n && runs_unasked(&f->options, &f->setup)) {
		f->setup.config.unasked = true;
		f->setup.config.max_runs = 2;
	}
	f->line.cost_shown = f->setup.config.bursts;    /* what bursts take is bounded */
	if (f->options.nattach)
		front_note_attached(f);
	journal_begin(&f->journal, f->setup.psc);
	if (front_catch_signals(f) == 0 && front_start_agents(f) == 0) {
		if (!f->options.nattach && front_start_first(f) == 0)
			front_wait_all(f);
		else if (f->options.nattach && front_start_attached(f) == 0)
			front_wait_attached(f);
	}
	finish(f);
	journal_end(&f->journal);
	code = exit_code(f);
	setup_free(&f->setup);
	report_free(f->other);
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
		return err_set(err,
			"--agents local starts agents on this host only: several hosts need mpirun");
	if (o->max_runs > 1 && f->hosts.n > 1)
		return err_set(err, "--max-runs is for programs on one host");
#ifndef HAVE_MPI
	return err_set(err, "built without MPI, which several hosts need");
#endif
	return 0;
}

int main(int argc, char **argv)
{
	struct front f = { .app = -1, .hand_over = -1, .streams = { -1, -1 } };
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
	if (f.options.nattach && f.options.action == ACT_ANALYSE &&
	    attach_find(&f.attach, &f.options, &err) && attach_any(&f.options, &err)) {
		log_msg(0, "%s", err.text);
		attach_free(&f.attach);
		options_free(&f.options);
		return EXIT_SETUP;
	}
	if (f.options.ncommand && !f.options.nattach &&
	    (hosts_of(&f, &err) || mpi_launch(&f.options, &f.hosts, &err))) {
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
			printf("\nInvariants of the records and counts of %s\n",
				f.options.command[0]);
			fflush(stdout);
			code = analyse(&f);
		}
		break;
	case ACT_LIST_METRICS:
		code = metrics_list();
		break;
	case ACT_LIST_COLLECTORS:
		code = collectors_list();
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
