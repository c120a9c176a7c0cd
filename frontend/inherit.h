/* SPDX-License-Identifier: BSD-3-Clause */
/* The application inherits what psc_frontend was started with: signal mask, ignored signals,
 * closed descriptors, a running alarm, the environment. */
#ifndef PSC_FRONTEND_INHERIT_H
#define PSC_FRONTEND_INHERIT_H

#include <signal.h>
#include <stdbool.h>

/* First of all: notes it, and has standard descriptors that are closed lead to /dev/null, for us alone. */
void inherit_take(void);
/* Was the signal ignored? */
bool inherit_ignored(int sig);
/* Sets the environment variable for our own processes. */
void inherit_setenv(const char *name, const char *value);
/* For our own processes: so many open files, where the hard limit allows them. */
void inherit_more_files(unsigned n);
/* In the child that becomes the application: all as it was. */
void inherit_give(void);
/* In a child of ours: closes all descriptors but those n, which are sorted, and has the standard ones lead to
 * /dev/null: nobody waits for us at the end of a pipe. */
void inherit_drop(int *keep, int n);

#endif
