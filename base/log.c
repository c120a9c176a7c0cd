/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints messages about the tool's own work. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

static const char *prog = "psc";
static int max_level = 1;

void log_setup(const char *program, int level)
{
	prog = program;
	max_level = level;
}

int log_level(void)
{
	return max_level;
}

void log_msg(int level, const char *fmt, ...)
{
	char text[2048];
	va_list ap;

	if (level > max_level)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	/* One call, so that lines of several processes are not interleaved. */
	fprintf(stderr, "%s: %s\n", prog, text);
}
