/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the libraries and plugins that belong to this program: beside it, installed or in the build
 * tree. */
#ifndef PSC_INSTRUMENT_OWN_FILES_H
#define PSC_INSTRUMENT_OWN_FILES_H

#include <stdbool.h>
#include "base/buf.h"

/* The first of `places` (paths below this program's directory, NULL at the end) with `file` in it.
 * The caller frees it; NULL: none. */
char *own_file_dir(const char *const *places, const char *file);
/* Appends the file's contents.  False: it cannot be read. */
bool own_file_read(const char *path, struct buf *text);

#endif
