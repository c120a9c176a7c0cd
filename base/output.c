/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_TRIED 100

static int write_all(int fd, const struct buf *text)
{
	size_t done = 0;

	while (done < text->len) {
		ssize_t n = write(fd, text->data + done, text->len - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		done += (size_t)n;
	}
	return 0;
}

/* O_EXCL rather than mkstemp(), so that the file gets the rights the user's umask gives. */
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

static int write_in_place(const char *path, const struct buf *text, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return err_sys(err, "%s", path);
	if (write_all(fd, text) < 0) {
		err_sys(err, "%s", path);
		close(fd);
		return -1;
	}
	return close(fd) < 0 ? err_sys(err, "%s", path) : 0;
}

/* On the disk before it takes the old one's place: a full disk shows here at the latest. */
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
		err_sys(err, "%s", path);
		buf_free(&name);
		return -1;
	}
	rc = write_all(fd, text);
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
		if ((text->len && fwrite(text->data, text->len, 1, stdout) != 1) || fflush(stdout) != 0)
			return err_sys(err, "standard output");
		return 0;
	}
	exists = stat(path, &st) == 0;
	if (exists && !S_ISREG(st.st_mode)) {
		if (S_ISDIR(st.st_mode)) {
			errno = EISDIR;
			return err_sys(err, "%s", path);
		}
		return write_in_place(path, text, err);
	}
	real = realpath(path, NULL);
	rc = replace(real ? real : path, exists ? &st : NULL, text, err);
	free(real);
	return rc;
}
