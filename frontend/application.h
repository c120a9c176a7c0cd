/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts the application. */
#ifndef PSC_FRONTEND_APPLICATION_H
#define PSC_FRONTEND_APPLICATION_H

#include <sys/types.h>
#include "base/err.h"

/* Other standard streams; -1: the inherited one. */
struct application_streams {
	int in, out;            /* out: also standard error */
};

/* Starts the application in our process group, with the standard streams, signals, descriptors and
 * environment that psc_frontend inherited (inherit.h).  monitor: value of MON_ENV in its
 * environment.  0 / -1 (it could not be executed). */
int application_start(const char *program, char **argv, const char *monitor,
	const struct application_streams *streams, pid_t *pid, struct err *err);

#endif
