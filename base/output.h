/* SPDX-License-Identifier: BSD-3-Clause */
/* Text to a file of the user's. */
#ifndef PSC_BASE_OUTPUT_H
#define PSC_BASE_OUTPUT_H

#include "base/buf.h"

/* Replaces the file at once or not at all, keeping its permissions; what a symbolic link names
 * is replaced, not the link.  "-" is standard output, devices are written in place.  A buffer
 * that has failed is not written.  0 / -1. */
int output_write(const char *path, const struct buf *text, struct err *err);

#endif
