/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens an event of the kernel for the calling thread. */
#ifndef PSC_BASE_PERF_OPEN_H
#define PSC_BASE_PERF_OPEN_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the kernel calls type, config, config1, config2; user: without what the kernel does. */
struct perf_code {
	uint32_t type;
	uint64_t config, config1, config2;
	bool user;
};

/* Returns a descriptor, or -1 with errno.  The event is read as part of a group, with the time that
 * it was enabled and that it counted; leader: the group's first descriptor,
 * or -1: a group of its own. */
static inline int perf_open(const struct perf_code *c, int leader)
{
	struct perf_event_attr a = { .type = c->type, .size = sizeof a, .config = c->config,
		.config1 = c->config1, .config2 = c->config2, .exclude_hv = 1,
		.exclude_kernel = c->user, .read_format = PERF_FORMAT_GROUP |
			PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING };

	return (int)syscall(SYS_perf_event_open, &a, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

#endif
