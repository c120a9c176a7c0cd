/* SPDX-License-Identifier: BSD-3-Clause */
/* Lowers the priority of this process.  On Linux each thread has its own priority, so threads of
 * libraries are lowered one by one. */
#include <config.h>

#include "agents/priority.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { LOWEST = 19 };

/* Priorities count inside a session only, where the kernel groups sessions (autogroup):
 * lowers that of this one. */
static void lower_session(void)
{
	int fd = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? write(fd, "19", 2) : 0;

	(void)n;                /* a kernel without groups has no such file */
	if (fd >= 0)
		close(fd);
}

static bool session;
static _Atomic pid_t kept;

void priority_keep(void)
{
	kept = gettid();
}

void priority_of_session(void)
{
	session = true;
}

void priority_lower(void)
{
	static bool done;
	struct dirent *d;
	DIR *tasks;

	if (done || getenv("PSC_KEEP_PRIORITY"))      /* benchmarks beside other work */
		return;
	done = true;
	tasks = opendir("/proc/self/task");
	while (tasks && (d = readdir(tasks)))
		if (d->d_name[0] != '.' && atol(d->d_name) != kept)
			setpriority(PRIO_PROCESS, (id_t)atol(d->d_name), LOWEST);
	if (tasks)
		closedir(tasks);
	if (session)
		lower_session();
}
