/* SPDX-License-Identifier: BSD-3-Clause */
/* Where our own files are: in the build tree, or installed. */
#ifndef PSC_FRONTEND_INSTALL_PATHS_H
#define PSC_FRONTEND_INSTALL_PATHS_H

#include "base/err.h"

/* A program that psc_frontend starts: what the variable of the environment says, beside us, or the installed one.
 * 0 / -1. */
int paths_agent(const char *name, const char *variable, char *out, unsigned size, struct err *err);
/* A property file: a path when it has a '/' or ends in .asl, else NAME.asl in
 * $PSC_PROPERTIES_PATH, or our data directory (base/data_dir.h). 0 / -1. */
int paths_property(const char *name, char *out, unsigned size, struct err *err);
/* The first word of a command, found as execvp() would. 0 / -1 (says whether it is missing, a
 * directory, or not executable). */
int paths_command(const char *word, char *out, unsigned size, struct err *err);

#endif
