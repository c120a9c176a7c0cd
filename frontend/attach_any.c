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

int attach_any(struct frontend_options *o, struct err *err)
{
	struct running r;
	struct err ignored;

	if (o->nattach != 1 || running_read(&r, (pid_t)o->attach[0], &ignored) ||
	    has_regions(r.executable))
		return -1;
	return take_process(o, r.pid, err);
}
