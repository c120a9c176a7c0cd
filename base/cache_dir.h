/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and makes our directory among the user's caches. */
#ifndef PSC_BASE_CACHE_DIR_H
#define PSC_BASE_CACHE_DIR_H

#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"

/* The path of `name` in $XDG_CACHE_HOME/periscope or ~/.cache/periscope; that directory itself if
 * `name` is "".  -1: the environment names no directory, or the path is longer than `size`. */
int cache_dir_path(const char *name, char *path, size_t size, struct err *err) PSC_CHECKED;
/* Makes the directory `path` and those above it, for the user alone.  It may be there.  0 / -1. */
int cache_dir_make(const char *path, struct err *err);

#endif
