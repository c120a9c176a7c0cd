/* SPDX-License-Identifier: BSD-3-Clause */
/* Lowers the priority of this process.  On Linux each thread has its own priority, so threads of
 * libraries are lowered one by one. */
#include <config.h>

#include "agents/priority.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { LOWEST = 19 };

void priority_lower(void)
{
	static bool done;
	struct dirent *d;
	DIR *tasks;

	if (done)
		return;
	done = true;
	tasks = opendir("/proc/self/task");
	while (tasks && (d = readdir(tasks)))
		if (d->d_name[0] != '.')
			setpriority(PRIO_PROCESS, (id_t)atol(d->d_name), LOWEST);
	if (tasks)
		closedir(tasks);
}
