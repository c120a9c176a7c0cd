/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes text to a file that the user named. */
#ifndef PSC_BASE_USER_FILE_H
#define PSC_BASE_USER_FILE_H

#include "base/buf.h"

/* Replaces the file as a whole or not at all, keeping its permissions; of a symbolic link the
 * target is replaced.  "-" is standard output.  Devices and pipes are written in place, open
 * descriptors (/dev/stdout, /dev/fd/N) at their position.  A pipe closed by its reader is no
 * error.  A buffer that has failed is not written: -1.  0 / -1. */
int output_write(const char *path, const struct buf *text, struct err *err);

/* Sets a function to call repeatedly, instead of blocking, while a pipe has no reader (fd -1) or no
 * room; a result other than 0 gives up.  NULL: block. */
void output_wait_by(int (*wait)(void *arg, int fd), void *arg);

#endif
