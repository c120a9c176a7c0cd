/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens events and looks whether they count. */
#include "events/open.h"
#include "events/metrics.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/perf_open.h"

static int open_event(const struct mon_event *e, int leader)
{
	const struct perf_code c = { e->type, e->config, e->config1, e->config2,
		(e->flags & MON_EVENT_USER) != 0 };

	return perf_open(&c, leader);
}

int event_try(const struct mon_event *e)
{
	int fd = open_event(e, -1);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* Does a group of these run all the time? */
static bool runs(const struct mon_event *list, uint32_t n)
{
	enum { NS = 500000 };
	uint64_t v[3 + MON_EVENTS_MOST] = { 0 }, begin;
	int fd[MON_EVENTS_MOST];
	uint32_t open = 0;
	bool good = false;

	while (open < n && (fd[open] = open_event(&list[open], open ? fd[0] : -1)) >= 0)
		open++;
	begin = clock_ns();
	while (open == n && clock_ns() - begin < NS)
		;
	if (open == n && read(fd[0], v, sizeof v) > 0)
		good = v[1] && v[1] == v[2];
	while (open)
		close(fd[--open]);
	return good;
}

uint32_t events_at_once(const struct mon_event *list, uint32_t n)
{
	while (n > 1 && !runs(list, n))
		n--;
	return n;
}

static int paranoid(void)
{
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	int n = -2;

	if (f && fscanf(f, "%d", &n) != 1)
		n = -2;
	if (f)
		fclose(f);
	return n;
}

void event_refused(int error, char *text, size_t size)
{
	switch (error) {
	case 0:
		snprintf(text, size,
			"the program runs in a sandbox (a filter of system calls): no event is opened there");
		break;
	case EACCES:
	case EPERM:
		snprintf(text, size,
			"not permitted (kernel.perf_event_paranoid is %d): sysctl kernel.perf_event_paranoid=1, or "
			"CAP_PERFMON; a container may forbid it, too", paranoid());
		break;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
	case ENXIO:
		snprintf(text, size, "not supported by this processor or virtual machine");
		break;
	case EMFILE:
	case ENFILE:
		snprintf(text, size,
			"no file descriptors left: every thread takes one an event (ulimit -n)");
		break;
	case EBADF:
		snprintf(text, size, "the program closed our file descriptor");
		break;
	case ENOSYS:
		snprintf(text, size, "the kernel, or a sandbox, has no perf_event_open");
		break;
	default:
		snprintf(text, size, "%s", strerror(error));
	}
}
