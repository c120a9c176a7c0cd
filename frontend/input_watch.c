/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether a program has read anything from standard input. */
#include <config.h>

#include "frontend/input_watch.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool add(int events, int fd)
{
	char path[32];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return inotify_add_watch(events, path, IN_ACCESS) >= 0;
}

/* Anything, an overflow of the queue, too. */
static bool any_event(int events)
{
	char event[4096];

	return read(events, event, sizeof event) > 0;
}

/* A terminal or a pipe of our own: into[1] is written to, into[0] read from.  0 / -1. */
static int open_own(bool terminal, int ends[2])
{
	const char *name;

	if (!terminal)
		return pipe2(ends, O_CLOEXEC | O_NONBLOCK);
	ends[0] = -1;
	ends[1] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (ends[1] < 0)
		return -1;
	if (grantpt(ends[1]) == 0 && unlockpt(ends[1]) == 0 && (name = ptsname(ends[1])))
		ends[0] = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (ends[0] >= 0)
		return 0;
	close(ends[1]);
	return -1;
}

static bool read_is_seen(int events, const int ends[2])
{
	char c;

	return write(ends[1], "\n", 1) == 1 && !any_event(events) && read(ends[0], &c, 1) == 1 &&
		any_event(events);
}

static bool splice_is_seen(int events, const int ends[2])
{
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	const bool seen = null >= 0 && write(ends[1], "\n", 1) == 1 && !any_event(events) &&
		splice(ends[0], NULL, null, NULL, 1, 0) == 1 && any_event(events);

	if (null >= 0)
		close(null);
	return seen;
}

/* Does this kernel report reads of a terminal, or of a pipe?  Older kernels do not report splice(),
 * which nobody uses on a terminal. */
static bool reports(bool terminal)
{
	const int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	bool seen = false;
	int ends[2];

	if (events < 0)
		return false;
	if (open_own(terminal, ends) == 0) {
		seen = add(events, ends[0]) && read_is_seen(events, ends) &&
			(terminal || splice_is_seen(events, ends));
		close(ends[0]);
		close(ends[1]);
	}
	close(events);
	return seen;
}

static enum input_kind watch_reads(struct input_watch *w)
{
	if (!reports(isatty(w->fd)))
		return INPUT_UNKNOWN;
	w->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (w->events < 0 || !add(w->events, w->fd))
		return INPUT_UNKNOWN;
	inotify_add_watch(w->events, "/dev/tty", IN_ACCESS);    /* there may be none */
	return INPUT_EVENTS;
}

void input_watch_begin(struct input_watch *w, int fd)
{
	struct stat st;

	*w = (struct input_watch){ .kind = INPUT_UNKNOWN, .fd = fd, .events = -1 };
	if (fstat(fd, &st)) {
		w->kind = INPUT_NOTHING;
	} else if (S_ISREG(st.st_mode)) {
		w->at = lseek(fd, 0, SEEK_CUR);
		w->kind = w->at >= 0 ? INPUT_FILE : INPUT_UNKNOWN;
	} else if (S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3)) {
		w->kind = INPUT_NOTHING;
	} else if (S_ISFIFO(st.st_mode) || isatty(fd)) {
		w->kind = watch_reads(w);
	}
}

enum input_use input_watch_end(struct input_watch *w)
{
	enum input_use use = INPUT_USE_UNKNOWN;

	if (w->kind == INPUT_NOTHING)
		use = INPUT_UNREAD;
	else if (w->kind == INPUT_FILE)
		use = lseek(w->fd, 0, SEEK_CUR) == w->at ? INPUT_UNREAD : INPUT_READ;
	else if (w->kind == INPUT_EVENTS)
		use = any_event(w->events) ? INPUT_READ : INPUT_UNREAD;
	if (w->events >= 0)
		close(w->events);
	w->events = -1;
	w->kind = INPUT_UNKNOWN;
	return use;
}
