/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a file that the user named, as a whole or not at all. */
#include "base/user_file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_TRIED 100

enum { PIECE = 4096 };  /* bytes that a pipe with room accepts in one write */

static int (*wait_for)(void *arg, int fd);
static void *wait_arg;

void output_wait_by(int (*wait)(void *arg, int fd), void *arg)
{
	wait_for = wait;
	wait_arg = arg;
}

static bool would_block(int fd)
{
	struct pollfd p = { fd, POLLOUT, 0 };

	return poll(&p, 1, 0) == 0;
}

/* patient: fd may be a pipe without room.  Its blocking mode is not changed, since other processes
 * may share it. */
static int write_all(int fd, const struct buf *text, bool patient)
{
	size_t done = 0;

	while (done < text->len) {
		size_t n = text->len - done;
		ssize_t got;

		while (patient && wait_for && would_block(fd))
			if (wait_for(wait_arg, fd)) {
				errno = EINTR;
				return -1;
			}
		got = write(fd, text->data + done, patient && n > PIECE ? PIECE : n);
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got < 0)
			return -1;
		done += (size_t)got;
	}
	return 0;
}

/* Uses O_EXCL, not mkstemp(), so that the file's permissions follow the user's umask. */
static int open_beside(const char *path, struct buf *name)
{
	for (int i = 0; i < NAMES_TRIED; i++) {
		int fd;

		buf_clear(name);
		buf_printf(name, "%s.%ld-%d.tmp", path, (long)getpid(), i);
		if (name->failed) {
			errno = ENOMEM;
			return -1;
		}
		fd = open(name->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* The descriptor that the path names (/dev/fd/N); -1: none. */
static int number_of(const char *path)
{
	static const char *const dirs[] = { "/dev/fd/", "/proc/self/fd/" };

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
		const char *digits = path + strlen(dirs[i]);

		if (strncmp(path, dirs[i], strlen(dirs[i])) == 0 && *digits &&
		    strspn(digits, "0123456789") == strlen(digits) && strlen(digits) < 9)
			return atoi(digits);
	}
	return -1;
}

static int open_in_place(const char *path, const struct stat *st)
{
	int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY | (S_ISREG(st->st_mode) ? O_TRUNC : 0), fd;

	if (!wait_for || !S_ISFIFO(st->st_mode))
		return open(path, flags);
	while ((fd = open(path, flags | O_NONBLOCK)) < 0 && errno == ENXIO)
		if (wait_for(wait_arg, -1)) {
			errno = EINTR;
			return -1;
		}
	return fd;
}

static int write_in_place(const char *path, const struct stat *st, const struct buf *text,
	struct err *err)
{
	int number = number_of(path), rc;
	int fd = number >= 0 ? fcntl(number, F_DUPFD_CLOEXEC, 3) : open_in_place(path, st);

	if (fd < 0)
		return err_sys(err, "%s", path);
	rc = write_all(fd, text, !S_ISREG(st->st_mode));
	if (rc < 0 && errno == EPIPE)
		rc = 0;
	if (rc < 0)
		err_sys(err, "%s", path);
	if (close(fd) < 0 && rc == 0)
		rc = err_sys(err, "%s", path);
	return rc;
}

/* Synchronizes the new file to disk before it replaces the old one: a full disk is noticed here at
 * the latest. */
static int finish(int fd, const struct stat *old)
{
	if (old && fchmod(fd, old->st_mode & 07777) < 0)
		return -1;
	return fsync(fd) < 0 && errno != EINVAL && errno != EROFS ? -1 : 0;
}

static int replace(const char *path, const struct stat *old, const struct buf *text,
	struct err *err)
{
	struct buf name = BUF_INIT;
	int fd = open_beside(path, &name), rc;

	if (fd < 0) {
		buf_free(&name);
		/* The file may be writable in a directory that is not. */
		if (old && (errno == EACCES || errno == EPERM))
			return write_in_place(path, old, text, err);
		return err_sys(err, "%s", path);
	}
	rc = write_all(fd, text, false);
	if (rc == 0)
		rc = finish(fd, old);
	if (rc < 0)
		err_sys(err, "%s", path);
	if (close(fd) < 0 && rc == 0)
		rc = err_sys(err, "%s", path);
	if (rc == 0 && rename(name.data, path) < 0)
		rc = err_sys(err, "%s", path);
	if (rc < 0)
		unlink(name.data);
	buf_free(&name);
	return rc;
}

int output_write(const char *path, const struct buf *text, struct err *err)
{
	struct stat st;
	bool exists;
	char *real;
	int rc;

	if (text->failed)
		return err_nomem(err);
	if (strcmp(path, "-") == 0) {
		if ((text->len && fwrite(text->data, text->len, 1, stdout) != 1) ||
		    fflush(stdout) != 0)
			return errno == EPIPE ? 0 : err_sys(err, "standard output");
		return 0;
	}
	if (number_of(path) >= 0 && fcntl(number_of(path), F_GETFD) < 0)
		return err_sys(err, "%s", path);
	exists = number_of(path) >= 0 ? fstat(number_of(path), &st) == 0 : stat(path, &st) == 0;
	if (exists && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return err_sys(err, "%s", path);
	}
	if (exists && (number_of(path) >= 0 || !S_ISREG(st.st_mode)))
		return write_in_place(path, &st, text, err);
	real = realpath(path, NULL);
	rc = replace(real ? real : path, exists ? &st : NULL, text, err);
	free(real);
	return rc;
}
