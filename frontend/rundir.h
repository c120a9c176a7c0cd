/* SPDX-License-Identifier: BSD-3-Clause */
/* The run directory: private to one run, holds its sockets and Open MPI's session files. */
#ifndef PSC_FRONTEND_RUNDIR_H
#define PSC_FRONTEND_RUNDIR_H

#include <stddef.h>
#include "base/err.h"

/* Makes the directory (mode 0700, absolute path) in TMPDIR (default /tmp); if that cannot be used
 * or has less than `room` bytes free, prints why and tries XDG_RUNTIME_DIR, /dev/shm, /tmp and
 * /var/tmp.  *lock stays locked as long as any process has it open (-1: no lock).  Removes run
 * directories of this user and host in the same place whose lock is free: their runs are dead.  0 /
 * -1. */
int rundir_make(char *dir, size_t size, unsigned room, int *lock, struct err *err);
/* Removes the directory and everything in it. */
void rundir_remove(const char *dir);

#endif
