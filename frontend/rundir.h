/* SPDX-License-Identifier: BSD-3-Clause */
/* The run's private directory: sockets, and what Open MPI keeps. */
#ifndef PSC_FRONTEND_RUNDIR_H
#define PSC_FRONTEND_RUNDIR_H

#include <stddef.h>
#include "base/err.h"

/* Makes it (0700, absolute) where there is room (bytes): in TMPDIR, or beside what speaks against it, which is said, in
 * XDG_RUNTIME_DIR, /dev/shm, /tmp or /var/tmp.  *lock stays locked as long as any process has it open;
 * directories of ours there that nobody has locked any more are removed.  0 / -1. */
int rundir_make(char *dir, size_t size, unsigned room, int *lock, struct err *err);
/* With all that is in it. */
void rundir_remove(const char *dir);

#endif
