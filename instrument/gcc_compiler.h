/* SPDX-License-Identifier: BSD-3-Clause */
/* Which GCC a command runs: its version, and where its plugin headers are. */
#ifndef PSC_INSTRUMENT_GCC_COMPILER_H
#define PSC_INSTRUMENT_GCC_COMPILER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

struct gcc_compiler {
	const char *command;            /* borrowed: as the user wrote it */
	char version[64];               /* "12.2.0" */
	int major;                      /* 12 */
	char headers[PATH_MAX];         /* the directory with gcc-plugin.h; "": not installed */
};

/* The major versions that the plugin's sources compile with. */
enum { GCC_FIRST = 11, GCC_LAST = 14 };

/* Runs `command` to find out.  -1: it is no GCC, does not run, or is of another version than
 * GCC_FIRST to GCC_LAST. */
int gcc_compiler_ask(const char *command, struct gcc_compiler *out, struct err *err);
/* Whether the plugin's sources, which are C++, can be compiled: by this GCC; for a cross
 * compiler, by this machine's g++. */
bool gcc_compiler_has_cxx(const struct gcc_compiler *g);

/* The text, quoted for the shell.  The caller frees it; NULL: out of memory. */
char *shell_quoted(const char *text);

#endif
