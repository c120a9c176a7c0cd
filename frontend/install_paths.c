/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds our own files, in the build tree or installed, and programs in PATH. */
#include <config.h>

#include "frontend/install_paths.h"
#include "base/buf.h"
#include "base/data_dir.h"
#include "base/word_distance.h"

#include <dirent.h>
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

static int is_property(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return n > 4 && strcmp(d->d_name + n - 4, ".asl") == 0 &&
		strcmp(d->d_name, "model.asl") != 0;
}

/* Is the name among those of the list, with ", " between them? */
static bool is_listed(const char *list, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
		if ((at == list || at[-1] == ' ') && (!at[n] || at[n] == ','))
			return true;
	return false;
}

/* Appends the properties of a directory, and finds the one whose name is nearest. */
static void list_properties(const char *dir, const char *name, struct buf *all, char nearest[64],
	int *least)
{
	struct dirent **entries;
	int n = scandir(dir, &entries, is_property, alphasort);

	for (int i = 0; i < n; i++) {
		int len = (int)strlen(entries[i]->d_name) - 4, d;
		char found[64];

		snprintf(found, sizeof found, "%.*s", len, entries[i]->d_name);
		d = word_distance(name, found, *least);
		if (d < *least) {
			*least = d;
			memcpy(nearest, found, sizeof found);
		}
		if (!is_listed(buf_str(all), found))
			buf_printf(all, "%s%s", all->len ? ", " : "", found);
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

static int no_property(const char *name, struct err *err)
{
	const char *path = getenv("PSC_PROPERTIES_PATH");
	struct buf all = BUF_INIT;
	char dir[4096], nearest[64] = "";
	int least = (int)(strlen(name) + 1) / 3 + 1;

	for (; path && *path; path += *path == ':') {
		size_t n = strcspn(path, ":");

		snprintf(dir, sizeof dir, "%.*s", (int)n, path);
		list_properties(dir, name, &all, nearest, &least);
		path += n;
	}
	snprintf(dir, sizeof dir, "%s/properties", place_data_dir());
	list_properties(dir, name, &all, nearest, &least);
	err_set(err,
		"there is no property file '%s'%s%s%s There are %.600s (a file of your own is given as a path, "
		"./%s.asl)", name, *nearest ? ": did you mean " : "", nearest, *nearest ? "?" : ".",
		buf_str(&all), name);
	buf_free(&all);
	return -1;
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
	return no_property(name, err);
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
