/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens events by the kernel, and asks it for memory nodes. */
#include "config.h"
#include "samples/event_source.h"

#include <dirent.h>
#include <stdio.h>
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

/* Without nodes to move to, move_pages() says where pages are. */
static void page_nodes(pid_t program, uint32_t n, void **page, int *node)
{
	const bool told =
		syscall(SYS_move_pages, program, (unsigned long)n, page, NULL, node, 0) >= 0;

	for (uint32_t i = 0; i < n; i++)
		node[i] = told && node[i] >= 0 ? node[i] : -1;
}

static int cpu_node(uint32_t cpu)
{
	char name[64];
	struct dirent *d;
	DIR *dir;
	int node = -1;

	snprintf(name, sizeof name, "/sys/devices/system/cpu/cpu%u", cpu);
	dir = opendir(name);
	while (dir && node < 0 && (d = readdir(dir)))
		if (sscanf(d->d_name, "node%d", &node) != 1)
			node = -1;
	if (dir)
		closedir(dir);
	return node;
}

const struct sample_source sample_source = {
	.open = open_event, .period = set_period, .page_nodes = page_nodes, .cpu_node = cpu_node
};
