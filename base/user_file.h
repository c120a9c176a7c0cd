/* SPDX-License-Identifier: BSD-3-Clause */
/* Text to a file of the user's. */
#ifndef PSC_BASE_USER_FILE_H
#define PSC_BASE_USER_FILE_H

#include "base/buf.h"

/* Replaces the file at once or not at all, keeping its permissions; what a symbolic link names
 * is replaced, not the link.  "-" is standard output, devices and pipes are written in place, open
 * descriptors (/dev/stdout, /dev/fd/N) as they are, behind what stands there.  A reader that does not
 * want all of it is no error.  A buffer that has failed is not written.  0 / -1. */
int output_write(const char *path, const struct buf *text, struct err *err);

/* Instead of blocking where a pipe has no reader (fd -1) or no room: wait() is called, again and again;
 * not 0 ends it.  NULL: block. */
void output_wait_by(int (*wait)(void *arg, int fd), void *arg);

#endif
