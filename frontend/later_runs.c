/* SPDX-License-Identifier: BSD-3-Clause */
/* Prepares the input and output of later runs of the program, and compares how they end. */
#include <config.h>

#include "frontend/later_runs.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"

/* Can another run of the program have the same input? */
static int readable_again(const char *option, struct err *err)
{
	struct stat st;

	if (fstat(STDIN_FILENO, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		return err_set(err,
			"%s: standard input is a pipe, which cannot be read again by another run: "
			"redirect a file (< FILE), or < /dev/null if the program reads nothing",
			option);
	return 0;
}

int runs_possible(const struct frontend_options *o, struct err *err)
{
	if (o->max_runs <= 1)
		return o->other_counts ? readable_again("--collector with two that count", err) : 0;
	if (o->counters)
		return err_set(err,
			"--max-runs and --counters do not go together: the counts of a later run are of "
			"everything at once");
	if (o->nwhat_if || o->ntries)
		return err_set(err,
			"--max-runs goes with none of --what-if STRUCTURE, --verify and --try: these need "
			"executions of the run that was searched");
	return readable_again("--max-runs", err);
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool runs_unasked(const struct frontend_options *o, const struct setup *s)
{
	return !o->max_runs && o->action == ACT_ANALYSE && !o->nattach && !o->counters &&
		!o->nwhat_if && !o->ntries && !o->timed_ns && !o->hosts && !o->hostfile &&
		!o->launcher && !o->nlauncher && same_file(s->program, s->config.executable);
}

void runs_begin(struct runs *r, const struct setup *s)
{
	struct stat st;

	*r = (struct runs){ .number = 1, .input = -1, .watch.events = -1, .began = clock_ns() };
	if (s->config.unasked)
		input_watch_begin(&r->watch, STDIN_FILENO);
	if (fstat(STDIN_FILENO, &st) == 0 && S_ISREG(st.st_mode))
		r->input = lseek(STDIN_FILENO, 0, SEEK_CUR);
}

static const char *not_again(const struct runs *r, enum input_use input)
{
	if (clock_ns() - r->began >= RUNS_SHORT_S * UINT64_C(1000000000))
		return "";
	if (!WIFEXITED(r->status) || WEXITSTATUS(r->status))
		return "it did not end with exit code 0";
	return input == INPUT_READ ? "it may have read standard input" :
		"whether it has read standard input is not known (< /dev/null: it has not)";
}

void runs_end(struct runs *r, const struct setup *s, struct app_end *out)
{
	const char *why = "";
	enum input_use input = INPUT_UNREAD;

	*out = (struct app_end){ .again = s->config.max_runs > 1 };
	if (!s->config.unasked || r->number > 1)
		return;
	input = input_watch_end(&r->watch);
	out->again = input == INPUT_UNREAD && WIFEXITED(r->status) && !WEXITSTATUS(r->status) &&
		clock_ns() - r->began < RUNS_SHORT_S * UINT64_C(1000000000);
	if (!out->again)
		why = not_again(r, input);
	snprintf(out->why, sizeof out->why, "%s", why);
}

static int open_log(const struct setup *s, unsigned number, char *log, size_t size, struct err *err)
{
	const char *slash = strrchr(s->config.executable, '/');
	int fd;

	snprintf(log, size, "%.4000s.run%u.log", slash ? slash + 1 : s->config.executable, number);
	fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
	return fd >= 0 ? fd : err_sys(err, "cannot write %s, for the output of run %u", log,
		number);
}

int runs_streams(struct runs *r, const struct setup *s, int *in, int *out, char *log, size_t size,
	struct err *err)
{
	struct stat st;
	const bool taken = isatty(STDIN_FILENO) || (fstat(STDIN_FILENO, &st) == 0 &&
		S_ISFIFO(st.st_mode));

	*in = -1;
	*out = open_log(s, r->number + 1, log, size, err);
	if (*out < 0)
		return -1;
	if (taken)
		*in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if ((r->input >= 0 && lseek(STDIN_FILENO, r->input, SEEK_SET) < 0) || (taken && *in < 0)) {
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
		snprintf(text, 64, "with signal %d (%s)", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
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
	setup_note(s,
		"run %u of the program ended %s, the first one %s: they may have computed something else", r->number, now, first);
	log_msg(0, "note: %s", s->notes[s->nnotes - 1]);
}
