/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and makes our directory among the user's caches. */
#include "base/cache_dir.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int cache_dir_path(const char *name, char *path, size_t size, struct err *err)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *slash = *name ? "/" :
		"";
	int n;

	/* XDG Base Directory Specification: a relative path is ignored. */
	if (cache && *cache == '/')
		n = snprintf(path, size, "%s/periscope%s%s", cache, slash, name);
	else if (home && *home == '/')
		n = snprintf(path, size, "%s/.cache/periscope%s%s", home, slash, name);
	else
		return err_set(err,
			"no cache directory: neither XDG_CACHE_HOME nor HOME is a path");
	if (n < 0 || (size_t)n >= size)
		return err_set(err, "the path of the cache directory is too long");
	return 0;
}

int cache_dir_make(const char *path, struct err *err)
{
	char part[PATH_MAX];
	size_t n = strlen(path);

	if (n >= sizeof part)
		return err_set(err, "the path of the cache directory is too long");
	for (size_t i = 1; i <= n; i++) {
		if (i < n && path[i] != '/')
			continue;
		snprintf(part, sizeof part, "%.*s", (int)i, path);
		/* The same specification: the directory is the user's alone. */
		if (mkdir(part, 0700) < 0 && errno != EEXIST)
			return err_sys(err, "%s", part);
	}
	return 0;
}
