/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what /proc says of a program. */
#include "config.h"
#include "foreign/program_state.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHILDREN = 64 };                 /* as many are looked at */

/* A process's line in /proc, as far as it matters here; times in ticks. */
struct stat_line {
	unsigned long long minor, major, user, sys;
	long long waited_user, waited_sys;      /* of children that have ended */
};

const char *program_stat(const char *path, char *text, size_t size)
{
	FILE *f = fopen(path, "re");
	char *at;
	size_t n;

	if (!f)
		return NULL;
	n = fread(text, 1, size - 1, f);
	fclose(f);
	text[n] = '\0';
	at = strrchr(text, ')');        /* the name may have any characters */
	return at ? at + 1 : NULL;
}

static bool read_line(long pid, struct stat_line *out)
{
	char path[64], text[1024];
	const char *at;

	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	at = program_stat(path, text, sizeof text);
	return at &&
		sscanf(at, " %*c %*d %*d %*d %*d %*d %*u %llu %*u %llu %*u %llu %llu %lld %lld",
		&out->minor, &out->major, &out->user, &out->sys, &out->waited_user,
		&out->waited_sys) == 6;
}

/* Anonymous private memory of the program, bytes; 0: not known. */
static uint64_t private_memory(long pid)
{
	unsigned long long kib = 0;
	char name[64], line[128];
	bool found = false;
	FILE *f;

	snprintf(name, sizeof name, "/proc/%ld/status", pid);
	f = fopen(name, "re");
	while (f && !found && fgets(line, sizeof line, f))
		found = sscanf(line, "RssAnon: %llu kB", &kib) == 1;
	if (f)
		fclose(f);
	return kib * 1024;
}

static uint64_t ticks_ns(uint64_t ticks)
{
	return ticks * (1000000000u / (uint64_t)sysconf(_SC_CLK_TCK));
}

/* The processor time of the children that run, with what they have waited for. */
static uint64_t running_children(long pid)
{
	char name[64];
	uint64_t ticks = 0;
	struct stat_line s;
	long child;
	FILE *f;

	snprintf(name, sizeof name, "/proc/%ld/task/%ld/children", pid, pid);
	f = fopen(name, "re");
	if (!f)
		return 0;
	for (int i = 0; i < CHILDREN && fscanf(f, "%ld", &child) == 1; i++)
		if (read_line(child, &s))
			ticks += s.user + s.sys + (uint64_t)s.waited_user + (uint64_t)s.waited_sys;
	fclose(f);
	return ticks_ns(ticks);
}

static bool executable(long pid, struct stat *st)
{
	char name[64];

	snprintf(name, sizeof name, "/proc/%ld/exe", pid);
	return stat(name, st) == 0;
}

bool program_state_is(long pid, const char *path)
{
	struct stat its, st;

	return executable(pid, &its) && stat(path, &st) == 0 && its.st_ino == st.st_ino &&
		its.st_dev == st.st_dev;
}

void program_state_begin(struct program_state *s, long pid)
{
	struct stat st;

	*s = (struct program_state){ .pid = pid };
	if (executable(pid, &st)) {
		s->device = st.st_dev;
		s->inode = st.st_ino;
	}
	program_state_read(s);
}

void program_state_read(struct program_state *s)
{
	struct stat_line line;
	struct stat st;
	uint64_t children, bytes;

	if (s->inode && executable(s->pid, &st) &&
	    (st.st_ino != s->inode || st.st_dev != s->device))
		s->executed = true;
	if (s->executed || !read_line(s->pid, &line))
		return;
	bytes = private_memory(s->pid);
	s->private_bytes = bytes > s->private_bytes ? bytes : s->private_bytes;
	s->kernel = (struct mon_kernel){ .user_ns = ticks_ns(line.user),
		.sys_ns = ticks_ns(line.sys), .minor = line.minor, .major = line.major };
	s->waited_ns = ticks_ns((uint64_t)line.waited_user + (uint64_t)line.waited_sys);
	children = s->waited_ns + running_children(s->pid);
	if (children > s->children_ns)
		s->children_ns = children;
}
