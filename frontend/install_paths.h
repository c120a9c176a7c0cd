/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds our own files, in the build tree or installed, and programs in PATH. */
#ifndef PSC_FRONTEND_INSTALL_PATHS_H
#define PSC_FRONTEND_INSTALL_PATHS_H

#include "base/err.h"

/* Finds an agent's program: the environment variable's value, else `name` in our own directory,
 * else the installed one. 0 / -1. */
int paths_agent(const char *name, const char *variable, char *out, unsigned size,
	struct err *err) PSC_CHECKED;
/* Finds a property file: a path when it has a '/' or ends in .asl, else NAME.asl in
 * $PSC_PROPERTIES_PATH, or our data directory (base/data_dir.h). 0 / -1. */
int paths_property(const char *name, char *out, unsigned size, struct err *err) PSC_CHECKED;
/* Finds a program as execvp() would. 0 / -1 (err: it is missing, a directory, or not
 * executable). */
int paths_command(const char *word, char *out, unsigned size, struct err *err) PSC_CHECKED;

#endif
