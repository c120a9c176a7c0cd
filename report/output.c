/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAMES_TRIED 100

int report_utf8(const char *s, uint32_t *code)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)s;
	int n = p[0] < 0x80 ? 1 : p[0] >> 5 == 6 ? 2 : p[0] >> 4 == 14 ? 3 : p[0] >> 3 == 30 ? 4 : 0;
	uint32_t c;

	if (n == 0)
		return 0;
	c = n == 1 ? p[0] : p[0] & (0xffu >> (n + 1));
	for (int i = 1; i < n; i++) {
		if (p[i] >> 6 != 2)
			return 0;
		c = c << 6 | (p[i] & 0x3f);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*code = c;
	return n;
}

void report_real(struct buf *b, double v)
{
	char text[40];

	if (isnan(v)) {
		buf_puts(b, "NaN");
		return;
	}
	if (isinf(v)) {
		buf_puts(b, v > 0 ? "INF" : "-INF");
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	for (char *p = text; *p; p++)
		if (*p == ',')
			*p = '.';
	buf_puts(b, text);
}

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

static int replace(const char *path, const struct buf *text, struct err *err)
{
	struct buf name = BUF_INIT;
	int fd = open_beside(path, &name), rc;

	if (fd < 0) {
		err_sys(err, "%s", path);
		buf_free(&name);
		return -1;
	}
	rc = write_all(fd, text);
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

int report_output(const char *path, const struct buf *text, struct err *err)
{
	struct stat st;
	char *real;
	int rc;

	if (text->failed)
		return err_nomem(err);
	if (strcmp(path, "-") == 0) {
		if ((text->len && fwrite(text->data, text->len, 1, stdout) != 1) || fflush(stdout) != 0)
			return err_sys(err, "standard output");
		return 0;
	}
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		if (S_ISDIR(st.st_mode)) {
			errno = EISDIR;
			return err_sys(err, "%s", path);
		}
		return write_in_place(path, text, err);
	}
	real = realpath(path, NULL);    /* what a symbolic link names is replaced, not the link */
	rc = replace(real ? real : path, text, err);
	free(real);
	return rc;
}
