/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a second analysis, by another collector, and joins what both have counted. */
#include <config.h>

#include "frontend/twice.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "frontend/collector_option.h"
#include "frontend/inherit.h"
#include "report/compare/count_beside.h"

static int say(const struct err *err)
{
	log_msg(0, "%s", err->text);
	return -1;
}

/* --- the process of the other analysis -------------------------------------------------------- */

/* It counts, and does nothing else that was asked. */
static void change_options(struct frontend_options *o)
{
	o->counts_by = o->other_counts;
	o->collectors = collector_count_name(o->other_counts);
	o->other_counts = COUNTS_UNNAMED;
	if (o->counts_by != COUNTS_SIM) {       /* it counts the whole run */
		o->phase = NULL;
		o->timed_ns = 0;
		o->sample = 1;
	}
	o->output = o->psc = o->html = o->json = o->csv = o->csv_ledger = o->counts =
		o->phase_log = o->timeline_csv = o->perfetto = o->paraver = o->pages = o->compare =
		NULL;
	o->nwhat_if = 0;
	o->ntries = 0;
	o->page_budget = 0;
	o->timeline = o->keep_tried = o->why_not = false;
	o->no_what_if = o->no_psc = o->quiet = true;
}

static _Noreturn void count(struct front *f, int (*analyse)(struct front *f), int report,
	const struct application_streams *streams, const sigset_t *mask)
{
	sigprocmask(SIG_SETMASK, mask, NULL);
	setup_free(&f->setup);
	change_options(&f->options);
	f->hand_over = report;
	f->streams = *streams;
	_exit(analyse(f));
}

int twice_hand_over(const struct front *f, const struct report *r)
{
	struct buf bytes = BUF_INIT;
	struct err err;
	int rc = 0;

	report_encode(r, &bytes);
	for (size_t at = 0; at < bytes.len && !rc;) {
		const ssize_t n = write(f->hand_over, bytes.data + at, bytes.len - at);

		if (n > 0)
			at += (size_t)n;
		else if (n < 0 && errno != EINTR)
			rc = err_sys(&err, "the report of the other collector");
	}
	if (bytes.failed)
		rc = err_nomem(&err);
	buf_free(&bytes);
	return rc ? say(&err) : 0;
}

/* --- the process that waits for it ------------------------------------------------------------ */

static void block_signals(sigset_t *set, sigset_t *before)
{
	static const int passed[] = { SIGINT, SIGTERM, SIGUSR1 };

	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
		if (!inherit_ignored(passed[i]))
			sigaddset(set, passed[i]);
	sigprocmask(SIG_BLOCK, set, before);
}

/* Passes signals on, unless the terminal has (front_application.c).  *ended: the user has ended
 * it. */
static int wait_for(pid_t child, const sigset_t *set, bool *ended)
{
	siginfo_t info;
	int status;

	*ended = false;
	while (waitpid(child, &status, WNOHANG) != child) {
		const int sig = sigwaitinfo(set, &info);

		if (sig < 0 || sig == SIGCHLD)
			continue;
		*ended = true;
		if (info.si_code != SI_KERNEL)
			kill(child, sig);
	}
	return status;
}

static struct report *read_report(int fd, struct err *err)
{
	const off_t size = lseek(fd, 0, SEEK_END);
	void *bytes = size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0) :
		MAP_FAILED;
	struct report *r;

	if (bytes == MAP_FAILED) {
		err_set(err, "it gave no report");
		return NULL;
	}
	r = report_decode(bytes, (size_t)size, err);
	munmap(bytes, (size_t)size);
	return r;
}

/* The program's output in that run. */
static int open_log(const struct front *f, const char *by, char *log, size_t size)
{
	const char *slash = strrchr(f->setup.config.executable, '/');
	struct err err;
	int fd;

	snprintf(log, size, "%.4000s.%s.log", slash ? slash + 1 : f->setup.config.executable, by);
	fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
	if (fd < 0) {
		err_sys(&err, "cannot write %s, for the output of the run with %s", log, by);
		return say(&err);
	}
	if (!f->options.quiet)
		fprintf(stderr,
			"psc: first a run of the program that %s counts; its output goes to %s\n",
			by, log);
	return fd;
}

static int exit_code(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* What the process left. */
static int take(struct front *f, const char *by, int fd, int status, bool ended, const char *log,
	int *code)
{
	struct err err;

	*code = exit_code(status);
	if (ended)
		return -1;
	f->other = read_report(fd, &err);
	if (!f->other) {
		*code = *code ? *code : EXIT_FAILURE;
		err_prefix(&err, by);
		return say(&err);
	}
	setup_note(&f->setup, "the output of the run that %s counted is in %s", by, log);
	if (f->other->partial)
		setup_note(&f->setup, "what %s counted is partial: %s", by, f->other->partial);
	return 0;
}

int twice_count(struct front *f, int (*analyse)(struct front *f), int *code)
{
	const char *by = collector_count_name(f->options.other_counts);
	struct application_streams streams = { .in = -1 };
	const off_t input = lseek(STDIN_FILENO, 0, SEEK_CUR);
	const int report = memfd_create("psc-other", MFD_CLOEXEC);
	char log[4200];
	sigset_t set, before;
	bool ended;
	pid_t child;
	int status, rc = -1;

	*code = EXIT_FAILURE;
	streams.out = report < 0 ? -1 : open_log(f, by, log, sizeof log);
	if (streams.out >= 0 && isatty(STDIN_FILENO))
		streams.in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (streams.out >= 0) {
		block_signals(&set, &before);
		child = fork();
		if (child == 0)
			count(f, analyse, report, &streams, &before);
		status = child > 0 ? wait_for(child, &set, &ended) : 0;
		sigprocmask(SIG_SETMASK, &before, NULL);
		if (child > 0)
			rc = take(f, by, report, status, ended, log, code);
		if (input >= 0)
			lseek(STDIN_FILENO, input, SEEK_SET);
		close(streams.out);
	}
	if (streams.in >= 0)
		close(streams.in);
	if (report >= 0)
		close(report);
	return rc;
}

int twice_join(const struct front *f, struct report *r)
{
	struct err err;

	if (!f->other || !count_beside(r, collector_count_name(f->options.counts_by), f->other,
	    collector_count_name(f->options.other_counts)))
		return 0;
	err_nomem(&err);
	return say(&err);
}
