/* SPDX-License-Identifier: BSD-3-Clause */
/* Calibrates this host at the first analysis, and again when the machine is quieter.  The measuring
 * process is a child: its memory, its processor time and its pinned threads are no
 * business of psc_frontend. */
#include <config.h>

#include "frontend/first_calibration.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "machine/calibration_due.h"

enum {
	WAIT_LOCK_S = 60,       /* for another psc_frontend that measures */
	WAIT_CHILD_S = 60,      /* a machine that needs longer for 6 s has no time to be measured */
	LOOK_MS = 20
};
#define S 1000000000u

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

enum { LOCK_PATH = PATH_MAX + 8 };
static void lock_path(const char *path, char name[LOCK_PATH])
{
	snprintf(name, LOCK_PATH, "%s.lock", path);
}

/* The lock file has a byte where the last try failed: to measure what there is nothing of is tried
 * again after PATIENCE_S.
 * True: not yet. */
enum { PATIENCE_S = 3600 };
static bool failed_lately(const char *path)
{
	char name[LOCK_PATH];
	struct stat st;

	lock_path(path, name);
	return stat(name, &st) == 0 && st.st_size > 0 && time(NULL) - st.st_mtime < PATIENCE_S;
}

static void remember(int fd, bool failed)
{
	if (ftruncate(fd, failed) == 0)
		futimens(fd, NULL);
}

static enum calibration_due due(const struct machine *m, const char *path)
{
	struct calibration kept;
	struct err why;
	struct stat st;
	bool fits = calibration_of_host(m, &kept, &why) == 0;

	if (!fits && failed_lately(path))
		return CALIBRATION_KEPT;        /* nothing */
	return calibration_due(fits ? &kept : NULL, stat(path, &st) == 0 ? st.st_mtime : 0,
		calibration_load(), time(NULL));
}

/* Opens and locks a file beside the calibration.  -1: it cannot be made, or another process holds
 * it for too long; err says which.  Where the file system has no locks, there is none: the
 * calibration is replaced as a whole in any case. */
static int lock(const char *path, bool quiet, struct err *err)
{
	const uint64_t start = clock_ns();
	bool said = quiet;
	char name[LOCK_PATH];
	int fd;

	lock_path(path, name);
	fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_sys(err, "%s", name);
	while (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK) {
		if (!said)
			log_msg(1,
				"another psc_frontend measures what memory costs on this host: waiting for it");
		said = true;
		if (clock_ns() - start > (uint64_t)WAIT_LOCK_S * S) {
			close(fd);
			return err_set(err, "another process has %s", name);
		}
		pause_ms(LOOK_MS);
	}
	return fd;
}

/* Measures, and keeps the result if it is better than what is there: the exit code. */
static int measure(const char *path)
{
	struct calibration fresh, kept;
	struct machine m;
	struct err err, why;

	if (machine_host(&m, &err) < 0 || calibration_measure(&m, &calibration_brief, NULL, &fresh,
	    &err) < 0) {
		log_msg(1, "not calibrated: %s", err.text);
		return 1;
	}
	if (calibration_of_host(&m, &kept, &why) == 0 && !calibration_better(&fresh, &kept)) {
		utimensat(AT_FDCWD, path, NULL, 0);     /* tried in vain */
		return 1;
	}
	if (calibration_write(&fresh, path, &err) < 0) {
		log_msg(1, "the calibration is not kept: %s", err.text);
		return 1;
	}
	return 0;
}

static pid_t start(const char *path)
{
	const pid_t parent = getpid();
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	_exit(getppid() == parent ? measure(path) : 1);
}

/* True: it ended in time, with a new calibration. */
static bool await(pid_t pid)
{
	const uint64_t begin = clock_ns();
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (clock_ns() - begin > (uint64_t)WAIT_CHILD_S * S) {
			kill(pid, SIGKILL);
			waitpid(pid, &status, 0);
			log_msg(1,
				"not calibrated: %d s were not enough on this busy machine; costs of memory are assumed", WAIT_CHILD_S);
			return false;
		}
		pause_ms(LOOK_MS);
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void announce(enum calibration_due why)
{
	log_msg(1,
		"measuring %swhat memory costs on this host%s: up to 6 s (--no-calibrate leaves it out)", why == CALIBRATION_MISSING ? "" : "again ", why == CALIBRATION_MISSING ? ", once" : ", which is quieter now");
}

bool first_calibration(const struct machine *m, bool quiet)
{
	enum calibration_due why;
	char path[PATH_MAX];
	struct err err;
	bool renewed = true;
	pid_t pid;
	int fd;

	if (calibration_path(false, path, sizeof path, &err) == 0 &&
	    due(m, path) == CALIBRATION_KEPT)
		return false;
	/* Where nothing can be kept, it would take the time again and again. */
	if (calibration_path(true, path, sizeof path, &err) < 0 ||
	    (fd = lock(path, quiet, &err)) < 0) {
		log_msg(1, "this host is not calibrated, and costs of memory are assumed: %s",
			err.text);
		return false;
	}
	why = due(m, path);     /* another process may have measured meanwhile */
	if (why != CALIBRATION_KEPT) {
		if (!quiet)
			announce(why);
		pid = start(path);
		renewed = pid > 0 && await(pid);
		remember(fd, !renewed && why == CALIBRATION_MISSING);
	}
	close(fd);
	return renewed;
}
