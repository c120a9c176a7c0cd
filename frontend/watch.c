/* SPDX-License-Identifier: BSD-3-Clause */
/* Detects progress of processes from /proc: a process that starts needs more and more memory; one
 * that waits in vain polls or retries, and its memory does not grow. */
#include <config.h>

#include "frontend/watch.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"

enum { PROCESSES = 256, LOOK_NS = 200000000 };

struct progress_seen {
	uint64_t memory, ran, waited;
	bool disk;      /* a thread waits for a disk */
};

struct process_entry {
	pid_t pid, parent;
};

static PSC_CHECKED bool read_text(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, out, size - 1) : -1;

	if (fd >= 0)
		close(fd);
	if (n <= 0)
		return false;
	out[n] = '\0';
	return true;
}

/* Returns the fields behind the command's name in a stat file; NULL on errors. */
static const char *read_stat(const char *path, char *text, size_t size)
{
	const char *end = read_text(path, text, size) ? strrchr(text, ')') : NULL;

	return end && end[1] == ' ' ? end + 2 : NULL;
}

static bool read_process(const char *name, struct process_entry *p)
{
	char path[64], text[512];
	const char *stat;
	int parent;

	snprintf(path, sizeof path, "/proc/%.20s/stat", name);
	stat = read_stat(path, text, sizeof text);
	if (!stat || sscanf(stat, "%*c %d", &parent) != 1)
		return false;
	*p = (struct process_entry){ atoi(name), parent };
	return true;
}

/* Peak resident memory in KiB, plus 1 so that a new process counts as progress. */
static uint64_t memory(pid_t pid)
{
	char path[64], text[4096];
	const char *line;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	line = read_text(path, text, sizeof text) ? strstr(text, "\nVmHWM:") : NULL;
	return 1 + (line ? strtoull(line + 7, NULL, 10) : 0);
}

static void add_threads(pid_t pid, struct progress_seen *s)
{
	char path[96], text[512];
	struct dirent *d;
	DIR *tasks;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	tasks = opendir(path);
	while (tasks && (d = readdir(tasks))) {
		unsigned long long ran, waited;
		const char *stat;

		if (!isdigit((unsigned char)d->d_name[0]))
			continue;
		snprintf(path, sizeof path, "/proc/%ld/task/%.20s/schedstat", (long)pid, d->d_name);
		if (read_text(path, text, sizeof text) &&
		    sscanf(text, "%llu %llu", &ran, &waited) == 2) {
			s->ran += ran;
			s->waited += waited;
		}
		snprintf(path, sizeof path, "/proc/%ld/task/%.20s/stat", (long)pid, d->d_name);
		stat = read_stat(path, text, sizeof text);
		s->disk |= stat && *stat == 'D';
	}
	if (tasks)
		closedir(tasks);
}

/* All descendants of root, found generation by generation. */
static void add_descendants(const struct process_entry *p, int n, pid_t root,
	struct watch_family *f)
{
	f->pid[0] = root;
	f->n = 1;
	for (int at = 0; at < f->n; at++)
		for (int i = 0; i < n && f->n < WATCH_FAMILY; i++)
			if (p[i].parent == f->pid[at])
				f->pid[f->n++] = p[i].pid;
}

void watch_family(pid_t root, struct watch_family *f)
{
	struct process_entry *p = NULL;
	DIR *proc = opendir("/proc");
	int n = 0, room = 0;
	struct dirent *d;

	while (proc && (d = readdir(proc))) {
		if (n == room) {
			struct process_entry *more = realloc(p, (size_t)(room + PROCESSES) *
				sizeof *p);

			if (!more)
				break;
			p = more;
			room += PROCESSES;
		}
		if (isdigit((unsigned char)d->d_name[0]) && read_process(d->d_name, &p[n]))
			n++;
	}
	if (proc)
		closedir(proc);
	add_descendants(p, n, root, f);
	free(p);
}

pid_t watch_stopped(const struct watch_family *f)
{
	for (int i = 0; i < f->n; i++) {
		char path[64], text[512];
		const char *stat;

		snprintf(path, sizeof path, "/proc/%ld/stat", (long)f->pid[i]);
		stat = read_stat(path, text, sizeof text);
		if (stat && *stat == 'T')
			return f->pid[i];
	}
	return 0;
}

static void look(pid_t root, struct progress_seen *s)
{
	struct watch_family f;

	*s = (struct progress_seen){ 0 };
	watch_family(root, &f);
	for (int i = 1; i < f.n; i++) {
		s->memory += memory(f.pid[i]);
		add_threads(f.pid[i], s);
	}
}

void watch_begin(struct watch *w, pid_t root, bool computing)
{
	struct progress_seen s;

	look(root, &s);
	*w = (struct watch){ root, computing, clock_ns(), s.memory, s.ran, s.waited, 0, 0 };
}

static uint64_t grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

double watch_still(struct watch *w)
{
	uint64_t now = clock_ns(), passed = now - w->looked, ran, waited, wanted, own;
	struct progress_seen s;

	if (passed < LOOK_NS)
		return (double)w->still * 1e-9;
	look(w->root, &s);
	ran = grown(s.ran, w->ran);
	waited = grown(s.waited, w->waited);
	wanted = ran + waited > passed ? ran + waited : passed;
	own = passed - (uint64_t)((double)passed * (double)waited / (double)wanted);
	w->computed += ran;
	if (s.memory != w->memory || (w->computing && ran > own / 2))
		w->still = 0;
	else if (!s.disk)
		w->still += own;
	w->looked = now;
	w->memory = s.memory;
	w->ran = s.ran;
	w->waited = s.waited;
	return (double)w->still * 1e-9;
}
