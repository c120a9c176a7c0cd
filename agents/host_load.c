/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures the CPU time that other programs used during an analysis. */
#include <config.h>

#include "agents/host_load.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHORTEST = 50 };         /* ticks per CPU that a measurement needs; 100 ticks are a second */

static char *read_all(const char *path)
{
	size_t n = 0, room = 65536;
	char *text = malloc(room);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = 0;

	while (text && fd >= 0 && (got = read(fd, text + n, room - n - 1)) > 0) {
		n += (size_t)got;
		if (room - n < 4096) {
			char *more = realloc(text, room *= 2);

			if (!more)
				break;
			text = more;
		}
	}
	if (fd >= 0)
		close(fd);
	if (text)
		text[n] = '\0';
	return text;
}

void load_parse(const char *text, const cpu_set_t *set, struct load_cpus *out)
{
	*out = (struct load_cpus){ 0 };
	for (const char *line = text; line && strncmp(line, "cpu", 3) == 0;) {
		unsigned long long user, nice, system, idle, iowait, irq, softirq, steal;
		int cpu;

		/* user and nice include the time of guests: do not add these fields. */
		if (sscanf(line, "cpu%d %llu %llu %llu %llu %llu %llu %llu %llu", &cpu, &user,
			    &nice, &system, &idle, &iowait, &irq, &softirq, &steal) == 9 &&
		    cpu >= 0 && cpu < CPU_SETSIZE && CPU_ISSET(cpu, set)) {
			out->busy += user + nice + system + irq + softirq + steal;
			out->idle += idle + iowait;
			out->n++;
		}
		line = strchr(line, '\n');
		line += line != NULL;
	}
}

uint64_t load_process(pid_t pid)
{
	unsigned long long user, system, waited_user, waited_system;
	const char *end;
	uint64_t ticks = 0;
	char path[64], *text;

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	text = read_all(path);
	end = text ? strrchr(text, ')') : NULL;
	if (end &&
			sscanf(end + 1,
			" %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu", &user,
			&system, &waited_user, &waited_system) == 4)
		ticks = user + system + waited_user + waited_system;
	free(text);
	return ticks;
}

/* Reads the CPUs on which this process may run; the measured processes inherited the same set. */
static void read_cpus(struct load_cpus *out)
{
	char *text = read_all("/proc/stat");
	cpu_set_t set;

	*out = (struct load_cpus){ 0 };
	if (text && sched_getaffinity(0, sizeof set, &set) == 0)
		load_parse(text, &set, out);
	free(text);
}

void load_begin(struct load_watch *l)
{
	*l = (struct load_watch){ 0 };
	read_cpus(&l->first);
	l->last = l->first;
}

void load_look(struct load_watch *l, uint64_t own)
{
	read_cpus(&l->last);
	l->own = own;
}

int load_figures(const struct load_watch *l, struct load_figures *out)
{
	double busy = (double)(l->last.busy - l->first.busy),
		idle = (double)(l->last.idle - l->first.idle);
	double own = (double)l->own, all = busy + idle;
	int n = l->last.n;

	if (n == 0 || n != l->first.n || l->last.busy < l->first.busy ||
	    l->last.idle < l->first.idle || all < (double)SHORTEST * n)
		return -1;
	out->cpus = n;
	out->others = busy > own ? (busy - own) / all * n : 0;
	out->idle = idle / all * n;
	return 0;
}
