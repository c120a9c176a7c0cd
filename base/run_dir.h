/* SPDX-License-Identifier: BSD-3-Clause */
/* The run directory: private to one run, holds its sockets and Open MPI's session files. */
#ifndef PSC_BASE_RUN_DIR_H
#define PSC_BASE_RUN_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

/* Makes the directory (mode 0700, absolute path) in TMPDIR (default /tmp); if that cannot be used
 * or has less than `room` bytes free, prints why and tries XDG_RUNTIME_DIR, /dev/shm, /tmp and
 * /var/tmp.  *lock stays locked as long as any process has it open (-1: no lock).  Removes run
 * directories of this user and host in the same place whose lock is free: their runs are dead.  0 /
 * -1. */
int rundir_make(char *dir, size_t size, unsigned room, int *lock, struct err *err) PSC_CHECKED;
/* Makes the same directory on another host, where the run's node agent needs it, or takes the one
 * that is there, if it belongs to this user alone.  *made: it was made here; rundir_remove()
 * removes it, a later run if that fails.
 * *lock as above.  0 / -1. */
int rundir_join(const char *dir, bool *made, int *lock, struct err *err);
/* Removes the directory and everything in it. */
void rundir_remove(const char *dir);

#endif
