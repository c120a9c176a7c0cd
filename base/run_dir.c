/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and removes run directories, those of dead runs included. */
#include <config.h>

#include "base/run_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/log.h"

/* A socket's path has at most 107 bytes; our file names and Open MPI's need the rest. */
enum { NAME_MOST = 60 };
enum { FILES = 64 };    /* free inodes needed; mpirun's session has 22 files */
#define PREFIX "psc-"
#define PATTERN PREFIX "XXXXXX"

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	remove(path);
	return 0;
}

void rundir_remove(const char *dir)
{
	nftw(dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* --- the lock -------------------------------------------------------------------------------- */

/* The lock file names its host: on a network file system a lock may be valid on one host only. */
static void host_name(char *out, size_t size)
{
	struct utsname u;

	snprintf(out, size, "%s\n", uname(&u) == 0 ? u.nodename : "?");
}

/* Makes the lock file and locks it.  It is renamed to "lock" only when locked, so that no other run
 * can take the directory for dead.  -1: no lock. */
static int make_lock(const char *dir)
{
	char early[PATH_MAX + 16], path[PATH_MAX + 16], host[300];
	int fd;

	snprintf(early, sizeof early, "%s/lock.new", dir);
	snprintf(path, sizeof path, "%s/lock", dir);
	host_name(host, sizeof host);
	fd = open(early, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX | LOCK_NB) ||
	    write(fd, host, strlen(host)) != (ssize_t)strlen(host) || rename(early, path)) {
		close(fd);
		unlink(early);
		return -1;
	}
	return fd;
}

/* Is this a run directory of this user and host whose lock no process holds? */
static bool is_dead(const char *dir)
{
	char path[PATH_MAX + 272], host[300], there[300] = "";
	struct stat st;
	bool dead;
	int fd;

	if (lstat(dir, &st) || !S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 077))
		return false;
	snprintf(path, sizeof path, "%s/lock", dir);
	fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return false;
	host_name(host, sizeof host);
	dead = read(fd, there, sizeof there - 1) > 0 && strcmp(there, host) == 0 &&
		flock(fd, LOCK_EX | LOCK_NB) == 0;
	close(fd);
	return dead;
}

static void remove_dead(const char *tmp)
{
	DIR *d = opendir(tmp);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char path[PATH_MAX + 260];

		if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) != 0 ||
		    strlen(e->d_name) != strlen(PATTERN))
			continue;
		snprintf(path, sizeof path, "%s/%s", tmp, e->d_name);
		if (is_dead(path))
			rundir_remove(path);
	}
	if (d)
		closedir(d);
}

/* --- the directory --------------------------------------------------------------------------- */

/* Makes the run directory in `tmp`.  -1: why says what is wrong with `tmp`. */
static int make_in(const char *tmp, char *dir, size_t size, unsigned room, char *why, size_t max)
{
	char real[PATH_MAX];
	struct statvfs s;

	if (!realpath(tmp, real) || statvfs(real, &s)) {
		snprintf(why, max, "%s", strerror(errno));
		return -1;
	}
	if (strlen(real) > NAME_MOST || size <= strlen(real) + sizeof PATTERN) {
		snprintf(why, max, "its path is too long for a socket (at most %d bytes)",
			NAME_MOST);
		return -1;
	}
	if ((unsigned long long)s.f_bavail * s.f_frsize < room ||
	    (s.f_files && s.f_favail < FILES)) {
		snprintf(why, max,
			"%llu KiB and %llu files are free, %u KiB and %d files are needed",
			(unsigned long long)s.f_bavail * s.f_frsize >> 10,
			(unsigned long long)s.f_favail, room >> 10, FILES);
		return -1;
	}
	snprintf(dir, size, "%s/" PATTERN, real);
	if (!mkdtemp(dir)) {
		snprintf(why, max, "%s", strerror(errno));
		dir[0] = '\0';
		return -1;
	}
	return 0;
}

int rundir_make(char *dir, size_t size, unsigned room, int *lock, struct err *err)
{
	const char *tmp = getenv("TMPDIR"), *user = getenv("XDG_RUNTIME_DIR");
	const char *places[] = { tmp && *tmp ? tmp : "/tmp", user ? user : "", "/dev/shm", "/tmp",
		"/var/tmp" };
	char why[160], first[160] = "";

	*lock = -1;
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		if (!*places[i])
			continue;
		if (make_in(places[i], dir, size, room, why, sizeof why) == 0) {
			if (i)
				log_msg(0, "the run's files are in %s: %s cannot be used (%s)", dir,
					places[0], first);
			*strrchr(dir, '/') = '\0';
			remove_dead(*dir ? dir : "/");
			dir[strlen(dir)] = '/';
			*lock = make_lock(dir);
			return 0;
		}
		if (!first[0])
			snprintf(first, sizeof first, "%s", why);
	}
	return err_set(err,
		"no directory for the run's files: %s: %s; no room in $XDG_RUNTIME_DIR, /dev/shm, "
		"/tmp and /var/tmp either (set TMPDIR)", places[0], first);
}

static bool has_lock(const char *dir)
{
	char path[PATH_MAX + 16];

	snprintf(path, sizeof path, "%s/lock", dir);
	return access(path, F_OK) == 0;
}

int rundir_join(const char *dir, bool *made, int *lock, struct err *err)
{
	char parent[PATH_MAX];
	struct stat st;

	*made = false;
	*lock = -1;
	if (mkdir(dir, 0700) && errno != EEXIST)
		return err_sys(err, "%s", dir);
	if (lstat(dir, &st))
		return err_sys(err, "%s", dir);
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 077))
		return err_set(err, "%s: not a directory of this user alone", dir);
	/* Hosts that share the directory find the front end's lock.  Else this agent, or the
	 * launcher that started it with our TMPDIR, has made it. */
	if (has_lock(dir))
		return 0;
	*made = true;
	*lock = make_lock(dir);
	snprintf(parent, sizeof parent, "%s", dir);
	if (strrchr(parent, '/') > parent) {
		*strrchr(parent, '/') = '\0';
		remove_dead(parent);
	}
	return 0;
}
