/* SPDX-License-Identifier: BSD-3-Clause */
/* Expands names of output files. */
#include <config.h>

#include "base/output_names.h"
#include "base/buf.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

static void add_host(struct buf *out)
{
	char name[256] = "";

	if (gethostname(name, sizeof name - 1) || !*name)
		strcpy(name, "host");
	for (char *s = name; *s; s++)
		if (*s == '/')
			*s = '_';
	buf_puts(out, name);
}

static void add_time(struct buf *out)
{
	time_t now = time(NULL);
	char text[24];
	struct tm tm;

	if (localtime_r(&now, &tm) && strftime(text, sizeof text, "%Y%m%d-%H%M%S", &tm))
		buf_puts(out, text);
}

char *output_name(const char *pattern, struct err *err)
{
	struct buf out = BUF_INIT;
	char *name;

	for (const char *s = pattern; *s; s++) {
		if (*s != '%' || !s[1] || !strchr("hpt%", s[1])) {
			buf_add(&out, s, 1);
			continue;
		}
		switch (*++s) {
		case 'h': add_host(&out); break;
		case 'p': buf_printf(&out, "%ld", (long)getpid()); break;
		case 't': add_time(&out); break;
		default: buf_puts(&out, "%");
		}
	}
	name = out.failed ? NULL : buf_take(&out);
	buf_free(&out);
	if (!name)
		err_nomem(err);
	return name;
}
