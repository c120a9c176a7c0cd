/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out whether a process that is to be attached has a monitor. */
#include <config.h>

#include "frontend/attach_any.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "frontend/running.h"
#include "sir/sir.h"

static bool has_regions(const char *executable)
{
	struct err ignored;
	struct sir *sir = sir_read(executable, &ignored);
	const bool any = sir && sir->nregions;

	sir_free(sir);
	return any;
}

static int take_process(struct frontend_options *o, pid_t pid, struct err *err)
{
	static char path[PATH_MAX];
	char name[64];
	ssize_t n;

	snprintf(name, sizeof name, "/proc/%ld/exe", (long)pid);
	n = readlink(name, path, sizeof path - 1);
	if (n < 0)
		return err_sys(err, "%s", name);
	path[n] = '\0';
	free(o->command);
	o->command = calloc(2, sizeof *o->command);
	if (!o->command)
		return err_nomem(err);
	o->command[0] = path;
	o->ncommand = 1;
	o->executable = path;
	o->watched = pid;
	o->nattach = 0;
	return 0;
}

struct started {
	int n;
	struct buf numbers;
};

static void add_started(void *arg, pid_t pid)
{
	struct started *s = arg;

	s->n++;
	buf_printf(&s->numbers, " %ld", (long)pid);
}

static void say_started(const struct running *r)
{
	struct started s = { .numbers = BUF_INIT };

	running_below(r->pid, add_started, &s);
	if (s.n && !s.numbers.failed)
		fprintf(stderr, "psc: process %ld (%s) has started others, whose times are not "
			"sampled: attach to each alone:%s\n", (long)r->pid, r->name,
			s.numbers.data);
	buf_free(&s.numbers);
}

int attach_any(struct frontend_options *o, struct err *err)
{
	struct running r = { .pid = 0 };
	struct err ignored;

	for (int i = 0; i < o->nattach; i++)
		if (running_read(&r, (pid_t)o->attach[i], &ignored) || has_regions(r.executable))
			return -1;
	if (o->nattach != 1)
		return err_set(err, "--attach: psc_gcc has not compiled these programs, and the "
			"times of one process at a time are sampled: attach to each alone");
	if (!o->quiet)
		say_started(&r);
	return take_process(o, r.pid, err);
}
