/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds our own files, in the build tree or installed, and programs in PATH. */
#include <config.h>

#include "frontend/install_paths.h"
#include "base/data_dir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int paths_agent(const char *name, const char *variable, char *out, unsigned size, struct err *err)
{
	const char *given = getenv(variable), *dir = place_program_dir();

	if (given && *given) {
		snprintf(out, size, "%s", given);
		return access(out, X_OK) ? err_sys(err, "%s=%s", variable, out) : 0;
	}
	snprintf(out, size, "%s/%s", dir, name);
	if (access(out, X_OK) == 0)
		return 0;
	snprintf(out, size, "%s/../libexec/" PACKAGE "/%s", dir, name);
	if (access(out, X_OK) == 0)
		return 0;
	return err_set(err, "%s is neither in %s nor installed", name, dir);
}

static int try_property(const char *dir, size_t len, const char *name, char *out, unsigned size)
{
	snprintf(out, size, "%.*s/%s.asl", (int)len, dir, name);
	return access(out, R_OK);
}

int paths_property(const char *name, char *out, unsigned size, struct err *err)
{
	const char *path = getenv("PSC_PROPERTIES_PATH");
	size_t len = strlen(name);

	if (strchr(name, '/') || (len > 4 && strcmp(name + len - 4, ".asl") == 0)) {
		snprintf(out, size, "%s", name);
		return access(out, R_OK) ? err_sys(err, "%s", name) : 0;
	}
	while (path && *path) {
		size_t n = strcspn(path, ":");

		if (n && try_property(path, n, name, out, size) == 0)
			return 0;
		path += n + (path[n] == ':');
	}
	snprintf(out, size, "%s/properties/%s.asl", place_data_dir(), name);
	if (access(out, R_OK) == 0)
		return 0;
	return err_set(err, "there is no property file '%s' (a file of your own is given as a path, "
		"./%s.asl)", name, name);
}

static int executable(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st))
		return err_sys(err, "%s", path);
	if (S_ISDIR(st.st_mode))
		return err_set(err, "%s: is a directory, not a program", path);
	if (access(path, X_OK))
		return err_set(err, "%s: is not executable (chmod +x?)", path);
	return 0;
}

int paths_command(const char *word, char *out, unsigned size, struct err *err)
{
	const char *path = getenv("PATH");

	if (strchr(word, '/')) {
		snprintf(out, size, "%s", word);
		return executable(word, err);
	}
	while (path && *path) {
		size_t n = strcspn(path, ":");

		snprintf(out, size, "%.*s/%s", n ? (int)n : 1, n ? path : ".", word);
		if (access(out, X_OK) == 0 && executable(out, err) == 0)
			return 0;
		path += n + (path[n] == ':');
	}
	return err_set(err, "%s: no such program in PATH (is it ./%s?)", word, word);
}
