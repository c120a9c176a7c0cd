/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares the input and output of later runs of the program, and compares how they end. */
#include <config.h>

#include "frontend/runs.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"

int runs_possible(const struct frontend_options *o, struct err *err)
{
	struct stat st;

	if (o->max_runs <= 1)
		return 0;
	if (o->counters)
		return err_set(err, "--max-runs and --counters do not go together: the counts of a later run are of "
			"everything at once");
	if (o->nwhat_if)
		return err_set(err, "--max-runs goes with neither --what-if STRUCTURE nor --verify: these need "
			"executions of the run that was searched");
	if (fstat(STDIN_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		return err_set(err, "--max-runs: standard input is a pipe, which cannot be read again by another run: "
			"redirect a file (< FILE), or < /dev/null if the program reads nothing");
	return 0;
}

void runs_begin(struct runs *r)
{
	struct stat st;

	*r = (struct runs){ .number = 1, .input = -1 };
	if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode))
		r->input = lseek(STDIN_FILENO, 0, SEEK_CUR);
}

static int open_log(const struct setup *s, unsigned number, char *log, size_t size, struct err *err)
{
	const char *slash = strrchr(s->config.executable, '/');
	int fd;

	snprintf(log, size, "%.4000s.run%u.log", slash ? slash + 1 : s->config.executable, number);
	fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
	return fd >= 0 ? fd : err_sys(err, "cannot write %s, for the output of run %u", log, number);
}

int runs_streams(struct runs *r, const struct setup *s, int *in, int *out, char *log, size_t size, struct err *err)
{
	*in = -1;
	*out = open_log(s, r->number + 1, log, size, err);
	if (*out < 0)
		return -1;
	if (isatty(STDIN_FILENO))
		*in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if ((r->input >= 0 && lseek(STDIN_FILENO, r->input, SEEK_SET) < 0) || (isatty(STDIN_FILENO) && *in < 0)) {
		err_sys(err, "standard input of run %u", r->number + 1);
		close(*out);
		return -1;
	}
	r->number++;
	return 0;
}

static void describe(int status, char text[static 64])
{
	if (WIFSIGNALED(status))
		snprintf(text, 64, "with signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(text, 64, "with exit code %d", WEXITSTATUS(status));
}

void runs_ended(struct runs *r, int status, struct setup *s)
{
	char first[64], now[64];

	if (r->number == 1)
		r->status = status;
	if (status == r->status)
		return;
	describe(r->status, first);
	describe(status, now);
	setup_note(s, "run %u of the program ended %s, the first one %s: they may have computed something else",
		r->number, now, first);
	log_msg(0, "note: %s", s->notes[s->nnotes - 1]);
}
