/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens events by the kernel. */
#include "config.h"
#include "samples/event_source.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_event(const struct perf_event_attr *attr, pid_t program, int cpu, int leader)
{
	return (int)syscall(SYS_perf_event_open, attr, program, cpu, leader, PERF_FLAG_FD_CLOEXEC);
}

static int set_period(int fd, uint64_t period)
{
	return ioctl(fd, PERF_EVENT_IOC_PERIOD, &period);
}

const struct sample_source sample_source = { .open = open_event, .period = set_period };
