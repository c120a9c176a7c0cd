/* SPDX-License-Identifier: BSD-3-Clause */
/* Inspects a process that is to be analysed while it runs (running.h). */
#include <config.h>

#include "frontend/running.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "monitor/shared/attach_message.h"

/* --- files of /proc --------------------------------------------------------------------------- */

/* Appends the whole file.  -1: it cannot be read (errno). */
static int append_file(const char *path, struct buf *out)
{
	char part[4096];
	ssize_t n = -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC), why;

	if (fd < 0)
		return -1;
	while ((n = read(fd, part, sizeof part)) > 0)
		buf_add(out, part, (size_t)n);
	why = errno;
	close(fd);
	errno = why;
	return n < 0 ? -1 : 0;
}

/* NULL: it cannot be read (errno).  The caller frees. */
static char *read_text(const char *path)
{
	struct buf b = BUF_INIT;

	if (append_file(path, &b)) {
		buf_free(&b);
		return NULL;
	}
	buf_puts(&b, "");
	return buf_take(&b);
}

static void proc_path(char path[static 64], pid_t pid, const char *file)
{
	snprintf(path, 64, "/proc/%ld/%s", (long)pid, file);
}

int running_text(pid_t pid, const char *file, struct buf *out)
{
	char path[64];

	proc_path(path, pid, file);
	return append_file(path, out);
}

static char *proc_text(pid_t pid, const char *file)
{
	char path[64];

	proc_path(path, pid, file);
	return read_text(path);
}

/* The value of a line of a status file; "": there is none. */
static const char *field(const char *status, const char *name)
{
	size_t n = strlen(name);

	for (const char *line = status; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, n) == 0 && line[n] == ':')
			return line + n + 1 + strspn(line + n + 1, " \t");
	}
	return "";
}

static bool in_set(const char *status, const char *name)
{
	return strtoull(field(status, name), NULL, 16) >> (MON_ATTACH_SIGNAL - 1) & 1;
}

/* State and begin of a process or thread; the parent, too.  -1: it is gone. */
static int read_stat(const char *path, char *state, uint64_t *began, pid_t *parent)
{
	char *text = read_text(path), *at = text ? strrchr(text, ')') : NULL;
	unsigned long long ticks = 0;
	int up = 0, rc = -1;

	if (at &&
			 sscanf(at + 1,
			 " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", state, &up, &ticks) == 3) {
		*began = ticks;
		*parent = up;
		rc = 0;
	}
	free(text);
	return rc;
}

static int process_stat(pid_t pid, char *state, uint64_t *began, pid_t *parent)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
	return read_stat(path, state, began, parent);
}

static bool is_dead(char state)
{
	return state == 'Z' || state == 'X' || state == 'x';
}

static bool is_stopped(char state)
{
	return state == 'T' || state == 't';
}

bool running_still(const struct running *r)
{
	uint64_t began;
	pid_t parent;
	char state;

	return process_stat(r->pid, &state, &began, &parent) == 0 && began == r->began &&
		!is_dead(state);
}

bool running_stopped(const struct running *r)
{
	uint64_t began;
	pid_t parent;
	char state;

	return process_stat(r->pid, &state, &began, &parent) == 0 && is_stopped(state);
}

static bool same_namespace(pid_t pid, const char *kind)
{
	char path[64], mine[64], other[64];
	ssize_t n, m;

	snprintf(path, sizeof path, "/proc/self/ns/%s", kind);
	n = readlink(path, mine, sizeof mine);
	snprintf(path, sizeof path, "/proc/%ld/ns/%s", (long)pid, kind);
	m = readlink(path, other, sizeof other);
	return n == m && (n < 0 || memcmp(mine, other, (size_t)n) == 0);
}

bool running_same_files(const struct running *r)
{
	return same_namespace(r->pid, "mnt");
}

/* --- the process ------------------------------------------------------------------------------ */

static int read_owner(const char *status, pid_t pid, struct err *err)
{
	unsigned real, effective;

	if (sscanf(field(status, "Uid"), "%u %u", &real, &effective) != 2)
		return err_set(err, "process %ld: /proc/%ld/status has no users", (long)pid,
			(long)pid);
	if (real != geteuid() || effective != geteuid())
		return err_set(err,
			"process %ld belongs to user %u: start psc_frontend as that user",
			(long)pid, effective);
	return 0;
}

/* The path as the process has it may lead to another file: it was replaced, or
 * other files are seen here. */
static int read_executable(struct running *r, struct err *err)
{
	char link[64];
	struct stat st, here;
	ssize_t n;

	snprintf(link, sizeof link, "/proc/%ld/exe", (long)r->pid);
	if (stat(link, &st))
		return errno == ENOENT ?
			err_set(err, "process %ld (%s) executes no file: it is the kernel's",
			(long)r->pid, r->name) :
			err_sys(err, "process %ld (%s) cannot be inspected: %s", (long)r->pid,
				r->name, link);
	r->device = st.st_dev;
	r->inode = st.st_ino;
	n = readlink(link, r->executable, sizeof r->executable - 1);
	r->executable[n > 0 ? n : 0] = '\0';
	if (n <= 0 || stat(r->executable, &here) || here.st_dev != st.st_dev ||
	    here.st_ino != st.st_ino)
		snprintf(r->executable, sizeof r->executable, "%s", link);
	return 0;
}

int running_read(struct running *r, pid_t pid, struct err *err)
{
	char *status = proc_text(pid, "status"), state;
	pid_t parent;
	int rc = -1;

	*r = (struct running){ .pid = pid };
	if (!status || process_stat(pid, &state, &r->began, &parent)) {
		err_set(err, "there is no process %ld", (long)pid);
		goto out;
	}
	snprintf(r->name, sizeof r->name, "%.*s", (int)strcspn(field(status, "Name"), "\n"),
		field(status, "Name"));
	if (is_dead(state))
		err_set(err, "process %ld (%s) has ended", (long)pid, r->name);
	else if (read_owner(status, pid, err) || read_executable(r, err))
		;
	else if (!same_namespace(pid, "pid"))
		err_set(err,
			"process %ld (%s) is in a container that numbers its processes itself: start psc_frontend there", (long)pid, r->name);
	else
		rc = 0;
out:
	free(status);
	return rc;
}

static bool has_mapping(pid_t pid, const char *name)
{
	char *maps = proc_text(pid, "maps");
	bool found = maps && strstr(maps, name);

	free(maps);
	return found;
}

/* A filter of system calls that psc_frontend has, too, is the container's. */
static bool has_filters(const char *status)
{
	char *mine = read_text("/proc/self/status");
	long other = strtol(field(status, "Seccomp_filters"), NULL, 10), own;

	own = mine ? strtol(field(mine, "Seccomp_filters"), NULL, 10) : 0;
	free(mine);
	return other > own || *field(status, "Seccomp") == '1';
}

int running_answers(const struct running *r, struct err *err)
{
	char *status = proc_text(r->pid, "status");
	long pid = (long)r->pid;
	int rc = -1;

	if (!status)
		return err_set(err, "there is no process %ld", pid);
	if (running_stopped(r))
		err_set(err, "process %ld (%s) is stopped: continue it first (kill -CONT %ld)", pid,
			r->name, pid);
	else if (has_filters(status))
		err_set(err,
			"process %ld (%s) has restricted its system calls (seccomp): the attempt could end it", pid, r->name);
	else if (in_set(status, "SigIgn"))
		err_set(err,
			"process %ld (%s) ignores SIGURG, the signal by which its monitor is asked",
			pid, r->name);
	else if (!in_set(status, "SigCgt") && has_mapping(r->pid, "/memfd:periscope"))
		err_set(err,
			"process %ld (%s) was started by psc_frontend: its monitor measures in that analysis alone", pid, r->name);
	else if (!in_set(status, "SigCgt"))
		err_set(err,
			"process %ld (%s) does not take SIGURG, the signal by which its monitor is asked: %s", pid, r->name, has_mapping(r->pid, "libpscmon") ? "the program has taken the handler away" :
			"it was linked without the monitor (a static program?), or has taken the handler away");
	else
		rc = 0;
	free(status);
	return rc;
}

/* Is the signal in this set of the thread's?  gone: the answer where the thread has ended. */
static bool thread_has(pid_t pid, const char *thread, const char *set, bool gone)
{
	char file[300], *status;
	bool has;

	snprintf(file, sizeof file, "/proc/%ld/task/%s/status", (long)pid, thread);
	status = read_text(file);
	has = status ? in_set(status, set) : gone;
	free(status);
	return has;
}

static bool thread_blocks(pid_t pid, const char *thread)
{
	return thread_has(pid, thread, "SigBlk", true);
}

bool running_pending(const struct running *r, pid_t thread)
{
	char name[24];

	snprintf(name, sizeof name, "%ld", (long)thread);
	return thread_has(r->pid, name, "SigPnd", false);
}

static bool thread_runs(pid_t pid, const char *thread)
{
	char path[300], state;
	uint64_t began;
	pid_t parent;

	snprintf(path, sizeof path, "/proc/%ld/task/%s/stat", (long)pid, thread);
	return read_stat(path, &state, &began, &parent) == 0 && state == 'R';
}

pid_t running_thread(const struct running *r, bool any)
{
	pid_t open = 0, found = 0;
	struct dirent *d;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)r->pid);
	dir = opendir(path);
	while (dir && !found && (d = readdir(dir))) {
		if (d->d_name[0] == '.' || thread_blocks(r->pid, d->d_name))
			continue;
		open = open ? open : (pid_t)atol(d->d_name);
		if (thread_runs(r->pid, d->d_name))
			found = (pid_t)atol(d->d_name);
	}
	if (dir)
		closedir(dir);
	return found ? found : !open ? -1 : any ? open : 0;
}

/* --- processes that it has started ------------------------------------------------------------ */

struct relative { pid_t pid, parent; };

static struct relative *all_processes(size_t *n)
{
	struct relative *all = NULL;
	size_t room = 0;
	struct dirent *d;
	DIR *proc = opendir("/proc");

	*n = 0;
	while (proc && (d = readdir(proc))) {
		pid_t pid = (pid_t)atol(d->d_name), parent;
		uint64_t began;
		char state;

		if (pid <= 0 || process_stat(pid, &state, &began, &parent))
			continue;
		if (*n == room) {
			struct relative *more = realloc(all, (room = 2 * room + 64) * sizeof *all);

			if (!more)
				break;
			all = more;
		}
		all[(*n)++] = (struct relative){ pid, parent };
	}
	if (proc)
		closedir(proc);
	return all;
}

static bool is_below(const struct relative *all, size_t n, pid_t pid, pid_t above)
{
	enum { DEEPEST = 64 };

	for (int depth = 0; depth < DEEPEST && pid > 1; depth++) {
		size_t i = 0;

		while (i < n && all[i].pid != pid)
			i++;
		if (i == n)
			return false;
		pid = all[i].parent;
		if (pid == above)
			return true;
	}
	return false;
}

void running_below(pid_t pid, void (*f)(void *arg, pid_t pid), void *arg)
{
	size_t n;
	struct relative *all = all_processes(&n);

	for (size_t i = 0; i < n; i++)
		if (is_below(all, n, all[i].pid, pid))
			f(arg, all[i].pid);
	free(all);
}
