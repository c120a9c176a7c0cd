/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes one error. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return -1;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof err->text, fmt, ap);
	va_end(ap);
	return -1;
}

int err_prefix(struct err *err, const char *fmt, ...)
{
	struct err old;
	va_list ap;
	size_t n;

	if (!err)
		return -1;
	old = *err;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof err->text, fmt, ap);
	va_end(ap);
	n = strlen(err->text);
	snprintf(err->text + n, sizeof err->text - n, ": %s", old.text);
	return -1;
}

int err_sys(struct err *err, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;
	size_t n;

	if (!err)
		return -1;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof err->text, fmt, ap);
	va_end(ap);
	n = strlen(err->text);
	snprintf(err->text + n, sizeof err->text - n, ": %s", strerror(saved));
	errno = saved;
	return -1;
}

int err_nomem(struct err *err)
{
	return err_set(err, "out of memory");
}
