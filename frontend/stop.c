/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the psc_frontend to stop and sends it SIGUSR1, which would kill any program without a
 * handler. */
#include <config.h>

#include "frontend/stop.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontend/keeper.h"
#include "base/log.h"

enum { ANCESTORS = 64 };

struct known_process {
	char name[32];
	long parent;
};

static int read_process(long pid, struct known_process *p)
{
	char path[64], text[512], *open_, *close_;
	ssize_t n = -1;
	int fd, parent;

	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, sizeof text - 1);
		close(fd);
	}
	if (n <= 0)
		return -1;
	text[n] = '\0';
	open_ = strchr(text, '(');
	close_ = strrchr(text, ')');
	if (!open_ || !close_ || close_ < open_ || sscanf(close_ + 1, " %*c %d", &parent) != 1)
		return -1;
	snprintf(p->name, sizeof p->name, "%.*s", (int)(close_ - open_ - 1), open_ + 1);
	p->parent = parent;
	return 0;
}

/* Does the process execute psc_frontend, this file or another version of it? */
static bool executes_ours(long pid)
{
	struct stat mine, other;
	char path[64], target[4096];
	const char *name;
	ssize_t n;

	snprintf(path, sizeof path, "/proc/%ld/exe", pid);
	if (stat("/proc/self/exe", &mine) == 0 && stat(path, &other) == 0 &&
	    mine.st_dev == other.st_dev && mine.st_ino == other.st_ino)
		return true;
	n = readlink(path, target, sizeof target - 1);
	if (n <= 0)
		return false;
	target[n] = '\0';
	name = strrchr(target, '/');
	name = name ? name + 1 : target;
	return strcmp(name, "psc_frontend") == 0 || strcmp(name, "psc_frontend (deleted)") == 0;
}

int stop_analysis(long pid, struct err *err)
{
	long at = pid;
	struct known_process p;

	for (int i = 0; i < ANCESTORS && at > 1; i++) {
		if (read_process(at, &p))
			break;
		/* The keeper executes psc_frontend, too, but ignores SIGUSR1: its process name
		 * tells it apart. */
		if (executes_ours(at) && strcmp(p.name, KEEPER_NAME) != 0) {
			if (kill((pid_t)at, SIGUSR1))
				return err_sys(err, "%ld", at);
			if (at != pid)
				log_msg(1,
					"process %ld belongs to psc_frontend %ld: that analysis is stopped", pid, at);
			return 0;
		}
		at = p.parent;
	}
	if (kill((pid_t)pid, 0) && errno == ESRCH)
		return err_sys(err, "%ld", pid);
	return err_set(err, "%ld is not a psc_frontend, nor was it started by one", pid);
}
