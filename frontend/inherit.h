/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves what psc_frontend inherited (signal mask, ignored signals, closed descriptors, a running
 * alarm, the environment) and gives the same to the application. */
#ifndef PSC_FRONTEND_INHERIT_H
#define PSC_FRONTEND_INHERIT_H

#include <signal.h>
#include <stdbool.h>

/* Saves the inherited state; call it first in main().  Opens /dev/null for closed standard
 * descriptors, so that no file of ours gets their numbers; the application finds them closed. */
void inherit_take(void);
/* Was the signal ignored when psc_frontend started? */
bool inherit_ignored(int sig);
/* Sets an environment variable for our own processes, not for the application. */
void inherit_setenv(const char *name, const char *value);
/* Raises the soft limit of open files to n for our own processes, if the hard limit allows it. */
void inherit_more_files(unsigned n);
/* Restores the inherited state; called in the child that becomes the application. */
void inherit_give(void);
/* Called in a child of ours: closes all descriptors except keep[0..n) (sorts the array) and opens
 * /dev/null as the standard ones.  Otherwise the child would hold pipes open whose reader waits for
 * our end. */
void inherit_drop(int *keep, int n);

#endif
